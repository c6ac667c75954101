import { asPeriscopeError, type PeriscopeError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { damagedFileOf } from '../search/index.ts';

/** The writer's lanes take turns at what there is to do, and sleep while there is nothing. */
export interface Turns {
  /** A lane: `turn` is called over and over, and says whether it found something to do. Ends with `close` or the signal. */
  lane(turn: () => Promise<boolean>): Promise<void>;
  /** There may be something to do. */
  ring(): void;
  /** Work beside the lanes, that counts as being at work. */
  beside(work: Promise<void>): void;
  isWorking(): boolean;
  /** What hinders all of it, such as a full disk; null when nothing does. */
  stuck(): PeriscopeError | null;
  /** Tells of such a fault, and returns when it is worth another try. */
  hindered(fault: unknown): Promise<void>;
  /** A fault met anywhere: where it tells of a damaged file of the index, that is kept in `damaged`. */
  met(fault: unknown): void;
  foundDamaged(files: readonly string[]): void;
  /** Files of the index that were found damaged: nothing more is done until they are made anew. */
  readonly damaged: ReadonlySet<string>;
  /** Returns when a lane has been through a turn, or after a moment. */
  turned(): Promise<void>;
  isClosed(): boolean;
  close(): void;
}

const idleLookMs = 5000;
const hinderedPauseMs = 15_000;
const turnedMs = 500;
const loggedForMs = 600_000;

export function createTurns(
  signal: AbortSignal,
  logger: Logger,
  deps: { makeRoom(): Promise<unknown> },
): Turns {
  const damaged = new Set<string>();
  let stuck: PeriscopeError | null = null;
  let logged = { code: '', untilMs: 0 };
  let inWork = 0;
  let isClosed = false;
  let wake: (() => void)[] = [];
  const settling: (() => void)[] = [];
  const isOver = () => isClosed || signal.aborted;

  const turns: Turns = {
    async lane(turn) {
      while (!isOver() && damaged.size === 0) {
        const woken = new Promise<void>((resolve) => wake.push(resolve));
        inWork += 1;
        let didSomething = false;
        try {
          didSomething = await turn();
          if (didSomething) stuck = null;
        } catch (fault) {
          if (isOver()) break;
          turns.met(fault);
          await turns.hindered(fault);
        } finally {
          inWork -= 1;
        }
        settle();
        if (!didSomething) await Promise.race([woken, pause(idleLookMs)]);
      }
      settle();
    },
    ring() {
      const woken = wake;
      wake = [];
      for (const go of woken) go();
    },
    beside(work) {
      inWork += 1;
      work.finally(() => {
        inWork -= 1;
        turns.ring();
      });
    },
    isWorking: () => inWork > 0,
    stuck: () => stuck,
    async hindered(fault) {
      if (isOver() || damaged.size > 0) return;
      const told = asPeriscopeError(fault);
      // Tried over and over: what is known by now is not logged again.
      if (told.code !== logged.code || performance.now() > logged.untilMs) {
        logger.error('indexing is held up', { code: told.code, fault });
        logged = { code: told.code, untilMs: performance.now() + loggedForMs };
      }
      stuck = told;
      if (told.code === 'search/index-disk-full') await deps.makeRoom().catch(() => null);
      const woken = new Promise<void>((resolve) => wake.push(resolve));
      await Promise.race([pause(hinderedPauseMs), aborted(signal), woken]);
    },
    met(fault) {
      const file = damagedFileOf(fault);
      if (file !== null) turns.foundDamaged([file]);
    },
    foundDamaged(files) {
      if (files.length === 0 || isOver()) return;
      for (const file of files) damaged.add(file);
      turns.ring();
      settle();
    },
    damaged,
    turned: () =>
      new Promise((resolve) => {
        settling.push(resolve);
        setTimeout(resolve, turnedMs).unref();
      }),
    isClosed: () => isClosed,
    close() {
      isClosed = true;
      turns.ring();
    },
  };
  return turns;

  function settle(): void {
    for (const go of settling.splice(0)) go();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
