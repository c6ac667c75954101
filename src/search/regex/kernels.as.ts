/**
 * The inner loops over a block of text, in AssemblyScript (compiled by `npm run generate` into generated/kernels-wasm.ts).
 *
 * The host copies a block into the imported memory at BLOCK, runs these loops and reads the positions of hits; automaton states
 * are built by the host, in the table at TABLE (entries as in lazy-dfa.ts). A loop returns to the host only at a state that is
 * not built yet. Positions are addresses.
 */

const BLOCK_SIZE: usize = 65536;
/** The vector loops read up to this much beyond a block, and its content does not matter. */
const SLACK: usize = 64;

/** Four lanes of 16 bytes (see Lane), then the four start states by what lies behind (`behind` in thread-stepper.ts). */
export const LANES: usize = 0;
export const STARTS: usize = 64;
/** Each byte's class; each byte's being a word character that `\b` asks for. */
export const CLASSES: usize = 256;
export const WORD_BYTES: usize = 512;
/** Six tables of 16 bytes, see findFragment. */
export const FRAGMENTS: usize = 768;
/** Rows of 256 shifts, at most 48, see skip. */
export const SHIFTS: usize = 1024;
export const BLOCK: usize = 16384;
/** The hits of each lane: as many words as the lane has bytes, and one. */
export const HITS: usize = BLOCK + BLOCK_SIZE + SLACK;
/** Pairs of start and end of lines that hold a fragment. They share the room of hits, of which there are few then. */
const CANDIDATES: usize = HITS + 2 * BLOCK_SIZE;
/** Lines that locateHits has found, at most 2048, each as start, end and the number of line feeds before it. */
export const LOCATED: usize = HITS + 4 * BLOCK_SIZE + SLACK;
export const TABLE: usize = 393216;

const UNKNOWN: i32 = -1;
const DEAD: i32 = -2;
const SPECIAL: i32 = -3;

const LINE_FEED: u8 = 10;
const CARRIAGE_RETURN: u8 = 13;
const LINE_FILLER: u8 = 0xfe;
const BAD_BYTE: u8 = 0xff;

/** The state of a lane whose last line is decided; it stands at its end. */
const DECIDED: i32 = -1;

@unmanaged
class Lane {
  state: i32;
  at: usize;
  end: usize;
  /** Where the next hit is stored. */
  hit: usize;
}

/** Rows of the shift table that are in use; 0: start states are not marked and nothing is skipped. */
let shiftRows: usize = 0;
/** Bytes of a fragment, 1 to 3; the tables of the others allow every byte. */
let fragmentLength: usize = 3;
/** Shifts looked up, and bytes skipped by them: the host judges by these whether skipping pays. */
let shiftsRead: u32 = 0;
let bytesSkipped: u32 = 0;

/** The length of all candidates together. */
let candidateBytes: u32 = 0;

export function setShiftRows(rows: usize): void {
  shiftRows = rows;
}
export function setFragmentLength(length: usize): void {
  fragmentLength = length;
}
export function takeShiftsRead(): u32 {
  const read = shiftsRead;
  shiftsRead = 0;
  return read;
}
export function takeBytesSkipped(): u32 {
  const skipped = bytesSkipped;
  bytesSkipped = 0;
  return skipped;
}

@inline
function laneAt(index: i32): Lane {
  return changetype<Lane>(LANES + (<usize>index << 4));
}

@inline
function entryAt(state: i32, at: usize): i32 {
  return load<i32>(TABLE + (<usize>(state + <i32>load<u8>(CLASSES + load<u8>(at))) << 2));
}

/** Runs one lane to its end (true), or to a state that the host has to build (false). */
export function runOne(index: i32): bool {
  const lane = laneAt(index);
  do {
    const end = lane.end;
    let state = lane.state;
    let at = lane.at;
    // Unrolled: the classes of the next bytes do not wait for the states.
    while (at + 4 <= end) {
      const class0 = <i32>load<u8>(CLASSES + load<u8>(at));
      const class1 = <i32>load<u8>(CLASSES + load<u8>(at, 1));
      const class2 = <i32>load<u8>(CLASSES + load<u8>(at, 2));
      const class3 = <i32>load<u8>(CLASSES + load<u8>(at, 3));
      let entry = load<i32>(TABLE + (<usize>(state + class0) << 2));
      if (entry < 0) break;
      state = entry;
      entry = load<i32>(TABLE + (<usize>(state + class1) << 2));
      if (entry < 0) {
        at += 1;
        break;
      }
      state = entry;
      entry = load<i32>(TABLE + (<usize>(state + class2) << 2));
      if (entry < 0) {
        at += 2;
        break;
      }
      state = entry;
      entry = load<i32>(TABLE + (<usize>(state + class3) << 2));
      if (entry < 0) {
        at += 3;
        break;
      }
      state = entry;
      at += 4;
    }
    while (at < end) {
      const entry = entryAt(state, at);
      if (entry < 0) break;
      state = entry;
      at++;
    }
    lane.state = state;
    lane.at = at;
  } while (lane.at < lane.end && settle(lane) && lane.at < lane.end);
  return lane.at >= lane.end;
}

/**
 * Runs four lanes in step, to hide how long each load of a chain takes: until one of them has reached its end (true),
 * or one needs the host (false).
 */
export function runFour(): bool {
  const lane0 = laneAt(0);
  const lane1 = laneAt(1);
  const lane2 = laneAt(2);
  const lane3 = laneAt(3);
  while (true) {
    const at0 = lane0.at;
    const at1 = lane1.at;
    const at2 = lane2.at;
    const at3 = lane3.at;
    const steps = min(min(lane0.end - at0, lane1.end - at1), min(lane2.end - at2, lane3.end - at3));
    if (steps == 0) return true;
    let state0 = lane0.state;
    let state1 = lane1.state;
    let state2 = lane2.state;
    let state3 = lane3.state;
    let step: usize = 0;
    for (; step < steps; step++) {
      const entry0 = entryAt(state0, at0 + step);
      const entry1 = entryAt(state1, at1 + step);
      const entry2 = entryAt(state2, at2 + step);
      const entry3 = entryAt(state3, at3 + step);
      if ((entry0 | entry1 | entry2 | entry3) < 0) break;
      state0 = entry0;
      state1 = entry1;
      state2 = entry2;
      state3 = entry3;
    }
    lane0.state = state0;
    lane1.state = state1;
    lane2.state = state2;
    lane3.state = state3;
    lane0.at = at0 + step;
    lane1.at = at1 + step;
    lane2.at = at2 + step;
    lane3.at = at3 + step;
    if (step == steps) return true;
    // All four are settled before the host is asked: it may find several states to build.
    const settled0 = settle(lane0);
    const settled1 = settle(lane1);
    const settled2 = settle(lane2);
    const settled3 = settle(lane3);
    if (!(settled0 && settled1 && settled2 && settled3)) return false;
  }
}

/** Passes the special entries at the lane's position; false if it stands before a state that is not built. */
function settle(lane: Lane): bool {
  while (lane.at < lane.end) {
    const entry = entryAt(lane.state, lane.at);
    if (entry >= 0) return true;
    if (entry == UNKNOWN) return false;
    if (entry == DEAD) {
      toNextLine(lane);
      continue;
    }
    const marked = SPECIAL - entry;
    if (marked & 1) {
      recordHit(lane);
      continue;
    }
    lane.state = marked >> 1;
    lane.at++;
    skip(lane);
  }
  return true;
}

function recordHit(lane: Lane): void {
  store<u32>(lane.hit, <u32>lane.at);
  lane.hit += 4;
  toNextLine(lane);
}

function toNextLine(lane: Lane): void {
  const lineFeed = findLineFeed(lane.at, lane.end);
  if (lineFeed >= lane.end) {
    lane.at = lane.end;
    lane.state = DECIDED;
    return;
  }
  lane.at = lineFeed + 1;
  lane.state = load<i32>(STARTS, 4);
  skip(lane);
}

/** The lane's line has a match at its position: for states that the host has run without the table. */
export function hitLane(index: i32): void {
  recordHit(laneAt(index));
}

/** The lane's line has no match. */
export function passLine(index: i32): void {
  toNextLine(laneAt(index));
}

export function skipLane(index: i32): void {
  skip(laneAt(index));
}

/**
 * From a start state: moves the lane to the next place where a match can begin (Horspool over sets of bytes). A match is at
 * least `shiftRows` bytes long; a row, chosen by the place in that window and a byte, says by how much the window can be
 * moved, 0 if the byte fits. The window's last byte is looked at first.
 */
function skip(lane: Lane): void {
  const rows = shiftRows;
  if (rows == 0) return;
  const from = lane.at;
  const end = lane.end;
  const lastRow = SHIFTS + ((rows - 1) << 8);
  // A few bytes decide: looking at all of a long window costs more than a wrong guess.
  const leastRow: usize = rows > 9 ? rows - 9 : 0;
  let at = from;
  let read: u32 = 0;
  while (at + rows <= end) {
    let shift = <usize>load<u8>(lastRow + load<u8>(at + rows - 1));
    read++;
    if (shift == 0) {
      let row = rows - 1;
      while (row > leastRow) {
        row--;
        read++;
        shift = <usize>load<u8>(SHIFTS + (row << 8) + load<u8>(at + row));
        if (shift != 0) break;
      }
      if (shift == 0) {
        // No match begins within a character.
        if ((load<u8>(at) & 0xc0) != 0x80) break;
        shift = 1;
      }
    }
    at += shift;
  }
  if (at + rows > end) at = end;
  shiftsRead += read;
  bytesSkipped += <u32>(at - from);
  if (at == from) return;
  lane.at = at;
  const previous = load<u8>(at - 1);
  let behind: usize = 3;
  if (previous == LINE_FEED || previous == LINE_FILLER) behind = 1;
  else if (load<u8>(WORD_BYTES + previous)) behind = 2;
  lane.state = load<i32>(STARTS + (behind << 2));
}

@inline
function vectorOf(byte: u8): v128 {
  return i8x16.splat(byte);
}

/** The first line feed in [at, end), or end. */
export function findLineFeed(at: usize, end: usize): usize {
  while (at < end) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), vectorOf(LINE_FEED)));
    if (found) return min(at + ctz(found), end);
    at += 16;
  }
  return end;
}

/** The start of the line that holds `at`, in a block whose lines are whole. */
function findLineStart(at: usize, from: usize): usize {
  let end = at;
  while (end > from) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(end - 16), vectorOf(LINE_FEED)));
    if (found) return max(end - 16 + (32 - clz(found)), from);
    end -= 16;
  }
  return from;
}

export function countLineFeeds(at: usize, end: usize): i32 {
  let count = 0;
  for (; at + 16 <= end; at += 16) count += popcnt(i8x16.bitmask(i8x16.eq(v128.load(at), vectorOf(LINE_FEED))));
  if (at >= end) return count;
  const within = (1 << (<i32>(end - at))) - 1;
  return count + popcnt(i8x16.bitmask(i8x16.eq(v128.load(at), vectorOf(LINE_FEED))) & within);
}

/**
 * Stores the lines of `count` hits, at most 2048, at LOCATED: start, end (before the line break, or `end`) and the number
 * of line feeds between `from`, or the line before it, and the line.
 */
export function locateHits(hit: usize, count: i32, from: usize, end: usize): void {
  let line = LOCATED;
  for (const last = hit + (<usize>count << 2); hit < last; hit += 4) {
    const at = <usize>load<u32>(hit);
    let start = findLineStart(at, from);
    if (start < at && load<u8>(start) == LINE_FILLER) start++;
    store<u32>(line, <u32>start);
    store<u32>(line, <u32>findLineFeed(at, end), 4);
    store<i32>(line, countLineFeeds(from, start), 8);
    from = start;
    line += 12;
  }
}

/** Writes every `\r\n` as `\n` and LINE_FILLER. */
export function hideCarriageReturns(at: usize, end: usize): void {
  for (; at < end; at += 16) {
    let found = i8x16.bitmask(i8x16.eq(v128.load(at), vectorOf(CARRIAGE_RETURN)));
    while (found) {
      const position = at + ctz(found);
      found &= found - 1;
      if (position + 1 < end && load<u8>(position, 1) == LINE_FEED) {
        store<u8>(position, LINE_FEED);
        store<u8>(position, LINE_FILLER, 1);
      }
    }
  }
}

/** Writes BAD_BYTE over every byte that is no UTF-8 (as withoutBadBytes in bad-bytes.ts). */
export function hideBadBytes(at: usize, end: usize): void {
  while (at < end) {
    if (at + 16 <= end && !i8x16.bitmask(v128.load(at))) {
      at += 16;
      continue;
    }
    const length = encodedLength(at, end);
    if (length == 0) store<u8>(at++, BAD_BYTE);
    else at += length;
  }
}

function encodedLength(at: usize, end: usize): usize {
  const lead = load<u8>(at);
  if (lead < 0x80) return 1;
  let length: usize = 0;
  if (lead >= 0xc2 && lead < 0xe0) length = 2;
  else if (lead >= 0xe0 && lead < 0xf0) length = 3;
  else if (lead >= 0xf0 && lead < 0xf5) length = 4;
  if (length == 0 || at + length > end) return 0;
  const second = load<u8>(at, 1);
  const lowest: u8 = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const highest: u8 = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let i: usize = 2; i < length; i++) if ((load<u8>(at + i) & 0xc0) != 0x80) return 0;
  return length;
}

/**
 * The first place in [at, end) where bytes look like a fragment, or end. A fragment belongs to one of eight buckets, a bit
 * each; for each of its three bytes two tables say in which buckets the low and the high half-byte occur (the method of
 * Hyperscan's Teddy). It may find what is none.
 */
function findFragment(at: usize, end: usize): usize {
  const low0 = v128.load(FRAGMENTS);
  const high0 = v128.load(FRAGMENTS, 16);
  const low1 = v128.load(FRAGMENTS, 32);
  const high1 = v128.load(FRAGMENTS, 48);
  const low2 = v128.load(FRAGMENTS, 64);
  const high2 = v128.load(FRAGMENTS, 80);
  for (; at < end; at += 16) {
    const first = bucketsOf(v128.load(at), low0, high0);
    const second = bucketsOf(v128.load(at, 1), low1, high1);
    const third = bucketsOf(v128.load(at, 2), low2, high2);
    const fit = v128.and(v128.and(first, second), third);
    if (v128.any_true(fit)) {
      const found = at + ctz(i8x16.bitmask(i8x16.ne(fit, i8x16.splat(0))));
      return found + fragmentLength <= end ? found : end;
    }
  }
  return end;
}

@inline
function bucketsOf(bytes: v128, low: v128, high: v128): v128 {
  const halfByte = vectorOf(15);
  return v128.and(
    i8x16.swizzle(low, v128.and(bytes, halfByte)),
    i8x16.swizzle(high, v128.and(i16x8.shr_u(bytes, 4), halfByte)),
  );
}

/** Finds start and end (behind the line feed) of every line of [from, end) that seems to hold a fragment, and returns how many there are and, by lengthOfCandidates, how long they are together. */
export function findCandidates(from: usize, end: usize): i32 {
  let pair = CANDIDATES;
  candidateBytes = 0;
  let at = from;
  while (true) {
    const found = findFragment(at, end);
    if (found >= end) break;
    const lineFeed = findLineFeed(found, end);
    const lineEnd = lineFeed < end ? lineFeed + 1 : end;
    const lineStart = findLineStart(found, at);
    store<u32>(pair, <u32>lineStart);
    store<u32>(pair, <u32>lineEnd, 4);
    candidateBytes += <u32>(lineEnd - lineStart);
    pair += 8;
    at = lineEnd;
  }
  return <i32>((pair - CANDIDATES) >> 3);
}

export function lengthOfCandidates(): u32 {
  return candidateBytes;
}

export function candidateStart(index: i32): usize {
  return load<u32>(CANDIDATES + (<usize>index << 3));
}

export function candidateEnd(index: i32): usize {
  return load<u32>(CANDIDATES + (<usize>index << 3), 4);
}

/**
 * Runs lane 0 to its end, then over the candidates from `index` up to `count`. Returns -1 when all are done; otherwise the lane
 * needs the host, and the answer is the candidate to go on with after it.
 */
export function runCandidates(index: i32, count: i32): i32 {
  const lane = laneAt(0);
  while (runOne(0)) {
    if (index == count) return -1;
    lane.at = candidateStart(index);
    lane.end = candidateEnd(index);
    lane.state = load<i32>(STARTS, 4);
    skip(lane);
    index++;
  }
  return index;
}
