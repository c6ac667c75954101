import { Memory } from '../../base/web-assembly.ts';
import { vectorMemoryFull } from '../errors.ts';

const PAGE = 65_536;
/** Of a 32-bit memory: 4 GB. */
const PAGES_MAX = 65_536;

/** A WebAssembly memory that threads share: it can be posted to another one, and nothing in it moves. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

export function createSharedMemory(): SharedMemory {
  const SharedMemoryConstructor = Memory as unknown as new (limits: {
    initial: number;
    maximum: number;
    shared: true;
  }) => SharedMemory;
  // Address 0 stays free, so that it can mean nothing.
  return new SharedMemoryConstructor({ initial: 1, maximum: PAGES_MAX, shared: true });
}

/** Room that no other thread is given; whole pages, and for good. Threads may do this side by side. */
export function takePages(memory: SharedMemory, bytes: number): number {
  const pages = Math.ceil(bytes / PAGE);
  let first: number;
  try {
    first = memory.grow(pages);
  } catch (cause) {
    throw vectorMemoryFull(bytes, cause);
  }
  return first * PAGE;
}

export interface Region {
  at: number;
  bytes: number;
}

/** Gives out room in a shared memory and takes it back; belongs to the one thread that opens segments. */
export class Regions {
  readonly memory: SharedMemory;
  #free: Region[] = [];
  #usedBytes = 0;

  constructor(memory: SharedMemory) {
    this.memory = memory;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Rounded up to whole pages. The smallest free piece that fits is cut. */
  take(bytes: number): Region {
    const rounded = Math.max(1, Math.ceil(bytes / PAGE)) * PAGE;
    this.#usedBytes += rounded;
    let best: Region | undefined;
    for (const piece of this.#free) {
      if (piece.bytes >= rounded && (best === undefined || piece.bytes < best.bytes)) best = piece;
    }
    if (best === undefined) return { at: takePages(this.memory, rounded), bytes: rounded };
    const region = { at: best.at, bytes: rounded };
    best.at += rounded;
    best.bytes -= rounded;
    if (best.bytes === 0) this.#free = this.#free.filter((piece) => piece !== best);
    return region;
  }

  give(region: Region): void {
    this.#usedBytes -= region.bytes;
    const sorted = [...this.#free, { ...region }].sort((a, b) => a.at - b.at);
    const merged: Region[] = [];
    for (const piece of sorted) {
      const before = merged.at(-1);
      if (before !== undefined && before.at + before.bytes === piece.at) before.bytes += piece.bytes;
      else merged.push(piece);
    }
    this.#free = merged;
  }
}
