import { foldByte, rowsPerGroup, signatureBit } from './manifest-format.ts';

export interface PathGrams {
  keys: Uint32Array;
  starts: Uint32Array;
  groups: Uint8Array;
  signature: Uint32Array;
}

/** Which groups of rows hold which grams of their paths. */
export function buildPathGrams(paths: Uint8Array, pathStarts: Uint32Array): PathGrams {
  const { grams, groups: groupOf } = gramPairs(paths, pathStarts);
  const keys: number[] = [];
  const starts: number[] = [];
  const groups = new Uint8Array(grams.length * 5);
  let end = 0;
  let lastGram = -1;
  let lastGroup = 0;
  for (const at of inOrder(grams)) {
    const gram = grams[at]!;
    const group = groupOf[at]!;
    if (gram === lastGram && group === lastGroup) continue;
    if (gram !== lastGram) {
      keys.push(gram);
      starts.push(end);
      lastGram = gram;
      lastGroup = 0;
    }
    let gap = group - lastGroup;
    lastGroup = group;
    while (gap >= 0x80) {
      groups[end++] = (gap & 0x7f) | 0x80;
      gap >>>= 7;
    }
    groups[end++] = gap;
  }
  starts.push(end);
  return {
    keys: Uint32Array.from(keys),
    starts: Uint32Array.from(starts),
    groups: groups.subarray(0, end),
    signature: signatureOf(keys),
  };
}

/** Places of grams by gram, those of one gram in the order in which they stand: by its low half, then by its high half. */
function inOrder(grams: Uint32Array): Uint32Array {
  let places = Uint32Array.from(grams, (_, at) => at);
  for (const shift of [0, halfBits]) {
    const starts = new Uint32Array((1 << halfBits) + 1);
    for (const gram of grams) starts[((gram >>> shift) & halfMask) + 1]! += 1;
    for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
    const sorted = new Uint32Array(grams.length);
    for (const place of places) sorted[starts[(grams[place]! >>> shift) & halfMask]!++] = place;
    places = sorted;
  }
  return places;
}

const halfBits = 12;
const halfMask = (1 << halfBits) - 1;

/**
 * Grams and the groups of the rows that hold them, by group, with few repeats: of a row only what differs from the row before it in
 * its group is looked at.
 */
function gramPairs(paths: Uint8Array, pathStarts: Uint32Array): { grams: Uint32Array; groups: Uint32Array } {
  const rows = pathStarts.length - 1;
  const folded = paths.map(foldByte);
  const grams = new Uint32Array(paths.length);
  const groups = new Uint32Array(paths.length);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const group = Math.floor(row / rowsPerGroup);
    const start = pathStarts[row]!;
    const end = pathStarts[row + 1]!;
    let from = start;
    if (row % rowsPerGroup !== 0) {
      const before = pathStarts[row - 1]!;
      const most = Math.min(start - before, end - start);
      let shared = 0;
      while (shared < most && paths[before + shared] === paths[start + shared]) shared++;
      from = start + Math.max(0, shared - 2);
    }
    for (let at = from; at + 3 <= end; at++) {
      grams[count] = (folded[at]! << 16) | (folded[at + 1]! << 8) | folded[at + 2]!;
      groups[count++] = group;
    }
  }
  return { grams: grams.subarray(0, count), groups: groups.subarray(0, count) };
}

function signatureOf(keys: readonly number[]): Uint32Array {
  let bits = 64;
  while (bits < keys.length * 8) bits *= 2;
  const signature = new Uint32Array(bits / 32);
  for (const key of keys) {
    const bit = signatureBit(key, bits);
    signature[bit >>> 5]! |= 1 << (bit & 31);
  }
  return signature;
}
