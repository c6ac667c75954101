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

  /** Nobody waits for the answer any more. */
  isStopped(): boolean {
    return Atomics.load(this.#stop, 0) === this.#id;
  }
}
