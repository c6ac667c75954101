import type { HeldGeneration } from '../index-folder/open-index.ts';

export interface KeptGenerationsOptions {
  /** Generations kept for askers who may page on. */
  max: number;
  /** For so long after an answer that has more. */
  keepMs: number;
}

interface Kept<Segment> {
  held: HeldGeneration<Segment>;
  untilMs: number;
  /** Searches that go on in it now. */
  users: number;
  isOver: boolean;
}

/** Older generations, held for those who page on in an answer that was made from one. */
export class KeptGenerations<Segment> {
  readonly #options: KeptGenerationsOptions;
  /** The one used last comes last. */
  readonly #kept = new Map<number, Kept<Segment>>();

  constructor(options: KeptGenerationsOptions) {
    this.#options = options;
  }

  /** Takes over `held`: it is released here. */
  keep(held: HeldGeneration<Segment>, nowMs: number): void {
    const { generation } = held.generation;
    const before = this.#kept.get(generation);
    if (before) held.release();
    this.#kept.delete(generation);
    const kept = before ?? { held, untilMs: 0, users: 0, isOver: false };
    kept.untilMs = nowMs + this.#options.keepMs;
    this.#kept.set(generation, kept);
    this.drop(nowMs);
    while (this.#kept.size > this.#options.max) this.#release(this.#kept.keys().next().value!);
  }

  /** One for a search that goes on in it: held until that is released, also where its time is over meanwhile. */
  borrow(generation: number): HeldGeneration<Segment> | null {
    const kept = this.#kept.get(generation);
    if (!kept) return null;
    kept.users += 1;
    return {
      generation: kept.held.generation,
      release() {
        kept.users -= 1;
        if (kept.users === 0 && kept.isOver) kept.held.release();
      },
    };
  }

  generations(): number[] {
    return [...this.#kept.keys()];
  }

  /** Lets go of those whose time is over, of those before `from`, and of those after `to`: they are of an index that is gone. */
  drop(nowMs: number, { from, to } = { from: 0, to: Number.POSITIVE_INFINITY }): void {
    for (const [generation, { untilMs }] of this.#kept) {
      if (untilMs <= nowMs || generation < from || generation > to) this.#release(generation);
    }
  }

  close(): void {
    for (const generation of this.generations()) this.#release(generation);
  }

  #release(generation: number): void {
    const kept = this.#kept.get(generation)!;
    this.#kept.delete(generation);
    kept.isOver = true;
    if (kept.users === 0) kept.held.release();
  }
}
