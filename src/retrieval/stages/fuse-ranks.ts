/** A ranked list of chunks by their keys, the best first. */
export interface RankedList {
  keys: readonly number[];
  /** What it counts beside the others. */
  weight: number;
}

/**
 * Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): the place in each list counts, never its scores, which cannot be compared.
 * The key decides between equal ones.
 */
export function fuseRanks(lists: readonly RankedList[], k: number): Map<number, number> {
  const scores = new Map<number, number>();
  for (const { keys, weight } of lists) {
    for (const [place, key] of keys.entries()) {
      scores.set(key, (scores.get(key) ?? 0) + weight / (k + place + 1));
    }
  }
  return new Map([...scores].sort(([a, x], [b, y]) => y - x || a - b));
}
