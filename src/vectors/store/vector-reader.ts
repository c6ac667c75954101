import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { VectorKind } from '../types.ts';
import {
  type LoadedSegment,
  loadDeleted,
  loadSegment,
  type Residence,
  recordBytesOf,
} from './load-segment.ts';
import { readVectorState, type SegmentState, type VectorState } from './state-file.ts';
import { createSharedMemory, type Region, Regions, type SharedMemory } from './vector-memory.ts';

export interface VectorReaderOptions {
  folder: string;
  /** While the records of all segments are at most so many bytes, they lie in memory; beyond, sketches do. Default 512 MiB. */
  residentBytesMax?: number;
}

/** What another thread needs to search: sent as it is, without copying. */
export interface VectorHandle {
  generation: number;
  memory: SharedMemory;
  segments: readonly LoadedSegment[];
}

/** One state of the store, unchanged until it is closed: after the last search in it, in whatever thread, has ended. */
export interface VectorGeneration {
  readonly handle: VectorHandle;
  /** Parts of it that cannot be read, and why. */
  readonly broken: readonly BrokenPart[];
  close(): void;
}

export interface BrokenPart {
  file: string;
  kind: VectorKind;
  rows: number;
  fault: unknown;
}

export interface VectorReader {
  /** The newest state. What it shares with a state that is still open is not read again. */
  open(): VectorGeneration;
  /** The same, in pieces of a few milliseconds, between which this thread does what else there is to do. */
  openInPieces(): Promise<VectorGeneration>;
  /** Of the shared memory. */
  usedBytes(): number;
}

interface Held {
  users: number;
  region: Region;
  /** Null for a list of deleted rows. */
  segment: LoadedSegment | null;
}

const RESIDENT_BYTES_MAX = 512 * 1024 * 1024;
const OPENING_TRIES = 5;

/** Reads a folder of vectors; any number of readers, beside one writer. */
export function createVectorReader(options: VectorReaderOptions): VectorReader {
  const { folder, residentBytesMax = RESIDENT_BYTES_MAX } = options;
  const regions = new Regions(createSharedMemory());
  const all = new Map<string, Held>();

  return {
    usedBytes: () => regions.usedBytes,
    open() {
      const opening = openNewest();
      for (;;) {
        const step = opening.next();
        if (step.done) return step.value;
      }
    },
    async openInPieces() {
      const opening = openNewest();
      for (;;) {
        const step = opening.next();
        if (step.done) return step.value;
        await setImmediate();
      }
    },
  };

  function* openNewest(): Generator<void, VectorGeneration> {
    for (let tries = 1; ; tries++) {
      try {
        return yield* openState(readVectorState(folder));
      } catch (error) {
        // The writer may have merged a part away since its list was read.
        if ((error as { code?: string }).code !== 'ENOENT' || tries === OPENING_TRIES) throw error;
      }
    }
  }

  function* openState(state: VectorState): Generator<void, VectorGeneration> {
    const recordBytes = state.segments.reduce((sum, segment) => sum + recordBytesOf(segment), 0);
    const residence: Residence = recordBytes <= residentBytesMax ? 'records' : 'sketches';
    const used: string[] = [];
    const broken: BrokenPart[] = [];
    const segments: LoadedSegment[] = [];
    let isOpen = true;
    const close = () => {
      if (isOpen) for (const key of used) letGo(key);
      isOpen = false;
    };
    try {
      for (const entry of state.segments) {
        try {
          segments.push(yield* hold(entry, residence, used));
        } catch (fault) {
          if ((fault as { code?: string }).code === 'ENOENT') throw fault;
          broken.push({ file: entry.file, kind: entry.kind, rows: entry.rows, fault });
        }
      }
    } catch (error) {
      close();
      throw error;
    }
    const handle = { generation: state.generation, memory: regions.memory, segments };
    return { handle, broken, close };
  }

  /** The rows of a segment and its deleted ones are held apart: the latter change. */
  function* hold(entry: SegmentState, residence: Residence, used: string[]): Generator<void, LoadedSegment> {
    const { segment } = yield* holdOne(`${residence} ${entry.file}`, used, () =>
      loadSegment(path.join(folder, entry.file), residence, regions),
    );
    const deletedFile = entry.deletedFile;
    if (deletedFile === null) return segment!;
    const { region } = yield* holdOne(deletedFile, used, function* () {
      yield;
      return { region: loadDeleted(path.join(folder, deletedFile), entry.rows, regions), segment: null };
    });
    return { ...segment!, deleted: region.at };
  }

  function* holdOne(
    key: string,
    used: string[],
    load: () => Generator<void, Omit<Held, 'users'>>,
  ): Generator<void, Held> {
    let one = all.get(key);
    if (!one) {
      const loaded = yield* load();
      one = all.get(key);
      // Another opening may have loaded it meanwhile.
      if (one) regions.give(loaded.region);
      else {
        one = { users: 0, ...loaded };
        all.set(key, one);
      }
    }
    one.users += 1;
    used.push(key);
    return one;
  }

  function letGo(key: string): void {
    const one = all.get(key)!;
    one.users -= 1;
    if (one.users > 0) return;
    regions.give(one.region);
    all.delete(key);
  }
}
