import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { abortable } from '../abortable.ts';
import { diskFull, isFull } from '../errors.ts';
import { createProcessSlots } from '../git/process-slots.ts';
import type { ReadRepository } from '../objects/object-store.ts';
import { sweepUnfinished, unfinishedName } from '../sources/mirror-leftovers.ts';
import type { DirectoryView, MaterialisedDirectory, MaterialisedFile } from '../types.ts';
import type { DirectoryWriter, WantedTree } from './directory-writer.ts';

export interface WorktreesOptions {
  folder: string;
  directoriesMax: number;
  bytesMax: number;
}

/** Directories written out, kept in a bounded store that evicts the one unused longest from disk too. */
export interface Worktrees {
  /** `path` is where the tree stands in the repository. Branches that share a tree share its directory, within one view of it. */
  materialise(
    repository: ReadRepository,
    tree: { oid: string; path: string },
    options: WantedDirectory,
  ): Promise<MaterialisedDirectory>;
  /** Removes an owner's directories of every other view, and keeps none that is still being asked for. */
  keepOnly(owner: number, viewKey: string | null): Promise<void>;
  materialisations(): number;
  close(): Promise<void>;
}

export interface WantedDirectory {
  /** repoId */
  owner: number;
  view?: DirectoryView;
  signal: AbortSignal;
}

interface WrittenDirectory {
  folder: string;
  files: readonly MaterialisedFile[];
  sizeBytes: number;
}

interface Kept {
  owner: number;
  /** '' without a view. */
  viewKey: string;
  writing: Promise<WrittenDirectory>;
  /** Ends the writing when nobody waits for it any more. */
  leaving: AbortController;
  /** Null until it is written. */
  written: WrittenDirectory | null;
  users: number;
}

type Tree = Pick<WantedTree, 'oid' | 'path' | 'view'>;

/** Written at a time: what is being written cannot be evicted. */
const writersMax = 4;

export function createWorktrees(
  options: WorktreesOptions,
  deps: { writer: DirectoryWriter; closing: AbortSignal },
): Worktrees {
  // In order of use, the one unused longest first.
  const kept = new Map<string, Kept>();
  const own = path.join(options.folder, unfinishedName('of', randomBytes(6).toString('hex')));
  /** By owner; who has never said so keeps all. */
  const inForce = new Map<number, string | null>();
  let opening: Promise<void> | null = null;
  /** Also those that nobody waits for any more. */
  const underWay = new Set<Promise<unknown>>();
  let evicting: Promise<void> = Promise.resolve();
  let materialisations = 0;
  let written = 0;

  async function open(): Promise<void> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    await sweepUnfinished(options.folder, 'of');
    await mkdir(own, { mode: 0o700 });
  }

  const slots = createProcessSlots({
    what: 'The directory writer',
    activeMax: Math.max(1, Math.min(options.directoriesMax, writersMax)),
    waitingMax: 256,
  });
  deps.closing.addEventListener('abort', () => {
    for (const { leaving } of kept.values()) leaving.abort();
  });

  async function write(
    repository: ReadRepository,
    tree: Tree,
    signal: AbortSignal,
  ): Promise<WrittenDirectory> {
    opening ??= open();
    await opening;
    const giveBack = await slots.take(signal);
    try {
      return await writeInTurn(repository, tree, signal);
    } finally {
      giveBack();
    }
  }

  async function writeInTurn(
    repository: ReadRepository,
    tree: Tree,
    signal: AbortSignal,
  ): Promise<WrittenDirectory> {
    written += 1;
    const folder = path.join(own, `${written}`);
    const building = `${folder}.new`;
    try {
      const { files, sizeBytes } = await deps.writer.write(
        repository,
        { ...tree, into: building, as: folder, bytesMax: options.bytesMax },
        signal,
      );
      await rename(building, folder);
      materialisations += 1;
      return { folder, files, sizeBytes };
    } catch (error) {
      await rm(building, { recursive: true, force: true });
      throw isFull(error) ? diskFull(repository.name, error) : error;
    }
  }

  /** One after the other: who waits for it finds the others' removals done too. */
  function evict(): Promise<void> {
    evicting = evicting.catch(() => {}).then(evictNow);
    return evicting;
  }

  async function evictNow(): Promise<void> {
    let bytes = 0;
    for (const { written } of kept.values()) bytes += written?.sizeBytes ?? 0;
    const gone: string[] = [];
    for (const [key, { owner, viewKey, users, written }] of kept) {
      const isOutOfForce = inForce.has(owner) && inForce.get(owner) !== viewKey;
      const hasRoom = kept.size <= options.directoriesMax && bytes <= options.bytesMax;
      if ((hasRoom && !isOutOfForce) || users > 0 || written === null) continue;
      kept.delete(key);
      bytes -= written.sizeBytes;
      gone.push(written.folder);
    }
    for (const folder of gone) await rm(folder, { recursive: true, force: true });
  }

  function begin(
    key: string,
    repository: ReadRepository,
    tree: Tree,
    { owner, viewKey }: Pick<Kept, 'owner' | 'viewKey'>,
  ): Kept {
    const leaving = new AbortController();
    setMaxListeners(0, leaving.signal);
    if (deps.closing.aborted) leaving.abort();
    const made: Kept = {
      owner,
      viewKey,
      // Shared by all who wait for it: no single caller's signal may end it.
      writing: write(repository, tree, leaving.signal),
      leaving,
      written: null,
      users: 0,
    };
    const settled = made.writing.then(
      (done) => {
        made.written = done;
        // Done in the moment of being given up: nobody will ever ask for it.
        if (kept.get(key) !== made) return rm(done.folder, { recursive: true, force: true });
        return evict();
      },
      () => {
        if (kept.get(key) === made) kept.delete(key);
      },
    );
    underWay.add(settled);
    settled.catch(() => {}).finally(() => underWay.delete(settled));
    return made;
  }

  function release(key: string, entry: Kept): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      entry.users -= 1;
      if (entry.users === 0 && entry.written === null) {
        if (kept.get(key) === entry) kept.delete(key);
        entry.leaving.abort();
      }
      // What cannot be removed now is tried again with the next one; the folder goes with this process at the latest.
      evict().catch(() => {});
    };
  }

  return {
    async materialise(repository, { oid, path: treePath }, { owner, view, signal }) {
      const viewKey = view?.key ?? '';
      // The path is part of the key because the files' paths start with it.
      const key = `${owner}:${repository.objects.key}:${viewKey}:${oid}:${treePath}`;
      const entry =
        kept.get(key) ?? begin(key, repository, { oid, path: treePath, view }, { owner, viewKey });
      kept.delete(key);
      kept.set(key, entry);
      entry.users += 1;
      const done = release(key, entry);
      try {
        const { folder, files } = await abortable(entry.writing, signal);
        await evict();
        return { folder, files, release: done };
      } catch (error) {
        done();
        throw error;
      }
    },
    async keepOnly(owner, viewKey) {
      inForce.set(owner, viewKey);
      await evict();
    },
    materialisations: () => materialisations,
    async close() {
      await Promise.allSettled([...underWay, evicting]);
      kept.clear();
      if (opening) await rm(own, { recursive: true, force: true });
    },
  };
}
