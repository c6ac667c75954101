import type { Deadline } from '../regex/work-meter.ts';

/** Ends a search in a thread: its time is over, or the asker is gone. */
export class SearchDeadline implements Deadline {
  readonly #endMs: number;
  readonly #stop: Int32Array;
  readonly #id: number;
  #over = false;

  constructor(budgetMs: number, stop: Int32Array, id: number) {
    this.#endMs = performance.now() + budgetMs;
    this.#stop = stop;
    this.#id = id;
  }

  expired(): boolean {
    this.#over ||= this.isStopped() || performance.now() >= this.#endMs;
    return this.#over;
  }

  /** The same with at least so much time from now on: what was found is still to be shown. */
  extended(leastMs: number): SearchDeadline {
    const leftMs = Math.max(leastMs, this.#endMs - performance.now());
    return new SearchDeadline(leftMs, this.#stop, this.#id);
  }

  /** Nobody waits for the answer any more. */
  isStopped(): boolean {
    return Atomics.load(this.#stop, 0) === this.#id;
  }
}

/** Ends a search from within a pattern's work. */
export class TimeOver extends Error {}

/** What the patterns of a thread ask while they work: they outlive the searches that they work for. */
export class RunningDeadline implements Deadline {
  /** Of the search that runs; null where nothing may be broken off. */
  current: SearchDeadline | null = null;

  /** Throws TimeOver rather than say yes. */
  expired(): false {
    if (this.current?.expired()) throw new TimeOver();
    return false;
  }
}
