import { notADirectory, pathNotFound } from '../errors.ts';
import type { TreeEntry } from '../types.ts';
import type { ObjectStore, ReadRepository } from './object-store.ts';
import { childPath, pathSegments } from './repository-path.ts';

/** Entries and listings of a commit, straight from tree objects: a warm path starts no process and waits for none. */
export interface TreeReading {
  entry(place: Place): Promise<TreeEntry>;
  list(place: Place): Promise<TreeEntry[]>;
  walk(
    place: Place,
    bounds: { depthMax: number; limit: number; signal: AbortSignal },
  ): Promise<{ entries: TreeEntry[]; complete: boolean }>;
}

export interface Place {
  repository: ReadRepository;
  commit: string;
  path: string;
}

/** Trees asked ahead of each other while walking. */
const treesAtOnce = 32;

export function createTreeReading(objects: ObjectStore): TreeReading {
  async function entry({ repository, commit, path }: Place): Promise<TreeEntry> {
    const segments = pathSegments(path);
    const root = objects.cachedCommit(repository, commit) ?? (await objects.commit(repository, commit));
    let found: TreeEntry = { path: '', kind: 'directory', oid: root.tree };
    for (const name of segments) {
      const tree = found.kind === 'directory' ? await treeOf(repository, found.oid) : null;
      const item = tree?.find(name);
      if (item === undefined) throw pathNotFound(repository.name, path, commit, nearestDirectory(found));
      found = { path: childPath(found.path, name), kind: item.kind, oid: item.oid };
    }
    return found;
  }

  async function directory(place: Place): Promise<TreeEntry> {
    const found = await entry(place);
    if (found.kind === 'directory') return found;
    throw notADirectory(place.repository.name, found.path, found.kind, parentOf(found.path));
  }

  async function childrenOf(repository: ReadRepository, folder: TreeEntry): Promise<TreeEntry[]> {
    const tree = await treeOf(repository, folder.oid);
    return tree.items.map(({ name, kind, oid }) => ({ path: childPath(folder.path, name), kind, oid }));
  }

  function treeOf(repository: ReadRepository, oid: string) {
    return objects.cachedTree(repository, oid) ?? objects.tree(repository, oid);
  }

  return {
    entry,
    async list(place) {
      return childrenOf(place.repository, await directory(place));
    },
    async walk(place, { depthMax, limit, signal }) {
      const { repository } = place;
      const entries: TreeEntry[] = [];
      let level = depthMax > 0 ? [await directory(place)] : [];
      for (let depth = 1; level.length > 0; depth++) {
        const below: TreeEntry[] = [];
        for (let at = 0; at < level.length; at += treesAtOnce) {
          signal.throwIfAborted();
          const folders = level.slice(at, at + treesAtOnce);
          const children = await Promise.all(folders.map((folder) => childrenOf(repository, folder)));
          for (const child of children.flat()) {
            if (entries.length >= limit) return { entries, complete: false };
            entries.push(child);
            if (child.kind === 'directory') below.push(child);
          }
        }
        // What lies deeper was not asked for: the walk is complete within its depth.
        level = depth < depthMax ? below : [];
      }
      return { entries, complete: true };
    },
  };
}

function nearestDirectory(found: TreeEntry): string {
  return found.kind === 'directory' ? found.path : parentOf(found.path);
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
