import { lstat, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { shownPath } from '../../base/byte-path.ts';
import type { HostProblem } from '../types.ts';
import type { Candidate } from './folder-walk.ts';
import { defaultBranchOf, readGitFile } from './git-files.ts';
import { isInside } from './real-path.ts';

export interface FoundRepository {
  /** Real paths. */
  gitDir: string;
  workTree: string | null;
  root: string;
  /** Shown path below the configured folder. */
  below: string;
  defaultBranch: string | null;
}

export type Inspected =
  | { kind: 'repository'; repository: FoundRepository }
  | { kind: 'problem'; problem: HostProblem }
  | { kind: 'skipped' };

/**
 * Judges a candidate: whether it is whole, and whether everything that git would follow from it stays inside `root`.
 * A submodule's work tree is skipped unless it is the configured folder itself: its superproject shows it as an entry with a commit.
 */
export async function inspectCandidate(candidate: Candidate, root: string): Promise<Inspected> {
  try {
    const place = await placeOf(candidate, root);
    if (place === 'submodule') return { kind: 'skipped' };
    await checkWhole(place.gitDir, place.commonDir);
    await checkBounds(place);
    return {
      kind: 'repository',
      repository: {
        gitDir: place.gitDir,
        workTree: candidate.dotGit === null ? null : candidate.directory,
        root: place.root,
        below: candidate.below,
        defaultBranch: await defaultBranchOf(place.gitDir),
      },
    };
  } catch (fault) {
    return { kind: 'problem', problem: problemOf(candidate, fault) };
  }
}

interface Place {
  gitDir: string;
  /** Where refs and objects are: `gitDir` itself except in linked worktrees. */
  commonDir: string;
  root: string;
}

async function placeOf(candidate: Candidate, root: string): Promise<Place | 'submodule'> {
  const dotGit = join(candidate.directory, '.git');
  const gitDir = await realpath(
    candidate.dotGit === null
      ? candidate.directory
      : candidate.dotGit === 'file'
        ? await gitDirNamedBy(dotGit, candidate.directory)
        : dotGit,
  );
  const isConfiguredFolder = candidate.directory === root;
  if (candidate.dotGit === 'file' && !isConfiguredFolder && (await isSubmodule(gitDir))) return 'submodule';
  const commonPath = await readGitFile(join(gitDir, 'commondir'));
  const commonDir =
    commonPath === null ? gitDir : await realpath(resolve(gitDir, withoutLineEnd(commonPath)));
  if (isInside(root, gitDir) && isInside(root, commonDir)) return { gitDir, commonDir, root };
  // Who configures a worktree means its repository too, and nothing beside it.
  if (isConfiguredFolder && candidate.dotGit === 'file' && isInside(commonDir, gitDir)) {
    return { gitDir, commonDir, root: commonDir };
  }
  throw new Unservable(
    `Its git directory is ${shown(isInside(root, gitDir) ? commonDir : gitDir)}, outside of the configured folder.`,
    'Configure the folder that holds both, or the repository that it belongs to.',
  );
}

async function gitDirNamedBy(dotGitFile: string, directory: string): Promise<string> {
  const content = (await readGitFile(dotGitFile)) ?? '';
  const named = /^gitdir: (.+?)[\r\n]*$/s.exec(content)?.[1];
  if (named === undefined) {
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

async function checkWhole(gitDir: string, commonDir: string): Promise<void> {
  const parts = [join(gitDir, 'HEAD'), join(commonDir, 'objects'), join(commonDir, 'refs')];
  for (const part of parts) {
    if (await exists(part)) continue;
    throw new Unservable(
      `It is no complete git repository: ${shown(part)} is missing.`,
      'Clone it again, or remove what is left of it.',
    );
  }
}

/** What git follows out of a git directory. Mirrors check again when they read; here it is told before anybody asks. */
async function checkBounds({ gitDir, commonDir, root }: Place): Promise<void> {
  const names = [
    'HEAD',
    'config',
    'packed-refs',
    'refs',
    'refs/heads',
    'objects',
    'objects/pack',
    'objects/info',
  ];
  for (const part of [join(gitDir, 'HEAD'), ...names.map((name) => join(commonDir, name))]) {
    if (!(await isSymlink(part))) continue;
    const target = await realpath(part).catch(() => null);
    // An unborn branch leaves an old-style HEAD symlink dangling inside its own directory.
    if (target === null && part.endsWith('HEAD')) continue;
    if (target !== null && isInside(root, target)) continue;
    throw new Unservable(
      `${shown(part)} is a symlink that leaves the configured folder.`,
      'Configure the folder that holds both, or clone the repository in full.',
    );
  }
  await checkAlternates(join(commonDir, 'objects'), root, 0);
}

const alternatesDepthMax = 5;

async function checkAlternates(objects: string, root: string, depth: number): Promise<void> {
  const content = await readGitFile(join(objects, 'info/alternates'));
  if (content === null) return;
  for (const line of content.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const target = await realpath(resolve(objects, line)).catch(() => resolve(objects, line));
    // Git itself stops at five levels, so a loop of alternates ends here too.
    if (!isInside(root, target) || depth === alternatesDepthMax) {
      throw new Unservable(
        `It borrows objects from ${shown(target)}, outside of the configured folder.`,
        'Run "git repack -a -d" in it and delete objects/info/alternates, or configure the folder that holds both.',
      );
    }
    await checkAlternates(target, root, depth + 1);
  }
}

class Unservable extends Error {
  readonly next: string;

  constructor(why: string, next: string) {
    super(why);
    this.next = next;
  }
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

const isMissing = (fault: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((fault as NodeJS.ErrnoException).code ?? '');

const withoutLineEnd = (content: string): string => content.replace(/[\r\n]+$/, '');

const shown = (path: string): string => shownPath(Buffer.from(path));
