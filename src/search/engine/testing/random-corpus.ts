import type { SeededRandom } from '../../../base/testing/seeded-random.ts';
import { languageNamed } from '../../documents/languages.ts';
import type { QueryNode, TextPattern } from '../../queries/types.ts';
import type { TestBranch, TestFile, TestRepository } from './small-index.ts';

const words = [
  'error',
  'Error',
  'import',
  'handler',
  'ServeHTTP',
  'config',
  'max_retries',
  'maxRetries',
  'straße',
  'STRASSE',
  'kelvin',
  'x',
  'fn',
  '=>',
  '2024-01-02',
  '42',
  'ABC_12345',
  'foo',
  'Foo',
  'bar',
  'barfoo',
  'naïve',
  '日本語',
  'class',
  'return nil',
  '\t',
  '{',
  '}',
];
const folders = ['src', 'lib/foo', 'test', 'vendor/bar', 'docs', ''];
const names = ['handler.ts', 'config.go', 'error.rs', 'README.md', 'foo.py', 'main_test.go', 'x', 'Foo.java'];

/** Repositories that share files with each other and between their branches. */
export function randomRepositories(random: SeededRandom): TestRepository[] {
  const count = 1 + random.below(4);
  const repositories: TestRepository[] = [];
  for (let id = 1; id <= count; id++) {
    const files = randomFiles(random, repositories);
    const branches: TestBranch[] = [{ name: 'main', isDefault: true, committedMs: random.below(5), files }];
    if (random.below(3) === 0) {
      branches.push({
        name: random.pick(['dev', 'a/release']),
        isDefault: false,
        committedMs: random.below(5),
        files: editedFiles(random, files),
      });
    }
    repositories.push({
      id,
      host: 'git.example',
      name: `${random.pick(['acme', 'tools'])}/${random.pick(['foo', 'api', 'handler'])}${id}`,
      archived: random.below(4) === 0,
      fork: random.below(4) === 0,
      branches,
    });
  }
  return repositories;
}

/** The same repositories after a while: files came, went and changed, now and then a whole repository. */
export function editedRepositories(
  random: SeededRandom,
  repositories: readonly TestRepository[],
): TestRepository[] {
  const edited = repositories.map((repository) => ({
    ...repository,
    branches: repository.branches.map((branch) =>
      random.below(2) === 0 ? branch : { ...branch, files: editedFiles(random, branch.files) },
    ),
  }));
  if (edited.length > 1 && random.below(4) === 0) edited.splice(random.below(edited.length), 1);
  return edited;
}

function randomFiles(random: SeededRandom, others: readonly TestRepository[]): Map<string, TestFile> {
  const files = new Map<string, TestFile>();
  const count = random.below(12);
  for (let i = 0; i < count; i++) files.set(randomPath(random), randomFile(random));
  const shared = others.flatMap(({ branches }) => branches.flatMap((branch) => [...branch.files]));
  for (let i = 0; shared.length > 0 && i < 4; i++) {
    const [path, file] = random.pick(shared);
    files.set(random.below(2) === 0 ? path : randomPath(random), file);
  }
  return files;
}

function editedFiles(random: SeededRandom, files: ReadonlyMap<string, TestFile>): Map<string, TestFile> {
  const edited = new Map(files);
  for (const path of files.keys()) {
    const kind = random.below(6);
    if (kind === 0) edited.delete(path);
    if (kind === 1) edited.set(path, randomFile(random));
  }
  edited.set(randomPath(random), randomFile(random));
  return edited;
}

function randomPath(random: SeededRandom): string {
  const folder = random.pick(folders);
  return `${folder === '' ? '' : `${folder}/`}${random.below(3) === 0 ? random.below(9) : ''}${random.pick(names)}`;
}

function randomFile(random: SeededRandom): TestFile {
  const kind = random.below(30);
  if (kind === 0) return random.pick(['binary', 'pending'] as const);
  if (kind === 1) return Buffer.alloc(0);
  if (kind === 2) return Buffer.from(random.pick(['\n', 'foo', '\r\n\r\n', 'foo\n\n', '\nbar']));
  const lines = random.below(kind === 3 ? 900 : 30);
  let text = '';
  for (let line = 0; line < lines; line++) {
    const count = kind === 4 && line === 3 ? 12_000 : random.below(8);
    for (let word = 0; word < count; word++)
      text += `${random.pick(words)}${random.below(6) === 0 ? '' : ' '}`;
    text += random.below(9) === 0 ? '\r\n' : '\n';
  }
  if (random.below(4) === 0) text += random.pick(words);
  return Buffer.from(text);
}

export function randomQuery(random: SeededRandom, depth = 2): QueryNode {
  const kind = depth === 0 ? 4 + random.below(10) : random.below(14);
  if (kind < 2) return { kind: 'all', of: someQueries(random, depth) };
  if (kind === 2) return { kind: 'any', of: someQueries(random, depth) };
  if (kind === 3) {
    return { kind: 'all', of: [randomText(random), { kind: 'not', of: randomQuery(random, depth - 1) }] };
  }
  if (kind === 4) return randomFilter(random);
  if (kind === 5) return { kind: 'symbol', pattern: randomName(random) };
  return randomText(random);
}

function someQueries(random: SeededRandom, depth: number): QueryNode[] {
  return Array.from({ length: 2 + random.below(2) }, () => randomQuery(random, depth - 1));
}

function randomText(random: SeededRandom): QueryNode {
  const where = random.pick(['content', 'content', 'either', 'either', 'path'] as const);
  return { kind: 'text', pattern: randomPattern(random), where };
}

function randomFilter(random: SeededRandom): QueryNode {
  switch (random.below(7)) {
    case 0:
      return { kind: 'language', language: languageNamed(random.pick(['go', 'python', 'rust']))! };
    case 1:
      return { kind: 'repository', pattern: plain(random.pick(['acme', 'foo', '1', 'git.example/tools'])) };
    case 2:
      return { kind: 'branch', pattern: plain(random.pick(['main', 'dev', 'HEAD', 'a'])) };
    case 3:
      return { kind: 'archived', is: random.below(2) === 0 };
    case 4:
      return { kind: 'fork', is: random.below(2) === 0 };
    case 5:
      return {
        kind: 'repository-has-file',
        path: plain(random.pick(['foo', '.md', 'src/'])),
        content: random.below(2) === 0 ? null : randomPattern(random),
      };
    default:
      return {
        kind: 'text',
        where: 'path',
        pattern: regex(random.pick(['\\.go$', '(^|/)src/', '(^|/)[^/]*\\.ts$', '^test/', '(?i)readme'])),
      };
  }
}

function randomName(random: SeededRandom): TextPattern {
  const ignoreCase = random.below(3) === 0;
  const word = random.pick([
    'foo',
    'Foo',
    'handler',
    'error',
    'config',
    'x',
    'bar',
    'ServeHTTP',
    'max_retries',
  ]);
  if (random.below(3) > 0) return { source: word, literal: true, ignoreCase };
  const source = random.pick([
    `^${word}`,
    `${word}$`,
    `^${word}$`,
    '[A-Z]',
    `${word}|bar`,
    'r.*r',
    '_',
    '^.{1,3}$',
  ]);
  return { source, literal: false, ignoreCase };
}

function randomPattern(random: SeededRandom): TextPattern {
  const ignoreCase = random.below(3) === 0;
  const word = random.pick(words);
  const other = random.pick(words);
  if (random.below(2) === 0) {
    const text = random.pick([word, word, `${word} ${other}`, word.slice(0, 3), word.slice(1), `${word}\n`]);
    return { source: text === '' ? 'o' : text, literal: true, ignoreCase };
  }
  const escaped = (text: string) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  const source = random.pick([
    `${escaped(word)}.*${escaped(other)}`,
    `(${escaped(word)}|${escaped(other)})`,
    `\\b${escaped(word)}\\b`,
    `^${escaped(word)}`,
    `${escaped(word)}\\s*$`,
    '[A-Z][a-z]+',
    '\\d{2,}-\\d+',
    '[A-Z]{3}_\\d{5}',
    'max_?retries',
    '(?i)strasse|straße',
    `${escaped(word)}\\s+${escaped(other)}`,
    `${escaped(word)}\\n${escaped(other)}`,
    `(?s)${escaped(word)}.{0,30}${escaped(other)}`,
    '\\pL{4,}',
    'x?',
    '^$',
    '[^a-z]{9}',
    `\\A${escaped(word)}`,
    `${escaped(word)}\\z`,
  ]);
  return { source, literal: false, ignoreCase };
}

function plain(source: string): TextPattern {
  return { source, literal: true, ignoreCase: false };
}

function regex(source: string): TextPattern {
  return { source, literal: false, ignoreCase: false };
}
