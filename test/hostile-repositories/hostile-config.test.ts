import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Mirror } from '../../src/mirrors/index.ts';
import { createGitFixture, type GitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { openTestMirrors, type TestMirrors } from '../../src/mirrors/testing/open-mirrors.ts';

const options = { signal: new AbortController().signal };

let fixture: GitFixture;
let test: TestMirrors;
let marker: string;

beforeEach(() => {
  fixture = createGitFixture();
  test = openTestMirrors();
  marker = path.join(path.dirname(fixture.folder), 'marker');
});
afterEach(async () => {
  await test.close();
  fixture.remove();
});

describe('a repository’s own config starts nothing', () => {
  it('whatever is asked of it', async () => {
    fixture.commit({
      '.gitattributes': '* filter=evil diff=evil merge=evil ident\n',
      'a.txt': 'one\ntwo\n',
      'b.txt': 'b\n',
    });
    const commit = fixture.commit({ 'a.txt': 'one\n2\n' });
    fixture.annotatedTag('signed', commit);
    fixture.checkout();
    const run = path.join(fixture.gitDir, 'evil.sh');
    writeFileSync(run, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`, { mode: 0o755 });
    for (const hook of [
      'post-checkout',
      'post-index-change',
      'reference-transaction',
      'pre-auto-gc',
      'fsmonitor-watchman',
    ]) {
      writeFileSync(path.join(fixture.gitDir, 'hooks', hook), `#!/bin/sh\ntouch '${marker}'\n`, {
        mode: 0o755,
      });
    }
    const settings: [string, string][] = [
      ['core.fsmonitor', run],
      ['core.hooksPath', path.join(fixture.gitDir, 'hooks')],
      ['core.pager', run],
      ['core.editor', run],
      ['core.sshCommand', run],
      ['core.gitProxy', run],
      ['core.askPass', run],
      ['core.alternateRefsCommand', run],
      ['core.worktree', '/'],
      ['filter.evil.clean', run],
      ['filter.evil.smudge', run],
      ['filter.evil.process', run],
      ['filter.evil.required', 'true'],
      ['diff.external', run],
      ['diff.evil.command', run],
      ['diff.evil.textconv', run],
      ['merge.evil.driver', run],
      ['gpg.program', run],
      ['log.showSignature', 'true'],
      ['credential.helper', run],
      ['alias.cat-file', `!${run}`],
      ['alias.log', `!${run}`],
      ['pager.log', run],
      ['pager.for-each-ref', run],
      ['uploadpack.packObjectsHook', run],
      ['extensions.partialClone', 'evil'],
      ['remote.evil.url', `ext::${run}`],
      ['remote.evil.promisor', 'true'],
      ['remote.evil.uploadpack', run],
      ['protocol.ext.allow', 'always'],
      ['core.repositoryFormatVersion', '1'],
    ];
    for (const [key, value] of settings) fixture.git(['config', key, value]);
    // The same size and a time that the index does not know: git has to look inside, where it would ask the filter.
    writeFileSync(path.join(fixture.folder, 'a.txt'), 'one\n3\n');
    utimesSync(path.join(fixture.folder, 'a.txt'), 1_800_000_000, 1_800_000_000);
    const index = statSync(path.join(fixture.gitDir, 'index'));
    utimesSync(path.join(fixture.folder, 'b.txt'), index.mtime, index.mtime);

    const mirror = test.openFolder(fixture);
    await everything(mirror, commit);
    expect(await mirror.uncommittedChanges(options)).toEqual({ branch: 'main', changedFiles: 1 });
    expect(existsSync(marker) ? readFileSync(marker, 'utf8') : '').toBe('');
    // The trap is a real one: git by itself falls into it.
    try {
      fixture.git(['--no-pager', `--work-tree=${fixture.folder}`, 'diff', '--stat']);
    } catch {
      // What the trap's script answers is no diff.
    }
    expect(existsSync(marker)).toBe(true);
  });

  it('nor does it show a file of the machine that it includes', async () => {
    const commit = fixture.commit({ 'a.txt': 'one\n' });
    fixture.git(['config', 'include.path', '/etc/passwd']);
    const mirror = test.openFolder(fixture);
    const told = await mirror
      .resolve(commit, options)
      .catch((error: unknown) => inspect(error, { depth: 9 }));
    expect(String(told)).not.toContain('root:');
    expect((await mirror.entry(commit, 'a.txt', options)).kind).toBe('file');
  });

  it('not even for an object that is missing and promised by a remote', async () => {
    const commit = fixture.commit({ 'a.txt': 'one\n' });
    const oid = fixture.git(['rev-parse', 'main:a.txt']).trim();
    fixture.git(['repack', '-a', '-d', '-q']);
    for (const [key, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'evil'],
      ['remote.evil.promisor', 'true'],
      ['remote.evil.url', fixture.folder],
      ['remote.evil.uploadpack', `touch '${marker}'; false`],
    ] as const) {
      fixture.git(['config', key, value]);
    }
    const mirror = test.openFolder(fixture);
    const missing = '2'.repeat(40);
    expect(await mirror.sizes([oid, missing], options)).toEqual([4, null]);
    await expect(mirror.blob(missing, { ...options, bytesMax: 10 })).rejects.toMatchObject({
      code: 'mirrors/object-missing',
    });
    await expect(mirror.commit(missing, options)).rejects.toMatchObject({ kind: 'ref-not-found' });
    await expect(mirror.resolve(missing, options)).rejects.toMatchObject({ kind: 'ref-not-found' });
    expect((await mirror.resolve(undefined, options)).commit).toBe(commit);
    expect(existsSync(marker)).toBe(false);
  });
});

describe('a folder is left as it was found', () => {
  it('to the byte and to the time, whatever is asked of it', async () => {
    const commit = fixture.commit({ 'a.txt': 'one\ntwo\n' });
    fixture.checkout();
    const before = snapshotOf(fixture.folder);
    const mirror = test.openFolder(fixture);
    await everything(mirror, commit);
    await mirror.uncommittedChanges(options);
    expect(snapshotOf(fixture.folder)).toEqual(before);
  });

  it.skipIf(process.getuid?.() !== 0)('also when it belongs to another user', async () => {
    const commit = fixture.commit({ 'a.txt': 'one\ntwo\n' });
    fixture.annotatedTag('signed', commit);
    fixture.checkout();
    for (const name of readdirSync(fixture.folder, { recursive: true })) {
      chownSync(path.join(fixture.folder, String(name)), 65534, 65534);
    }
    chownSync(fixture.folder, 65534, 65534);
    const mirror = test.openFolder(fixture);
    await everything(mirror, commit);
    expect(await mirror.uncommittedChanges(options)).toBeNull();
  });
});

async function everything(mirror: Mirror, commit: string): Promise<void> {
  await mirror.state(options);
  await mirror.peek(options);
  await mirror.refresh(options);
  await mirror.refs(options);
  await mirror.resolve(undefined, options);
  await mirror.resolve(commit.slice(0, 10), options);
  await mirror.walk(commit, '', { ...options, depthMax: 9, limit: 99 });
  const { oid } = await mirror.entry(commit, 'a.txt', options);
  await mirror.blob(oid, { ...options, bytesMax: 100 });
  await mirror.blobRange(oid, { start: 0, end: 2 }, options);
  const query = { commit, path: 'a.txt', skip: 0, limit: 9, followRenames: true };
  await mirror.history(query, options);
  await mirror.history({ ...query, path: '', pickaxe: 'two', followRenames: false }, options);
  await mirror.history({ ...query, lines: { start: 1, end: 2 } }, options);
  await mirror.diff({ commit, path: '', contextLines: 3, bytesMax: 1000 }, options);
  await mirror.blame({ commit, path: 'a.txt', start: 1, end: 2 }, options);
  (await mirror.materialise(commit, '', options)).release();
  await mirror.uncommittedChanges(options);
}

/** Names, contents, and times of change of everything below. */
function snapshotOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true }).map((name) => {
      const file = path.join(folder, String(name));
      const stat = statSync(file);
      const content = stat.isFile() ? readFileSync(file).toString('base64') : '';
      return [String(name), `${stat.mtimeMs} ${stat.mode} ${content}`];
    }),
  );
}
