import { realpath } from 'node:fs/promises';
import { shownPath } from '../../base/byte-path.ts';
import { foldersUnreadable } from '../errors.ts';
import type { HostListing, HostProblem, HostRepository } from '../types.ts';
import { nameRepositories } from './folder-names.ts';
import { walkFolder } from './folder-walk.ts';
import { type FoundRepository, inspectCandidate } from './found-repository.ts';
import { isInside } from './real-path.ts';
import { type OwnedRepository, settleOwners } from './repository-owners.ts';

/** Directories looked at in one folder. A million-directory tree costs a bounded time and says that it was not seen whole. */
const directoriesMax = 100_000;
/** Problems of one listing; further ones are counted in a last one. */
const problemsMax = 200;

interface FolderQuery {
  host: string;
  /** Absolute, as configured. */
  folders: readonly string[];
  /** Absolute; looked into by nobody. */
  excluded: readonly string[];
  depthMax: number;
  signal: AbortSignal;
}

/** Every repository below the folders. Fails with `unavailable` only when no folder at all can be read. */
export async function listFolders(
  query: FolderQuery,
): Promise<{ listing: HostListing; realFolders: string[] }> {
  const found = new Map<string, { folder: string; repository: OwnedRepository }>();
  const problems: HostProblem[] = [];
  const unseenPrefixes: string[] = [];
  const realFolders: string[] = [];
  const excluded = await Promise.all(query.excluded.map((folder) => realpath(folder).catch(() => folder)));
  let lastFault: unknown;

  for (const folder of query.folders) {
    let root: string;
    try {
      root = await realpath(folder);
    } catch (fault) {
      lastFault = fault;
      problems.push(unreadableFolder(folder, fault));
      // Where a missing folder's symlinks would have led is unknown, so nothing of this host counts as gone.
      unseenPrefixes.push('');
      continue;
    }
    realFolders.push(root);
    if (excluded.some((one) => isInside(one, root))) {
      problems.push(excludedFolder(folder));
      continue;
    }
    const walk = await walkFolder(root, {
      depthMax: query.depthMax,
      directoriesMax,
      excluded,
      signal: query.signal,
    });
    problems.push(...walk.problems);
    unseenPrefixes.push(...walk.unseen);
    const foundHere: FoundRepository[] = [];
    for (const candidate of walk.candidates) {
      query.signal.throwIfAborted();
      const outcome = await inspectCandidate(candidate, { root, excluded });
      if (outcome.kind === 'problem') problems.push(outcome.problem);
      if (outcome.kind === 'repository') foundHere.push(outcome.repository);
    }
    const directories = walk.candidates.map(({ directory }) => directory);
    const settled = await settleOwners({ root, directories, found: foundHere });
    problems.push(...settled.problems);
    for (const repository of settled.repositories) {
      // Folders may overlap: the first one that is configured names the repository.
      if (!found.has(repository.gitDir)) found.set(repository.gitDir, { folder: root, repository });
    }
    if (foundHere.length === 0 && walk.problems.length === 0) problems.push(nothingFound(folder));
  }

  if (realFolders.length === 0 && query.folders.length > 0) {
    throw foldersUnreadable(query.host, bounded(problems), lastFault);
  }
  const listing: HostListing = { repositories: named([...found.values()]), problems: bounded(problems) };
  if (unseenPrefixes.length > 0) listing.unseenPrefixes = unseenPrefixes;
  return { listing, realFolders };
}

function named(found: readonly { folder: string; repository: OwnedRepository }[]): HostRepository[] {
  const given = nameRepositories(
    found.map(({ folder, repository }) => ({ folder: shownFolder(folder), below: repository.below })),
  );
  const placeByGitDir = new Map(found.map(({ repository }, index) => [repository.gitDir, index]));
  return found
    .map(({ repository }, index): HostRepository => {
      const { name, plainNames } = given[index]!;
      // What a configured worktree's repository shows itself is known only now, as it may be of another configured folder.
      const shown = repository.shows.flatMap((gitDir) => {
        const place = placeByGitDir.get(gitDir);
        return place === undefined ? [] : [gitDir, ...found[place]!.repository.shows];
      });
      const alsoNamed = new Set(plainNames);
      for (const gitDir of shown) {
        const other = given[placeByGitDir.get(gitDir) ?? -1];
        for (const one of other ? [other.name, ...other.plainNames] : []) alsoNamed.add(one);
      }
      alsoNamed.delete(name);
      return {
        externalId: shownFolder(repository.gitDir),
        fullName: name,
        location: {
          kind: 'folder',
          gitDir: repository.gitDir,
          workTree: repository.workTree,
          root: repository.root,
          ...(alsoNamed.size > 0 ? { alsoNamed: [...alsoNamed].sort() } : {}),
        },
        defaultBranch: repository.defaultBranch,
        archived: false,
        fork: false,
        visibility: 'unknown',
        webUrl: null,
      };
    })
    .sort((one, other) => (one.fullName < other.fullName ? -1 : 1));
}

function bounded(problems: HostProblem[]): HostProblem[] {
  if (problems.length <= problemsMax) return problems;
  const more = problems.length - problemsMax;
  return [
    ...problems.slice(0, problemsMax),
    {
      what: `${more} further places`,
      why: 'have problems too.',
      next: 'Mend the ones that are named, then list again.',
    },
  ];
}

function unreadableFolder(folder: string, fault: unknown): HostProblem {
  const missing = (fault as NodeJS.ErrnoException).code === 'ENOENT';
  return {
    what: shownFolder(folder),
    why: missing ? 'The configured folder does not exist.' : 'The configured folder cannot be read.',
    next: missing
      ? 'Mount or create it, or take it out of the configuration.'
      : 'Let the user that runs the server read it.',
  };
}

function excludedFolder(folder: string): HostProblem {
  return {
    what: shownFolder(folder),
    why: "The configured folder lies in Periscope's own data folder, which is not served.",
    next: 'Put the repositories beside the data folder, and configure that place.',
  };
}

function nothingFound(folder: string): HostProblem {
  return {
    what: shownFolder(folder),
    why: 'No git repository was found in it or below it.',
    next: 'Configure a folder that holds repositories, or the folder that has the ".git" of one.',
  };
}

const shownFolder = (path: string): string => shownPath(Buffer.from(path));
