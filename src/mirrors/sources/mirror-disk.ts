import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { sweepUnfinished, unfinishedName } from './mirror-leftovers.ts';
import { readRecord, recordWrittenMs } from './mirror-record.ts';

/** The mirrors on disk, all together within a bound. */
export interface MirrorDisk {
  /** `<folder>/<repoId>.git` */
  gitDirOf(id: number): string;
  /** A folder beside the mirrors for one that is not complete; swept when this process dies. */
  newFolder(id: number): string;
  /** Reads what there is and sweeps what killed processes left; once. */
  ready(): Promise<void>;
  used(id: number): void;
  /** Says how large a mirror has become and evicts the ones unused longest until all fit; the one at hand stays. Returns how many went. */
  grown(id: number, sizeBytes: number): Promise<number>;
  remove(id: number): Promise<void>;
}

interface KnownMirror {
  sizeBytes: number;
  lastUsedMs: number;
}

export function createMirrorDisk(
  options: { folder: string; bytesMax: number },
  deps: {
    clock: { now(): number };
    /** Lets go of a mirror in memory; false when somebody reads it now. Once true, nobody begins until it was made anew. */
    letGo(id: number): boolean;
  },
): MirrorDisk {
  const known = new Map<number, KnownMirror>();
  let reading: Promise<void> | null = null;

  async function readFolder(): Promise<void> {
    await sweepUnfinished(options.folder, 'new');
    await sweepUnfinished(options.folder, 'gone');
    for (const name of await readdir(options.folder)) {
      const id = /^(\d+)\.git$/.exec(name)?.[1];
      if (id === undefined || known.has(Number(id))) continue;
      const gitDir = path.join(options.folder, name);
      const record = await readRecord(gitDir);
      known.set(Number(id), { sizeBytes: record?.sizeBytes ?? 0, lastUsedMs: await recordWrittenMs(gitDir) });
    }
  }

  const gitDirOf = (id: number) => path.join(options.folder, `${id}.git`);
  const unfinished = (prefix: string, id: number) =>
    path.join(options.folder, unfinishedName(`${prefix}-${id}`, randomBytes(6).toString('hex')));

  async function removeFromDisk(id: number): Promise<void> {
    known.delete(id);
    // Renamed first: a mirror is there whole or not at all.
    const gone = unfinished('gone', id);
    await rename(gitDirOf(id), gone).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rm(gone, { recursive: true, force: true });
  }

  return {
    gitDirOf,
    newFolder: (id) => unfinished('new', id),
    ready() {
      reading ??= readFolder();
      return reading;
    },
    used(id) {
      const mirror = known.get(id);
      if (mirror) mirror.lastUsedMs = deps.clock.now();
    },
    async grown(id, sizeBytes) {
      known.set(id, { sizeBytes, lastUsedMs: deps.clock.now() });
      if (options.bytesMax === 0) return 0;
      let total = [...known.values()].reduce((sum, mirror) => sum + mirror.sizeBytes, 0);
      let evicted = 0;
      const oldestFirst = [...known].sort(([, a], [, b]) => a.lastUsedMs - b.lastUsedMs);
      for (const [other, mirror] of oldestFirst) {
        if (total <= options.bytesMax) break;
        if (other === id || !deps.letGo(other)) continue;
        total -= mirror.sizeBytes;
        evicted += 1;
        await removeFromDisk(other);
      }
      return evicted;
    },
    remove: removeFromDisk,
  };
}

/** Bytes of all files below a folder; files that go meanwhile do not count. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const found = await stat(path.join(entry.parentPath, entry.name)).catch(() => null);
    bytes += found?.size ?? 0;
  }
  return bytes;
}
