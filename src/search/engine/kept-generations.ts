import type { HeldGeneration } from '../index-folder/open-index.ts';

export interface KeptGenerationsOptions {
  /** Generations kept for askers who may page on. */
  max: number;
  /** For so long after an answer that has more. */
  keepMs: number;
}

/** Older generations, held for those who page on in an answer that was made from one. */
export class KeptGenerations<Segment> {
  readonly #options: KeptGenerationsOptions;
  /** The one used last comes last. */
  readonly #kept = new Map<number, { held: HeldGeneration<Segment>; untilMs: number }>();

  constructor(options: KeptGenerationsOptions) {
    this.#options = options;
  }

  /** Takes over `held`: it is released here. */
  keep(held: HeldGeneration<Segment>, nowMs: number): void {
    const { generation } = held.generation;
    const before = this.#kept.get(generation);
    if (before && before.held !== held) held.release();
    this.#kept.delete(generation);
    this.#kept.set(generation, { held: before?.held ?? held, untilMs: nowMs + this.#options.keepMs });
    this.drop(nowMs);
    while (this.#kept.size > this.#options.max) this.#release(this.#kept.keys().next().value!);
  }

  get(generation: number): HeldGeneration<Segment>['generation'] | null {
    return this.#kept.get(generation)?.held.generation ?? null;
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
    this.#kept.get(generation)?.held.release();
    this.#kept.delete(generation);
  }
}
