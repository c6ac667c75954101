import { realpath } from 'node:fs/promises';
import { shownPath } from '../../base/byte-path.ts';
import { foldersUnreadable } from '../errors.ts';
import type { HostListing, HostProblem, HostRepository } from '../types.ts';
import { nameRepositories } from './folder-names.ts';
import { walkFolder } from './folder-walk.ts';
import { type FoundRepository, inspectCandidate } from './found-repository.ts';

/** Directories looked at in one folder. A million-directory tree costs a bounded time and says that it was not seen whole. */
const directoriesMax = 100_000;
/** Problems of one listing; further ones are counted in a last one. */
const problemsMax = 200;

interface FolderQuery {
  host: string;
  /** Absolute, as configured. */
  folders: readonly string[];
  depthMax: number;
  signal: AbortSignal;
}

/** Every repository below the folders. Fails with `unavailable` only when no folder at all can be read. */
export async function listFolders(
  query: FolderQuery,
): Promise<{ listing: HostListing; realFolders: string[] }> {
  const found = new Map<string, { folder: string; repository: FoundRepository }>();
  const problems: HostProblem[] = [];
  const unseenPrefixes: string[] = [];
  const realFolders: string[] = [];
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
    const walk = await walkFolder(root, {
      depthMax: query.depthMax,
      directoriesMax,
      signal: query.signal,
    });
    problems.push(...walk.problems);
    unseenPrefixes.push(...walk.unseen);
    let foundHere = 0;
    for (const candidate of walk.candidates) {
      query.signal.throwIfAborted();
      const outcome = await inspectCandidate(candidate, root);
      if (outcome.kind === 'problem') problems.push(outcome.problem);
      if (outcome.kind !== 'repository') continue;
      foundHere += 1;
      // Folders may overlap: the first one that is configured names the repository.
      if (!found.has(outcome.repository.gitDir)) {
        found.set(outcome.repository.gitDir, { folder: root, repository: outcome.repository });
      }
    }
    if (foundHere === 0 && walk.problems.length === 0) problems.push(nothingFound(folder));
  }

  if (realFolders.length === 0 && query.folders.length > 0) {
    throw foldersUnreadable(query.host, query.folders.map(shownFolder), lastFault);
  }
  const listing: HostListing = { repositories: named([...found.values()]), problems: bounded(problems) };
  if (unseenPrefixes.length > 0) listing.unseenPrefixes = unseenPrefixes;
  return { listing, realFolders };
}

function named(found: readonly { folder: string; repository: FoundRepository }[]): HostRepository[] {
  const names = nameRepositories(
    found.map(({ folder, repository }) => ({ folder: shownFolder(folder), below: repository.below })),
  );
  return found
    .map(({ repository }, index): HostRepository => {
      return {
        externalId: shownFolder(repository.gitDir),
        fullName: names[index]!,
        location: {
          kind: 'folder',
          gitDir: repository.gitDir,
          workTree: repository.workTree,
          root: repository.root,
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

function nothingFound(folder: string): HostProblem {
  return {
    what: shownFolder(folder),
    why: 'No git repository was found in it or below it.',
    next: 'Configure a folder that holds repositories, or the folder that has the ".git" of one.',
  };
}

const shownFolder = (path: string): string => shownPath(Buffer.from(path));
