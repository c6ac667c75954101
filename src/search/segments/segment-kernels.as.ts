/**
 * The inner loops of segments, in AssemblyScript (compiled by `npm run generate` into generated/segment-kernels-wasm.ts).
 *
 * A builder and a reader each have a memory of their own over the same loops. The builder's places are the constants below;
 * a reader's are given with each call. Positions are addresses; texts must be readable for 64 bytes past their end.
 */

// ------------------------------------------------------------------------------------------------ the builder's memory

/** What each byte counts as in a gram of text (ASCII letters lowered), and in a shape (a class of at most 7 bits). */
export const FOLD: usize = 1024;
export const SHAPE_CLASSES: usize = 1280;
/** Grams that this block has shown already, by hash: a gram may be forgotten, and then comes twice. */
const SEEN_TRIGRAMS: usize = 65536;
const SEEN_QUADS: usize = 131072;
const SEEN_SHAPES: usize = 163840;
const SEEN_END: usize = 180224;
/** A byte for each pair of first bytes of a trigram that has an id, and of a shape. */
const PREFIXES: usize = 180224;
const SHAPE_PREFIXES: usize = 245760;
/** Grams of one block, then their ids. A block is shorter than 65 536 bytes. */
const TRIGRAM_LIST: usize = 262144;
const QUAD_LIST: usize = TRIGRAM_LIST + 262144;
const SHAPE_LIST: usize = QUAD_LIST + 262144;
/** Of the block: the last four positions of each hash of four bytes, from 1, the latest in the lowest bits. */
const RECENT: usize = SHAPE_LIST + 262144;
export const COMPRESSED: usize = RECENT + 32768;
/**
 * Eight compression dictionaries, each of up to 65 535 bytes, and the last four positions of each hash of four and of eight bytes
 * in them, of which 65 535 is none.
 */
export const DICTIONARIES: usize = COMPRESSED + 131072;
const DICTIONARY_FOURS: usize = DICTIONARIES + 8 * 65536;
const DICTIONARY_EIGHTS: usize = DICTIONARY_FOURS + 8 * 131072;
/** The part of a text that is worked on. */
export const WINDOW: usize = DICTIONARY_EIGHTS + 8 * 131072;
export const WINDOW_SIZE: usize = 1 << 20;
/** Which trigrams are frequent, from 1. */
export const FREQUENT: usize = WINDOW + WINDOW_SIZE + 4096;
/** The id of each trigram, of each quad (number of the frequent trigram and a byte) and of each shape; 0 has none. */
const TRIGRAMS: usize = FREQUENT + 16384;
const QUADS: usize = TRIGRAMS + (1 << 26);
/** The number of each frequent trigram. */
const FREQUENT_NUMBERS: usize = QUADS + (1 << 22);
const SHAPES: usize = FREQUENT_NUMBERS + (1 << 25);
/** By id; more than there can be. */
const LISTS: usize = SHAPES + (1 << 23);
const LISTS_MAX: usize = 15600000;
/** What has to be put back when a text is refused. */
const JOURNAL: usize = LISTS + LISTS_MAX * 16;
const JOURNAL_SIZE: usize = 4500000 * 24;
/** Postings; grows. */
export const POOL: usize = JOURNAL + JOURNAL_SIZE;

/** Keys above it are quads. */
const QUAD_KEY: u32 = 0x1000000;
const SLICE_STEPS: i32 = 11;

/** Postings of one gram, as varints of the distance between units, in a chain of slices that grow. */
@unmanaged
class List {
  /** The last unit (block number from 1). */
  last: u32;
  /** Where the next byte goes, and the end of that slice; behind it stand the slice's step, or the address of the next slice. */
  at: u32;
  end: u32;
  first: u32;
}

@unmanaged
class Undo {
  id: u32;
  last: u32;
  at: u32;
  end: u32;
  first: u32;
  step: u32;
}

let stamp: u32 = 0;
let idsGiven: u32 = 0;
let frequentCount: u32 = 0;
let poolTop: usize = POOL;

/** The first unit of the text that is added; units before it are of others. */
let textUnit: u32 = 0;
let textWatched: bool = false;
let journalTop: usize = 0;
let textIds: u32 = 0;
let textPool: usize = 0;

let emittedBytes: u32 = 0;

@inline
function listOf(id: u32): List {
  return changetype<List>(LISTS + (<usize>id << 4));
}

/** Once, with the frequent trigrams at FREQUENT and the bytes' classes in place. */
export function startBuilder(count: u32): void {
  frequentCount = count;
  for (let i: u32 = 1; i <= count; i++) {
    const trigram = <usize>load<u32>(FREQUENT + (<usize>i << 2));
    store<u32>(TRIGRAMS + (trigram << 2), i);
    store<u16>(FREQUENT_NUMBERS + (trigram << 1), <u16>i);
  }
  startSegment();
}

/** After all lists were emitted, or dropped. */
export function startSegment(): void {
  idsGiven = frequentCount;
  for (let i: u32 = 1; i <= frequentCount; i++) {
    clearList(i);
    store<u8>(PREFIXES + (load<u32>(FREQUENT + (<usize>i << 2)) >> 8), 1);
  }
  poolTop = POOL;
}

@inline
function clearList(id: u32): void {
  const list = listOf(id);
  list.last = 0;
  list.at = 0;
  list.end = 0;
  list.first = 0;
}

export function poolEnd(): usize {
  return poolTop;
}

export function gramsGiven(): u32 {
  return idsGiven;
}

/** Begins a text whose first block is `unit`. Only one that is `watched` can be dropped, and its trigrams are counted. */
export function startText(unit: u32, watched: bool): void {
  textUnit = unit;
  textWatched = watched;
  journalTop = JOURNAL;
  textIds = idsGiven;
  textPool = poolTop;
}

/** Puts back what stood before the text. */
export function dropText(): void {
  forgetIds(TRIGRAMS, PREFIXES, 65536, 8, textIds);
  forgetIds(QUADS, 0, frequentCount + 1, 8, textIds);
  forgetIds(SHAPES, SHAPE_PREFIXES, 16384, 7, textIds);
  idsGiven = textIds;
  poolTop = textPool;
  for (let at = JOURNAL; at < journalTop; at += 24) {
    const undo = changetype<Undo>(at);
    const list = listOf(undo.id);
    list.last = undo.last;
    list.at = undo.at;
    list.end = undo.end;
    list.first = undo.first;
    if (undo.end != 0) store<u32>(undo.end, undo.step);
  }
}

function forgetIds(table: usize, prefixes: usize, count: u32, bits: u32, above: u32): void {
  for (let prefix: u32 = 0; prefix < count; prefix++) {
    if (prefixes != 0 && !load<u8>(prefixes + prefix)) continue;
    const row = table + ((<usize>prefix << bits) << 2);
    for (let i: usize = 0; i < (<usize>1 << bits); i++) if (load<u32>(row + (i << 2)) > above) store<u32>(row + (i << 2), 0);
  }
}

/** Adds a block's grams and shapes as `unit`. Returns how many trigrams a watched text had not shown before. */
export function addBlock(at: usize, length: usize, unit: u32): i32 {
  if (++stamp == 256) {
    memory.fill(SEEN_TRIGRAMS, 0, SEEN_END - SEEN_TRIGRAMS);
    stamp = 1;
  }
  // Two bytes at a block's end have a trigram too, so that they can be found by prefix.
  const after = load<u8>(at + length);
  store<u8>(at + length, 10);
  collectGrams(at, length + 1);
  collectShapes(at, length + 1);
  store<u8>(at + length, after);
  giveIds(TRIGRAM_LIST, trigramListEnd, TRIGRAMS, PREFIXES, 8);
  giveIds(QUAD_LIST, quadListEnd, QUADS, 0, 8);
  giveIds(SHAPE_LIST, shapeListEnd, SHAPES, SHAPE_PREFIXES, 7);
  if (!textWatched) {
    append(TRIGRAM_LIST, trigramListEnd, unit);
    append(QUAD_LIST, quadListEnd, unit);
    append(SHAPE_LIST, shapeListEnd, unit);
    return 0;
  }
  const fresh = rememberLists(TRIGRAM_LIST, trigramListEnd);
  append(TRIGRAM_LIST, trigramListEnd, unit);
  rememberLists(QUAD_LIST, quadListEnd);
  append(QUAD_LIST, quadListEnd, unit);
  rememberLists(SHAPE_LIST, shapeListEnd);
  append(SHAPE_LIST, shapeListEnd, unit);
  return fresh;
}

let trigramListEnd: usize = 0;
let quadListEnd: usize = 0;
let shapeListEnd: usize = 0;

// Whether a gram was seen cannot be foretold, and neither can whether its trigram is frequent: no branch depends on them.
function collectGrams(at: usize, length: usize): void {
  let trigramEnd = TRIGRAM_LIST;
  let quadEnd = QUAD_LIST;
  const end = at + length;
  const trigramTag = stamp << 24;
  const quadTag = stamp << 20;
  let trigram: u32 = (<u32>load<u8>(FOLD + load<u8>(at)) << 8) | <u32>load<u8>(FOLD + load<u8>(at, 1));
  let frequent: u32 = 0;
  for (let x = at + 2; x < end; x++) {
    const byte = <u32>load<u8>(FOLD + load<u8>(x));
    const quad = (frequent << 8) | byte;
    const quadSlot = SEEN_QUADS + <usize>(((quad * 0x9e3779b1) >> 19) << 2);
    const quadSeen = load<u32>(quadSlot);
    store<u32>(quadSlot, quadTag | quad);
    store<u32>(quadEnd, quad);
    quadEnd += (<usize>(quadSeen != (quadTag | quad)) & <usize>(frequent != 0)) << 2;
    trigram = ((trigram << 8) | byte) & 0xffffff;
    const slot = SEEN_TRIGRAMS + <usize>(((trigram * 0x9e3779b1) >> 19) << 2);
    const seen = load<u32>(slot);
    store<u32>(slot, trigramTag | trigram);
    store<u32>(trigramEnd, trigram);
    trigramEnd += <usize>(seen != (trigramTag | trigram)) << 2;
    frequent = <u32>load<u16>(FREQUENT_NUMBERS + (<usize>trigram << 1));
  }
  trigramListEnd = trigramEnd;
  quadListEnd = quadEnd;
}

function collectShapes(at: usize, length: usize): void {
  let listEnd = SHAPE_LIST;
  const end = at + length;
  const tag = stamp << 21;
  let shape: u32 = (<u32>load<u8>(SHAPE_CLASSES + load<u8>(at)) << 7) | <u32>load<u8>(SHAPE_CLASSES + load<u8>(at, 1));
  for (let x = at + 2; x < end; x++) {
    shape = ((shape << 7) | <u32>load<u8>(SHAPE_CLASSES + load<u8>(x))) & 0x1fffff;
    const slot = SEEN_SHAPES + <usize>(((shape * 0x9e3779b1) >> 20) << 2);
    const seen = load<u32>(slot);
    store<u32>(slot, tag | shape);
    store<u32>(listEnd, shape);
    listEnd += <usize>(seen != (tag | shape)) << 2;
  }
  shapeListEnd = listEnd;
}

/** Puts ids in the place of grams. */
function giveIds(from: usize, to: usize, table: usize, prefixes: usize, bits: u32): void {
  for (let x = from; x < to; x += 4) {
    const gram = load<u32>(x);
    const place = table + (<usize>gram << 2);
    let id = load<u32>(place);
    if (id == 0) {
      id = ++idsGiven;
      store<u32>(place, id);
      if (prefixes != 0) store<u8>(prefixes + (gram >> bits), 1);
      clearList(id);
    }
    store<u32>(x, id);
  }
}

let sink: u32 = 0;

/** Appends a unit to the lists of ids. */
function append(from: usize, to: usize, unit: u32): void {
  while (from < to) {
    const end = min(to, from + 512);
    // Lists lie anywhere in memory: all of a batch are fetched at once, before branches on them make each wait for the one before.
    let fetched: u32 = 0;
    for (let x = from; x < end; x += 4) fetched += listOf(load<u32>(x)).last;
    for (let x = from; x < end; x += 4) fetched += load<u8>(listOf(load<u32>(x)).at);
    sink = fetched;
    for (let x = from; x < end; x += 4) {
      const list = listOf(load<u32>(x));
      const distance = unit - list.last;
      // A gram comes twice when it was forgotten.
      if (distance == 0) continue;
      list.last = unit;
      const at = list.at;
      if (at + 4 > list.end) {
        appendBytes(list, distance);
        continue;
      }
      const size = 1 + <u32>(distance > 0x7f) + <u32>(distance > 0x3fff) + <u32>(distance > 0x1fffff);
      const bytes =
        (distance & 0x7f) | ((distance << 1) & 0x7f00) | ((distance << 2) & 0x7f0000) | ((distance << 3) & 0x7f000000);
      store<u32>(at, bytes | (0x808080 >> ((4 - size) << 3)));
      list.at = at + size;
    }
    from = end;
  }
}

function appendBytes(list: List, distance: u32): void {
  while (distance >= 128) {
    appendByte(list, <u8>(distance | 128));
    distance >>= 7;
  }
  appendByte(list, <u8>distance);
}

/** Keeps what stands in lists that the text has not been in. Returns how many these are. */
function rememberLists(from: usize, to: usize): i32 {
  let fresh = 0;
  for (let x = from; x < to; x += 4) {
    const id = load<u32>(x);
    const list = listOf(id);
    if (list.last >= textUnit) continue;
    fresh++;
    if (id <= textIds) remember(id, list);
  }
  return fresh;
}

@inline
function appendByte(list: List, byte: u8): void {
  let at = list.at;
  if (at == list.end) at = nextSlice(list);
  store<u8>(at, byte);
  list.at = at + 1;
}

/** Bytes of a slice: each step adds about half of what there is. */
@inline
function sliceSize(step: i32): u32 {
  switch (step) {
    case 0: return 4;
    case 1: return 4;
    case 2: return 8;
    case 3: return 12;
    case 4: return 20;
    case 5: return 28;
    case 6: return 44;
    case 7: return 68;
    case 8: return 100;
    case 9: return 156;
    case 10: return 252;
    default: return 508;
  }
}

function nextSlice(list: List): u32 {
  const at = <u32>poolTop;
  let step = 0;
  if (list.end == 0) list.first = at;
  else {
    step = min(load<i32>(list.end) + 1, SLICE_STEPS);
    store<u32>(list.end, at);
  }
  const size = sliceSize(step);
  poolTop += size + 4;
  list.at = at;
  list.end = at + size;
  store<i32>(at + size, step);
  return at;
}

function remember(id: u32, list: List): void {
  const undo = changetype<Undo>(journalTop);
  undo.id = id;
  undo.last = list.last;
  undo.at = list.at;
  undo.end = list.end;
  undo.first = list.first;
  undo.step = list.end == 0 ? 0 : load<u32>(list.end);
  journalTop += 24;
}

/** Writes the keys in order to `keys` and their ids to `ids`: of trigrams and then quads. Returns how many there are. */
export function listGrams(keys: usize, ids: usize): i32 {
  const trigrams = listKeys(TRIGRAMS, PREFIXES, 65536, 8, 0, keys, ids);
  return trigrams + listKeys(QUADS, 0, frequentCount + 1, 8, QUAD_KEY, keys + (trigrams << 2), ids + (trigrams << 2));
}

export function listShapes(keys: usize, ids: usize): i32 {
  return listKeys(SHAPES, SHAPE_PREFIXES, 16384, 7, 0, keys, ids);
}

function listKeys(table: usize, prefixes: usize, count: u32, bits: u32, base: u32, keys: usize, ids: usize): i32 {
  let found = 0;
  for (let prefix: u32 = 0; prefix < count; prefix++) {
    if (prefixes != 0 && !load<u8>(prefixes + prefix)) continue;
    const from = prefix << bits;
    const to = from + (1 << bits);
    for (let key = from; key < to; key++) {
      const place = table + (<usize>key << 2);
      const id = load<u32>(place);
      if (id == 0) continue;
      if (id > frequentCount) store<u32>(place, 0);
      else if (listOf(id).first == 0) continue;
      store<u32>(keys + (found << 2), base + key);
      store<u32>(ids + (found << 2), id);
      found++;
    }
    if (prefixes != 0) store<u8>(prefixes + prefix, 0);
  }
  return found;
}

export function bytesEmitted(): u32 {
  return emittedBytes;
}

/**
 * Writes lists from number `from` on to `out`, until the room up to `outEnd` may not do for a further one, and over each id the
 * offset of its list, the first at `base`. A list that would be as large as a bitmap is one. Returns the number of the next list.
 * `scratch` has room for a bitmap and, before it, nothing else.
 */
export function emitLists(ids: usize, from: i32, count: i32, out: usize, outEnd: usize, scratch: usize, base: u32, blocks: u32, bitmapBytes: u32): i32 {
  let at = out;
  let i = from;
  for (; i < count; i++) {
    if (at + blocks + 64 > outEnd) break;
    const id = load<u32>(ids + (i << 2));
    store<u32>(ids + (i << 2), base + <u32>(at - out));
    const length = gather(id, at);
    if (length < bitmapBytes) {
      at += length;
      continue;
    }
    memory.fill(scratch, 0, bitmapBytes);
    orList(scratch, at, at + length);
    memory.copy(at, scratch, bitmapBytes);
    at += bitmapBytes;
  }
  emittedBytes = <u32>(at - out);
  return i;
}

function gather(id: u32, out: usize): u32 {
  const list = listOf(id);
  let at = list.first;
  let to = out;
  let step = 0;
  while (true) {
    const size = sliceSize(step);
    const end = at + size;
    if (list.end == end) {
      const rest = list.at - at;
      memory.copy(to, at, rest);
      return <u32>(to + rest - out);
    }
    memory.copy(to, at, size);
    to += size;
    at = load<u32>(end);
    if (step < SLICE_STEPS) step++;
  }
}

// ------------------------------------------------------------------------------------------------ compression (LZ4 blocks)
// A match may start in the dictionary, as if that lay just before the text, but never runs over the dictionary's end.

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

// ------------------------------------------------------------------------------------------------ checksums

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
