import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { languageNamed } from '../documents/languages.ts';
import type { QueryNode } from '../queries/types.ts';
import { InThreadSearch } from './testing/in-thread-search.ts';
import { SmallIndex, type TestBranch, type TestRepository } from './testing/small-index.ts';
import type { FoundFile, SearchAnswer, SearchRequest } from './types.ts';

let index: SmallIndex;
let search: InThreadSearch | undefined;
beforeEach(async () => {
  index = await SmallIndex.create();
});
afterEach(async () => {
  await search?.close();
  search = undefined;
  index.remove();
});

type Files = Record<string, string | Buffer>;

const filesOf = (files: Files) =>
  new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));

function repository(
  id: number,
  files: Files,
  more: Partial<TestRepository> & { branch?: Partial<TestBranch> } = {},
) {
  const { branch, ...rest } = more;
  return {
    id,
    host: 'git.example',
    name: `acme/r${id}`,
    archived: false,
    fork: false,
    branches: [{ name: 'main', isDefault: true, committedMs: 1, files: filesOf(files), ...branch }],
    ...rest,
  } satisfies TestRepository;
}

const content = (source: string, ignoreCase = false): QueryNode => ({
  kind: 'text',
  pattern: { source, literal: true, ignoreCase },
  where: 'content',
});
const either = (source: string): QueryNode => ({
  kind: 'text',
  pattern: { source, literal: true, ignoreCase: false },
  where: 'either',
});
const regex = (source: string): QueryNode => ({
  kind: 'text',
  pattern: { source, literal: false, ignoreCase: false },
  where: 'content',
});

async function ask(
  repositories: readonly TestRepository[],
  query: QueryNode,
  more: Partial<SearchRequest> = {},
): Promise<SearchAnswer> {
  if (!search) {
    await index.publish(repositories);
    search = await InThreadSearch.open(index.folder);
  }
  return search.search({
    query,
    scope: repositories,
    revisions: new Map(),
    output: 'lines',
    filesMax: 30,
    linesPerFileMax: 10,
    contextLines: 0,
    lineBytesMax: 300,
    exact: false,
    after: null,
    budgetMs: 60_000,
    ...more,
  });
}

const pathsOf = ({ files }: SearchAnswer) => files.map((file) => file.path);
const shown = ({ blocks }: FoundFile) =>
  blocks.map((block) => block.map(({ number, text, matched }) => `${number}${matched ? '>' : ' '}${text}`));

describe('files are ordered by what they are worth', () => {
  const files = {
    'src/handler.ts': 'nothing here\n',
    'src/a.ts': 'handler\n',
    'src/b.ts': 'myhandlers\n',
    'src/my_handler_x.ts': 'nothing here\n',
    'src/handler/x.ts': 'nothing here\n',
    'test/a_test.go': 'handler\n// a test\n',
    'vendor/v.go': 'handler\n// vendored\n',
  };

  it('a name, an edge of it, a part of it, then words, then parts of words, classes apart', async () => {
    expect(pathsOf(await ask([repository(1, files)], either('handler')))).toEqual([
      'src/handler.ts',
      'src/my_handler_x.ts',
      'src/a.ts',
      'src/handler/x.ts',
      'test/a_test.go',
      'src/b.ts',
      'vendor/v.go',
    ]);
  });

  it('terms on one line before terms that are near, those before terms that are far apart', async () => {
    const far = `one\n${'x\n'.repeat(200)}two\n`;
    const repositories = [repository(1, { 'a.ts': far, 'b.ts': 'one\nx\ntwo\n', 'c.ts': 'one two\n' })];
    const query: QueryNode = { kind: 'all', of: [content('one'), content('two')] };
    expect(pathsOf(await ask(repositories, query))).toEqual(['c.ts', 'b.ts', 'a.ts']);
  });

  it('of equals what was committed last', async () => {
    const repositories = [
      repository(1, { 'a.ts': 'needle 1\n' }, { branch: { committedMs: 10 } }),
      repository(2, { 'b.ts': 'needle 2\n' }, { branch: { committedMs: 20 } }),
    ];
    expect(pathsOf(await ask(repositories, content('needle')))).toEqual(['b.ts', 'a.ts']);
  });
});

describe('the lines of a file are shown in blocks', () => {
  const numbered = Array.from({ length: 900 }, (_, i) => `line ${i + 1} of some text`);

  it('with context, joined where it touches, over the edges of stored blocks', async () => {
    const lines = numbered.with(179, 'needle').with(183, 'needle').with(500, 'needle');
    const answer = await ask([repository(1, { 'a.txt': lines.join('\n') })], content('needle'), {
      contextLines: 2,
    });
    const [first, second] = shown(answer.files[0]!);
    expect(first!.map((line) => line.split(' ')[0])).toEqual([
      '178',
      '179',
      '180>needle',
      '181',
      '182',
      '183',
      '184>needle',
      '185',
      '186',
    ]);
    expect(second).toEqual([
      '499 line 499 of some text',
      '500 line 500 of some text',
      '501>needle',
      '502 line 502 of some text',
      '503 line 503 of some text',
    ]);
  });

  it('every line of a long file has its number and its text', async () => {
    const answer = await ask([repository(1, { 'a.txt': `${numbered.join('\r\n')}\r\n` })], content('0 of'), {
      contextLines: 1,
      linesPerFileMax: 1000,
      exact: true,
    });
    for (const { number, text } of answer.files[0]!.blocks.flat()) expect(text).toBe(numbered[number - 1]);
    expect(answer.lineCount).toEqual({ count: 90, exact: true });
  });

  it('the block with the most terms comes first', async () => {
    const text = `one\n${'x\n'.repeat(20)}one two\n`;
    const query: QueryNode = { kind: 'all', of: [content('one'), content('two')] };
    const answer = await ask([repository(1, { 'a.ts': text })], query);
    expect(shown(answer.files[0]!)).toEqual([['22>one two'], ['1>one']]);
  });

  it('a long line is cut around its match, with ranges of what is shown', async () => {
    const line = `${'ä'.repeat(400)}needle${'x'.repeat(4000)}`;
    const answer = await ask([repository(1, { 'a.ts': `${line}\n` })], content('needle'), {
      lineBytesMax: 40,
    });
    const { text, ranges, cut } = answer.files[0]!.blocks[0]![0]!;
    expect(cut).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(41);
    const { start, end } = ranges[0]!;
    expect(Buffer.from(text).toString('utf8', start, end)).toBe('needle');
  });

  it('a match over several lines is told where it begins, and what it covers is shown', async () => {
    const answer = await ask([repository(1, { 'a.ts': 'x\nfoo(\n  bar)\nx\n' })], regex('foo\\(\\n\\s+bar'));
    expect(shown(answer.files[0]!)).toEqual([['2>foo(', '3   bar)']]);
  });

  it('a line that is stored in pieces is one line', async () => {
    const line = `start ${'word '.repeat(30_000)}end`;
    const answer = await ask([repository(1, { 'a.js': `first\n${line}\nlast\n` })], regex('start .* end'));
    expect(answer.lineCount).toEqual({ count: 1, exact: true });
    expect(answer.files[0]!.blocks[0]![0]).toMatchObject({ number: 2, cut: true });
  });
});

describe('the same content is one file', () => {
  it('in forks, branches and copies, which are named beside it', async () => {
    const files = { 'src/a.ts': 'needle\n', 'src/copy.ts': 'needle\n' };
    const dev = { name: 'dev', isDefault: false, committedMs: 1, files: filesOf({ 'src/a.ts': 'needle\n' }) };
    const first = repository(1, files);
    const repositories = [{ ...first, branches: [...first.branches, dev] }, repository(2, files)];
    const answer = await ask(repositories, content('needle'));
    expect(answer.fileCount.count).toBe(1);
    expect(answer.files[0]).toMatchObject({
      repositoryId: 1,
      revision: 'main',
      path: 'src/a.ts',
      alsoCount: 4,
    });
    expect(
      answer.files[0]!.also.map(({ repositoryId, revision, path: name }) => [repositoryId, revision, name]),
    ).toEqual([
      [1, 'main', 'src/copy.ts'],
      [1, 'dev', 'src/a.ts'],
      [2, 'main', 'src/a.ts'],
      [2, 'main', 'src/copy.ts'],
    ]);
  });

  it('that counts at each of its places in facets, a path of several branches once', async () => {
    const files = { 'src/a.ts': 'needle\n', 'lib/copy.ts': 'needle\n' };
    const dev = { name: 'dev', isDefault: false, committedMs: 1, files: filesOf({ 'src/a.ts': 'needle\n' }) };
    const first = repository(1, files);
    const repositories = [{ ...first, branches: [...first.branches, dev] }, repository(2, files)];
    const { facets } = await ask(repositories, content('needle'));
    expect(facets.repositories).toEqual([
      { repositoryId: 1, files: 2 },
      { repositoryId: 2, files: 2 },
    ]);
    expect(facets.languages).toEqual([{ language: 'TypeScript', files: 4 }]);
    expect(
      facets.folders.map(({ repositoryId, folder, files: count }) => [repositoryId, folder, count]),
    ).toEqual([
      [1, 'lib', 1],
      [1, 'src', 1],
      [2, 'lib', 1],
      [2, 'src', 1],
    ]);
  });

  it('but files that are found by their paths are files of their own', async () => {
    const files = { 'a/empty.py': '', 'b/empty.py': '', 'c/other.py': '' };
    const query: QueryNode = {
      kind: 'text',
      pattern: { source: 'empty.py', literal: true, ignoreCase: false },
      where: 'path',
    };
    const answer = await ask([repository(1, files), repository(2, files)], query);
    expect(answer.files.map((file) => [file.path, file.alsoCount])).toEqual([
      ['a/empty.py', 1],
      ['b/empty.py', 1],
    ]);
  });

  it('a repository that has it only as a copy is listed', async () => {
    const repositories = [
      repository(1, { 'a.ts': 'needle\nneedle\n' }),
      repository(2, { 'b.ts': 'needle\nneedle\n' }),
    ];
    const answer = await ask(repositories, content('needle'), { output: 'repos' });
    expect(answer.repositories).toEqual([
      { repositoryId: 1, files: 1, lines: 2 },
      { repositoryId: 2, files: 1, lines: 2 },
    ]);
  });

  it('every copy counts where repositories are counted, and as many are named as are asked for', async () => {
    const text = 'needle\n';
    const repositories = [
      repository(1, { 'a.ts': text, 'b.ts': text, 'c.go': text }),
      repository(2, { 'a.ts': text }),
    ];
    const counted = await ask(repositories, content('needle'), { output: 'repos' });
    expect(counted.repositories).toEqual([
      { repositoryId: 1, files: 3, lines: 3 },
      { repositoryId: 2, files: 1, lines: 1 },
    ]);
    const named = await ask(repositories, content('needle'), { placesMax: 2 });
    expect(named.files.map(({ path, also, alsoCount }) => [path, also.length, alsoCount])).toEqual([
      ['a.ts', 2, 3],
    ]);
  });
});

describe('an answer says what was searched', () => {
  it('repositories without an index, files without a text, and what is pending', async () => {
    const files = new Map<string, Buffer | 'binary' | 'pending'>([
      ['a.ts', Buffer.from('needle\n')],
      ['logo.png', 'binary'],
      ['new.ts', 'pending'],
    ]);
    const first = {
      ...repository(1, {}),
      branches: [{ name: 'main', isDefault: true, committedMs: 1, files }],
    };
    await index.publish([first]);
    search = await InThreadSearch.open(index.folder);
    const answer = await ask([first, repository(2, {}, { branches: [] } as never)], content('needle'));
    expect(answer.searched).toEqual({
      repositories: 1,
      documents: 1,
      unindexed: [2],
      skipped: { binary: 1 },
      pending: 1,
    });
  });

  it('a filter for another repository leaves nothing unsaid', async () => {
    const repositories = [repository(1, { a: 'needle' }), repository(2, { b: 'x' })];
    const query: QueryNode = {
      kind: 'all',
      of: [
        content('needle'),
        { kind: 'repository', pattern: { source: 'acme/r2', literal: true, ignoreCase: false } },
      ],
    };
    expect(await ask(repositories, query)).toMatchObject({
      files: [],
      searched: { repositories: 1, documents: 1, unindexed: [] },
    });
  });

  it('a damaged part is told, and the rest still answers', async () => {
    const first = repository(1, { 'a.ts': `needle one\n${'x y z\n'.repeat(50)}` });
    await index.publish([first]);
    await index.publish([first, repository(2, { 'b.ts': `needle two\n${'u v w\n'.repeat(50)}` })]);
    const fd = openSync(path.join(index.folder, index.segments[0]!.file), 'r+');
    writeSync(fd, Buffer.alloc(24, 0x55), 0, 24, 256);
    closeSync(fd);
    search = await InThreadSearch.open(index.folder);
    const answer = await ask([first, repository(2, {})], content('needle'));
    expect(pathsOf(answer)).toEqual(['b.ts']);
    expect(answer.problems).toHaveLength(1);
    expect(answer.fileCount.exact).toBe(false);
  });

  it('how a pattern was read where that may surprise', async () => {
    const answer = await ask([repository(1, { a: 'name\n' })], regex('name\\s'));
    expect(answer.notes).toEqual(['\\s at the end of name\\s does not take the line break']);
  });
});

describe('no more is read than an answer needs', () => {
  const many = () =>
    repository(
      1,
      Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`src/${i}.ts`, `needle ${i}\n`])),
    );

  it('thirty good files end a search, unless all are asked for', async () => {
    const repositories = [many()];
    const answer = await ask(repositories, content('needle'));
    expect(answer).toMatchObject({ stopped: 'enough', fileCount: { count: 30, exact: false } });
    expect(answer.statistics.documentsOpened).toBe(30);
    expect(await ask(repositories, content('needle'), { exact: true })).toMatchObject({
      stopped: null,
      fileCount: { count: 2000, exact: true },
      lineCount: { count: 2000, exact: true },
    });
  });

  it('a path alone opens no text', async () => {
    const query: QueryNode = {
      kind: 'text',
      pattern: { source: '/7.ts', literal: true, ignoreCase: false },
      where: 'path',
    };
    const answer = await ask([many()], query);
    expect(pathsOf(answer)).toEqual(['src/7.ts']);
    expect(answer.statistics).toMatchObject({ documentsOpened: 0, postingLists: 0 });
  });

  it('a language narrows before anything is read', async () => {
    const files = { 'a.go': 'needle go\n', 'b.py': 'needle py\n', 'c.rs': 'needle rs\n' };
    const query: QueryNode = {
      kind: 'all',
      of: [content('needle'), { kind: 'language', language: languageNamed('python')! }],
    };
    const answer = await ask([repository(1, files)], query);
    expect(pathsOf(answer)).toEqual(['b.py']);
    expect(answer.statistics.documentsOpened).toBe(1);
  });
});

describe('revisions', () => {
  it('a visited one is searched only where it is asked for, instead of the branches', async () => {
    const first = repository(1, { 'a.ts': 'needle new\n' });
    const tag = {
      name: 'v1',
      isDefault: false,
      isVisited: true,
      committedMs: 0,
      files: filesOf({ 'old.ts': 'needle old\n' }),
    };
    const repositories = [
      { ...first, branches: [...first.branches, tag] },
      repository(2, { 'b.ts': 'needle b\n' }),
    ];
    expect(pathsOf(await ask(repositories, content('needle')))).toEqual(['a.ts', 'b.ts']);
    const answer = await ask(repositories, content('needle'), { revisions: new Map([[1, 'v1']]) });
    expect(pathsOf(answer).sort()).toEqual(['b.ts', 'old.ts']);
  });
});
