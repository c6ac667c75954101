import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitFixture, type GitFixture } from '../testing/git-fixture.ts';
import { openTestMirrors, type TestMirrors } from '../testing/open-mirrors.ts';
import type { HistoryQuery, Mirror } from '../types.ts';
import { createCountedCommits } from './counted-commits.ts';

describe('a history by what its changes hold', () => {
  const { signal } = new AbortController();
  let fixture: GitFixture;
  let opened: TestMirrors;
  let mirror: Mirror;
  const named: Record<string, string> = {};
  beforeAll(() => {
    fixture = createGitFixture();
    opened = openTestMirrors();
    mirror = opened.openFolder(fixture);
    const steps: Record<string, Parameters<GitFixture['commit']>[0]> = {
      first: { 'a.txt': 'needle\n' },
      other: { 'z.txt': 'z\n' },
      second: { 'b.txt': 'needle\n' },
      more: { 'z.txt': 'zz\n' },
      odd: { 'c\\x0ad.txt': 'needle\n' },
      rename: { 'b.txt': null, 'e.txt': 'needle\n' },
      last: { 'z.txt': 'zzz\n' },
    };
    for (const [name, files] of Object.entries(steps)) named[fixture.commit(files)] = name;
  });
  afterAll(async () => {
    await opened.close();
    fixture.remove();
  });

  check('every file', {}, ['odd', 'second', 'first']);
  check('a page of it, by commits that are shown', { skip: 1, limit: 1 }, ['second']);
  check('beyond its end', { skip: 3 }, []);
  check('of files that count', { pickaxeCounts: (path) => path === 'a.txt' }, ['first']);
  check('under their names, however odd', { pickaxeCounts: (path) => path === 'c\\x0ad.txt' }, ['odd']);
  check('a rename is what it does to each name', { pickaxeCounts: (path) => path === 'e.txt' }, ['rename']);
  check('a page of those', { pickaxeCounts: () => true, skip: 1, limit: 2 }, ['odd', 'second']);
  check('below a path', { path: 'b.txt', pickaxeCounts: () => true }, ['rename', 'second']);

  it('through renames, by commits that are shown', async () => {
    const { commit } = await mirror.resolve(undefined, { signal });
    const query = { commit, path: 'e.txt', skip: 1, limit: 1, followRenames: true };
    expect((await mirror.history(query, { signal })).map((one) => named[one.commit])).toEqual(['second']);
  });

  it('not together with lines', async () => {
    const lines = { start: 1, end: 1 };
    await expect(ask({ path: 'a.txt', lines, pickaxeCounts: () => true })).rejects.toMatchObject({
      kind: 'invalid-request',
    });
  });

  async function ask(more: Partial<HistoryQuery>): Promise<string[]> {
    const { commit } = await mirror.resolve(undefined, { signal });
    const query = { commit, path: '', pickaxe: 'needle', skip: 0, limit: 9, followRenames: false, ...more };
    return (await mirror.history(query, { signal })).map((one) => named[one.commit]!);
  }

  function check(title: string, query: Partial<HistoryQuery>, expected: string[]) {
    it(title, async () => expect(await ask(query)).toEqual(expected));
  }
});

describe('output that comes in pieces', () => {
  it('is read alike wherever it is cut, and no more of it than needed', () => {
    const id = (digit: string) => digit.repeat(40);
    const entry = (path: string) => `:100644 100644 ${id('a')} ${id('b')} M\0${path}\0`;
    const output = Buffer.from(
      `${id('1')}\0\n${entry('hidden')}${id('2')}\0\n${entry('hidden')}${entry(':shown')}${id('3')}\0\n${entry('shown')}`,
    );
    for (let cut = 0; cut < output.length; cut++) {
      const counted = createCountedCommits((path) => path.endsWith('shown'), 2);
      counted.onStdout(output.subarray(0, cut));
      expect(counted.onStdout(output.subarray(cut))).toBe('enough');
      expect(counted.commits).toEqual([id('2'), id('3')]);
    }
  });
});
