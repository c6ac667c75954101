const SAME_LINE = 400;
const NEAR = 200;
/** About five lines. */
const NEAR_BYTES = 200;
const OFFSETS_LOOKED_AT = 64;

/** What it is worth that different terms stand near each other: by the starts of their matched lines, ascending for each term. */
export function nearScore(terms: readonly (readonly number[])[]): number {
  let score = 0;
  for (let i = 1; i < terms.length; i++) score += worthOf(leastGap(terms[i - 1]!, terms[i]!));
  return score;
}

function worthOf(gap: number): number {
  if (gap === 0) return SAME_LINE;
  return gap <= NEAR_BYTES ? NEAR : 0;
}

function leastGap(left: readonly number[], right: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  const leftEnd = Math.min(left.length, OFFSETS_LOOKED_AT);
  const rightEnd = Math.min(right.length, OFFSETS_LOOKED_AT);
  for (let i = 0, j = 0; i < leftEnd && j < rightEnd; ) {
    least = Math.min(least, Math.abs(left[i]! - right[j]!));
    if (left[i]! <= right[j]!) i++;
    else j++;
  }
  return least;
}
