import { NO_RANK } from './view.ts';

/** Ranks of one segment's candidates in the order in which they lie there: nearly ascending. */
export interface RankedCandidates {
  readonly ranks: Uint32Array;
  readonly count: number;
}

/**
 * Merges the candidates of segments by rank, as far as they are asked for. A segment is opened, which costs reading, when its best
 * possible rank is reached. Within a segment stretches that ascend are merged, so nothing is sorted whole for the sake of its start.
 */
export class RankMerge {
  readonly #open: (segment: number) => RankedCandidates;
  /** A heap of stretches by their next rank. An unopened segment is a stretch without ranks. */
  readonly #heap: Stretch[] = [];

  constructor(open: (segment: number) => RankedCandidates) {
    this.#open = open;
  }

  /** A segment none of whose candidates has a better rank than `lowest`. */
  add(segment: number, lowest: number): void {
    this.#push({ rank: lowest, segment, ranks: null, at: 0, end: 0 });
  }

  /** The next rank if it is better than `limit`, else NO_RANK. It stays the next until `advance`. */
  peek(limit: number): number {
    for (;;) {
      const top = this.#heap[0];
      if (!top || top.rank >= limit) return NO_RANK;
      if (top.ranks !== null) return top.rank;
      this.#removeTop();
      this.#addStretches(top.segment);
    }
  }

  /** Where the rank that `peek` told lies: the segment, and the index in its candidates. */
  get segment(): number {
    return this.#heap[0]!.segment;
  }

  get index(): number {
    return this.#heap[0]!.at;
  }

  advance(): void {
    const top = this.#heap[0]!;
    top.at++;
    if (top.at === top.end) {
      this.#removeTop();
      return;
    }
    top.rank = top.ranks![top.at]!;
    this.#sink(top);
  }

  #addStretches(segment: number): void {
    const { ranks, count } = this.#open(segment);
    let start = 0;
    for (let at = 1; at <= count; at++) {
      if (at < count && ranks[at]! > ranks[at - 1]!) continue;
      this.#push({ rank: ranks[start]!, segment, ranks, at: start, end: at });
      start = at;
    }
  }

  #push(stretch: Stretch): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(stretch);
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if (heap[above]!.rank <= stretch.rank) break;
      heap[place] = heap[above]!;
      place = above;
    }
    heap[place] = stretch;
  }

  #removeTop(): void {
    const last = this.#heap.pop()!;
    if (this.#heap.length > 0) this.#sink(last);
  }

  /** Puts a stretch in the place of the top one. */
  #sink(stretch: Stretch): void {
    const heap = this.#heap;
    const half = heap.length >>> 1;
    let place = 0;
    while (place < half) {
      let below = 2 * place + 1;
      if (below + 1 < heap.length && heap[below + 1]!.rank < heap[below]!.rank) below++;
      if (heap[below]!.rank >= stretch.rank) break;
      heap[place] = heap[below]!;
      place = below;
    }
    heap[place] = stretch;
  }
}

interface Stretch {
  rank: number;
  readonly segment: number;
  readonly ranks: Uint32Array | null;
  at: number;
  readonly end: number;
}
