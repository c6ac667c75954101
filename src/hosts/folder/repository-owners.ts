import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { shownPath } from '../../base/byte-path.ts';
import type { HostProblem } from '../types.ts';
import type { FoundRepository } from './found-repository.ts';
import { isInside } from './real-path.ts';
import { Unservable } from './unservable.ts';

export interface OwnedRepository extends FoundRepository {
  /** The smallest folder that holds everything it is read from, and its work tree where it can. */
  root: string;
  /** The git directories of other repositories whose data it shows: its main repository, and all that objects are borrowed from. */
  shows: readonly string[];
}

interface Neighbourhood {
  /** The configured folder. */
  root: string;
  /** Every place in it that claims to be a repository. */
  directories: readonly string[];
  found: readonly FoundRepository[];
}

/**
 * Access goes by the names of places, so each place may show only what lies in it, and what others' names stand for only where
 * those names are told. Judges all repositories of one configured folder by that: a git directory belongs to the innermost place
 * around it, and who shows another one's data says whose.
 */
export async function settleOwners(
  neighbourhood: Neighbourhood,
): Promise<{ repositories: OwnedRepository[]; problems: HostProblem[] }> {
  const { root, found } = neighbourhood;
  const directories = new Set(neighbourhood.directories);
  const problems: HostProblem[] = [];
  const leaveOut = (repository: FoundRepository, fault: unknown) => {
    if (!(fault instanceof Unservable)) throw fault;
    problems.push({ what: shown(repository.directory), why: fault.message, next: fault.next });
  };

  const own = new Map<string, FoundRepository>();
  for (const repository of found.filter((one) => !isLinked(one))) {
    try {
      checkOwner(repository, directories);
      own.set(repository.commonDir, repository);
    } catch (fault) {
      leaveOut(repository, fault);
    }
  }
  const ownByObjects = new Map<string, FoundRepository>();
  for (const repository of own.values()) ownByObjects.set(join(repository.commonDir, 'objects'), repository);

  const repositories: OwnedRepository[] = [];
  for (const repository of found) {
    if (!isLinked(repository) && own.get(repository.commonDir) !== repository) continue;
    try {
      const lenders = lendersOf(repository, ownByObjects);
      const main = isLinked(repository) ? mainOf(repository, own, root) : [];
      if (lenders.length > 0) await checkNoLinksLeave([repository.commonDir, ...lenders]);
      const reads = [repository.commonDir, ...lenders];
      const isElsewhere = !isInside(root, repository.commonDir);
      repositories.push({
        ...repository,
        // A configured worktree means its repository, and nothing beside it; a submodule that is configured likewise.
        root: isElsewhere ? repository.commonDir : commonFolder([repository.directory, ...reads]),
        shows: [...new Set([...main, ...lenders])],
      });
    } catch (fault) {
      leaveOut(repository, fault);
    }
  }
  return { repositories, problems };
}

const isLinked = ({ gitDir, commonDir }: FoundRepository): boolean => gitDir !== commonDir;

function checkOwner({ directory, gitDir }: FoundRepository, directories: ReadonlySet<string>): void {
  if (!isInside(directory, gitDir)) return;
  let owner = gitDir;
  while (!directories.has(owner)) owner = dirname(owner);
  if (owner === directory) return;
  throw new Unservable(
    `Its git directory is ${shown(gitDir)}, which belongs to ${shown(owner)}.`,
    'Read it under that name, or clone the repository in full.',
  );
}

/** A configured worktree may belong to a repository that no place of this folder names. */
function mainOf(
  { directory, commonDir }: FoundRepository,
  own: ReadonlyMap<string, FoundRepository>,
  root: string,
): string[] {
  if (own.has(commonDir) || directory === root) return [commonDir];
  throw new Unservable(
    `It is a worktree of ${shown(commonDir)}, which is not served from the same configured folder.`,
    'Mend what keeps that repository out of the list, or configure this worktree as a folder of its own.',
  );
}

/** Git itself stops at five levels. */
const alternatesDepthMax = 5;

/** The git directories of all that objects are borrowed from, directly or not, each looked at once. */
function lendersOf(borrower: FoundRepository, ownByObjects: ReadonlyMap<string, FoundRepository>): string[] {
  const lenders = new Set<string>();
  let level = [borrower];
  for (let depth = 1; level.length > 0; depth += 1) {
    const next: FoundRepository[] = [];
    for (const objects of level.flatMap(({ alternates }) => alternates)) {
      const lender = ownByObjects.get(objects);
      const isEndless = depth > alternatesDepthMax || lender?.commonDir === borrower.commonDir;
      if (!lender || isEndless) {
        throw new Unservable(
          `It borrows objects from ${shown(objects)}, ${lender ? 'and so on without end' : 'which is no repository of the same configured folder'}.`,
          'Run "git repack -a -d" in it and delete objects/info/alternates, or configure the folder that holds both.',
        );
      }
      if (lenders.has(lender.commonDir)) continue;
      lenders.add(lender.commonDir);
      next.push(lender);
    }
    level = next;
  }
  return [...lenders];
}

/** Mirrors bound links by `root`, which is wide where objects are borrowed. */
async function checkNoLinksLeave(gitDirs: readonly string[]): Promise<void> {
  for (const gitDir of gitDirs) {
    for (const part of ['objects', 'refs']) {
      for (const entry of await readdir(join(gitDir, part), { recursive: true, withFileTypes: true })) {
        if (!entry.isSymbolicLink()) continue;
        const link = join(entry.parentPath, entry.name);
        const target = await realpath(link).catch(() => null);
        if (target === null || isInside(gitDir, target)) continue;
        throw new Unservable(
          `${shown(link)} is a symlink that leaves its git directory.`,
          'Clone the repository in full.',
        );
      }
    }
  }
}

function commonFolder(paths: readonly string[]): string {
  let folder = paths[0]!;
  while (!paths.every((path) => isInside(folder, path))) folder = dirname(folder);
  return folder;
}

const shown = (path: string): string => shownPath(Buffer.from(path));
