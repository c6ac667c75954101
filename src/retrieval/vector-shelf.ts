import { setTimeout } from 'node:timers/promises';
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
  /** How long a question waits for a new state; it is answered from the one before where loading takes longer. Default 20 ms. */
  waitMs?: number;
}

/** The vectors as they are now, for threads that search in them. */
export interface VectorShelf {
  /** Stays as it is until it is given back. Waits for the first state as long as that takes to load. */
  borrow(): Promise<BorrowedVectors>;
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
  const { folder, residentBytesMax, renewMs = 1000, waitMs = 20 } = options;
  const reader = createVectorReader({
    folder,
    ...(residentBytesMax === undefined ? {} : { residentBytesMax }),
  });
  let newest: Held | null = null;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let problem: string | null = null;
  let renewing: Promise<void> | null = null;
  let isClosed = false;

  return {
    async borrow() {
      if (renewing === null && clock.now() - lookedMs >= renewMs) {
        lookedMs = clock.now();
        renewing = renew().finally(() => {
          renewing = null;
        });
      }
      if (renewing !== null) await (newest === null ? renewing : firstOf(renewing, waitMs));
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
      isClosed = true;
      if (newest !== null) letGo(newest);
      newest = null;
    },
  };

  /** What the new state shares with the one before is not read again, so the old one goes last. One that cannot be read changes nothing. */
  async function renew(): Promise<void> {
    let generation: VectorGeneration;
    try {
      generation = await reader.openInPieces();
      problem = null;
    } catch (fault) {
      problem = fault instanceof PeriscopeError ? fault.message : 'The vectors cannot be read.';
      return;
    }
    if (isClosed) {
      generation.close();
      return;
    }
    const before = newest;
    newest = { generation, users: 1 };
    if (before !== null) letGo(before);
  }

  function letGo(held: Held): void {
    held.users--;
    if (held.users === 0) held.generation.close();
  }
}

async function firstOf(work: Promise<void>, ms: number): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const waited = setTimeout(ms, undefined, { signal, ref: false }).catch(() => {});
  await Promise.race([work, waited]);
  over.abort();
}

const BROKEN =
  'A part of the vectors is damaged; what it held is found by its words alone until it is embedded anew.';
