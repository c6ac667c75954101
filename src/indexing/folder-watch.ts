import { type FSWatcher, watch } from 'node:fs';
import { refsFolders } from './refs-stamp.ts';

export interface FolderWatch {
  /** Watches these repositories from now on, and no others. */
  follow(repositories: readonly { id: number; gitDir: string }[]): Promise<void>;
  /** Those that cannot be watched and must be looked at instead. */
  unwatched(): ReadonlySet<number>;
  close(): void;
}

const settleMs = 20;
/** Systems allow some thousands of watches to all programs together. */
const watchesMax = 20_000;

/** Tells of repositories whose references move in a folder. Costs nothing while nothing moves. */
export function createFolderWatch(changed: (repositoryId: number) => void): FolderWatch {
  const watched = new Map<number, { gitDir: string; folders: Map<string, FSWatcher> }>();
  const unwatched = new Set<number>();
  const settling = new Map<number, NodeJS.Timeout>();
  let watches = 0;
  let isClosed = false;

  return {
    async follow(repositories) {
      const wanted = new Map(repositories.map(({ id, gitDir }) => [id, gitDir]));
      for (const [id, { gitDir }] of watched) if (wanted.get(id) !== gitDir) stop(id);
      for (const id of unwatched) if (!wanted.has(id)) unwatched.delete(id);
      for (const { id, gitDir } of repositories) {
        if (isClosed) return;
        if (!watched.has(id)) await start(id, gitDir);
      }
    },
    unwatched: () => unwatched,
    close() {
      isClosed = true;
      for (const id of [...watched.keys()]) stop(id);
      for (const timer of settling.values()) clearTimeout(timer);
    },
  };

  async function start(id: number, gitDir: string): Promise<void> {
    const folders = new Map<string, FSWatcher>();
    watched.set(id, { gitDir, folders });
    await watchFolders(id, gitDir, folders);
  }

  async function watchFolders(id: number, gitDir: string, folders: Map<string, FSWatcher>): Promise<void> {
    const wanted = await refsFolders(gitDir);
    for (const folder of wanted) {
      if (folders.has(folder) || isClosed || !watched.has(id)) continue;
      if (watches >= watchesMax) {
        unwatched.add(id);
        return;
      }
      try {
        const watcher = watch(folder, { persistent: false }, () => settle(id));
        watches += 1;
        folders.set(folder, watcher);
        watcher.on('error', () => drop(id, folder));
      } catch {
        // No watches left, or the directory has gone: it is looked at now and then.
        unwatched.add(id);
      }
    }
  }

  /** Git moves several files for one change. */
  function settle(id: number): void {
    if (settling.has(id)) return;
    const timer = setTimeout(() => {
      settling.delete(id);
      changed(id);
      // A branch with a slash in its name may have made a directory.
      const known = watched.get(id);
      if (known) watchFolders(id, known.gitDir, known.folders).catch(() => unwatched.add(id));
    }, settleMs);
    timer.unref();
    settling.set(id, timer);
  }

  function drop(id: number, folder: string): void {
    const known = watched.get(id);
    const watcher = known?.folders.get(folder);
    if (!watcher) return;
    watcher.close();
    watches -= 1;
    known!.folders.delete(folder);
    unwatched.add(id);
  }

  function stop(id: number): void {
    for (const watcher of watched.get(id)?.folders.values() ?? []) {
      watcher.close();
      watches -= 1;
    }
    watched.delete(id);
    unwatched.delete(id);
  }
}
