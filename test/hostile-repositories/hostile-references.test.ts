import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGitFixture, type GitFixture, runFixtureGit } from '../../src/mirrors/testing/git-fixture.ts';
import { openTestMirrors, type TestMirrors } from '../../src/mirrors/testing/open-mirrors.ts';

const options = { signal: new AbortController().signal };

let fixture: GitFixture;
let test: TestMirrors;

beforeEach(() => {
  fixture = createGitFixture();
  test = openTestMirrors();
});
afterEach(async () => {
  await test.close();
  fixture.remove();
});

describe('odd references are read right or refused clearly', () => {
  it('an empty repository says so', async () => {
    const mirror = test.openFolder(fixture);
    await expect(mirror.resolve(undefined, options)).rejects.toMatchObject({
      code: 'mirrors/empty-repository',
    });
    await expect(mirror.resolve('main', options)).rejects.toMatchObject({ code: 'mirrors/empty-repository' });
    expect(await mirror.state(options)).toMatchObject({ empty: true, defaultBranch: null, problem: null });
    expect(await mirror.refs(options)).toEqual([]);
    const commit = fixture.commit({ a: 'a' });
    expect(await mirror.resolve(undefined, options)).toMatchObject({ commit });
  });

  it('a HEAD that names a missing branch falls back to the likely one, or names those that exist', async () => {
    const commit = fixture.commit({ a: 'a' }, { branch: 'develop' });
    fixture.git(['symbolic-ref', 'HEAD', 'refs/heads/gone']);
    const mirror = test.openFolder(fixture);
    expect(await mirror.resolve(undefined, options)).toMatchObject({
      commit,
      revision: 'develop',
      isDefault: true,
    });
    fixture.git(['branch', 'other', commit]);
    await expect(mirror.resolve(undefined, options)).rejects.toMatchObject({
      kind: 'ref-not-found',
      code: 'mirrors/default-branch-missing',
      message: expect.stringContaining('"gone"'),
      next: 'Call again with a revision that does: develop, other.',
    });
    fixture.git(['branch', 'main', commit]);
    expect(await mirror.resolve(undefined, options)).toMatchObject({ revision: 'main', isDefault: true });
  });

  it('a renamed default branch is followed', async () => {
    const commit = fixture.commit({ a: 'a' });
    const mirror = test.openFolder(fixture);
    expect(await mirror.resolve(undefined, options)).toMatchObject({ revision: 'main' });
    fixture.git(['branch', '-m', 'main', 'trunk']);
    expect(await mirror.resolve(undefined, options)).toMatchObject({
      commit,
      revision: 'trunk',
      isDefault: true,
    });
    await expect(mirror.resolve('main', options)).rejects.toMatchObject({
      next: expect.stringContaining('"trunk"'),
    });
  });

  it('branch names with /, |, comma, quote, percent and non-ASCII', async () => {
    const commit = fixture.commit({ a: 'a' });
    const names = [
      'feature/a/b',
      'a|b',
      'a,b',
      `it's"quoted"`,
      '100%',
      'süß',
      '$(touch-evil)',
      'a;b',
      'a&b',
      '{x}',
    ];
    for (const name of names) fixture.git(['update-ref', `refs/heads/${name}`, commit]);
    const mirror = test.openFolder(fixture);
    for (const name of names) {
      expect(await mirror.resolve(name, options)).toEqual({
        commit,
        revision: name,
        kind: 'branch',
        isDefault: false,
      });
    }
    expect(new Set((await mirror.refs(options)).map(({ name }) => name))).toEqual(
      new Set([...names, 'main']),
    );
  });

  it('a tag wins over a branch of the same name, as in git, and says that it is a tag', async () => {
    const first = fixture.commit({ a: 'a' });
    const second = fixture.commit({ a: 'b' });
    fixture.git(['update-ref', 'refs/tags/same', first]);
    fixture.git(['update-ref', 'refs/heads/same', second]);
    const mirror = test.openFolder(fixture);
    expect(await mirror.resolve('same', options)).toMatchObject({ commit: first, kind: 'tag' });
    expect(await mirror.resolve('heads/same', options)).toMatchObject({ commit: second, kind: 'branch' });
  });

  it('a branch that looks like a commit id is found by its name', async () => {
    const commit = fixture.commit({ a: 'a' });
    fixture.git(['update-ref', 'refs/heads/deadbeef', commit]);
    expect(await test.openFolder(fixture).resolve('deadbeef', options)).toMatchObject({
      commit,
      kind: 'branch',
    });
  });

  it('a tag of a tag of a tag is peeled; a tag of a file is no revision', async () => {
    const commit = fixture.commit({ a: 'a' });
    fixture.annotatedTag('one', commit);
    fixture.annotatedTag('two', 'one');
    fixture.annotatedTag('three', 'two');
    fixture.annotatedTag('file', fixture.blob('x'));
    const mirror = test.openFolder(fixture);
    expect(await mirror.resolve('three', options)).toEqual({
      commit,
      revision: 'three',
      kind: 'tag',
      isDefault: false,
    });
    await expect(mirror.resolve('file', options)).rejects.toMatchObject({ kind: 'ref-not-found' });
    expect((await mirror.refs(options)).map(({ name }) => name)).toEqual(['main', 'one', 'three', 'two']);
  });

  it('refs/replace changes nothing of what is read', async () => {
    const commit = fixture.commit({ a: 'honest\n' });
    const evil = fixture.commit({ a: 'evil\n' }, { branch: 'evil', from: null });
    const [honestBlob, evilBlob] = [commit, evil].map((one) => fixture.git(['rev-parse', `${one}:a`]).trim());
    fixture.git(['update-ref', `refs/replace/${commit}`, evil]);
    fixture.git(['update-ref', `refs/replace/${honestBlob}`, evilBlob!]);
    const mirror = test.openFolder(fixture);
    const { oid } = await mirror.entry(commit, 'a', options);
    expect((await mirror.blob(oid, { ...options, bytesMax: 100 })).toString()).toBe('honest\n');
    const diff = await mirror.diff({ commit, path: '', contextLines: 0, bytesMax: 1000 }, options);
    expect(diff.patch.toString()).toContain('+honest\n');
    const query = { commit, path: '', skip: 0, limit: 5, followRenames: false };
    expect((await mirror.history(query, options)).map((one) => one.commit)).toEqual([commit]);
  });

  it('a commit that a force push took away is refused, whole or shortened, and a note or a stash is none', async () => {
    fixture.commit({ a: 'a' });
    const lost = fixture.commit({ a: 'secret\n' });
    const stashed = fixture.commit({ a: 'stash\n' }, { branch: 'tmp' });
    fixture.git(['update-ref', 'refs/stash', stashed]);
    fixture.git(['branch', '-D', 'tmp']);
    fixture.git(['update-ref', 'refs/heads/main', `${lost}^`]);
    const mirror = test.openFolder(fixture);
    for (const revision of [lost, lost.slice(0, 10), stashed, 'stash', 'refs/stash']) {
      await expect(mirror.resolve(revision, options)).rejects.toMatchObject({ kind: 'ref-not-found' });
    }
    fixture.git(['branch', 'back', lost]);
    expect(await mirror.resolve(lost, options)).toMatchObject({ commit: lost });
    fixture.git(['branch', '-D', 'back']);
    await expect(mirror.resolve(lost, options)).rejects.toMatchObject({ kind: 'ref-not-found' });
  });

  it('one broken reference hides none of the others', async () => {
    const commit = fixture.commit({ a: 'a' });
    writeFileSync(path.join(fixture.gitDir, 'refs/heads/garbage'), 'no id at all\n');
    writeFileSync(path.join(fixture.gitDir, 'refs/heads/missing'), `${'1'.repeat(40)}\n`);
    const mirror = test.openFolder(fixture);
    expect(await mirror.resolve(undefined, options)).toMatchObject({ commit });
    expect(await mirror.resolve(commit.slice(0, 10), options)).toMatchObject({ commit });
    expect((await mirror.refs(options)).map(({ name }) => name)).toEqual(['main']);
    await expect(mirror.resolve('missing', options)).rejects.toMatchObject({ kind: 'ref-not-found' });
  });

  it('a detached HEAD is the default, and so is the branch of a linked worktree', async () => {
    const first = fixture.commit({ a: 'a' });
    const second = fixture.commit({ a: 'b' }, { branch: 'topic' });
    fixture.checkout();
    const linked = path.join(path.dirname(fixture.folder), 'linked');
    fixture.git(['worktree', 'add', '--quiet', linked, 'topic']);
    const gitDir = path.join(fixture.gitDir, 'worktrees/linked');
    const worktree = test.openFolder(fixture, { gitDir, workTree: linked });
    expect(await worktree.resolve(undefined, options)).toMatchObject({ commit: second, revision: 'topic' });
    expect(await worktree.uncommittedChanges(options)).toBeNull();
    appendFileSync(path.join(linked, 'a'), 'more');
    test.clock.nowMs += 61_000;
    expect(await worktree.uncommittedChanges(options)).toEqual({ branch: 'topic', changedFiles: 1 });
    fixture.git(['update-ref', '--no-deref', 'HEAD', first]);
    const mirror = test.openFolder(fixture);
    fixture.git(['checkout', '--quiet', '--detach', first], { env: { GIT_WORK_TREE: fixture.folder } });
    expect(await mirror.resolve(undefined, options)).toEqual({
      commit: first,
      revision: first,
      kind: 'commit',
      isDefault: true,
    });
  });

  it('a shallow clone is read as far as it goes', async () => {
    for (const content of ['one', 'two', 'three']) fixture.commit({ a: `${content}\n` });
    const clone = path.join(path.dirname(fixture.folder), 'shallow');
    runFixtureGit(fixture.folder, ['clone', '--quiet', '--depth=2', `file://${fixture.folder}`, clone]);
    const mirror = test.openFolder(fixture, { gitDir: path.join(clone, '.git'), workTree: clone });
    const { commit } = await mirror.resolve(undefined, options);
    const commits = await mirror.history(
      { commit, path: '', skip: 0, limit: 9, followRenames: false },
      options,
    );
    expect(commits).toHaveLength(2);
    const last = commits[1]!;
    const diff = await mirror.diff(
      { commit: last.commit, path: '', contextLines: 0, bytesMax: 1000 },
      options,
    );
    expect(diff.files).toMatchObject([{ path: 'a', status: 'A' }]);
    expect(await mirror.resolve('origin/main', options)).toMatchObject({ commit, kind: 'branch' });
  });

  it('SHA-256 is read like SHA-1', async () => {
    const other = createGitFixture({
      objectFormat: 'sha256',
      folder: path.join(path.dirname(fixture.folder), 'sha256'),
    });
    other.commit({ 'd/a': 'one\n' });
    const commit = other.commit({ 'd/a': 'two\n' });
    other.annotatedTag('v1', commit);
    other.checkout();
    const mirror = test.openFolder(other);
    expect(await mirror.resolve('v1', options)).toMatchObject({ commit });
    expect(await mirror.resolve(commit.slice(0, 9), options)).toMatchObject({ commit });
    const { oid } = await mirror.entry(commit, 'd/a', options);
    expect((await mirror.blob(oid, { ...options, bytesMax: 10 })).toString()).toBe('two\n');
    expect(await mirror.blame({ commit, path: 'd/a', start: 1, end: 1 }, options)).toMatchObject([
      { commit },
    ]);
    expect(
      (await mirror.diff({ commit, path: '', contextLines: 0, bytesMax: 999 }, options)).files,
    ).toHaveLength(1);
    expect(await mirror.uncommittedChanges(options)).toBeNull();
    other.remove();
  });
});

describe('a folder whose objects lie elsewhere is refused', () => {
  const victimFile = 'top secret\n';
  let victim: GitFixture;

  beforeEach(() => {
    victim = createGitFixture();
    victim.commit({ secret: victimFile });
  });
  afterEach(() => victim.remove());

  const rows: [string, () => void][] = [
    [
      'alternates out of the root',
      () =>
        appendFileSync(path.join(fixture.gitDir, 'objects/info/alternates'), `${victim.gitDir}/objects\n`),
    ],
    [
      'alternates out of the root, relative and behind another',
      () => {
        const between = createGitFixture({
          folder: path.join(path.dirname(fixture.folder), 'between'),
          bare: true,
        });
        const relative = path.relative(
          path.join(between.gitDir, 'objects'),
          path.join(victim.gitDir, 'objects'),
        );
        appendFileSync(path.join(between.gitDir, 'objects/info/alternates'), `${relative}\n`);
        appendFileSync(path.join(fixture.gitDir, 'objects/info/alternates'), `../../../between/objects\n`);
      },
    ],
    [
      'an objects directory that is a link',
      () => {
        renameSync(path.join(fixture.gitDir, 'objects'), path.join(fixture.gitDir, 'objects.old'));
        symlinkSync(path.join(victim.gitDir, 'objects'), path.join(fixture.gitDir, 'objects'));
      },
    ],
    [
      'a loose object directory that is a link',
      () => symlinkSync(path.join(victim.gitDir, 'objects'), path.join(fixture.gitDir, 'objects/zz')),
    ],
    [
      'a pack directory that is a link',
      () => {
        renameSync(path.join(fixture.gitDir, 'objects/pack'), path.join(fixture.gitDir, 'objects/pack.old'));
        symlinkSync(path.join(victim.gitDir, 'objects/pack'), path.join(fixture.gitDir, 'objects/pack'));
      },
    ],
    [
      'a link among its objects to another repository of the same root',
      () => {
        const other = createGitFixture({
          folder: path.join(path.dirname(fixture.folder), 'neighbour'),
          bare: true,
        });
        symlinkSync(path.join(other.gitDir, 'objects'), path.join(fixture.gitDir, 'objects/zz'));
      },
    ],
    [
      'a commondir file whose line break hides where it leads',
      () => {
        symlinkSync(victim.gitDir, path.join(fixture.gitDir, 'link'));
        symlinkSync(fixture.gitDir, path.join(fixture.gitDir, 'link\r'));
        writeFileSync(path.join(fixture.gitDir, 'commondir'), 'link\r\n');
      },
    ],
    [
      'a refs directory that is a link',
      () => symlinkSync(path.join(victim.gitDir, 'refs'), path.join(fixture.gitDir, 'refs/heads/linked')),
    ],
    [
      'a commondir file that leads out',
      () => writeFileSync(path.join(fixture.gitDir, 'commondir'), victim.gitDir),
    ],
  ];
  for (const [name, tamper] of rows) {
    it(name, async () => {
      fixture.commit({ a: 'a' });
      const mirror = test.openFolder(fixture);
      await mirror.resolve(undefined, options);
      tamper();
      for (const reading of [mirror, test.openFolder(fixture)]) {
        await expect(reading.resolve(undefined, options)).rejects.toMatchObject({
          kind: 'blocked-by-policy',
          code: 'mirrors/folder-leaves-root',
          next: expect.stringMatching(/^The operator has to/),
        });
      }
    });
  }

  it('a link among its references to another repository of the same root', async () => {
    fixture.commit({ a: 'a' });
    const other = createGitFixture({
      folder: path.join(path.dirname(fixture.folder), 'neighbour'),
      bare: true,
    });
    other.commit({ b: 'b' });
    symlinkSync(path.join(other.gitDir, 'refs/heads'), path.join(fixture.gitDir, 'refs/heads/linked'));
    await expect(test.openFolder(fixture).resolve(undefined, options)).rejects.toMatchObject({
      kind: 'blocked-by-policy',
    });
  });

  it('a multi-pack-index that names packs elsewhere shows nothing of them', async () => {
    fixture.commit({ a: 'a' });
    victim.git(['repack', '-a', '-d', '-q']);
    const secret = victim.git(['rev-parse', 'main:secret']).trim();
    const outside = mkdtempSync(path.join(tmpdir(), 'p-'));
    const packs = path.join(victim.gitDir, 'objects/pack');
    const pack = readdirSync(packs).find((name) => name.endsWith('.pack'))!;
    copyFileSync(path.join(packs, pack), path.join(outside, 'p.pack'));
    copyFileSync(path.join(packs, pack.replace('.pack', '.idx')), path.join(outside, 'p.idx'));
    victim.git(['multi-pack-index', 'write']);
    const index = readFileSync(path.join(packs, 'multi-pack-index'));
    const name = pack.replace('.pack', '.idx');
    const here = path.join(fixture.gitDir, 'objects/pack');
    const relative = path.relative(here, outside);
    const forged = `${relative}${'/'.repeat(name.length - relative.length - 5)}p.idx`;
    index.write(forged, index.indexOf(name), 'latin1');
    writeFileSync(path.join(here, 'multi-pack-index'), index);
    // The trap is a real one: git by itself falls into it.
    expect(fixture.git(['cat-file', 'blob', secret])).toBe(victimFile);
    const mirror = test.openFolder(fixture);
    const { commit } = await mirror.resolve(undefined, options);
    expect(await mirror.sizes([secret], options)).toEqual([null]);
    await expect(mirror.blob(secret, { ...options, bytesMax: 100 })).rejects.toMatchObject({
      code: 'mirrors/object-missing',
    });
    const query = { commit, path: '', skip: 0, limit: 5, followRenames: false };
    expect(await mirror.history(query, options)).toHaveLength(1);
    rmSync(outside, { recursive: true });
  });

  it('a list of reference tables that names one elsewhere', async () => {
    fixture.commit({ a: 'a' });
    mkdirSync(path.join(fixture.gitDir, 'reftable'));
    writeFileSync(path.join(fixture.gitDir, 'reftable/tables.list'), '../../../../victim.ref\n');
    await expect(test.openFolder(fixture).resolve(undefined, options)).rejects.toMatchObject({
      kind: 'blocked-by-policy',
    });
  });

  const odd: [string, string, Buffer][] = [
    ['alternates that are no text', 'objects/info/alternates', Buffer.from('/tmp/\xff/objects\n', 'latin1')],
    ['a commondir file of line breaks', 'commondir', Buffer.from(`${'\n'.repeat(200_000)}x`)],
  ];
  for (const [name, file, content] of odd) {
    it(name, async () => {
      fixture.commit({ a: 'a' });
      mkdirSync(path.dirname(path.join(fixture.gitDir, file)), { recursive: true });
      writeFileSync(path.join(fixture.gitDir, file), content);
      await expect(test.openFolder(fixture).resolve(undefined, options)).rejects.toMatchObject({
        kind: 'blocked-by-policy',
      });
    });
  }

  it('a gitdir file that leads out', async () => {
    const folder = path.join(path.dirname(fixture.folder), 'pointing');
    mkdirSync(folder);
    writeFileSync(path.join(folder, '.git'), `gitdir: ${victim.gitDir}\n`);
    const mirror = test.openFolder(fixture, { gitDir: path.join(folder, '.git'), workTree: folder });
    await expect(mirror.resolve(undefined, options)).rejects.toMatchObject({ kind: 'blocked-by-policy' });
  });

  it('alternates and links that stay within the root are followed', async () => {
    const shared = createGitFixture({
      folder: path.join(path.dirname(fixture.folder), 'shared'),
      bare: true,
    });
    const commit = shared.commit({ a: 'shared\n' });
    appendFileSync(path.join(fixture.gitDir, 'objects/info/alternates'), `${shared.gitDir}/objects\n`);
    fixture.git(['update-ref', 'refs/heads/main', commit]);
    const mirror = test.openFolder(fixture);
    expect(await mirror.resolve(undefined, options)).toMatchObject({ commit });
    expect(await mirror.list(commit, '', options)).toHaveLength(1);
  });
});
