/**
 * The inner loops of segments, in AssemblyScript (compiled by `npm run generate` into generated/segment-kernels-wasm.ts).
 *
 * A builder and a reader each have a memory of their own over the same loops. The builder's places are the constants of
 * builder-memory.as.ts; a reader's are given with each call. Positions are addresses; texts must be readable for 64 bytes past their end.
 * What collects grams and lists of them while a segment is built stands here.
 */
import {
  FOLD, SHAPE_CLASSES, SEEN_TRIGRAMS, SEEN_QUADS, SEEN_SHAPES, SEEN_END, PREFIXES, SHAPE_PREFIXES, TRIGRAM_LIST, QUAD_LIST,
  SHAPE_LIST, FREQUENT, TRIGRAMS, QUADS, FREQUENT_NUMBERS, SHAPES, LISTS, JOURNAL, POOL,
} from './builder-memory.as';
import { orList } from './segment-reading.as';

export { FOLD, SHAPE_CLASSES, COMPRESSED, DICTIONARIES, WINDOW, WINDOW_SIZE, FREQUENT, POOL } from './builder-memory.as';
export { decompress, indexDictionary, compress } from './block-compression.as';
export {
  checksum, decodeList, keepInList, keepInBitmap, andBitmap, orBitmap, orList, orBlocks, blocksOfBitmap, findAll, countLineFeeds,
  lineStart, lineEnd,
} from './segment-reading.as';

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
