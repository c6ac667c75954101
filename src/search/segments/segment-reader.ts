import { BlockCandidates } from './block-candidates.ts';
import { BlockRing } from './block-ring.ts';
import { DICTIONARY_ROOM, dictionaryOf } from './dictionary-file.ts';
import type { PreparedNeedle } from './needle.ts';
import type { OpenSegment } from './open-segment.ts';
import {
  DICTIONARY_PLACE,
  DICTIONARY_SET_BYTES,
  DICTIONARY_SETS,
  HITS_MAX,
  NEEDLE_BYTES,
  READ_AHEAD_BYTES,
  ReaderMemory,
  SLACK,
} from './reader-memory.ts';
import type { OtherBlock } from './segment-builder.ts';
import { segmentBroken } from './segment-errors.ts';
import type { DictionarySet, GramNeed, SegmentCounters } from './types.ts';

export interface SegmentReaderOptions {
  /** Decoded blocks that are kept. Default 32 MB. */
  ringBytes?: number;
}

const RING_BYTES = 32 << 20;
/** Blocks no further apart than this are read in one go. */
const NEAR_BYTES = 8192;
const AHEAD_BLOCKS = 16;

/** Reads segments for one thread: candidate blocks, their texts, hits in them. All texts lie in its memory, by address. */
export class SegmentReader {
  readonly #memory: ReaderMemory;
  readonly #ring: BlockRing;
  readonly #candidates: BlockCandidates;
  readonly #counters: SegmentCounters = noWork();
  /** The part of a content section that was read last. */
  #read = { segment: 0, from: 0, to: 0 };
  readonly #dictionarySlots: string[] = [];
  #nextDictionarySlot = 0;
  readonly #needles = new Map<PreparedNeedle, number>();
  #needlesEnd = 0;

  constructor({ ringBytes = RING_BYTES }: SegmentReaderOptions = {}) {
    this.#memory = new ReaderMemory(ringBytes);
    this.#ring = new BlockRing(this.#memory.ring, ringBytes);
    this.#candidates = new BlockCandidates(this.#memory, this.#counters);
  }

  /** The memory that addresses point into. Ask for it anew after each call: it may have grown. */
  get bytes(): Uint8Array {
    return this.#memory.kernels.bytes;
  }

  get buffer(): Buffer {
    return this.#memory.kernels.buffer;
  }

  /** The offsets that `findAll` found. */
  get hits(): Uint32Array {
    const from = this.#memory.hits >> 2;
    return this.#memory.kernels.words.subarray(from, from + HITS_MAX);
  }

  /** Blocks that may have what a pattern needs, in order; null is every block. A block that has it is never missing. */
  candidates(segment: OpenSegment, need: GramNeed): Uint32Array | null {
    return this.#candidates.find(segment, need);
  }

  /**
   * Address of a block's text, `blockLengths[block]` bytes that are readable for 64 bytes more. It stays there while at least
   * half a ring of further text is decoded. `ahead`, from `from` on, are the blocks of this segment that are wanted next: what of
   * them lies near is read along.
   */
  text(segment: OpenSegment, block: number, ahead: Uint32Array = NONE, from = 0): number {
    const found = this.#ring.find(segment.serial, block);
    if (found !== 0) {
      this.#counters.blocksCached++;
      return found;
    }
    const { source, size } = this.#stored(segment, block, ahead, from);
    const length = segment.tables.blockLengths[block]!;
    const address = this.#ring.place(length + SLACK);
    this.#decode(segment, block, { source, size, address, length });
    this.#ring.remember(segment.serial, block);
    this.#counters.blocksDecoded++;
    return address;
  }

  /** The whole text of a blob, in memory of its own. */
  blobText(segment: OpenSegment, blob: number): Buffer {
    const { blockStarts, blockLengths } = segment.tables;
    const whole = Buffer.allocUnsafe(segment.blobBytes(blob));
    const blocks = blocksOf(segment, blob);
    for (const [i, block] of blocks.entries()) {
      const address = this.text(segment, block, blocks, i + 1);
      whole.set(this.bytes.subarray(address, address + blockLengths[block]!), blockStarts[block]!);
    }
    return whole;
  }

  /** The blocks of a blob as the file has them, each good until the next one, for a segment with the same dictionaries. */
  *storedBlocks(segment: OpenSegment, blob: number): Generator<OtherBlock & { sum: number }> {
    const { blockStarts, blockLengths, blockLines, blockSums } = segment.tables;
    const blocks = blocksOf(segment, blob);
    for (const [i, block] of blocks.entries()) {
      const { source, size } = this.#stored(segment, block, blocks, i + 1);
      yield {
        start: blockStarts[block]!,
        length: blockLengths[block]!,
        line: blockLines[block]!,
        bytes: this.bytes.subarray(source, source + size),
        sum: blockSums[block]!,
      };
    }
  }

  /** The blocks of a blob as text, each good until the next one. */
  *decodedBlocks(segment: OpenSegment, blob: number): Generator<OtherBlock & { sum: null }> {
    const { blockStarts, blockLengths, blockLines } = segment.tables;
    const blocks = blocksOf(segment, blob);
    for (const [i, block] of blocks.entries()) {
      const address = this.text(segment, block, blocks, i + 1);
      const length = blockLengths[block]!;
      const bytes = this.bytes.subarray(address, address + length);
      yield { start: blockStarts[block]!, length, line: blockLines[block]!, bytes, sum: null };
    }
  }

  /** Hits of a needle that do not overlap, in a text in this memory: how many, at most `limit`. Their offsets are in `hits`. */
  findAll(address: number, length: number, needle: PreparedNeedle, limit = HITS_MAX): number {
    const size = needle.bytes.length;
    if (size === 0 || size > length) return 0;
    const at = this.#needleAddress(needle);
    const { run } = this.#memory.kernels;
    const max = Math.min(limit, HITS_MAX);
    return run.findAll(
      address,
      length,
      at,
      at + size + SLACK,
      size,
      needle.rare,
      needle.next,
      this.#memory.hits,
      max,
    );
  }

  countLineFeeds(from: number, to: number): number {
    return this.#memory.kernels.run.countLineFeeds(from, to);
  }

  /** Start of the line that lies `lines` above the one that holds `at`, in a text that starts at `from`. */
  lineStart(from: number, at: number, lines = 0): number {
    return this.#memory.kernels.run.lineStart(from, at, lines);
  }

  /** End, behind its line feed, of the line that lies `lines` below the one that holds `at`, in a text that ends at `end`. */
  lineEnd(at: number, end: number, lines = 0): number {
    return this.#memory.kernels.run.lineEnd(at, end, lines);
  }

  /** Forgets all decoded blocks. */
  flush(): void {
    this.#ring.flush();
    this.#read = { segment: 0, from: 0, to: 0 };
  }

  /** The work done since this was last asked. */
  takeCounters(): SegmentCounters {
    const taken = { ...this.#counters };
    Object.assign(this.#counters, noWork());
    return taken;
  }

  /** Where a block lies as it is stored, after a check of its sum. */
  #stored(
    segment: OpenSegment,
    block: number,
    ahead: Uint32Array,
    from: number,
  ): { source: number; size: number } {
    const { blockOffsets, blockSums } = segment.tables;
    const offset = blockOffsets[block]!;
    const size = blockOffsets[block + 1]! - offset;
    const read = this.#read;
    if (read.segment !== segment.serial || offset < read.from || offset + size > read.to) {
      this.#readContent(segment, block, ahead, from);
    }
    const source = this.#memory.contentRead + offset - this.#read.from;
    if (this.#memory.kernels.run.checksum(source, size) >>> 0 !== blockSums[block]) throw broken(segment);
    return { source, size };
  }

  #readContent(segment: OpenSegment, block: number, ahead: Uint32Array, from: number): void {
    const { blockOffsets } = segment.tables;
    const start = blockOffsets[block]!;
    let end = blockOffsets[block + 1]!;
    for (let i = from; i < ahead.length && i < from + AHEAD_BLOCKS; i++) {
      const next = ahead[i]!;
      if (next < block || blockOffsets[next]! > end + NEAR_BYTES) break;
      if (blockOffsets[next + 1]! - start > READ_AHEAD_BYTES) break;
      end = blockOffsets[next + 1]!;
    }
    this.#read = { segment: 0, from: 0, to: 0 };
    segment.read(this.bytes, this.#memory.contentRead, end - start, segment.head.contentAt + start);
    this.#read = { segment: segment.serial, from: start, to: end };
    this.#counters.contentReads++;
    this.#counters.contentBytesRead += end - start;
  }

  #decode(
    segment: OpenSegment,
    block: number,
    { source, size, address, length }: { source: number; size: number; address: number; length: number },
  ): void {
    const { run, bytes } = this.#memory.kernels;
    const { blockBlobs } = segment.tables;
    if (size === length) {
      bytes.copyWithin(address, source, source + size);
      return;
    }
    const set = segment.dictionaries;
    let at = address;
    let lowest = address;
    if (set !== null) {
      const group = segment.group(blockBlobs[block]!);
      at = this.#dictionariesAt(set) + group * DICTIONARY_PLACE + DICTIONARY_ROOM;
      lowest = at - set.lengths[group]!;
    }
    if (run.decompress(source, size, at, length, lowest) === 0) throw broken(segment);
    if (at !== address) bytes.copyWithin(address, at, at + length);
  }

  #dictionariesAt(set: DictionarySet): number {
    let slot = this.#dictionarySlots.indexOf(set.hash);
    if (slot < 0) {
      slot = this.#nextDictionarySlot++ % DICTIONARY_SETS;
      this.#dictionarySlots[slot] = set.hash;
      for (const [group, length] of set.lengths.entries()) {
        const place = this.#memory.dictionaries + slot * DICTIONARY_SET_BYTES + group * DICTIONARY_PLACE;
        this.bytes.set(dictionaryOf(set, group).subarray(0, length), place + DICTIONARY_ROOM - length);
      }
    }
    return this.#memory.dictionaries + slot * DICTIONARY_SET_BYTES;
  }

  #needleAddress(needle: PreparedNeedle): number {
    const known = this.#needles.get(needle);
    if (known !== undefined) return known;
    const room = 2 * (needle.bytes.length + SLACK);
    if (this.#needlesEnd + room > NEEDLE_BYTES) {
      this.#needles.clear();
      this.#needlesEnd = 0;
    }
    const at = this.#memory.needles + this.#needlesEnd;
    this.bytes.set(needle.bytes, at);
    this.bytes.set(needle.mask, at + needle.bytes.length + SLACK);
    this.#needlesEnd += room;
    this.#needles.set(needle, at);
    return at;
  }
}

function broken(segment: OpenSegment): Error {
  return segmentBroken(segment.file, 'the content of a segment is not as it was written');
}

function blocksOf(segment: OpenSegment, blob: number): Uint32Array {
  const { blobFirstBlocks } = segment.tables;
  const first = blobFirstBlocks[blob]!;
  return Uint32Array.from({ length: blobFirstBlocks[blob + 1]! - first }, (_, i) => first + i);
}

const NONE = new Uint32Array(0);

function noWork(): SegmentCounters {
  return {
    postingLists: 0,
    postingBytes: 0,
    blocksDecoded: 0,
    blocksCached: 0,
    contentReads: 0,
    contentBytesRead: 0,
  };
}
