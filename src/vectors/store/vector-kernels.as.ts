/**
 * The inner loops of the vector store, in AssemblyScript (compiled by `npm run generate` into generated/vector-kernels-wasm.ts).
 *
 * One memory is shared by all threads: segments are laid out in it once. Each thread has an instance of its own and, in that memory,
 * room of its own for a query and for what it finds; globals belong to the instance. Positions are addresses. No data of the module
 * itself lies in the memory.
 *
 * A record is a row's int8 values, padded with zeros to a multiple of 16, then its scale (f32) and 12 further bytes.
 */

// ------------------------------------------------------------------------------------------------ which rows

/** Sets a bit in `mask` for each of `count` rows whose owner has a bit among `bits`. */
export function maskByBits(owners: usize, count: i32, bits: usize, bitCount: u32, mask: usize): void {
  for (let i: i32 = 0; i < count; i += 64) {
    let word: u64 = 0;
    const end = min(64, count - i);
    for (let j: i32 = 0; j < end; j++) {
      const owner = load<u32>(owners + (<usize>(i + j) << 2));
      if (owner >= bitCount) continue;
      word |= <u64>((load<u8>(bits + (owner >> 3)) >> <u8>(owner & 7)) & 1) << <u64>j;
    }
    store<u64>(mask + (<usize>i >> 3), word);
  }
}

/** The same for a sorted list of owners; `at` is where in the list the last call for this segment ended, and is returned anew. */
export function maskByList(owners: usize, count: i32, list: usize, listCount: i32, at: i32, mask: usize): i32 {
  memory.fill(mask, 0, (<usize>(count + 63) >> 6) << 3);
  for (let i: i32 = 0; i < count; ) {
    const owner = load<u32>(owners + (<usize>i << 2));
    while (at < listCount && load<u32>(list + (<usize>at << 2)) < owner) at++;
    if (at == listCount) return at;
    const wanted = load<u32>(list + (<usize>at << 2));
    if (wanted == owner) {
      const place = mask + (<usize>i >> 3);
      store<u8>(place, load<u8>(place) | (<u8>1 << <u8>(i & 7)));
      i++;
    } else i = firstOwner(owners, i, count, wanted);
  }
  return at;
}

/** The first row from `from` on whose owner is at least `wanted`: in steps that double, then by halves. */
function firstOwner(owners: usize, from: i32, count: i32, wanted: u32): i32 {
  let step = 1;
  let low = from;
  while (low + step < count && load<u32>(owners + (<usize>(low + step) << 2)) < wanted) {
    low += step;
    step <<= 1;
  }
  let high = min(count, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(owners + (<usize>middle << 2)) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function maskAll(count: i32, mask: usize): void {
  for (let i: i32 = 0; i < count; i += 64) {
    store<u64>(mask + (<usize>i >> 3), count - i >= 64 ? u64.MAX_VALUE : (<u64>1 << <u64>(count - i)) - 1);
  }
}

export function maskWithout(mask: usize, without: usize, count: i32): void {
  for (let i: i32 = 0; i < count; i += 64) {
    const at = <usize>i >> 3;
    store<u64>(mask + at, load<u64>(mask + at) & ~load<u64>(without + at));
  }
}

// ------------------------------------------------------------------------------------------------ scoring all rows

/** The best rows so far, the worst of them first: a heap of pairs of f32 and u32. */
let heap: usize = 0;
let heapSize: i32 = 0;
let heapMost: i32 = 0;
/** The best score that was left out. */
let leftOut: f32 = -Infinity;
/** Of all scores as whole numbers, so that the order of rows is none of their business. */
let rowsScored: u32 = 0;
let scoreSum: i64 = 0;
let squareSum: i64 = 0;

export function startScores(at: usize, most: i32): void {
  heap = at;
  heapMost = most;
  heapSize = 0;
  leftOut = -Infinity;
  rowsScored = 0;
  scoreSum = 0;
  squareSum = 0;
}

export function bestCount(): i32 {
  return heapSize;
}

export function bestLeftOut(): f32 {
  return leftOut;
}

export function scored(): u32 {
  return rowsScored;
}

export function sumOfScores(): f64 {
  return <f64>scoreSum;
}

export function sumOfSquares(): f64 {
  return <f64>squareSum;
}

/** Scores the rows that `mask` has of `count` records; `unit` is the query's scale. Rows are called by their number from `base`. */
export function scanRecords(records: usize, stride: usize, width: i32, count: i32, query: usize, unit: f32, mask: usize, base: u32): void {
  for (let i: i32 = 0; i < count; i += 64) {
    let word = load<u64>(mask + (<usize>i >> 3));
    while (word != 0) {
      const row = i + <i32>ctz(word);
      word &= word - 1;
      const at = records + <usize>row * stride;
      const score = unit * load<f32>(at + width) * <f32>dot(at, query, width);
      rowsScored++;
      const whole = <i64>nearest(score * 65536);
      scoreSum += whole;
      squareSum += whole * whole;
      if (heapSize < heapMost) pushBest(score, base + row);
      else if (score > load<f32>(heap)) replaceWorst(score, base + row);
      else if (score > leftOut) leftOut = score;
    }
  }
}

@inline
function dot(row: usize, query: usize, width: i32): i32 {
  let low = i32x4.splat(0);
  let high = i32x4.splat(0);
  for (let i: i32 = 0; i < width; i += 16) {
    const a = v128.load(row + i);
    const b = v128.load(query + i);
    low = i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(a), i16x8.extend_low_i8x16_s(b)));
    high = i32x4.add(high, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(a), i16x8.extend_high_i8x16_s(b)));
  }
  low = i32x4.add(low, high);
  return (
    i32x4.extract_lane(low, 0) + i32x4.extract_lane(low, 1) + i32x4.extract_lane(low, 2) + i32x4.extract_lane(low, 3)
  );
}

function pushBest(score: f32, row: u32): void {
  let at = heapSize++;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = load<f32>(heap + (<usize>parent << 3));
    if (above <= score) break;
    store<u64>(heap + (<usize>at << 3), load<u64>(heap + (<usize>parent << 3)));
    at = parent;
  }
  store<f32>(heap + (<usize>at << 3), score);
  store<u32>(heap + (<usize>at << 3), row, 4);
}

function replaceWorst(score: f32, row: u32): void {
  if (load<f32>(heap) > leftOut) leftOut = load<f32>(heap);
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heapSize) break;
    if (child + 1 < heapSize && load<f32>(heap + (<usize>(child + 1) << 3)) < load<f32>(heap + (<usize>child << 3))) child++;
    if (load<f32>(heap + (<usize>child << 3)) >= score) break;
    store<u64>(heap + (<usize>at << 3), load<u64>(heap + (<usize>child << 3)));
    at = child;
  }
  store<f32>(heap + (<usize>at << 3), score);
  store<u32>(heap + (<usize>at << 3), row, 4);
}

// ------------------------------------------------------------------------------------------------ picking rows by sketches

/** Pairs of u32: distance and row. The nearest, at least `nearMost` of them, with those that are as near as the last. */
let near: usize = 0;
let nearCount: i32 = 0;
let nearMost: i32 = 0;
let nearRoom: i32 = 0;
/** Rows as far as this are passed over. */
let nearEnd: u32 = 0;
/** How many of them have each distance. */
let counts: usize = 0;
let bitsMax: u32 = 0;
/** Rows drawn by what they hold: those whose mixed bits begin with `sampleLevel` zeros. Pairs of u64: mixed bits and row. */
let sample: usize = 0;
let sampleCount: i32 = 0;
let sampleRoom: i32 = 0;
let sampleLevel: u64 = 0;
let rowsSketched: u32 = 0;

/** `countsAt` has room for `bits` + 1 numbers of 4 bytes, `nearAt` for `room` pairs, more than `most`, `sampleAt` for `drawn` pairs of 16 bytes. */
export function startSketches(nearAt: usize, most: i32, room: i32, countsAt: usize, bits: i32, sampleAt: usize, drawn: i32): void {
  near = nearAt;
  nearMost = most;
  nearRoom = room;
  nearCount = 0;
  nearEnd = bits + 1;
  counts = countsAt;
  bitsMax = bits;
  memory.fill(counts, 0, (<usize>bits + 1) << 2);
  sample = sampleAt;
  sampleRoom = drawn;
  sampleCount = 0;
  sampleLevel = 0;
  rowsSketched = 0;
}

export function nearFound(): i32 {
  narrow();
  return nearCount;
}

export function sampled(): i32 {
  return sampleCount;
}

export function sketched(): u32 {
  return rowsSketched;
}

/** Sketches of `words` times 8 bytes. */
export function scanSketches(sketches: usize, words: i32, count: i32, query: usize, mask: usize, base: u32): void {
  const bytes = <usize>words << 3;
  for (let i: i32 = 0; i < count; i += 64) {
    let word = load<u64>(mask + (<usize>i >> 3));
    while (word != 0) {
      const row = i + <i32>ctz(word);
      word &= word - 1;
      const at = sketches + <usize>row * bytes;
      let distance: u64 = 0;
      for (let j: usize = 0; j < bytes; j += 16) {
        distance += popcnt(load<u64>(at + j) ^ load<u64>(query + j)) + popcnt(load<u64>(at + j, 8) ^ load<u64>(query + j, 8));
      }
      rowsSketched++;
      const mixed = (load<u64>(at) ^ rotl(load<u64>(at, 8), 29)) * 0x9e3779b185ebca87;
      if (clz(mixed) >= sampleLevel) draw(mixed, base + row);
      if (<u32>distance >= nearEnd) continue;
      const place = near + (<usize>nearCount << 3);
      store<u32>(place, <u32>distance);
      store<u32>(place, base + row, 4);
      const counted = counts + (<usize>distance << 2);
      store<u32>(counted, load<u32>(counted) + 1);
      if (++nearCount == nearRoom) narrow();
    }
  }
}

/** Lowers the limit to where enough rows are left, and drops those beyond it. */
function narrow(): void {
  let nearer = 0;
  let limit: u32 = 0;
  for (; limit < bitsMax; limit++) {
    const here = load<i32>(counts + (<usize>limit << 2));
    if (nearer + here >= nearMost) break;
    nearer += here;
  }
  // So many rows may be as near as the last that there is no room to go on with all of them: then the first ones stay.
  const isCut = nearer + load<i32>(counts + (<usize>limit << 2)) > (nearRoom >> 1) + (nearMost >> 1);
  let last = isCut ? nearMost - nearer : i32.MAX_VALUE;
  nearEnd = isCut ? limit : limit + 1;
  let kept = 0;
  let keptLast = 0;
  for (let i: i32 = 0; i < nearCount; i++) {
    const pair = load<u64>(near + (<usize>i << 3));
    if (<u32>pair > limit) continue;
    if (<u32>pair == limit) {
      if (last == 0) continue;
      last--;
      keptLast++;
    }
    store<u64>(near + (<usize>kept << 3), pair);
    kept++;
  }
  store<i32>(counts + (<usize>limit << 2), keptLast);
  for (let i = limit + 1; i <= bitsMax; i++) store<u32>(counts + (<usize>i << 2), 0);
  nearCount = kept;
}

function draw(mixed: u64, row: u32): void {
  if (sampleCount == sampleRoom) {
    sampleLevel++;
    let kept = 0;
    for (let i: i32 = 0; i < sampleCount; i++) {
      const at = sample + (<usize>i << 4);
      if (clz(load<u64>(at)) < sampleLevel) continue;
      const to = sample + (<usize>kept << 4);
      store<u64>(to, load<u64>(at));
      store<u64>(to, load<u64>(at, 8), 8);
      kept++;
    }
    sampleCount = kept;
    if (clz(mixed) < sampleLevel || sampleCount == sampleRoom) return;
  }
  const at = sample + (<usize>sampleCount << 4);
  store<u64>(at, mixed);
  store<u64>(at, row, 8);
  sampleCount++;
}
