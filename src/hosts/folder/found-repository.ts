import { lstat, realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { shownPath } from '../../base/byte-path.ts';
import type { HostProblem } from '../types.ts';
import type { Candidate } from './folder-walk.ts';
import { defaultBranchOf, readGitFile } from './git-files.ts';
import { isInside } from './real-path.ts';
import { Unservable } from './unservable.ts';

/** A whole repository, as far as it can be told without its neighbours. All paths are real. */
export interface FoundRepository {
  /** Where it was found: its work tree, or the git directory of a bare one. */
  directory: string;
  gitDir: string;
  /** Where refs and objects are: `gitDir` itself except in linked worktrees. */
  commonDir: string;
  workTree: string | null;
  /** Shown path below the configured folder. */
  below: string;
  defaultBranch: string | null;
  /** Object directories that it borrows from. */
  alternates: readonly string[];
}

export type Inspected =
  | { kind: 'repository'; repository: FoundRepository }
  | { kind: 'problem'; problem: HostProblem }
  | { kind: 'skipped' };

/**
 * Judges a candidate: whether it is whole, and whether git reads it from its own folder. What it shares with others (a linked
 * worktree, alternates) is told here and judged when its neighbours are known.
 * A submodule's work tree is skipped unless it is the configured folder itself: its superproject shows it as an entry with a commit.
 */
export async function inspectCandidate(
  candidate: Candidate,
  bounds: { root: string; excluded: readonly string[] },
): Promise<Inspected> {
  try {
    const place = await placeOf(candidate, bounds.root);
    if (place === 'submodule') return { kind: 'skipped' };
    if (bounds.excluded.some((folder) => isInside(folder, place.commonDir))) return { kind: 'skipped' };
    await checkWhole(place);
    await checkLinks(place);
    return {
      kind: 'repository',
      repository: {
        ...place,
        directory: candidate.directory,
        workTree: candidate.dotGit === null ? null : candidate.directory,
        below: candidate.below,
        defaultBranch: await defaultBranchOf(place.gitDir),
        alternates: await alternatesOf(join(place.commonDir, 'objects')),
      },
    };
  } catch (fault) {
    return { kind: 'problem', problem: problemOf(candidate, fault) };
  }
}

interface Place {
  gitDir: string;
  commonDir: string;
}

async function placeOf(candidate: Candidate, root: string): Promise<Place | 'submodule'> {
  const { directory } = candidate;
  const dotGit = join(directory, '.git');
  const gitDir = await realpath(
    candidate.dotGit === null
      ? directory
      : candidate.dotGit === 'file'
        ? await gitDirNamedBy(dotGit, directory)
        : dotGit,
  );
  const isConfiguredFolder = directory === root;
  const isOfSuperproject = candidate.dotGit === 'file' && (await isSubmodule(gitDir));
  if (isOfSuperproject && !isConfiguredFolder) return 'submodule';
  const commonPath = await readGitFile(join(gitDir, 'commondir'));
  const commonDir =
    commonPath === null ? gitDir : await realpath(resolve(gitDir, withoutLineEnd(commonPath)));

  if (commonDir !== gitDir) {
    // Written by the side of the main repository, where only its own writers are.
    if (candidate.dotGit !== 'file' || !(await isLinkedWorktree({ gitDir, commonDir }, dotGit))) {
      throw new Unservable(
        `Its git directory is ${shown(gitDir)} and takes what it holds from ${shown(commonDir)}, which does not name it as its worktree.`,
        'Run "git worktree repair" in the repository that it belongs to, or remove it.',
      );
    }
    // Who configures a worktree means its repository too.
    if (isInside(root, commonDir) || isConfiguredFolder) return { gitDir, commonDir };
    throw new Unservable(
      `Its git directory is ${shown(gitDir)}, outside of the configured folder.`,
      'Configure the folder that holds both, or the repository that it belongs to.',
    );
  }
  if (isInside(directory, gitDir)) return { gitDir, commonDir };
  if (isOfSuperproject && (await workTreeNamedBy(gitDir)) === directory) return { gitDir, commonDir };
  throw new Unservable(
    `Its git directory is ${shown(gitDir)}, outside of its own folder.`,
    'Configure the folder that holds that git directory, or clone the repository in full.',
  );
}

async function gitDirNamedBy(dotGitFile: string, directory: string): Promise<string> {
  const content = (await readGitFile(dotGitFile)) ?? '';
  const named = content.startsWith('gitdir: ') ? withoutLineEnd(content.slice('gitdir: '.length)) : '';
  if (named === '') {
    throw new Unservable(
      'Its ".git" is a file that names no git directory.',
      'Remove the file or clone again.',
    );
  }
  return resolve(directory, named);
}

/** `<superproject's git dir>/modules/<name>`: git keeps submodules there, nested ones again below. */
async function isSubmodule(gitDir: string): Promise<boolean> {
  const marker = '/modules/';
  for (let at = gitDir.indexOf(marker); at > 0; at = gitDir.indexOf(marker, at + 1)) {
    if (await exists(join(gitDir.slice(0, at), 'HEAD'))) return true;
  }
  return false;
}

/** `<common>/worktrees/<id>`, whose `gitdir` file names this very `.git`. */
async function isLinkedWorktree({ gitDir, commonDir }: Place, dotGit: string): Promise<boolean> {
  if (gitDir !== join(commonDir, 'worktrees', basename(gitDir))) return false;
  const named = await readGitFile(join(gitDir, 'gitdir'));
  return named !== null && (await realOrSame(resolve(gitDir, withoutLineEnd(named)))) === dotGit;
}

/** `core.worktree`, which git writes for submodules. */
async function workTreeNamedBy(gitDir: string): Promise<string | null> {
  const config = (await readGitFile(join(gitDir, 'config'))) ?? '';
  const lines = config.split('\n').map((line) => line.trim());
  const named = lines.find((line) => /^worktree\s*=/.test(line));
  if (named === undefined) return null;
  const value = named.slice(named.indexOf('=') + 1).trim();
  return realOrSame(resolve(gitDir, value.startsWith('"') ? value.slice(1, -1) : value));
}

async function checkWhole({ gitDir, commonDir }: Place): Promise<void> {
  const parts = [join(gitDir, 'HEAD'), join(commonDir, 'objects'), join(commonDir, 'refs')];
  for (const part of parts) {
    if (await exists(part)) continue;
    throw new Unservable(
      `It is no complete git repository: ${shown(part)} is missing.`,
      'Clone it again, or remove what is left of it.',
    );
  }
}

/** Mirrors look at every link when they read; here the ones that people make are told before anybody asks. */
async function checkLinks({ gitDir, commonDir }: Place): Promise<void> {
  const names = [
    'HEAD',
    'config',
    'packed-refs',
    'reftable',
    'shallow',
    'refs',
    'refs/heads',
    'refs/tags',
    'objects',
    'objects/pack',
    'objects/info',
  ];
  for (const part of [join(gitDir, 'HEAD'), ...names.map((name) => join(commonDir, name))]) {
    if (!(await isSymlink(part))) continue;
    const target = await realpath(part).catch(() => null);
    // An unborn branch leaves an old-style HEAD symlink dangling inside its own directory.
    if (target === null && part.endsWith('HEAD')) continue;
    if (target !== null && isInside(commonDir, target)) continue;
    throw new Unservable(
      `${shown(part)} is a symlink that leaves its git directory.`,
      'Clone the repository in full.',
    );
  }
}

const alternatesMax = 100;

async function alternatesOf(objects: string): Promise<string[]> {
  const content = (await readGitFile(join(objects, 'info/alternates'))) ?? '';
  const lines = content.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length > alternatesMax) {
    throw new Unservable(
      `It borrows objects from ${lines.length} places, and no more than ${alternatesMax} are followed.`,
      'Run "git repack -a -d" in it and delete objects/info/alternates.',
    );
  }
  return Promise.all(lines.map((line) => realOrSame(resolve(objects, line))));
}

function problemOf(candidate: Candidate, fault: unknown): HostProblem {
  const what = shown(candidate.directory);
  if (fault instanceof Unservable) return { what, why: fault.message, next: fault.next };
  const { code, path } = fault as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return {
      what,
      why: `It leads to ${shown(path ?? what)}, which does not exist.`,
      next: 'Run "git worktree repair" in the repository that it belongs to, or remove it.',
    };
  }
  return {
    what,
    why: `Its git directory cannot be read (${code ?? 'unknown fault'}).`,
    next: 'Let the user that runs the server read it.',
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (fault) {
    if (isMissing(fault)) return false;
    throw fault;
  }
}

async function isSymlink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (fault) {
    if (isMissing(fault)) return false;
    throw fault;
  }
}

const realOrSame = (path: string): Promise<string> => realpath(path).catch(() => path);

const isMissing = (fault: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((fault as NodeJS.ErrnoException).code ?? '');

/** No pattern: one that looks for the end takes a time that grows with the square of a file of line breaks. */
function withoutLineEnd(content: string): string {
  let end = content.length;
  while (end > 0 && '\r\n'.includes(content[end - 1]!)) end -= 1;
  return content.slice(0, end);
}

const shown = (path: string): string => shownPath(Buffer.from(path));
