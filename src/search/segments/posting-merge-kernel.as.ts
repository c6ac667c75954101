/**
 * The inner loops of merging postings, in AssemblyScript (compiled by `npm run generate` into generated/posting-merge-kernel-wasm.ts).
 *
 * Lists of several segments become one: each block number is looked up in a table of where that block has come to lie. The new
 * numbers are collected in a bitmap, so that it does not matter in which order they come.
 */

export { checksum } from './segment-reading.as';

/** A list that goes into the merged one of its gram. */
@unmanaged
class Part {
  at: u32;
  length: u32;
  /** Table of new block numbers from 1, by old ones from 0; 0 is a block that is dropped. */
  units: u32;
  flags: u32;
}

/** The list is a bitmap. */
const BITMAP: u32 = 1;
/** Of its gram no further list follows. */
const LAST: u32 = 2;
const PART_BYTES: usize = 16;
/** More than the numbers of one word take. */
const WORD_ROOM: usize = 128;
/** In the place of the offset of a list of which nothing is left. */
const NONE: u32 = 0xffffffff;

/** The new numbers, and a bit for each of its words of 64 that has any. */
let bitmap: usize = 0;
let summary: usize = 0;
let summaryEnd: usize = 0;
let bitmapBytes: u32 = 0;
let emittedBytes: u32 = 0;
let gramsMerged: u32 = 0;

/** Both places are zero; `bytes` is the length of a list that is a bitmap. */
export function startMerge(bitmapAt: usize, summaryAt: usize, blocks: u32, bytes: u32): void {
  bitmap = bitmapAt;
  summary = summaryAt;
  summaryEnd = summaryAt + ((blocks >> 12) + 1) * 8;
  bitmapBytes = bytes;
}

export function bytesEmitted(): u32 {
  return emittedBytes;
}

export function merged(): u32 {
  return gramsMerged;
}

/**
 * Merges the lists of parts from number `from` on, and writes them to `out` until a further one may not fit before `outEnd`. Of each
 * gram the offset of its list goes to `offsets`, the first at `base`. Returns the number of the next part.
 */
export function mergeLists(parts: usize, from: i32, count: i32, out: usize, outEnd: usize, offsets: usize, base: u32): i32 {
  let at = out;
  let grams: u32 = 0;
  let next = from;
  while (next < count && at + bitmapBytes + WORD_ROOM <= outEnd) {
    let flags: u32 = 0;
    do {
      const part = changetype<Part>(parts + <usize>next * PART_BYTES);
      flags = part.flags;
      if (flags & BITMAP) markBitmap(part);
      else markList(part);
      next++;
    } while (!(flags & LAST));
    const length = putList(at);
    store<u32>(offsets + (<usize>grams << 2), length == 0 ? NONE : base + <u32>(at - out));
    grams++;
    at += length;
  }
  emittedBytes = <u32>(at - out);
  gramsMerged = grams;
  return next;
}

@inline
function mark(unit: u32): void {
  if (unit == 0) return;
  const block = unit - 1;
  const word = bitmap + (<usize>(block >> 6) << 3);
  store<u64>(word, load<u64>(word) | (<u64>1 << (block & 63)));
  const above = summary + (<usize>(block >> 12) << 3);
  store<u64>(above, load<u64>(above) | (<u64>1 << ((block >> 6) & 63)));
}

function markList(part: Part): void {
  const units = <usize>part.units;
  let at = <usize>part.at;
  const end = at + part.length;
  let block: u32 = 0xffffffff;
  while (at < end) {
    let byte = <u32>load<u8>(at++);
    let distance = byte & 127;
    let shift = 7;
    while (byte >= 128 && at < end) {
      byte = load<u8>(at++);
      distance |= (byte & 127) << shift;
      shift += 7;
    }
    block += distance;
    mark(load<u32>(units + (<usize>block << 2)));
  }
}

function markBitmap(part: Part): void {
  const units = <usize>part.units;
  for (let i: u32 = 0; i < part.length; i += 8) {
    let word = load<u64>(part.at + i);
    for (; word != 0; word &= word - 1) mark(load<u32>(units + (<usize>((i << 3) + <u32>ctz(word)) << 2)));
  }
}

/** Writes what is marked as a list, and takes the marks away. Returns its length. */
function putList(out: usize): u32 {
  let to = out;
  let last: u32 = 0;
  for (let at = summary; at < summaryEnd; at += 8) {
    let words = load<u64>(at);
    for (; words != 0; words &= words - 1) {
      const word = (<u32>(at - summary) << 3) + <u32>ctz(words);
      let bits = load<u64>(bitmap + (<usize>word << 3));
      for (; bits != 0; bits &= bits - 1) {
        const unit = (word << 6) + <u32>ctz(bits) + 1;
        to += putNumber(to, unit - last);
        last = unit;
      }
      if (<u32>(to - out) >= bitmapBytes) {
        memory.copy(out, bitmap, bitmapBytes);
        clear();
        return bitmapBytes;
      }
    }
  }
  clear();
  return <u32>(to - out);
}

function clear(): void {
  for (let at = summary; at < summaryEnd; at += 8) {
    let words = load<u64>(at);
    if (words == 0) continue;
    store<u64>(at, 0);
    for (; words != 0; words &= words - 1) {
      store<u64>(bitmap + (<usize>((<u32>(at - summary) << 3) + <u32>ctz(words)) << 3), 0);
    }
  }
}

@inline
function putNumber(to: usize, number: u32): u32 {
  const size = 1 + <u32>(number > 0x7f) + <u32>(number > 0x3fff) + <u32>(number > 0x1fffff);
  const bytes = (number & 0x7f) | ((number << 1) & 0x7f00) | ((number << 2) & 0x7f0000) | ((number << 3) & 0x7f000000);
  store<u32>(to, bytes | (0x808080 >> ((4 - size) << 3)));
  return size;
}
