/** A set of code points as sorted, disjoint, inclusive ranges in one flat list: [low, high, low, high, ...]. */
export type CodePointSet = readonly number[];

export const CODE_POINT_MAX = 0x10ffff;
/** What a byte that is no UTF-8 is read as, as Go and RE2 do. */
export const REPLACEMENT = 0xfffd;
export const LINE_FEED = 0x0a;

export const ANY_CODE_POINT: CodePointSet = [0, CODE_POINT_MAX];
export const ANY_BUT_LINE_FEED: CodePointSet = [0, LINE_FEED - 1, LINE_FEED + 1, CODE_POINT_MAX];

/** Ranges in any order, possibly overlapping, as a set. */
export function setOf(ranges: readonly number[]): CodePointSet {
  if (isSorted(ranges)) return ranges;
  const pairs: [number, number][] = [];
  for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i]!, ranges[i + 1]!]);
  pairs.sort((a, b) => a[0] - b[0]);
  const merged: number[] = [];
  for (const [low, high] of pairs) {
    const lastHigh = merged.length - 1;
    if (lastHigh > 0 && low <= merged[lastHigh]! + 1) merged[lastHigh] = Math.max(merged[lastHigh]!, high);
    else merged.push(low, high);
  }
  return merged;
}

function isSorted(ranges: readonly number[]): boolean {
  for (let i = 2; i < ranges.length; i += 2) if (ranges[i]! <= ranges[i - 1]! + 1) return false;
  return true;
}

export function complementOf(set: CodePointSet): CodePointSet {
  const rest: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    if (set[i]! > next) rest.push(next, set[i]! - 1);
    next = set[i + 1]! + 1;
  }
  if (next <= CODE_POINT_MAX) rest.push(next, CODE_POINT_MAX);
  return rest;
}

export function without(set: CodePointSet, codePoint: number): CodePointSet {
  const rest: number[] = [];
  for (let i = 0; i < set.length; i += 2) {
    const low = set[i]!;
    const high = set[i + 1]!;
    if (codePoint < low || codePoint > high) {
      rest.push(low, high);
      continue;
    }
    if (low < codePoint) rest.push(low, codePoint - 1);
    if (codePoint < high) rest.push(codePoint + 1, high);
  }
  return rest;
}

export function contains(set: CodePointSet, codePoint: number): boolean {
  for (let i = 0; i < set.length; i += 2) if (codePoint >= set[i]! && codePoint <= set[i + 1]!) return true;
  return false;
}
