import type { EmittedGrams } from './gram-collector.ts';
import { NumberColumn } from './number-column.ts';
import type { OpenSegment } from './open-segment.ts';
import { createPostingMergeKernel, type PostingMergeLoops } from './posting-merge-kernel.ts';
import { segmentBroken } from './segment-errors.ts';
import { bitmapBytes, POSTING_PAGE } from './segment-format.ts';

export interface PostingInput {
  segment: OpenSegment;
  /** Where each of its blocks has come to lie, from 1; 0 is a block that is dropped. */
  units: Uint32Array;
}

const RESERVED = 65_536;
const WINDOW_BYTES = 1 << 20;
const OUT_BYTES = 1 << 20;
const PARTS_MAX = 16_384;
const PART_WORDS = 4;
const IS_BITMAP = 1;
const IS_LAST = 2;
const NONE = 0xffffffff;

/**
 * Merges the postings of segments, list by list as they lie on disk: what was looked for in a text once is not looked for again.
 * Memory is that of a window into each input and of a table of its blocks.
 */
export class PostingMerge {
  readonly #windows: PostingWindow[];
  readonly #run: PostingMergeLoops;
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #places: { parts: number; offsets: number; out: number; outEnd: number };

  /** `blocks`: of the merged segment. */
  constructor(inputs: readonly PostingInput[], blocks: number) {
    let top = RESERVED;
    const take = (size: number) => {
      const at = top;
      top = (at + size + 127) & ~63;
      return at;
    };
    const listBytes = bitmapBytes(blocks);
    const outBytes = OUT_BYTES + listBytes;
    const places = {
      bitmap: take(listBytes),
      summary: take(8 * ((blocks >>> 12) + 1)),
      parts: take(4 * PART_WORDS * PARTS_MAX),
      offsets: take(4 * PARTS_MAX),
      out: take(outBytes),
    };
    const inputPlaces = inputs.map(({ segment, units }) => {
      const windowBytes = Math.max(WINDOW_BYTES, segment.bitmapBytes + 2 * POSTING_PAGE);
      return { units: take(4 * units.length), window: take(windowBytes), windowBytes };
    });
    const { run, bytes, words } = createPostingMergeKernel(top);
    this.#run = run;
    this.#bytes = bytes;
    this.#words = words;
    this.#places = {
      parts: places.parts >> 2,
      offsets: places.offsets >> 2,
      out: places.out,
      outEnd: places.out + outBytes,
    };
    run.startMerge(places.bitmap, places.summary, blocks, listBytes);
    this.#windows = inputs.map(({ segment, units }, i) => {
      const place = inputPlaces[i]!;
      words.set(units, place.units >> 2);
      return new PostingWindow(segment, place, { run, bytes });
    });
  }

  /** Hands out all lists in the order of their keys, first those of grams and then those of shapes. */
  emit(write: (bytes: Uint8Array) => void): { grams: EmittedGrams; shapes: EmittedGrams } {
    const grams = this.#emitLists('gramKeys', 'gramOffsets', 0, write);
    const shapes = this.#emitLists('shapeKeys', 'shapeOffsets', grams.bytes, write);
    return { grams, shapes };
  }

  #emitLists(
    keysOf: 'gramKeys' | 'shapeKeys',
    offsetsOf: 'gramOffsets' | 'shapeOffsets',
    base: number,
    write: (bytes: Uint8Array) => void,
  ): EmittedGrams {
    const lists = this.#windows.map((window) => {
      const { tables } = window.segment;
      return { window, keys: tables[keysOf], offsets: tables[offsetsOf], next: 0 };
    });
    const keys = new NumberColumn();
    const offsets = new NumberColumn();
    const batchKeys = new Uint32Array(PARTS_MAX);
    const batch = { grams: 0, parts: 0 };
    let emitted = 0;
    const words = this.#words;

    const flush = () => {
      const { parts, offsets: offsetsAt, out, outEnd } = this.#places;
      let gram = 0;
      for (let part = 0; part < batch.parts; ) {
        part = this.#run.mergeLists(
          parts << 2,
          part,
          batch.parts,
          out,
          outEnd,
          offsetsAt << 2,
          base + emitted,
        );
        const merged = this.#run.merged();
        for (let i = 0; i < merged; i++, gram++) {
          const offset = words[offsetsAt + i]!;
          if (offset === NONE) continue;
          keys.push(batchKeys[gram]!);
          offsets.push(offset);
        }
        const length = this.#run.bytesEmitted();
        write(this.#bytes.subarray(out, out + length));
        emitted += length;
      }
      batch.grams = 0;
      batch.parts = 0;
    };

    for (;;) {
      let key = Number.POSITIVE_INFINITY;
      for (const { keys: own, next } of lists) if (next < own.length && own[next]! < key) key = own[next]!;
      if (key === Number.POSITIVE_INFINITY) break;
      let isAtHand = batch.parts + lists.length <= PARTS_MAX;
      for (const { window, keys: own, offsets: lies, next } of lists) {
        if (own[next] === key && !window.holds(lies[next]!, lies[next + 1]!)) isAtHand = false;
      }
      if (!isAtHand) flush();
      for (const list of lists) {
        if (list.keys[list.next] !== key) continue;
        const from = list.offsets[list.next]!;
        const to = list.offsets[list.next + 1]!;
        const { window } = list;
        if (!window.holds(from, to)) window.read(from);
        const part = this.#places.parts + batch.parts++ * PART_WORDS;
        words[part] = window.addressOf(from);
        words[part + 1] = to - from;
        words[part + 2] = window.unitsAt;
        words[part + 3] = to - from === window.segment.bitmapBytes ? IS_BITMAP : 0;
        list.next += 1;
      }
      words[this.#places.parts + batch.parts * PART_WORDS - 1]! |= IS_LAST;
      batchKeys[batch.grams++] = key;
    }
    flush();
    offsets.push(base + emitted);
    return { keys: keys.values, offsets: offsets.values, bytes: emitted };
  }
}

/** The part of a segment's postings that is at hand. Whole pages are read, each checked. */
class PostingWindow {
  readonly segment: OpenSegment;
  /** Address of the table of its blocks. */
  readonly unitsAt: number;
  readonly #at: number;
  readonly #size: number;
  readonly #memory: { run: PostingMergeLoops; bytes: Uint8Array };
  #from = 0;
  #to = 0;

  constructor(
    segment: OpenSegment,
    place: { units: number; window: number; windowBytes: number },
    memory: { run: PostingMergeLoops; bytes: Uint8Array },
  ) {
    this.segment = segment;
    this.unitsAt = place.units;
    this.#at = place.window;
    this.#size = place.windowBytes - (place.windowBytes % POSTING_PAGE);
    this.#memory = memory;
  }

  holds(from: number, to: number): boolean {
    return from >= this.#from && to <= this.#to;
  }

  addressOf(offset: number): number {
    return this.#at + offset - this.#from;
  }

  read(offset: number): void {
    const { segment } = this;
    const { run, bytes } = this.#memory;
    const { postingsAt, gramPostingBytes, shapePostingBytes } = segment.head;
    this.#from = offset - (offset % POSTING_PAGE);
    this.#to = Math.min(this.#from + this.#size, gramPostingBytes + shapePostingBytes);
    segment.read(bytes, this.#at, this.#to - this.#from, postingsAt + this.#from);
    for (let at = this.#from; at < this.#to; at += POSTING_PAGE) {
      const length = Math.min(POSTING_PAGE, this.#to - at);
      if (run.checksum(this.addressOf(at), length) >>> 0 === segment.tables.pageSums[at / POSTING_PAGE])
        continue;
      throw segmentBroken(segment.file, 'the postings of a segment are not as they were written');
    }
  }
}
