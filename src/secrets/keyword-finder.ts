import { createKeywordKernel } from './keyword-kernel.ts';

/**
 * Places where one of many keywords stands, letters in either case, in one pass whatever the text holds.
 *
 * A loop in WebAssembly (keyword-kernel.as.ts) looks at three bytes at every second place. Of each keyword two neighbouring threes
 * are in its table, of which one lies at such a place wherever the keyword stands. Only there the keywords themselves are compared.
 */
export interface KeywordFinder {
  /** Calls `found` for every keyword in the text, about in order. */
  each(text: Uint8Array, found: (keyword: number, start: number, end: number) => void): void;
}

const hashBits = 18;
const multiplier = 0x9e3779b1;

/** Keywords have at least four bytes. */
export function createKeywordFinder(keywords: readonly string[]): KeywordFinder {
  const buckets = new Map<number, Entry[]>();
  keywords.forEach((text, keyword) => {
    const bytes = Buffer.from(text.toLowerCase(), 'latin1');
    const rarest = rarestPair(bytes);
    for (const offset of [rarest, rarest + 1]) {
      const hash = hashOf(bytes[offset]!, bytes[offset + 1]!, bytes[offset + 2]!);
      const probeAt = offset + 3 < bytes.length ? offset + 3 : offset - 1;
      const entry = { keyword, bytes, offset, probe: probeAt - offset, probed: bytes[probeAt]! | 0x20 };
      const bucket = buckets.get(hash);
      if (bucket) bucket.push(entry);
      else buckets.set(hash, [entry]);
    }
  });
  const bits = new Uint8Array(1 << (hashBits - 3));
  const bucketOf = new Uint16Array(1 << hashBits);
  const entries = [...buckets.values()];
  [...buckets.keys()].forEach((hash, index) => {
    bits[hash >>> 3]! |= 1 << (hash & 7);
    bucketOf[hash] = index;
  });
  const kernel = createKeywordKernel(bits);

  return {
    each(text, found) {
      const { length } = text;
      for (let from = 0; from < length; from += kernel.blockBytes) {
        const places = kernel.placesIn(text, from);
        const count = places.length;
        for (let index = 0; index < count; index++) {
          const at = from + places[index]!;
          if (at + 2 >= length) break;
          const bucket = entries[bucketOf[hashOf(text[at]!, text[at + 1]!, text[at + 2]!)]!]!;
          for (let nth = 0; nth < bucket.length; nth++) {
            const entry = bucket[nth]!;
            if ((text[at + entry.probe]! | 0x20) !== entry.probed) continue;
            const start = at - entry.offset;
            if (isAt(text, start, entry.bytes)) found(entry.keyword, start, start + entry.bytes.length);
          }
        }
      }
    },
  };
}

interface Entry {
  keyword: number;
  bytes: Uint8Array;
  /** Of the three bytes within the keyword. */
  offset: number;
  /** A byte beside the three, by its distance from their start, and what it is there: most comparisons end with it. */
  probe: number;
  probed: number;
}

/** As in the kernel. */
const hashOf = (a: number, b: number, c: number): number =>
  Math.imul(a | 0x20 | ((b | 0x20) << 8) | ((c | 0x20) << 16), multiplier) >>> (32 - hashBits);

function isAt(text: Uint8Array, start: number, keyword: Uint8Array): boolean {
  if (start < 0 || start + keyword.length > text.length) return false;
  for (let at = 0; at < keyword.length; at++) {
    const byte = text[start + at]!;
    const folded = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    if (folded !== keyword[at]) return false;
  }
  return true;
}

/** From frequent to rare in source code; what is not named is rarest. */
const byFrequency = Buffer.from(' etaionrsldcpumfhg_.-"=/(0,1)b;:v\'ywxk2*3{}456789jzq', 'latin1');

/** Where in a keyword two neighbouring threes of bytes begin that together are rarest in source code. */
function rarestPair(bytes: Uint8Array): number {
  if (bytes.length < 4) throw new Error('a keyword has at least four bytes');
  const frequency = (at: number) => {
    const rank = byFrequency.indexOf(bytes[at]!);
    return 1 / (rank < 0 ? byFrequency.length : rank + 1);
  };
  const three = (at: number) => frequency(at) * frequency(at + 1) * frequency(at + 2);
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let offset = 0; offset + 4 <= bytes.length; offset++) {
    const together = three(offset) + three(offset + 1);
    if (together < least) [best, least] = [offset, together];
  }
  return best;
}
