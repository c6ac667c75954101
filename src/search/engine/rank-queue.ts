import { NO_RANK } from './view.ts';

/** Ranks to be looked at later, the best first. There are few: copies of texts whose better places do not fit. */
export class RankQueue {
  /** A heap. */
  readonly #ranks: number[] = [];

  peek(): number {
    return this.#ranks[0] ?? NO_RANK;
  }

  add(rank: number): void {
    const ranks = this.#ranks;
    let place = ranks.length;
    ranks.push(rank);
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if (ranks[above]! <= rank) break;
      ranks[place] = ranks[above]!;
      place = above;
    }
    ranks[place] = rank;
  }

  take(): void {
    const ranks = this.#ranks;
    const rank = ranks.pop()!;
    if (ranks.length === 0) return;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= ranks.length) break;
      if (below + 1 < ranks.length && ranks[below + 1]! < ranks[below]!) below++;
      if (ranks[below]! >= rank) break;
      ranks[place] = ranks[below]!;
      place = below;
    }
    ranks[place] = rank;
  }
}
