/** Reading segments, in AssemblyScript: checksums, lists of postings, texts. Positions are addresses. */

const PRIME_1: u64 = 0x9e3779b185ebca87;
const PRIME_2: u64 = 0xc2b2ae3d27d4eb4f;
const PRIME_3: u64 = 0x165667b19e3779f9;

@inline
function mixed(lane: u64, word: u64): u64 {
  return rotl<u64>((lane ^ word) * PRIME_1, 29);
}

/** 32 bits over bytes, in four lanes as xxHash does it: an accident is seen, an attacker is not kept off. */
export function checksum(at: usize, length: usize): u32 {
  let a: u64 = PRIME_2 ^ <u64>length;
  let b: u64 = PRIME_3;
  let c: u64 = PRIME_1;
  let d: u64 = PRIME_1 ^ PRIME_2;
  const end = at + length;
  for (; at + 32 <= end; at += 32) {
    a = mixed(a, load<u64>(at));
    b = mixed(b, load<u64>(at, 8));
    c = mixed(c, load<u64>(at, 16));
    d = mixed(d, load<u64>(at, 24));
  }
  for (; at + 8 <= end; at += 8) a = mixed(a, load<u64>(at));
  for (; at < end; at++) b = mixed(b, <u64>load<u8>(at));
  let sum = mixed(mixed(mixed(a * PRIME_2, b), c), d);
  sum ^= sum >> 33;
  sum *= PRIME_2;
  sum ^= sum >> 29;
  sum *= PRIME_3;
  return <u32>(sum >> 32);
}

// ------------------------------------------------------------------------------------------------ reading postings
// Lists are decoded to block numbers from 0.

export function decodeList(at: usize, end: usize, out: usize): i32 {
  let block: u32 = 0xffffffff;
  let o = out;
  while (at < end) {
    let byte = <u32>load<u8>(at++);
    if (byte >= 128) {
      let value = byte & 127;
      let shift = 7;
      do {
        byte = load<u8>(at++);
        value |= (byte & 127) << shift;
        shift += 7;
      } while (byte >= 128 && at < end);
      block += value;
    } else block += byte;
    store<u32>(o, block);
    o += 4;
  }
  return <i32>((o - out) >> 2);
}

/** The sum of 16 bytes. */
@inline
function sumOf(bytes: v128): u32 {
  const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes));
  return i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
}

/** Keeps of the `count` sorted blocks at `blocks` those that a list has; returns how many. */
export function keepInList(blocks: usize, count: i32, at: usize, end: usize): i32 {
  if (count == 0) return 0;
  let block: u32 = 0xffffffff;
  let i = 0;
  let kept = 0;
  let current = load<u32>(blocks);
  let looked = at;
  while (at < end) {
    // Most of a list lies between the blocks that are left: sixteen small distances at once.
    while (at >= looked && at + 16 <= end) {
      const distances = v128.load(at);
      looked = at + 16;
      if (v128.bitmask<i8>(distances) != 0) break;
      const ahead = block + sumOf(distances);
      if (ahead >= current) break;
      block = ahead;
      at += 16;
    }
    if (at >= end) break;
    let byte = <u32>load<u8>(at++);
    if (byte >= 128) {
      let value = byte & 127;
      let shift = 7;
      do {
        byte = load<u8>(at++);
        value |= (byte & 127) << shift;
        shift += 7;
      } while (byte >= 128 && at < end);
      block += value;
    } else block += byte;
    while (current < block) {
      if (++i >= count) return kept;
      current = load<u32>(blocks + (i << 2));
    }
    if (current == block) {
      store<u32>(blocks + (kept << 2), block);
      kept++;
      if (++i >= count) return kept;
      current = load<u32>(blocks + (i << 2));
    }
  }
  return kept;
}

export function keepInBitmap(blocks: usize, count: i32, bitmap: usize): i32 {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const block = load<u32>(blocks + (i << 2));
    if (load<u8>(bitmap + (block >> 3)) & (1 << (block & 7))) {
      store<u32>(blocks + (kept << 2), block);
      kept++;
    }
  }
  return kept;
}

export function andBitmap(bitmap: usize, other: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) v128.store(bitmap + i, v128.and(v128.load(bitmap + i), v128.load(other + i)));
}

export function orBitmap(bitmap: usize, other: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) v128.store(bitmap + i, v128.or(v128.load(bitmap + i), v128.load(other + i)));
}

export function orList(bitmap: usize, at: usize, end: usize): void {
  let block: u32 = 0xffffffff;
  while (at < end) {
    let byte = <u32>load<u8>(at++);
    if (byte >= 128) {
      let value = byte & 127;
      let shift = 7;
      do {
        byte = load<u8>(at++);
        value |= (byte & 127) << shift;
        shift += 7;
      } while (byte >= 128 && at < end);
      block += value;
    } else block += byte;
    const place = bitmap + (block >> 3);
    store<u8>(place, load<u8>(place) | (<u8>1 << <u8>(block & 7)));
  }
}

export function orBlocks(bitmap: usize, blocks: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const block = load<u32>(blocks + (i << 2));
    const place = bitmap + (block >> 3);
    store<u8>(place, load<u8>(place) | (<u8>1 << <u8>(block & 7)));
  }
}

export function blocksOfBitmap(bitmap: usize, bytes: i32, out: usize): i32 {
  let o = out;
  for (let i = 0; i < bytes; i += 8) {
    let word = load<u64>(bitmap + i);
    while (word != 0) {
      store<u32>(o, (i << 3) + <u32>ctz(word));
      o += 4;
      word &= word - 1;
    }
  }
  return <i32>((o - out) >> 2);
}

// ------------------------------------------------------------------------------------------------ scanning text

@inline
function needleAt(text: usize, needle: usize, mask: usize, length: i32): bool {
  let i: i32 = 0;
  while (i + 16 <= length) {
    const equal = v128.eq<u8>(v128.or(v128.load(text + i), v128.load(mask + i)), v128.load(needle + i));
    if (!v128.all_true<u8>(equal)) return false;
    i += 16;
  }
  for (; i < length; i++) if ((load<u8>(text + i) | load<u8>(mask + i)) != load<u8>(needle + i)) return false;
  return true;
}

/**
 * All hits of a needle that do not overlap, as offsets, up to `max`: where `byte | mask == needle` for each byte. Its rarest bytes
 * stand at `rare` and `next`.
 */
export function findAll(text: usize, length: i32, needle: usize, mask: usize, needleLength: i32, rare: i32, next: i32, out: usize, max: i32): i32 {
  const last = length - needleLength;
  if (last < 0 || max <= 0) return 0;
  const byte1 = i8x16.splat(load<u8>(needle + rare));
  const mask1 = i8x16.splat(load<u8>(mask + rare));
  const byte2 = i8x16.splat(load<u8>(needle + next));
  const mask2 = i8x16.splat(load<u8>(mask + next));
  let count: i32 = 0;
  let from: i32 = 0;
  const at1 = text + rare;
  const at2 = text + next;
  for (let i: i32 = 0; i <= last; i += 32) {
    const low = v128.and(
      v128.eq<u8>(v128.or(v128.load(at1 + i), mask1), byte1),
      v128.eq<u8>(v128.or(v128.load(at2 + i), mask2), byte2),
    );
    const high = v128.and(
      v128.eq<u8>(v128.or(v128.load(at1 + i + 16), mask1), byte1),
      v128.eq<u8>(v128.or(v128.load(at2 + i + 16), mask2), byte2),
    );
    if (!v128.any_true(v128.or(low, high))) continue;
    let bits: u32 = (<u32>v128.bitmask<i8>(low)) | ((<u32>v128.bitmask<i8>(high)) << 16);
    while (bits != 0) {
      const position = i + <i32>ctz(bits);
      bits &= bits - 1;
      if (position > last) break;
      if (position >= from && needleAt(text + position, needle, mask, needleLength)) {
        store<i32>(out + (count << 2), position);
        count++;
        from = position + needleLength;
        if (count >= max) return count;
      }
    }
  }
  return count;
}

export function countLineFeeds(at: usize, end: usize): i32 {
  const lineFeed = i8x16.splat(10);
  let count: i32 = 0;
  for (; at + 16 <= end; at += 16) count += popcnt(i8x16.bitmask(i8x16.eq(v128.load(at), lineFeed)));
  for (; at < end; at++) if (load<u8>(at) == 10) count++;
  return count;
}

/** Start of the line that lies `lines` above the one that holds `at`, not before `from`. */
export function lineStart(from: usize, at: usize, lines: i32): usize {
  for (; at > from; at--) {
    if (load<u8>(at - 1) != 10) continue;
    if (lines == 0) return at;
    lines--;
  }
  return from;
}

/** End, behind the line feed, of the line that lies `lines` below the one that holds `at`, not past `end`. */
export function lineEnd(at: usize, end: usize, lines: i32): usize {
  for (; at < end; at++) {
    if (load<u8>(at) != 10) continue;
    if (lines == 0) return at + 1;
    lines--;
  }
  return end;
}
