import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGitFixture, runFixtureGit } from '../../mirrors/testing/git-fixture.ts';
import { HostUnavailable } from '../errors.ts';
import type { HostListing } from '../types.ts';
import { createFolderHost } from './folder-host.ts';

let top: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'periscope-folders-')));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

describe('every git repository below a folder is found', () => {
  it('with a work tree, bare, nested in directories, and as the folder itself', async () => {
    repository('src/work');
    repository('src/team/bare.git', { bare: true });
    repository('src/team/a+b/repo', { bare: true });
    repository('one.git', { bare: true });
    expect(names(await list(['src', 'one.git']))).toEqual(['one', 'team/a+b/repo', 'team/bare', 'work']);
  });

  it('nested in the work tree of another', async () => {
    repository('src/all');
    repository('src/all/clones/inner');
    expect(names(await list(['src']))).toEqual(['all', 'all/clones/inner']);
    expect(names(await list(['src/all']))).toEqual(['all', 'clones/inner']);
  });

  it('with names of any characters, in their shown form', async () => {
    repository('src/süß %20 "quoted"');
    repository('src/new\nline');
    repository('src/-dash');
    expect(names(await list(['src']))).toEqual(['-dash', 'new\\x0aline', 'süß %20 "quoted"']);
  });

  it('with its place, its branch and an id that is where it is', async () => {
    repository('src/work', { defaultBranch: 'trunk/main' });
    const [found] = (await list(['src'])).repositories;
    expect(found).toMatchObject({
      externalId: at('src/work/.git'),
      defaultBranch: 'trunk/main',
      location: {
        kind: 'folder',
        gitDir: at('src/work/.git'),
        workTree: at('src/work'),
        root: at('src/work'),
      },
    });
  });

  it('with no branch when HEAD is detached', async () => {
    const fixture = repository('src/work');
    const commit = fixture.commit({ a: 'b' });
    fixture.git(['update-ref', '--no-deref', 'HEAD', commit]);
    expect((await list(['src'])).repositories[0]?.defaultBranch).toBeNull();
  });

  it('no deeper than depthMax', async () => {
    repository('src/a/b/c');
    expect(names(await list(['src'], { depthMax: 3 }))).toEqual(['a/b/c']);
    expect(names(await list(['src'], { depthMax: 2 }))).toEqual([]);
  });

  it('but not in node_modules, in directories with a leading dot, or behind a symlink', async () => {
    repository('src/node_modules/dependency');
    repository('src/.cache/clone');
    repository('elsewhere/secret');
    symlinkSync(at('elsewhere'), at('src/link'));
    symlinkSync(at('src'), at('src/loop'));
    const listing = await list(['src']);
    expect(names(listing)).toEqual([]);
    expect(problems(listing)).toEqual(['src: No git repository was found in it or below it.']);
  });

  it('once, where configured folders overlap or one is a symlink to another', async () => {
    repository('src/team/work');
    symlinkSync(at('src'), at('same'));
    expect(names(await list(['src', 'src/team', 'same']))).toEqual(['team/work']);
  });
});

describe('linked worktrees and submodules', () => {
  it('lists a worktree beside its repository, on its own branch', async () => {
    const fixture = repository('src/main');
    fixture.commit({ a: 'b' });
    runFixtureGit(at('src/main'), ['worktree', 'add', '-q', '-b', 'feature', at('src/feature')]);
    const listing = await list(['src']);
    expect(listing.repositories.map((one) => [one.fullName, one.defaultBranch])).toEqual([
      ['feature', 'feature'],
      ['main', 'main'],
    ]);
    expect(listing.repositories[0]?.externalId).toBe(at('src/main/.git/worktrees/feature'));
  });

  it('refuses a worktree whose repository lies outside, unless it is the configured folder', async () => {
    const fixture = repository('elsewhere/main');
    fixture.commit({ a: 'b' });
    mkdirSync(at('src'));
    runFixtureGit(at('elsewhere/main'), ['worktree', 'add', '-q', '-b', 'feature', at('src/feature')]);
    const below = await list(['src']);
    expect(names(below)).toEqual([]);
    expect(problems(below)[0]).toMatch(/^src\/feature: Its git directory is .*elsewhere/);

    const itself = await list(['src/feature']);
    expect(names(itself)).toEqual(['feature']);
    expect(itself.repositories[0]?.location).toEqual({
      kind: 'folder',
      gitDir: at('elsewhere/main/.git/worktrees/feature'),
      workTree: at('src/feature'),
      root: at('elsewhere/main/.git'),
    });
  });

  it('tells a worktree whose repository is gone', async () => {
    const fixture = repository('src/main');
    fixture.commit({ a: 'b' });
    runFixtureGit(at('src/main'), ['worktree', 'add', '-q', '-b', 'feature', at('src/feature')]);
    renameSync(at('src/main'), at('src/moved'));
    const listing = await list(['src']);
    expect(names(listing)).toEqual(['moved']);
    expect(problems(listing)[0]).toMatch(/^src\/feature: It leads to .*, which does not exist/);
  });

  it('leaves a submodule to its superproject, unless it is the configured folder', async () => {
    const inner = repository('inner');
    inner.commit({ a: 'b' });
    const outer = repository('src/outer');
    outer.commit({ a: 'b' });
    outer.checkout();
    runFixtureGit(at('src/outer'), [
      '-c',
      'protocol.file.allow=always',
      'submodule',
      'add',
      '-q',
      at('inner'),
      'vendor/inner',
    ]);
    expect(names(await list(['src']))).toEqual(['outer']);
    expect(names(await list(['src/outer/vendor/inner']))).toEqual(['inner']);
  });

  it('takes a git directory that was put elsewhere in the same place, as bare ones with worktrees beside them are', async () => {
    const fixture = createGitFixture({ folder: at('src/project/.bare'), bare: true });
    fixture.commit({ a: 'b' });
    writeFileSync(at('src/project/.git'), 'gitdir: ./.bare\n');
    runFixtureGit(at('src/project'), ['worktree', 'add', '-q', '-b', 'feature', at('src/project/feature')]);
    expect(alsoNamed(await list(['src']))).toEqual({ project: [], 'project/feature': ['project'] });
  });
});

describe('a place shows only what lies in it, or says whose else: who may write in one place must not show another', () => {
  beforeEach(() => {
    repository('src/bob/private').commit({ a: 'b' });
    repository('src/alice/own').commit({ a: 'b' });
  });
  const others = { 'alice/own': [], 'bob/private': [] };
  const refused = (name: string, attack: () => void, why: RegExp) =>
    it(name, async () => {
      attack();
      const listing = await list(['src']);
      expect(alsoNamed(listing)).toEqual(others);
      expect(problems(listing)).toEqual([expect.stringMatching(why)]);
    });

  refused(
    'a .git file that names the git directory of another',
    () => {
      mkdirSync(at('src/alice/gf'));
      writeFileSync(at('src/alice/gf/.git'), 'gitdir: ../../bob/private/.git\n');
    },
    /^src\/alice\/gf: Its git directory is .*bob\/private\/\.git, outside of its own folder/,
  );
  refused(
    'a .git symlink to the git directory of another',
    () => {
      mkdirSync(at('src/alice/ln'));
      symlinkSync('../../bob/private/.git', at('src/alice/ln/.git'));
    },
    /^src\/alice\/ln: Its git directory is .*outside of its own folder/,
  );
  refused(
    'a common directory that is the git directory of another',
    () => {
      mkdirSync(at('src/alice/cd/.git'), { recursive: true });
      writeFileSync(at('src/alice/cd/.git/HEAD'), 'ref: refs/heads/main\n');
      writeFileSync(at('src/alice/cd/.git/commondir'), '../../../bob/private/.git\n');
    },
    /^src\/alice\/cd: .* takes what it holds from .*bob\/private\/\.git, which does not name it/,
  );
  refused(
    'a worktree that only its own side made',
    () => {
      const made = at('src/alice/own/.git/worktrees/wt');
      mkdirSync(made, { recursive: true });
      mkdirSync(at('src/alice/wt'));
      writeFileSync(at('src/alice/wt/.git'), `gitdir: ${made}\n`);
      writeFileSync(path.join(made, 'HEAD'), 'ref: refs/heads/main\n');
      writeFileSync(path.join(made, 'gitdir'), at('src/alice/wt/.git'));
      writeFileSync(path.join(made, 'commondir'), '../../../../../bob/private/.git\n');
    },
    /^src\/alice\/wt: .* which does not name it/,
  );
  refused(
    'the git directory of a worktree that names another work tree',
    () => {
      runFixtureGit(at('src/bob/private'), ['worktree', 'add', '-q', '-b', 'f', at('elsewhere')]);
      mkdirSync(at('src/alice/wt'));
      writeFileSync(at('src/alice/wt/.git'), 'gitdir: ../../bob/private/.git/worktrees/elsewhere\n');
    },
    /^src\/alice\/wt: .* which does not name it/,
  );
  for (const part of ['objects', 'refs', 'HEAD']) {
    refused(
      `${part} that are those of another`,
      () => {
        const { gitDir } = repository('src/alice/sl');
        rmSync(path.join(gitDir, part), { recursive: true });
        symlinkSync(`../../../bob/private/.git/${part}`, path.join(gitDir, part));
      },
      /^src\/alice\/sl: .* is a symlink that leaves its git directory/,
    );
  }
  refused(
    'objects borrowed from what no place names',
    () => {
      repository('src/bob/.hidden/deep');
      borrow(repository('src/alice/alt').gitDir, at('src/bob/.hidden/deep/.git/objects'));
    },
    /^src\/alice\/alt: It borrows objects from .*which is no repository/,
  );
  refused(
    'objects borrowed openly, with a link to those of a third',
    () => {
      const { gitDir } = repository('src/alice/alt');
      borrow(gitDir, at('src/alice/own/.git/objects'));
      mkdirSync(path.join(gitDir, 'objects/pack'), { recursive: true });
      symlinkSync(at('src/bob/private/.git/objects'), path.join(gitDir, 'objects/pack/x'));
    },
    /^src\/alice\/alt: .*pack\/x is a symlink that leaves/,
  );

  it('the git directory of a repository nested in it keeps the name of the place that owns it', async () => {
    repository('src/team/all/inner');
    writeFileSync(at('src/team/all/.git'), 'gitdir: inner/.git\n');
    const listing = await list(['src']);
    expect(alsoNamed(listing)).toEqual({ ...others, 'team/all/inner': [] });
    expect(problems(listing)[0]).toMatch(
      /^src\/team\/all: Its git directory .*belongs to .*team\/all\/inner/,
    );
  });

  it('a linked worktree says whose it is, also where it is configured on its own', async () => {
    runFixtureGit(at('src/bob/private'), ['worktree', 'add', '-q', '-b', 'f', at('src/alice/wt')]);
    expect(alsoNamed(await list(['src']))).toEqual({ ...others, 'alice/wt': ['bob/private'] });
    expect(alsoNamed(await list(['src/alice/wt', 'src/bob']))).toEqual({ wt: ['private'], private: [] });
  });

  it('borrowed objects say whose they are, through every repository between', async () => {
    borrow(at('src/alice/own/.git'), at('src/bob/private/.git/objects'));
    borrow(repository('src/team/last').gitDir, at('src/alice/own/.git/objects'));
    const listing = await list(['src']);
    expect(alsoNamed(listing)).toEqual({
      ...others,
      'alice/own': ['bob/private'],
      'team/last': ['alice/own', 'bob/private'],
    });
    expect(listing.repositories.map(({ location }) => location.kind === 'folder' && location.root)).toEqual([
      at('src'),
      at('src/bob/private'),
      at('src'),
    ]);
  });

  it('a configured folder whose .git leads elsewhere is served only if that place names it', async () => {
    mkdirSync(at('src/alice/gf'));
    writeFileSync(at('src/alice/gf/.git'), 'gitdir: ../../bob/private/.git\n');
    expect(names(await list(['src/alice/gf']))).toEqual([]);
  });
});

it('a name that a repository beside it made longer keeps the plain one too', async () => {
  repository('src/vault/sec.git', { bare: true });
  expect(alsoNamed(await list(['src']))).toEqual({ 'vault/sec': [] });
  repository('src/vault/sec');
  expect(alsoNamed(await list(['src']))).toEqual({ 'vault/sec': [], 'vault/sec.git': ['vault/sec'] });
});

it('never looks into what is excluded, by whatever path it is named', async () => {
  repository('src/work');
  repository('src/data/mirrors/7.git', { bare: true });
  mkdirSync(at('src/link'));
  writeFileSync(at('src/link/.git'), 'gitdir: ../data/mirrors/7.git\n');
  symlinkSync(at('src/data'), at('data'));
  const host = (folder: string) =>
    createFolderHost(
      { kind: 'folder', name: 'local', folders: [at(folder)], depthMax: 6 },
      { excluded: [at('data')] },
    ).list({ signal: new AbortController().signal });
  expect(names(await host('src'))).toEqual(['work']);
  const inside = await host('src/data/mirrors');
  expect(names(inside)).toEqual([]);
  expect(problems(inside)[0]).toMatch(/lies in Periscope's own data folder/);
});

describe('what leads out of the folder is refused, with what to do', () => {
  it('alternates', async () => {
    const secret = repository('elsewhere/secret');
    secret.commit({ a: 'b' });
    const fixture = repository('src/work');
    mkdirSync(path.join(fixture.gitDir, 'objects/info'), { recursive: true });
    writeFileSync(
      path.join(fixture.gitDir, 'objects/info/alternates'),
      `${at('elsewhere/secret/.git/objects')}\n`,
    );
    const listing = await list(['src']);
    expect(names(listing)).toEqual([]);
    expect(problems(listing)[0]).toMatch(/^src\/work: It borrows objects from .*elsewhere\/secret/);
    expect(listing.problems[0]?.next).toContain('git repack -a -d');
  });

  it('alternates of alternates, while those inside are fine', async () => {
    repository('elsewhere/secret');
    const middle = repository('src/middle');
    const fixture = repository('src/work');
    borrow(
      fixture.gitDir,
      path.relative(path.join(fixture.gitDir, 'objects'), at('src/middle/.git/objects')),
    );
    expect(names(await list(['src']))).toEqual(['middle', 'work']);
    borrow(middle.gitDir, at('elsewhere/secret/.git/objects'));
    expect(names(await list(['src']))).toEqual([]);
  });

  it('a loop of alternates ends', async () => {
    const fixture = repository('src/work');
    borrow(fixture.gitDir, at('src/work/.git/objects'));
    expect(problems(await list(['src']))[0]).toMatch(/borrows objects/);
  });

  it.each(['objects', 'refs', 'config', 'HEAD', 'packed-refs', 'objects/pack'])(
    'a symlinked %s',
    async (part) => {
      repository('elsewhere/secret').git(['pack-refs', '--all']);
      const fixture = repository('src/work');
      writeFileSync(at('elsewhere/secret/.git/packed-refs'), '');
      rmSync(path.join(fixture.gitDir, part), { recursive: true, force: true });
      symlinkSync(at(`elsewhere/secret/.git/${part}`), path.join(fixture.gitDir, part));
      const listing = await list(['src']);
      expect(names(listing)).toEqual([]);
      expect(problems(listing)[0]).toMatch(/is a symlink that leaves its git directory/);
    },
  );

  it('a symlinked .git', async () => {
    repository('elsewhere/secret');
    mkdirSync(at('src/work'), { recursive: true });
    symlinkSync(at('elsewhere/secret/.git'), at('src/work/.git'));
    expect(problems(await list(['src']))[0]).toMatch(/^src\/work: Its git directory is .*elsewhere/);
  });

  it('a commondir file in an ordinary repository', async () => {
    repository('elsewhere/secret');
    const fixture = repository('src/work');
    writeFileSync(path.join(fixture.gitDir, 'commondir'), `${at('elsewhere/secret/.git')}\n`);
    expect(problems(await list(['src']))[0]).toMatch(/^src\/work: Its git directory is .*elsewhere/);
  });
});

describe('what cannot be served is a problem and not a fault', () => {
  it('a half-removed repository, a .git file of nonsense', async () => {
    mkdirSync(at('src/half/.git'), { recursive: true });
    mkdirSync(at('src/nonsense'), { recursive: true });
    writeFileSync(at('src/nonsense/.git'), 'hello');
    repository('src/good');
    const listing = await list(['src']);
    expect(names(listing)).toEqual(['good']);
    expect(problems(listing)).toEqual([
      expect.stringMatching(/^src\/half: It is no complete git repository/),
      expect.stringMatching(/^src\/nonsense: Its "\.git" is a file that names no git directory/),
    ]);
  });

  it('a .git/HEAD that is a pipe does not hang', async () => {
    const fixture = repository('src/work');
    rmSync(path.join(fixture.gitDir, 'HEAD'));
    execFileSync('mkfifo', [path.join(fixture.gitDir, 'HEAD')]);
    expect((await list(['src'])).repositories[0]?.defaultBranch).toBeNull();
  });

  // Two minutes in all, were the time for each to grow with the square of its length; only a hang is told by the timeout.
  it('files of a git directory that are nothing but line breaks', { timeout: 20_000 }, async () => {
    const blanks = `x${'\n'.repeat(60_000)}x`;
    for (let index = 0; index < 20; index++) {
      mkdirSync(at(`src/file-${index}`), { recursive: true });
      writeFileSync(at(`src/file-${index}/.git`), `gitdir: ${blanks}`);
      for (const name of ['common', 'head']) {
        for (const part of ['objects', 'refs']) {
          mkdirSync(at(`src/${name}-${index}/.git/${part}`), { recursive: true });
        }
        writeFileSync(at(`src/${name}-${index}/.git/HEAD`), `ref: refs/heads/${blanks}`);
      }
      writeFileSync(at(`src/common-${index}/.git/commondir`), blanks);
    }
    const listing = await list(['src']);
    expect([listing.repositories.length, listing.problems.length]).toEqual([20, 40]);
  });

  it('a path that is no UTF-8', async () => {
    mkdirSync(Buffer.concat([Buffer.from(`${at('src')}/bad`), Buffer.from([0xff])]), { recursive: true });
    runFixtureGit(at('.'), ['init', '-q', 'template']);
    execFileSync('sh', ['-c', `cp -r template/.git src/bad*/`], { cwd: top });
    const listing = await list(['src']);
    expect(names(listing)).toEqual([]);
    expect(problems(listing)[0]).toBe('src/bad\\xff: The path of this repository is not valid UTF-8.');
  });

  it('a directory that may not be read', async () => {
    repository('src/good');
    mkdirSync(at('src/closed'));
    chmodSync(at('src/closed'), 0);
    const listing = await asOrdinaryUser(() => list(['src']));
    chmodSync(at('src/closed'), 0o700);
    expect(names(listing)).toEqual(['good']);
    expect(problems(listing)[0]).toMatch(/^src\/closed: This directory cannot be read/);
    expect(listing.unseenPrefixes).toEqual([`${at('src/closed')}/`]);
  });

  it('one missing folder among several: nothing then counts as gone', async () => {
    repository('src/good');
    const listing = await list(['src', 'missing']);
    expect(names(listing)).toEqual(['good']);
    expect(problems(listing)).toEqual(['missing: The configured folder does not exist.']);
    expect(listing.unseenPrefixes).toEqual(['']);
  });

  it('but no folder at all is', async () => {
    await expect(list(['missing', 'gone'])).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'hosts/folders-unreadable',
    });
  });

  it('whose text, which callers see, holds no path; the operator finds them among the problems', async () => {
    const fault = await list(['missing', 'gone']).catch((error: HostUnavailable) => error);
    expect(fault).toBeInstanceOf(HostUnavailable);
    const { message, next, data, problems: seen } = fault as HostUnavailable;
    expect([message, next, ...Object.values(data)].join(' ')).not.toMatch(/[\\/]|missing|gone/);
    expect(seen.map(({ what }) => what)).toEqual([at('missing'), at('gone')]);
  });
});

it('stops when it is told to', async () => {
  repository('src/work');
  const host = folderHost(['src'], 6);
  await expect(host.list({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
});

it('looks once at a time: a second look at a mount that does not answer would only hang too', async () => {
  repository('src/work');
  const host = folderHost(['src'], 6);
  const { signal } = new AbortController();
  const first = host.list({ signal });
  await expect(host.list({ signal })).rejects.toMatchObject({ code: 'hosts/still-looking' });
  expect(names(await first)).toEqual(['work']);
  expect(names(await host.list({ signal }))).toEqual(['work']);
});

it('serves only what the configuration still names, by its path or by its real one', async () => {
  repository('src/work');
  symlinkSync(at('src'), at('same'));
  const host = folderHost(['same'], 6);
  const { repositories } = await folderHost(['src'], 6).list({ signal: new AbortController().signal });
  const { location } = repositories[0]!;
  expect(host.serves?.(location)).toBe(false);
  await host.list({ signal: new AbortController().signal });
  expect(host.serves?.(location)).toBe(true);
  expect(folderHost(['sr'], 6).serves?.(location)).toBe(false);
  expect(host.serves?.({ kind: 'remote', url: 'https://x/y' })).toBe(false);
});

function repository(folder: string, options: { bare?: boolean; defaultBranch?: string } = {}) {
  return createGitFixture({ ...options, folder: at(folder) });
}

function borrow(gitDir: string, objects: string) {
  mkdirSync(path.join(gitDir, 'objects/info'), { recursive: true });
  writeFileSync(path.join(gitDir, 'objects/info/alternates'), `${objects}\n`);
}

function at(relative: string): string {
  return path.join(top, relative);
}

function folderHost(folders: string[], depthMax: number) {
  return createFolderHost({ kind: 'folder', name: 'local', folders: folders.map(at), depthMax });
}

function list(folders: string[], { depthMax = 6 } = {}): Promise<HostListing> {
  return folderHost(folders, depthMax).list({ signal: new AbortController().signal });
}

/** The permissions of files do not bind root, which tests in a container often are. */
async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  chmodSync(top, 0o755);
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

const names = (listing: HostListing): string[] => listing.repositories.map((one) => one.fullName);

const alsoNamed = (listing: HostListing) =>
  Object.fromEntries(
    listing.repositories.map(({ fullName, location }) => [
      fullName,
      location.kind === 'folder' ? (location.alsoNamed ?? []) : [],
    ]),
  );

const problems = (listing: HostListing): string[] =>
  listing.problems.map(({ what, why }) => `${path.relative(top, what)}: ${why}`);
