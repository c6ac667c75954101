import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shownPath } from '../../src/base/byte-path.ts';
import type { Mirror } from '../../src/mirrors/index.ts';
import { createGitFixture, type GitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { openTestMirrors, type TestMirrors } from '../../src/mirrors/testing/open-mirrors.ts';

const options = { signal: new AbortController().signal };
const everything = { ...options, depthMax: 100, limit: 100_000 };

describe('a path of any bytes is listed, read, blamed, compared and written out', () => {
  const names: [string, Buffer][] = [
    ['a newline', Buffer.from('line\nbreak')],
    ['a newline at the end', Buffer.from('end\n')],
    ['quotes', Buffer.from(`double"and'single`)],
    ['a leading dash', Buffer.from('--output=evil')],
    ['invalid UTF-8', Buffer.from([0x62, 0xff, 0xfe, 0x63])],
    ['invalid UTF-8 and a newline at the end', Buffer.from([0xff, 0x0a])],
    ['a percent sign', Buffer.from('100%41')],
    ['spaces', Buffer.from('  two  spaces ')],
    ['non-ASCII', Buffer.from('süß 日本 🙂')],
    ['a colon and a star', Buffer.from(':(top)*.ts')],
    ['a backslash', Buffer.from('back\\slash')],
    ['what looks like an escape', Buffer.from('\\x41')],
    ['control characters', Buffer.from('\x01\x1b[31m\x7f')],
    ['a shell command', Buffer.from('$(touch evil)`touch evil`')],
  ];
  let fixture: GitFixture;
  let test: TestMirrors;
  let mirror: Mirror;
  let commit: string;

  beforeAll(() => {
    fixture = createGitFixture();
    test = openTestMirrors();
    const files = (content: string) =>
      Object.fromEntries(
        names.flatMap(([name, bytes]) => [
          [`top-${shownPath(bytes)}`.slice(4), `${content} ${name}\n`],
          [`below/${shownPath(bytes)}/file`, `${content} below ${name}\n`],
        ]),
      );
    fixture.commit(files('old'));
    commit = fixture.commit(files('new'));
    mirror = test.openFolder(fixture);
  });
  afterAll(async () => {
    await test.close();
    fixture.remove();
  });

  for (const [name, bytes] of names) {
    it(name, async () => {
      const shown = shownPath(bytes);
      const entry = await mirror.entry(commit, shown, options);
      expect(entry).toMatchObject({ path: shown, kind: 'file' });
      expect((await mirror.blob(entry.oid, { ...options, bytesMax: 1000 })).toString()).toBe(`new ${name}\n`);
      expect(await mirror.list(commit, `below/${shown}`, options)).toMatchObject([
        { path: `below/${shown}/file` },
      ]);
      const query = { commit, path: shown, skip: 0, limit: 10, followRenames: true };
      expect(await mirror.history(query, options)).toHaveLength(2);
      expect(await mirror.history({ ...query, lines: { start: 1, end: 1 } }, options)).toHaveLength(2);
      expect(await mirror.blame({ commit, path: shown, start: 1, end: 1 }, options)).toMatchObject([
        { commit, line: 1, originalPath: shown },
      ]);
      const diff = await mirror.diff({ commit, path: shown, contextLines: 3, bytesMax: 10_000 }, options);
      expect(diff.files).toEqual([{ path: shown, status: 'M', added: 1, removed: 1 }]);
      expect(diff.patch.toString()).toContain(`-old ${name}\n+new ${name}\n`);
    });
  }

  it('all of them at once', async () => {
    const walked = await mirror.walk(commit, '', everything);
    const files = walked.entries.filter(({ kind }) => kind === 'file').map((entry) => entry.path);
    const wanted = names.flatMap(([, bytes]) => [shownPath(bytes), `below/${shownPath(bytes)}/file`]);
    expect(new Set(files)).toEqual(new Set(wanted));
    const diff = await mirror.diff({ commit, path: '', contextLines: 3, bytesMax: 100_000 }, options);
    expect(new Set(diff.files.map((file) => file.path))).toEqual(new Set(wanted));
    const directory = await mirror.materialise(commit, '', options);
    for (const { path: shown, file } of directory.files) {
      const { oid } = await mirror.entry(commit, shown, options);
      expect(readFileSync(file!)).toEqual(await mirror.blob(oid, { ...options, bytesMax: 1000 }));
    }
    directory.release();
  });

  it('accepts another writing of the same bytes', async () => {
    expect(await mirror.entry(commit, '\\x31\\x30\\x30%41', options)).toMatchObject({ path: '100%41' });
  });
});

describe('names that git itself would refuse are listed and never reach the file system', () => {
  it('dots, .git, slashes, doubles and names too long', async () => {
    const fixture = createGitFixture({ bare: true });
    const test = openTestMirrors();
    const oid = fixture.blob('evil\n');
    const inner = fixture.rawTree([{ mode: '100644', name: 'config', oid }]);
    const long = 'n'.repeat(300);
    const commit = fixture.commitTree(
      fixture.rawTree([
        { mode: '100644', name: '.', oid },
        { mode: '100644', name: '..', oid },
        { mode: '040000', name: '.GIT', oid: inner },
        { mode: '100644', name: '../../escaped', oid },
        { mode: '100644', name: '', oid },
        { mode: '100644', name: 'double', oid },
        { mode: '040000', name: 'double', oid: inner },
        { mode: '100644', name: long, oid },
        { mode: '100664', name: 'old-mode', oid },
      ]),
    );
    const mirror = test.openFolder(fixture);
    expect((await mirror.list(commit, '', options)).map((entry) => entry.path)).toEqual([
      '.',
      '..',
      '.GIT',
      '../../escaped',
      '',
      'double',
      'double',
      long,
      'old-mode',
    ]);
    expect(await mirror.entry(commit, 'double', options)).toMatchObject({ kind: 'file' });
    await expect(mirror.entry(commit, '../../escaped', options)).rejects.toMatchObject({
      kind: 'invalid-request',
    });
    const directory = await mirror.materialise(commit, '', options);
    const written = directory.files.filter(({ file }) => file !== null).map(({ path: shown }) => shown);
    expect(written.sort()).toEqual(['double', 'old-mode']);
    expect(directory.files).toHaveLength(9);
    for (const { file } of directory.files) {
      if (file !== null) expect(path.dirname(file)).toBe(directory.folder);
    }
    directory.release();
    await test.close();
    fixture.remove();
  });

  it('a tree of great depth is told to be too deep, not followed for ever', async () => {
    const fixture = createGitFixture({ bare: true });
    const test = openTestMirrors();
    let tree = fixture.rawTree([{ mode: '100644', name: 'f', oid: fixture.blob('x') }]);
    for (let depth = 0; depth < 300; depth++)
      tree = fixture.rawTree([{ mode: '040000', name: 'd', oid: tree }]);
    const commit = fixture.commitTree(tree);
    const mirror = test.openFolder(fixture);
    const walked = await mirror.walk(commit, '', { ...options, depthMax: 1000, limit: 10_000 });
    expect(walked.entries).toHaveLength(301);
    await expect(mirror.materialise(commit, '', options)).rejects.toMatchObject({ kind: 'too-large' });
    await test.close();
    fixture.remove();
  });
});

describe('links, submodules and long lines are told as what they are', () => {
  it('symbolic link loops and links out of the tree are never followed', async () => {
    const fixture = createGitFixture();
    const test = openTestMirrors();
    const link = (content: string) => ({ mode: '120000' as const, content });
    const commit = fixture.commit({
      loop: link('loop'),
      a: link('b'),
      b: link('a'),
      out: link('/etc/passwd'),
      up: link('../..'),
    });
    fixture.checkout();
    const mirror = test.openFolder(fixture);
    for (const name of ['loop', 'a', 'out', 'up']) {
      const entry = await mirror.entry(commit, name, options);
      expect(entry.kind).toBe('symlink');
      await expect(mirror.entry(commit, `${name}/x`, options)).rejects.toMatchObject({
        kind: 'path-not-found',
      });
      await expect(mirror.list(commit, name, options)).rejects.toMatchObject({ data: { kind: 'symlink' } });
    }
    const { oid } = await mirror.entry(commit, 'out', options);
    expect((await mirror.blob(oid, { ...options, bytesMax: 100 })).toString()).toBe('/etc/passwd');
    const directory = await mirror.materialise(commit, '', options);
    expect(directory.files.map(({ file }) => file)).toEqual([null, null, null, null, null]);
    directory.release();
    await test.close();
    fixture.remove();
  });

  it('a submodule is its commit, and nothing below it is looked for', async () => {
    const fixture = createGitFixture();
    const test = openTestMirrors();
    const other = 'a'.repeat(40);
    const commit = fixture.commit({
      'vendor/lib': { mode: '160000', content: other },
      '.gitmodules': '[submodule "x"]\n\tpath = vendor/lib\n\turl = -evil\n\tupdate = !touch evil\n',
    });
    const mirror = test.openFolder(fixture);
    expect(await mirror.entry(commit, 'vendor/lib', options)).toMatchObject({
      kind: 'submodule',
      oid: other,
    });
    await expect(mirror.list(commit, 'vendor/lib', options)).rejects.toMatchObject({
      data: { kind: 'submodule' },
    });
    const directory = await mirror.materialise(commit, 'vendor', options);
    expect(directory.files).toMatchObject([{ kind: 'submodule', oid: other, file: null }]);
    directory.release();
    await test.close();
    fixture.remove();
  });

  it('a line of 100 MB is read in parts without being held', async () => {
    const fixture = createGitFixture();
    const test = openTestMirrors({ options: { worktreeBytesMax: 50_000_000 } });
    const size = 100_000_000;
    const content = Buffer.alloc(size, 'x');
    content.write('START', 0);
    content.write('MIDDLE', 50_000_000);
    content.write('END', size - 3);
    const commit = fixture.commit({ 'long.txt': content });
    const mirror = test.openFolder(fixture);
    const { oid } = await mirror.entry(commit, 'long.txt', options);
    expect(await mirror.sizes([oid], options)).toEqual([size]);
    await expect(mirror.blob(oid, { ...options, bytesMax: 1_000_000 })).rejects.toMatchObject({
      kind: 'too-large',
    });
    const held = process.memoryUsage();
    const part = async (start: number, end: number) =>
      (await mirror.blobRange(oid, { start, end }, options)).toString();
    expect(await part(0, 5)).toBe('START');
    expect(await part(50_000_000, 50_000_006)).toBe('MIDDLE');
    expect(await part(size - 3, size + 10)).toBe('END');
    const grown = process.memoryUsage().arrayBuffers - held.arrayBuffers;
    expect(grown).toBeLessThan(size / 2);
    await expect(mirror.materialise(commit, '', options)).rejects.toMatchObject({ kind: 'too-large' });
    await test.close();
    fixture.remove();
  });
});
