import type { LiteralQuery } from '../regex/literal-query.ts';
import { inBoth } from './ascending.ts';
import { type KeyRange, shapeGrams, shapePrefix, textGrams, textPrefix } from './literal-grams.ts';
import type { OpenSegment } from './open-segment.ts';
import { PostingLists } from './posting-lists.ts';
import { POSTING_BYTES, type ReaderMemory } from './reader-memory.ts';
import type { GramNeed, SegmentCounters } from './types.ts';

/** A query with more parts is not narrowed: finding its candidates would take longer than reading all blocks. */
const PARTS_MAX = 2000;

const NO_BLOCKS = new Uint32Array(0);

/** Text or shapes: two dictionaries of grams with their lists in one section. */
interface GramKind {
  keys: Uint32Array;
  offsets: Uint32Array;
  grams: (literal: string) => number[];
  prefix: (literal: string) => KeyRange;
  known: WeakMap<LiteralQuery, number[]>;
}

interface ChosenList {
  bytes: number;
  offset: number;
}

/**
 * Finds the blocks of a segment that may have what a pattern needs: never too few. Null means every block.
 *
 * Whether a block is found depends on the block and the pattern alone. Which lists are read must not hang on how long they are: then
 * texts that an asker does not see would decide which of the others are opened. So the pattern alone chooses the grams, and only a
 * list that is empty, alone or with those before it, ends the reading.
 */
export class BlockCandidates {
  readonly #memory: ReaderMemory;
  readonly #lists: PostingLists;
  readonly #counters: SegmentCounters;
  readonly #textGrams = new WeakMap<LiteralQuery, number[]>();
  readonly #shapeGrams = new WeakMap<LiteralQuery, number[]>();

  constructor(memory: ReaderMemory, counters: SegmentCounters) {
    this.#memory = memory;
    this.#counters = counters;
    this.#lists = new PostingLists(memory, counters);
  }

  find(segment: OpenSegment, need: GramNeed): Uint32Array | null {
    this.#memory.makeRoomFor(segment.blocks);
    const { gramKeys, gramOffsets, shapeKeys, shapeOffsets } = segment.tables;
    const text = this.#narrow(segment, need.text, {
      keys: gramKeys,
      offsets: gramOffsets,
      grams: textGrams,
      prefix: textPrefix,
      known: this.#textGrams,
    });
    if (text !== null && text.length === 0) return text;
    const shapes = this.#narrow(segment, need.shapes, {
      keys: shapeKeys,
      offsets: shapeOffsets,
      grams: shapeGrams,
      prefix: shapePrefix,
      known: this.#shapeGrams,
    });
    if (text === null || shapes === null) return text ?? shapes;
    return inBoth(text, shapes);
  }

  #narrow(segment: OpenSegment, query: LiteralQuery, kind: GramKind): Uint32Array | null {
    switch (query.kind) {
      case 'everything':
        return null;
      case 'nothing':
        return NO_BLOCKS;
      case 'literal':
        return this.#withAll(segment, [query], kind);
      case 'all':
        return this.#withAll(segment, query.of, kind);
      case 'any':
        return this.#withAny(segment, query.of, kind);
    }
  }

  #withAny(segment: OpenSegment, parts: readonly LiteralQuery[], kind: GramKind): Uint32Array | null {
    if (parts.length > PARTS_MAX) return null;
    const found: Uint32Array[] = [];
    for (const part of parts) {
      const blocks = this.#narrow(segment, part, kind);
      if (blocks === null) return null;
      if (blocks.length > 0) found.push(blocks);
    }
    return found.length < 2 ? (found[0] ?? NO_BLOCKS) : this.#union(segment, found);
  }

  #withAll(segment: OpenSegment, parts: readonly LiteralQuery[], kind: GramKind): Uint32Array | null {
    const literals = parts.filter((part) => part.kind === 'literal');
    const long = literals.filter((part) => part.bytes.length > 2);
    let left = long.length > 0 ? this.#withLiterals(segment, long, kind) : null;
    for (const part of parts) {
      if (part.kind === 'literal') continue;
      if (left !== null && left.length === 0) return left;
      const blocks = this.#narrow(segment, part, kind);
      left = left === null || blocks === null ? (left ?? blocks) : inBoth(left, blocks);
    }
    if (left !== null) return left;
    const short = literals.find((part) => part.bytes.length === 2);
    return short === undefined ? null : this.#withPrefix(segment, kind.prefix(short.bytes), kind);
  }

  /** Blocks that have the chosen grams of all literals. */
  #withLiterals(
    segment: OpenSegment,
    literals: readonly (LiteralQuery & { kind: 'literal' })[],
    kind: GramKind,
  ): Uint32Array {
    const chosen = chooseLists(literals, kind);
    if (chosen === null) return NO_BLOCKS;
    const { kernels } = this.#memory;
    const { run } = kernels;
    const list = this.#memory.list(0);
    const bitmap = this.#memory.bitmap(0);
    let asBitmap = false;
    let count = 0;
    for (const [i, { bytes, offset }] of chosen.entries()) {
      const at = this.#lists.read(segment, offset, bytes);
      this.#counters.postingLists++;
      const dense = bytes === segment.bitmapBytes;
      if (i === 0) {
        if (dense) {
          kernels.bytes.copyWithin(bitmap, at, at + bytes);
          asBitmap = true;
        } else count = run.decodeList(at, at + bytes, list);
      } else if (asBitmap) run.andBitmap(bitmap, at, bytes);
      else if (dense) count = run.keepInBitmap(list, count, at);
      else count = run.keepInList(list, count, at, at + bytes);
      if (!asBitmap && count === 0) return NO_BLOCKS;
    }
    if (asBitmap) count = run.blocksOfBitmap(bitmap, segment.bitmapBytes, list);
    return this.#blocks(list, count);
  }

  /** Blocks that have any of the trigrams with a prefix. */
  #withPrefix(segment: OpenSegment, range: KeyRange, kind: GramKind): Uint32Array {
    const { kernels } = this.#memory;
    const { run } = kernels;
    const bitmap = this.#memory.bitmap(0);
    const { offsets } = kind;
    const end = firstNotBelow(kind.keys, range.to);
    kernels.bytes.fill(0, bitmap, bitmap + segment.bitmapBytes);
    for (let from = firstNotBelow(kind.keys, range.from); from < end; ) {
      let to = from + 1;
      while (to < end && offsets[to + 1]! - offsets[from]! <= POSTING_BYTES) to++;
      const base = this.#lists.read(segment, offsets[from]!, offsets[to]! - offsets[from]!) - offsets[from]!;
      for (let i = from; i < to; i++) {
        const bytes = offsets[i + 1]! - offsets[i]!;
        if (bytes === segment.bitmapBytes) run.orBitmap(bitmap, base + offsets[i]!, bytes);
        else run.orList(bitmap, base + offsets[i]!, base + offsets[i + 1]!);
      }
      this.#counters.postingLists += to - from;
      from = to;
    }
    return this.#ofBitmap(segment, bitmap);
  }

  #union(segment: OpenSegment, parts: readonly Uint32Array[]): Uint32Array {
    const { kernels } = this.#memory;
    const bitmap = this.#memory.bitmap(0);
    const list = this.#memory.list(0);
    kernels.bytes.fill(0, bitmap, bitmap + segment.bitmapBytes);
    for (const blocks of parts) {
      kernels.words.set(blocks, list >> 2);
      kernels.run.orBlocks(bitmap, list, blocks.length);
    }
    return this.#ofBitmap(segment, bitmap);
  }

  #ofBitmap(segment: OpenSegment, bitmap: number): Uint32Array {
    const list = this.#memory.list(0);
    return this.#blocks(list, this.#memory.kernels.run.blocksOfBitmap(bitmap, segment.bitmapBytes, list));
  }

  #blocks(list: number, count: number): Uint32Array {
    return this.#memory.kernels.words.slice(list >> 2, (list >> 2) + count);
  }
}

/** The lists of the literals' chosen grams, the shortest first; null when the segment does not have one of the grams. */
function chooseLists(
  literals: readonly (LiteralQuery & { kind: 'literal' })[],
  { keys, offsets, grams, known }: GramKind,
): ChosenList[] | null {
  const chosen = new Map<number, ChosenList>();
  for (const query of literals) {
    let wanted = known.get(query);
    if (wanted === undefined) {
      wanted = grams(query.bytes);
      known.set(query, wanted);
    }
    for (const key of wanted) {
      const slot = firstNotBelow(keys, key);
      if (keys[slot] !== key) return null;
      const offset = offsets[slot]!;
      if (!chosen.has(slot)) chosen.set(slot, { bytes: offsets[slot + 1]! - offset, offset });
    }
  }
  return [...chosen.values()].sort((a, b) => a.bytes - b.bytes);
}

/** Keys that share all but their last so many bits lie within a bucket: some seventy of a full segment. */
const BUCKET_BITS = 12;
/** For each bucket the first key of it, and the end of the keys. A search from the middle of all would miss the cache at each step. */
const bucketsOf = new WeakMap<Uint32Array, Uint32Array>();

function firstNotBelow(keys: Uint32Array, key: number): number {
  let buckets = bucketsOf.get(keys);
  if (buckets === undefined) {
    buckets = bucketsOfKeys(keys);
    bucketsOf.set(keys, buckets);
  }
  const bucket = key >>> BUCKET_BITS;
  if (bucket + 1 >= buckets.length) return keys.length;
  let low = buckets[bucket]!;
  let high = buckets[bucket + 1]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function bucketsOfKeys(keys: Uint32Array): Uint32Array {
  const last = keys.length === 0 ? 0 : keys[keys.length - 1]!;
  const buckets = new Uint32Array((last >>> BUCKET_BITS) + 2);
  for (let slot = 0; slot < keys.length; slot++) buckets[(keys[slot]! >>> BUCKET_BITS) + 1] = slot + 1;
  for (let i = 1; i < buckets.length; i++) if (buckets[i]! < buckets[i - 1]!) buckets[i] = buckets[i - 1]!;
  return buckets;
}
