import { BLOCK_MAX } from './block-cutter.ts';
import { DICTIONARY_ROOM } from './dictionary-file.ts';
import { DICTIONARY_GROUPS } from './dictionary-groups.ts';
import { bitmapBytes, POSTING_PAGE } from './segment-format.ts';
import { SegmentKernels } from './segment-kernels.ts';

/** The vector loops read and write up to this much past a text's end. */
export const SLACK = 64;
/** Sets of dictionaries that are at hand at a time: an index has one, and a second while it changes over. */
export const DICTIONARY_SETS = 4;
/** A dictionary's place ends where the block's text begins that is decoded behind it. */
export const DICTIONARY_PLACE = DICTIONARY_ROOM + BLOCK_MAX + SLACK;
export const DICTIONARY_SET_BYTES = DICTIONARY_GROUPS * DICTIONARY_PLACE;
export const NEEDLE_BYTES = 128 * 1024;
export const HITS_MAX = 65_535;
/** The most of a file that is read at once, beyond the first block. */
export const READ_AHEAD_BYTES = 96 * 1024;
export const POSTING_BYTES = 1 << 20;
const RESERVED = 65_536;

/** The memory of a reader: where its parts lie. The lists of blocks come last and grow with the largest segment. */
export class ReaderMemory {
  readonly kernels = new SegmentKernels(0);
  readonly needles: number;
  readonly hits: number;
  readonly dictionaries: number;
  readonly contentRead: number;
  readonly postings: number;
  readonly ring: number;
  readonly #listsAt: number;
  #blocksMax = 0;

  constructor(ringBytes: number) {
    let top = RESERVED;
    const take = (bytes: number) => {
      const at = top;
      top += (bytes + SLACK + 63) & ~63;
      return at;
    };
    this.needles = take(NEEDLE_BYTES);
    this.hits = take(4 * (HITS_MAX + 1));
    this.dictionaries = take(DICTIONARY_SETS * DICTIONARY_SET_BYTES);
    this.contentRead = take(READ_AHEAD_BYTES + 2 * BLOCK_MAX);
    this.postings = take(POSTING_BYTES + 2 * POSTING_PAGE);
    this.ring = take(ringBytes);
    this.#listsAt = top;
    this.makeRoomFor(1 << 16);
  }

  /** Lists and bitmaps over so many blocks fit. */
  makeRoomFor(blocks: number): void {
    if (blocks <= this.#blocksMax) return;
    this.#blocksMax = blocks;
    this.kernels.reach(this.bitmap(1) + this.#bitmapRoom + SLACK);
  }

  /** Room for block numbers: 0 or 1. */
  list(index: number): number {
    return this.#listsAt + index * this.#listRoom;
  }

  /** Room for a bitmap: 0 or 1. */
  bitmap(index: number): number {
    return this.list(2) + index * this.#bitmapRoom;
  }

  get #listRoom(): number {
    return (4 * this.#blocksMax + SLACK + 63) & ~63;
  }

  get #bitmapRoom(): number {
    return bitmapBytes(this.#blocksMax) + SLACK;
  }
}
