import { foldByte, rowsPerGroup, signatureBit } from './manifest-format.ts';

export interface PathGrams {
  keys: Uint32Array;
  starts: Uint32Array;
  groups: Uint8Array;
  signature: Uint32Array;
}

/** Which groups of rows hold which grams of their paths. */
export function buildPathGrams(paths: Uint8Array, pathStarts: Uint32Array): PathGrams {
  const pairs = gramPairs(paths, pathStarts).sort();
  const keys: number[] = [];
  const starts: number[] = [];
  const groups = new Uint8Array(pairs.length * 5);
  let end = 0;
  let lastGroup = 0;
  for (let at = 0; at < pairs.length; at++) {
    const pair = pairs[at]!;
    if (at > 0 && pair === pairs[at - 1]) continue;
    const gram = Math.floor(pair / groupRange);
    const group = pair % groupRange;
    if (keys.at(-1) !== gram) {
      keys.push(gram);
      starts.push(end);
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

const groupRange = 2 ** 28;

/** gram × groupRange + group, with few repeats: of a row only what differs from the row before it in its group is looked at. */
function gramPairs(paths: Uint8Array, pathStarts: Uint32Array): Float64Array {
  const rows = pathStarts.length - 1;
  let pairs = new Float64Array(1024);
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
    if (count + end - from > pairs.length) {
      const larger = new Float64Array(2 * pairs.length + end - from);
      larger.set(pairs);
      pairs = larger;
    }
    for (let at = from; at + 3 <= end; at++) {
      const gram = (foldByte(paths[at]!) << 16) | (foldByte(paths[at + 1]!) << 8) | foldByte(paths[at + 2]!);
      pairs[count++] = gram * groupRange + group;
    }
  }
  return pairs.subarray(0, count);
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
