import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createContent } from '../../src/content/index.ts';
import type { Mirror } from '../../src/mirrors/index.ts';
import { createGitFixture, type GitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { openTestMirrors, type TestMirrors } from '../../src/mirrors/testing/open-mirrors.ts';

const options = { signal: new AbortController().signal };
const ada = 'Ada <ada@example.test> 1700000000 +0000';

let fixture: GitFixture;
let test: TestMirrors;
let mirror: Mirror;
let first: string;
let tree: string;
let target: string;

beforeEach(() => {
  fixture = createGitFixture();
  test = openTestMirrors();
  first = fixture.commit({ 'a.txt': 'one\n' });
  tree = fixture.git(['rev-parse', `${first}^{tree}`]).trim();
  target = path.join(test.folder, 'written');
  mirror = test.openFolder(fixture);
});
afterEach(async () => {
  await test.close();
  fixture.remove();
});

/** A commit object of exactly this text, on the default branch. */
function forged(text: string): string {
  const oid = fixture
    .git(['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], { input: text })
    .trim();
  fixture.git(['update-ref', '--no-deref', 'refs/heads/main', first]);
  return oid;
}

const text = (headers: string[], message = 'm\n') => `${headers.join('\n')}\n\n${message}`;

describe('the headers of a commit are read as git reads them', () => {
  it('a second tree, parent or date after the committer is only text', async () => {
    const evil = forged(
      text([
        `tree ${tree}`,
        `parent ${first}`,
        `author ${ada}`,
        `committer ${ada}`,
        `tree --output=${target}`,
        `parent --output=${target}`,
        'committer Eve <eve@example.test> 1 +0000',
      ]),
    );
    const diff = await mirror.diff({ commit: evil, path: '', contextLines: 3, bytesMax: 1000 }, options);
    expect(diff.files).toEqual([]);
    expect(existsSync(target)).toBe(false);
    expect(await mirror.commit(evil, options)).toMatchObject({
      parents: [first],
      committedMs: 1_700_000_000_000,
    });
    expect(await mirror.entry(evil, 'a.txt', options)).toMatchObject({ kind: 'file' });
  });

  const bogus: [string, () => string[]][] = [
    ['an option for a tree', () => [`tree --output=${target}`, `author ${ada}`, `committer ${ada}`]],
    ['a short tree', () => [`tree ${tree.slice(1)}`, `author ${ada}`, `committer ${ada}`]],
    ['no tree at all', () => [`author ${ada}`, `committer ${ada}`, `tree ${tree}`]],
    [
      'an option for a parent',
      () => [`tree ${tree}`, `parent --output=${target}`, `author ${ada}`, `committer ${ada}`],
    ],
  ];
  for (const [name, headers] of bogus) {
    it(`${name} makes the commit damaged`, async () => {
      const evil = forged(text(headers()));
      const query = { commit: evil, path: '', contextLines: 3, bytesMax: 1000 };
      await expect(mirror.diff(query, options)).rejects.toMatchObject({ code: 'mirrors/damaged' });
      await expect(mirror.commit(evil, options)).rejects.toMatchObject({ code: 'mirrors/damaged' });
      expect(existsSync(target)).toBe(false);
    });
  }

  it('no id that a caller gives reaches git unless it is one', async () => {
    const evil = `--output=${target}`;
    const query = { commit: evil, path: 'a.txt', skip: 0, limit: 5, followRenames: false };
    const range = { commit: evil, path: 'a.txt', start: 1, end: 1 };
    const change = { path: '', contextLines: 3, bytesMax: 1000 };
    const asked = [
      mirror.history(query, options),
      mirror.blame(range, options),
      mirror.diff({ ...change, commit: evil }, options),
      mirror.diff({ ...change, commit: first, against: evil }, options),
      mirror.blob(evil, { ...options, bytesMax: 10 }),
      mirror.sizes([evil], options),
      mirror.materialise(evil, '', options),
    ];
    await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject({ code: 'mirrors/object-id' })));
    expect(existsSync(target)).toBe(false);
  });
});

describe('times that no calendar shows break nothing', () => {
  const far = 'Ada <ada@example.test> 8999999999999 +0000';

  it('they are told as the last moment that can be shown', async () => {
    const blob = fixture.blob('two\n');
    const other = fixture.rawTree([{ mode: '100644', name: 'a.txt', oid: blob }]);
    const commit = forged(text([`tree ${other}`, `parent ${first}`, `author ${far}`, `committer ${far}`]));
    const found = await mirror.commit(commit, options);
    for (const ms of [found.authoredMs, found.committedMs]) expect(ms).toBe(8.64e15);
    expect(new Date(found.committedMs).toISOString()).toMatch(/^\+275760/);
    const [line] = await mirror.blame({ commit, path: 'a.txt', start: 1, end: 1 }, options);
    expect(line).toMatchObject({ commit, authoredMs: 8.64e15 });
    const query = { commit, path: '', skip: 0, limit: 5, followRenames: false };
    expect((await mirror.history(query, options)).map((one) => one.commit)).toEqual([commit, first]);
  });

  const bounds: [string, { sinceMs?: number; untilMs?: number }, number][] = [
    ['until the end of time', { untilMs: Number.MAX_VALUE }, 1],
    ['until infinity', { untilMs: Number.POSITIVE_INFINITY }, 1],
    ['until long before any commit', { untilMs: -1e17 }, 0],
    ['since long before any commit', { sinceMs: -1e17 }, 1],
    ['since the end of time', { sinceMs: 1e17 }, 0],
    ['since its own second', { sinceMs: 1_700_000_060_000 }, 1],
    ['until its own second', { untilMs: 1_700_000_060_000 }, 1],
    ['until the second before', { untilMs: 1_700_000_059_000 }, 0],
  ];
  for (const [name, bound, commits] of bounds) {
    it(`history ${name}`, async () => {
      const query = { commit: first, path: '', skip: 0, limit: 5, followRenames: false };
      expect(await mirror.history({ ...query, ...bound }, options)).toHaveLength(commits);
    });
  }
});

describe('names and messages of any size cost what they are long, and are kept short', () => {
  const policy = { optedOut: () => false, mask: () => 0 };
  const content = createContent({ cacheBytesMax: 0, wholeBytesMax: 1000 }, { policyOf: () => policy });
  const spaces = ' '.repeat(100_000);
  const read = async (headers: string[], message: string) => {
    const commit = forged(text([`tree ${tree}`, ...headers], message));
    const query = { commit, path: '', skip: 0, limit: 1, followRenames: false };
    const [found] = await content.history(mirror, query, options);
    return found!;
  };

  it('spaces in a name', async () => {
    const name = `A${spaces}B`;
    const found = await read([`author ${name} <a@b> 1 +0000`, `committer ${name}${name} 1 +0000`], 'm\n');
    expect(found.authorName.length).toBeLessThanOrEqual(1024);
    expect(found).toMatchObject({ authorEmail: 'a@b', authoredMs: 1000, committedMs: 0 });
  });

  it('spaces in a subject', async () => {
    const found = await read(
      [`author ${ada}`, `committer ${ada}`],
      `one${spaces}two${spaces}\nthree\n\nbody\n`,
    );
    expect(found.subject.length).toBeLessThanOrEqual(4110);
    expect(found.subject).toMatch(/^one +… \[cut\]$/);
    expect(found.body).toBe('body');
  });

  it('a body longer than anybody reads says that it is cut', async () => {
    const body = 'line of a body\n'.repeat(20_000);
    const found = await read([`author ${ada}`, `committer ${ada}`], `s\n\n${body}`);
    expect(found.subject).toBe('s');
    expect(found.body.length).toBeLessThanOrEqual(64 * 1024 + 100);
    expect(found.body.startsWith('line of a body\nline')).toBe(true);
    expect(found.body.endsWith('… [cut]')).toBe(true);
  });
});

describe('a question that no program takes is refused in words', () => {
  const long = 'x'.repeat(200_000);
  const history = (more: object) => () =>
    mirror.history({ commit: first, path: '', skip: 0, limit: 5, followRenames: false, ...more }, options);
  const blame =
    (start: number, end: number, at = 'a.txt') =>
    () =>
      mirror.blame({ commit: first, path: at, start, end }, options);
  const rows: [string, () => Promise<unknown>, string][] = [
    ['a long text to look for', history({ pickaxe: long }), 'mirrors/history-query'],
    ['a long author', history({ authorContains: long }), 'mirrors/history-query'],
    ['an author with NUL', history({ authorContains: 'a\0b' }), 'mirrors/history-query'],
    ['a long path', history({ path: long }), 'mirrors/path-syntax'],
    ['a path with NUL', history({ path: 'a\0b' }), 'mirrors/path-syntax'],
    ['a path with an escaped NUL', history({ path: 'a\\x00b' }), 'mirrors/path-syntax'],
    [
      'lines beyond the end',
      history({ path: 'a.txt', lines: { start: 9, end: 9 } }),
      'mirrors/lines-beyond-end',
    ],
    [
      'lines beyond any number',
      history({ path: 'a.txt', lines: { start: 2 ** 40, end: 2 ** 41 } }),
      'mirrors/lines-syntax',
    ],
    ['a blame beyond the end', blame(2, 2), 'mirrors/lines-beyond-end'],
    ['a blame beyond 2^31', blame(1, 2 ** 31 + 5), 'mirrors/lines-syntax'],
    ['a blame of line 0', blame(0, 1), 'mirrors/lines-syntax'],
    ['a blame that ends before it starts', blame(2, 1), 'mirrors/lines-syntax'],
    ['a blame of no number', blame(Number.NaN, 1), 'mirrors/lines-syntax'],
    ['a blame of a NUL path', blame(1, 1, 'a\\x00b'), 'mirrors/path-syntax'],
  ];
  for (const [name, ask, code] of rows) {
    it(name, async () => {
      const failed = await ask().then(
        () => null,
        (error: { code: string; kind: string; message: string }) => error,
      );
      expect(failed).toMatchObject({ code, kind: 'invalid-request' });
      expect(failed!.message.length).toBeLessThan(1000);
    });
  }
});
