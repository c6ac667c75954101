/**
 * Compression of blocks (LZ4), in AssemblyScript. A match may start in the dictionary, as if that lay just before the text, but never
 * runs over the dictionary's end.
 */
import { RECENT, COMPRESSED, DICTIONARIES, DICTIONARY_FOURS, DICTIONARY_EIGHTS } from './builder-memory.as';

/** For each distance below 16 the places that repeat so many bytes over sixteen, and how many of these are whole repetitions. */
const REPEATS: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1,
  0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0,
  0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3,
  0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0,
  0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3,
  0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1,
  0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0,
]);
const REPEATED: usize = memory.data<u8>([0, 16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15]);

/** With so much left of the block and of the room for its text the usual step needs no look at either end. */
const SAFE_BYTES: usize = 20;
const SAFE_ROOM: usize = 34;

/**
 * Decodes a block to exactly `length` bytes at `to`; false if it does not come out so. Its dictionary lies from `lowest` right up to
 * `to`. Writes at most 32 bytes beyond, and never reads or writes elsewhere, whatever the bytes are.
 */
export function decompress(from: usize, size: usize, to: usize, length: usize, lowest: usize): bool {
  let p = from;
  let o = to;
  const end = from + size;
  const outEnd = to + length;
  const safeEnd = end - SAFE_BYTES;
  const safeOut = outEnd - SAFE_ROOM;
  while (p < end) {
    const token = <u32>load<u8>(p++);
    let literals: usize = token >> 4;
    let matched: usize = (token & 15) + 4;
    let offset: usize;
    v128.store(o, v128.load(p));
    if (literals != 15 && p < safeEnd && o < safeOut) {
      o += literals;
      p += literals;
      offset = <usize>load<u16>(p);
      p += 2;
      if (matched != 19) {
        const m = o - offset;
        if (m < lowest) return false;
        // Most steps end here: sixteen bytes and two, whatever of them is wanted.
        if (offset >= 16) {
          v128.store(o, v128.load(m));
          store<u16>(o + 16, load<u16>(m + 16));
          o += matched;
          continue;
        }
      }
    } else {
      if (literals == 15) {
        const more = moreLength(p, end);
        p += more / 255 + 1;
        literals += more;
      }
      if (p > end || literals > <usize>(end - p) || literals > <usize>(outEnd - o)) return false;
      for (let k: usize = 0; k < literals; k += 16) v128.store(o + k, v128.load(p + k));
      o += literals;
      p += literals;
      if (p >= end) return o == outEnd;
      if (p + 2 > end) return false;
      offset = <usize>load<u16>(p);
      p += 2;
    }
    if (matched == 19) {
      const more = moreLength(p, end);
      p += more / 255 + 1;
      matched += more;
    }
    let m = o - offset;
    if (offset == 0 || m < lowest || p > end || matched > <usize>(outEnd - o)) return false;
    const matchEnd = o + matched;
    if (offset >= 16) {
      do {
        v128.store(o, v128.load(m));
        v128.store(o + 16, v128.load(m + 16));
        o += 32;
        m += 32;
      } while (o < matchEnd);
    } else {
      const bytes = v128.swizzle(v128.load(m), v128.load(REPEATS + (offset << 4)));
      const whole = <usize>load<u8>(REPEATED + offset);
      do {
        v128.store(o, bytes);
        o += whole;
      } while (o < matchEnd);
    }
    o = matchEnd;
  }
  return false;
}

/** What the bytes at `p` add to a length: each 255 goes on in the next. They are a byte more than the 255s in it, or reach past `end`. */
@inline
function moreLength(p: usize, end: usize): usize {
  let length: usize = 0;
  let byte: usize = 255;
  while (byte == 255 && p < end) {
    byte = <usize>load<u8>(p++);
    length += byte;
  }
  return length;
}

@inline
function hash4(x: u32, bits: u32): usize {
  return (x * 2654435761) >> (32 - bits);
}

@inline
function hash8(x: u64, bits: u64): usize {
  return <usize>((x * 0x9e3779b185ebca87) >> (64 - bits));
}

/** Makes a dictionary that lies at its place searchable. */
export function indexDictionary(group: u32, length: i32): void {
  const dictionary = DICTIONARIES + (<usize>group << 16);
  const fours = DICTIONARY_FOURS + (<usize>group << 17);
  const eights = DICTIONARY_EIGHTS + (<usize>group << 17);
  memory.fill(fours, 0xff, 131072);
  memory.fill(eights, 0xff, 131072);
  for (let i = 0; i + 4 <= length; i++) {
    pushPosition(fours + (hash4(load<u32>(dictionary + i), 14) << 3), i);
    if (i + 8 <= length) pushPosition(eights + (hash8(load<u64>(dictionary + i), 14) << 3), i);
  }
}

@inline
function pushPosition(place: usize, position: u32): void {
  store<u64>(place, (load<u64>(place) << 16) | position);
}

/** How far the bytes at a and b are equal, up to `limit` of a. */
@inline
function equalLength(a: usize, b: usize, limit: usize): i32 {
  const from = a;
  while (a + 8 <= limit) {
    const x = load<u64>(a) ^ load<u64>(b);
    if (x != 0) return <i32>(a - from) + <i32>(ctz(x) >> 3);
    a += 8;
    b += 8;
  }
  while (a < limit && load<u8>(a) == load<u8>(b)) {
    a++;
    b++;
  }
  return <i32>(a - from);
}

/** Bytes, at most 16, that are equal to a vector's. */
@inline
function equalBytes(at: usize, vector: v128): i32 {
  return ctz(i8x16.bitmask(i8x16.ne(v128.load(at), vector)) | 0x10000);
}

/** A match as a number: the longer it is the greater, its offset in the low 16 bits. */
@inline
function inText(text: usize, i: i32, vector: v128, position: u32): i32 {
  const matched = equalBytes(text + position - 1, vector);
  return ((position != 0 ? matched : 0) << 16) | (i + 1 - <i32>position);
}

@inline
function inDictionary(dictionary: usize, length: i32, i: i32, vector: v128, position: u32): i32 {
  const room = length - <i32>position;
  const matched = max(min(equalBytes(dictionary + position, vector), room), 0);
  return ((room + i <= 65535 ? matched : 0) << 16) | ((room + i) & 0xffff);
}

let bestOffset: i32 = 0;

/**
 * The longest match of more than `above` bytes for position `i` among twelve candidates, 0 if there is none; its offset is
 * bestOffset. Which candidate is the longest cannot be foretold, so no branch depends on it.
 */
function longestMatch(text: usize, i: i32, length: i32, group: usize, dictionaryLength: i32, above: i32): i32 {
  const here = text + i;
  const vector = v128.load(here);
  const value = load<u32>(here);
  const recent = load<u64>(RECENT + (hash4(value, 12) << 3));
  let best = inText(text, i, vector, <u32>(recent & 0xffff));
  best = max(best, inText(text, i, vector, <u32>((recent >> 16) & 0xffff)));
  best = max(best, inText(text, i, vector, <u32>((recent >> 32) & 0xffff)));
  best = max(best, inText(text, i, vector, <u32>(recent >> 48)));
  const dictionary = DICTIONARIES + (group << 16);
  const fours = load<u64>(DICTIONARY_FOURS + (group << 17) + (hash4(value, 14) << 3));
  const eights = load<u64>(DICTIONARY_EIGHTS + (group << 17) + (hash8(load<u64>(here), 14) << 3));
  if (dictionaryLength > 0) {
    best = max(best, inDictionary(dictionary, dictionaryLength, i, vector, <u32>(fours & 0xffff)));
    best = max(best, inDictionary(dictionary, dictionaryLength, i, vector, <u32>((fours >> 16) & 0xffff)));
    best = max(best, inDictionary(dictionary, dictionaryLength, i, vector, <u32>((fours >> 32) & 0xffff)));
    best = max(best, inDictionary(dictionary, dictionaryLength, i, vector, <u32>(fours >> 48)));
    best = max(best, inDictionary(dictionary, dictionaryLength, i, vector, <u32>(eights & 0xffff)));
    best = max(best, inDictionary(dictionary, dictionaryLength, i, vector, <u32>((eights >> 16) & 0xffff)));
    best = max(best, inDictionary(dictionary, dictionaryLength, i, vector, <u32>((eights >> 32) & 0xffff)));
    best = max(best, inDictionary(dictionary, dictionaryLength, i, vector, <u32>(eights >> 48)));
  }
  let matched = best >> 16;
  bestOffset = best & 0xffff;
  const room = length - 5 - i;
  if (matched == 16) {
    matched = longerMatch(text, i, room, recent);
    if (dictionaryLength > 0) {
      matched = longerInDictionary(dictionary, dictionaryLength, here, i, room, eights, matched);
    }
  }
  matched = min(matched, room);
  return matched > above ? matched : 0;
}

function longerMatch(text: usize, i: i32, room: i32, positions: u64): i32 {
  const here = text + i;
  let best = 0;
  for (; positions != 0; positions >>= 16) {
    const position = <i32>(positions & 0xffff);
    const matched = equalLength(here, text + position - 1, here + room);
    if (matched <= best) continue;
    best = matched;
    bestOffset = i + 1 - position;
  }
  return best;
}

function longerInDictionary(dictionary: usize, length: i32, here: usize, i: i32, room: i32, positions: u64, above: i32): i32 {
  let best = above;
  for (let k = 0; k < 4; k++) {
    const position = <i32>(positions & 0xffff);
    positions >>= 16;
    const left = length - position;
    if (left <= best || left + i > 65535) continue;
    const matched = min(equalLength(here, dictionary + position, here + room), left);
    if (matched <= best) continue;
    best = matched;
    bestOffset = left + i;
  }
  return best;
}

@inline
function insertUpTo(text: usize, from: i32, to: i32): void {
  for (; from < to; from++) pushPosition(RECENT + (hash4(load<u32>(text + from), 12) << 3), from + 1);
}

@inline
function putLength(o: usize, length: i32): usize {
  while (length >= 255) {
    store<u8>(o++, 255);
    length -= 255;
  }
  store<u8>(o++, <u8>length);
  return o;
}

/** A match of this length is taken without a look at the next position. */
const LAZY_BELOW: i32 = 16;

/** Encodes a block of less than 65 536 bytes to COMPRESSED, against the dictionary of a group; returns the size. */
export function compress(text: usize, length: i32, group: u32, dictionaryLength: i32): i32 {
  memory.fill(RECENT, 0, 32768);
  let o = COMPRESSED;
  let anchor = 0;
  let inserted = 0;
  let i = 0;
  const stop = length - 12;
  while (i < stop) {
    insertUpTo(text, inserted, i);
    inserted = i;
    let matched = longestMatch(text, i, length, group, dictionaryLength, 3);
    if (matched == 0) {
      // The longer nothing has matched, the larger the steps: what cannot be compressed is passed soon.
      i += 1 + ((i - anchor) >> 6);
      continue;
    }
    let offset = bestOffset;
    while (i + 1 < stop && matched < LAZY_BELOW) {
      insertUpTo(text, i, i + 1);
      inserted = i + 1;
      const next = longestMatch(text, i + 1, length, group, dictionaryLength, matched + 1);
      if (next == 0) break;
      i++;
      matched = next;
      offset = bestOffset;
    }
    const literals = i - anchor;
    const token = o++;
    if (literals >= 15) o = putLength(o, literals - 15);
    memory.copy(o, text + anchor, literals);
    o += literals;
    store<u16>(o, <u16>offset);
    o += 2;
    const rest = matched - 4;
    if (rest >= 15) o = putLength(o, rest - 15);
    store<u8>(token, <u8>((min(literals, 15) << 4) | min(rest, 15)));
    i += matched;
    anchor = i;
  }
  const literals = length - anchor;
  const token = o++;
  if (literals >= 15) o = putLength(o, literals - 15);
  store<u8>(token, <u8>(min(literals, 15) << 4));
  memory.copy(o, text + anchor, literals);
  o += literals;
  return <i32>(o - COMPRESSED);
}
