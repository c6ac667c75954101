import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitFixture, type GitFixture } from './testing/git-fixture.ts';
import { openTestMirrors, type TestMirrors } from './testing/open-mirrors.ts';
import type { Mirror } from './types.ts';

const options = { signal: new AbortController().signal };

describe('a folder is read in place', () => {
  let fixture: GitFixture;
  let test: TestMirrors;
  let mirror: Mirror;
  let first: string;
  let second: string;

  beforeAll(() => {
    fixture = createGitFixture();
    test = openTestMirrors();
    first = fixture.commit({
      'README.md': 'hello\n',
      'src/a.ts': 'one\ntwo\nthree\n',
      'src/deep/b.ts': 'b\n',
      'run.sh': { mode: '100755', content: '#!/bin/sh\n' },
      link: { mode: '120000', content: 'src/a.ts' },
    });
    second = fixture.commit(
      { 'src/a.ts': 'one\n2\nthree\n' },
      { message: 'Count\n\nIn digits.\n', author: 'Bo B <bo@b.test>' },
    );
    fixture.git(['tag', 'v1', first]);
    fixture.annotatedTag('v2', second);
    fixture.annotatedTag('v2-again', 'v2');
    fixture.git(['branch', 'feature/one', first]);
    fixture.checkout();
    mirror = test.openFolder(fixture);
  });
  afterAll(async () => {
    await test.close();
    fixture.remove();
  });

  const revisions: [string, string | undefined, () => object][] = [
    [
      'the default branch',
      undefined,
      () => ({ commit: second, revision: 'main', kind: 'branch', isDefault: true }),
    ],
    ['HEAD', 'HEAD', () => ({ commit: second, revision: 'main', kind: 'branch', isDefault: true })],
    [
      'a branch with a slash',
      'feature/one',
      () => ({ commit: first, revision: 'feature/one', kind: 'branch', isDefault: false }),
    ],
    [
      'a full name',
      'refs/heads/main',
      () => ({ commit: second, revision: 'main', kind: 'branch', isDefault: true }),
    ],
    ['a lightweight tag', 'v1', () => ({ commit: first, revision: 'v1', kind: 'tag', isDefault: false })],
    ['an annotated tag', 'v2', () => ({ commit: second, revision: 'v2', kind: 'tag', isDefault: false })],
    [
      'a tag of a tag',
      'tags/v2-again',
      () => ({ commit: second, revision: 'v2-again', kind: 'tag', isDefault: false }),
    ],
  ];
  for (const [name, revision, expected] of revisions) {
    it(`resolves ${name}`, async () => {
      expect(await mirror.resolve(revision, options)).toEqual(expected());
    });
  }

  it('resolves whole and shortened commit ids', async () => {
    for (const hex of [first, first.slice(0, 8), first.slice(0, 8).toUpperCase()]) {
      expect(await mirror.resolve(hex, options)).toEqual({
        commit: first,
        revision: first,
        kind: 'commit',
        isDefault: false,
      });
    }
  });

  it('names the default branch when a revision is not there', async () => {
    await expect(mirror.resolve('nope', options)).rejects.toMatchObject({
      kind: 'ref-not-found',
      next: 'Call again with revision "main", its default branch.',
    });
  });

  for (const revision of [
    '-h',
    '--output=x',
    'main~1',
    'main^',
    '@{u}',
    'a..b',
    'main:README.md',
    'a b',
    'x.lock',
    'refs//heads',
    '',
  ]) {
    it(`refuses "${revision}" as a revision`, async () => {
      await expect(mirror.resolve(revision, options)).rejects.toMatchObject({
        code: 'mirrors/revision-syntax',
      });
    });
  }

  it('sees a new commit at once', async () => {
    const third = fixture.commit({ 'c.txt': 'c' }, { branch: 'moving' });
    expect((await mirror.resolve('moving', options)).commit).toBe(third);
    const before = (await mirror.state(options)).generation;
    const fourth = fixture.commit({ 'c.txt': 'd' }, { branch: 'moving' });
    expect((await mirror.resolve('moving', options)).commit).toBe(fourth);
    expect((await mirror.state(options)).generation).toBeGreaterThan(before);
  });

  it('tells entries, listings and walks', async () => {
    expect(await mirror.entry(first, 'src/deep/b.ts', options)).toMatchObject({
      kind: 'file',
      path: 'src/deep/b.ts',
    });
    expect(await mirror.entry(first, '', options)).toMatchObject({ kind: 'directory', path: '' });
    expect((await mirror.list(first, '', options)).map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'file README.md',
      'symlink link',
      'executable run.sh',
      'directory src',
    ]);
    const walked = await mirror.walk(first, '', { ...options, depthMax: 2, limit: 100 });
    expect(walked.complete).toBe(true);
    expect(walked.entries.map(({ path }) => path)).toEqual([
      'README.md',
      'link',
      'run.sh',
      'src',
      'src/a.ts',
      'src/deep',
    ]);
    const cut = await mirror.walk(first, '', { ...options, depthMax: 9, limit: 3 });
    expect(cut).toMatchObject({ complete: false });
    expect(cut.entries).toHaveLength(3);
  });

  it('says what exists when a path does not', async () => {
    await expect(mirror.entry(first, 'src/deep/none.ts', options)).rejects.toMatchObject({
      kind: 'path-not-found',
      data: { nearestDirectory: 'src/deep' },
    });
    await expect(mirror.entry(first, 'link/a.ts', options)).rejects.toMatchObject({ kind: 'path-not-found' });
    await expect(mirror.list(first, 'README.md', options)).rejects.toMatchObject({
      code: 'mirrors/not-a-directory',
    });
    for (const bad of ['/etc/passwd', '../x', 'a/../b', 'a\0b']) {
      await expect(mirror.entry(first, bad, options)).rejects.toMatchObject({ kind: 'invalid-request' });
    }
  });

  it('reads blobs, their sizes and their parts, and starts no process for what is warm', async () => {
    const { oid } = await mirror.entry(first, 'src/a.ts', options);
    expect((await mirror.blob(oid, { ...options, bytesMax: 100 })).toString()).toBe('one\ntwo\nthree\n');
    const { processesStarted, blobsRead } = test.mirrors.counters();
    const again = await mirror.blob(oid, { ...options, bytesMax: 100 });
    again.fill(0);
    expect((await mirror.blob(oid, { ...options, bytesMax: 100 })).toString()).toBe('one\ntwo\nthree\n');
    expect(await mirror.sizes([oid, '0'.repeat(40)], options)).toEqual([14, null]);
    expect((await mirror.blobRange(oid, { start: 4, end: 7 }, options)).toString()).toBe('two');
    expect(await mirror.blobRange(oid, { start: 50, end: 70 }, options)).toHaveLength(0);
    await mirror.entry(first, 'src/deep/b.ts', options);
    expect(test.mirrors.counters()).toMatchObject({ processesStarted, blobsRead });
    await expect(mirror.blob(oid, { ...options, bytesMax: 3 })).rejects.toMatchObject({ kind: 'too-large' });
    await expect(mirror.blob('0'.repeat(40), { ...options, bytesMax: 3 })).rejects.toMatchObject({
      code: 'mirrors/object-missing',
    });
    await expect(mirror.blob('--help', { ...options, bytesMax: 3 })).rejects.toMatchObject({
      code: 'mirrors/object-id',
    });
  });

  it('tells a commit as it is stored', async () => {
    expect(await mirror.commit(second, options)).toMatchObject({
      commit: second,
      parents: [first],
      authorName: 'Bo B',
      authorEmail: 'bo@b.test',
      message: Buffer.from('Count\n\nIn digits.\n'),
    });
  });

  it('lists branches and tags with the commits they lead to', async () => {
    const refs = await mirror.refs(options);
    expect(refs).toContainEqual({ name: 'main', kind: 'branch', commit: second });
    expect(refs).toContainEqual({ name: 'v2-again', kind: 'tag', commit: second });
  });

  it('tells the history of everything, of a path, of lines, and of a text', async () => {
    const query = { commit: second, path: '', skip: 0, limit: 10, followRenames: false };
    const ids = async (more: object) =>
      (await mirror.history({ ...query, ...more }, options)).map(({ commit }) => commit);
    expect(await ids({})).toEqual([second, first]);
    expect(await ids({ skip: 1 })).toEqual([first]);
    expect(await ids({ limit: 1 })).toEqual([second]);
    expect(await ids({ path: 'README.md' })).toEqual([first]);
    expect(await ids({ path: 'src' })).toEqual([second, first]);
    expect(await ids({ path: 'src/a.ts', lines: { start: 2, end: 2 } })).toEqual([second, first]);
    expect(await ids({ path: 'src/a.ts', lines: { start: 3, end: 3 } })).toEqual([first]);
    expect(await ids({ pickaxe: 'two' })).toEqual([second, first]);
    expect(await ids({ authorContains: 'bo b' })).toEqual([second]);
    await expect(ids({ path: 'src/a.ts', lines: { start: 90, end: 91 } })).rejects.toMatchObject({
      code: 'mirrors/lines-beyond-end',
    });
    const { committedMs } = await mirror.commit(second, options);
    expect(await ids({ sinceMs: committedMs })).toEqual([second]);
    expect(await ids({ untilMs: committedMs - 1000 })).toEqual([first]);
  });

  it('tells the change of a commit, also of the first, and cuts it where asked', async () => {
    const query = { commit: second, path: '', contextLines: 0, bytesMax: 10_000 };
    const diff = await mirror.diff(query, options);
    expect(diff).toMatchObject({
      truncated: false,
      files: [{ path: 'src/a.ts', status: 'M', added: 1, removed: 1 }],
    });
    expect(diff.patch.toString()).toContain('@@ -2 +2 @@ one\n-two\n+2\n');
    const root = await mirror.diff({ ...query, commit: first, path: 'src' }, options);
    expect(root.files.map(({ path, status }) => `${status} ${path}`)).toEqual([
      'A src/a.ts',
      'A src/deep/b.ts',
    ]);
    const back = await mirror.diff({ ...query, commit: first, against: second, path: '' }, options);
    expect(back.patch.toString()).toContain('-2\n+two\n');
    const cut = await mirror.diff({ ...query, bytesMax: 20 }, options);
    expect(cut.truncated).toBe(true);
    expect(cut.patch).toHaveLength(20);
    expect(cut.files).toHaveLength(1);
  });

  it('tells who changed each line', async () => {
    const lines = await mirror.blame({ commit: second, path: 'src/a.ts', start: 1, end: 2 }, options);
    expect(lines).toMatchObject([
      { commit: first, line: 1, originalLine: 1, originalPath: 'src/a.ts', authorName: 'Ada Example' },
      { commit: second, line: 2, authorName: 'Bo B', summary: Buffer.from('Count') },
    ]);
  });

  it('materialises a directory without links, once for all who ask', async () => {
    const [one, two] = await Promise.all([
      mirror.materialise(first, '', options),
      mirror.materialise(first, '', options),
    ]);
    expect(one.folder).toBe(two.folder);
    expect(test.mirrors.counters().materialisations).toBe(1);
    expect(
      one.files.map(
        ({ path, file }) => `${path} ${file ? path === file.slice(one.folder.length + 1) : file}`,
      ),
    ).toEqual(['README.md true', 'link null', 'run.sh true', 'src/a.ts true', 'src/deep/b.ts true']);
    one.release();
    two.release();
    const below = await mirror.materialise(second, 'src/deep', options);
    expect(below.files).toMatchObject([
      { path: 'src/deep/b.ts', file: path.join(below.folder, 'b.ts'), sizeBytes: 2 },
    ]);
    below.release();
  });

  it('counts changed, staged and new files of the work tree, and not ignored ones', async () => {
    expect(await mirror.uncommittedChanges(options)).toBeNull();
    appendFileSync(path.join(fixture.folder, 'README.md'), 'more\n');
    writeFileSync(path.join(fixture.folder, 'new.txt'), 'new\n');
    writeFileSync(path.join(fixture.folder, 'junk.log'), 'junk\n');
    appendFileSync(path.join(fixture.gitDir, 'info/exclude'), '*.log\n');
    test.clock.nowMs += 61_000;
    expect(await mirror.uncommittedChanges(options)).toEqual({ branch: 'main', changedFiles: 2 });
  });

  it('answers cancelled when the caller has gone', async () => {
    await expect(mirror.resolve('main', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: 'cancelled',
    });
    await expect(
      mirror.history(
        { commit: first, path: '', skip: 0, limit: 1, followRenames: false },
        { signal: AbortSignal.abort() },
      ),
    ).rejects.toMatchObject({ kind: 'cancelled' });
  });
});

describe('a repository without a commit', () => {
  it('says of a folder that nothing was committed yet, and speaks of no remote', async () => {
    const fixture = createGitFixture();
    const test = openTestMirrors();
    try {
      const mirror = test.openFolder(fixture);
      for (const revision of [undefined, 'main']) {
        const error = await mirror.resolve(revision, options).catch((fault: unknown) => fault);
        expect(error).toMatchObject({
          kind: 'ref-not-found',
          code: 'mirrors/empty-repository',
          message: 'acme/folder has no commit yet.',
        });
        expect(String((error as { next: string }).next)).not.toMatch(/remote|address/);
      }
      const commit = fixture.commit({ 'a.txt': 'a' });
      expect(await mirror.resolve(undefined, options)).toMatchObject({ commit });
    } finally {
      await test.close();
      fixture.remove();
    }
  });
});
