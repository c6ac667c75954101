import type { Clock } from '../base/clock.ts';
import { PeriscopeError } from '../base/errors.ts';
import { createVectorReader, type VectorGeneration, type VectorHandle } from '../vectors/index.ts';

export interface VectorShelfOptions {
  /** Of the vectors; it may be empty or not there yet. */
  folder: string;
  /** While all vectors are at most so many bytes, they lie in memory. Default: as the reader has it. */
  residentBytesMax?: number;
  /** How long a state is taken for the newest before it is looked for again. Default 1 s. */
  renewMs?: number;
}

/** The vectors as they are now, for threads that search in them. */
export interface VectorShelf {
  /** Stays as it is until it is given back. */
  borrow(): BorrowedVectors;
  close(): void;
}

export interface BorrowedVectors {
  /** Null while there are none. */
  handle: VectorHandle | null;
  /** Parts that cannot be read, in words for the asker. */
  problems: readonly string[];
  release(): void;
}

interface Held {
  generation: VectorGeneration;
  users: number;
}

export function createVectorShelf(options: VectorShelfOptions, { clock }: { clock: Clock }): VectorShelf {
  const { folder, residentBytesMax, renewMs = 1000 } = options;
  const reader = createVectorReader({
    folder,
    ...(residentBytesMax === undefined ? {} : { residentBytesMax }),
  });
  let newest: Held | null = null;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let problem: string | null = null;

  return {
    borrow() {
      if (clock.now() - lookedMs >= renewMs) {
        renew();
        lookedMs = clock.now();
      }
      const held = newest;
      const problems = problem === null ? [] : [problem];
      if (held === null) return { handle: null, problems, release: () => {} };
      held.users++;
      let isHeld = true;
      const { handle, broken } = held.generation;
      return {
        handle: handle.segments.length === 0 ? null : handle,
        problems: broken.length === 0 ? problems : [...problems, BROKEN],
        release() {
          if (isHeld) letGo(held);
          isHeld = false;
        },
      };
    },
    close() {
      if (newest !== null) letGo(newest);
      newest = null;
    },
  };

  /** What the new state shares with the one before is not read again, so the old one goes last. One that cannot be read changes nothing. */
  function renew(): void {
    const before = newest;
    try {
      newest = { generation: reader.open(), users: 1 };
      problem = null;
    } catch (fault) {
      problem = fault instanceof PeriscopeError ? fault.message : 'The vectors cannot be read.';
      return;
    }
    if (before !== null) letGo(before);
  }

  function letGo(held: Held): void {
    held.users--;
    if (held.users === 0) held.generation.close();
  }
}

const BROKEN =
  'A part of the vectors is damaged; what it held is found by its words alone until it is embedded anew.';
