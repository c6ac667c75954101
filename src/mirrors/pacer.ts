import { setImmediate } from 'node:timers/promises';

/** Lets everything else of the process have its turn within long work that would otherwise go from one step straight to the next. */
export interface Pacer {
  /** True when this work has had its time. Asked right before each step, and again after a turn: others may have used it up. */
  isDue(): boolean;
  /** The next turn of the event loop. */
  turn(): Promise<void>;
  turns(): number;
}

const turnMs = 8;

export function createPacer(): Pacer {
  let sinceMs = performance.now();
  let turns = 0;
  let next: Promise<void> | null = null;
  return {
    isDue: () => performance.now() - sinceMs > turnMs,
    turn() {
      next ??= setImmediate().then(() => {
        next = null;
        turns += 1;
        sinceMs = performance.now();
      });
      return next;
    },
    turns: () => turns,
  };
}
