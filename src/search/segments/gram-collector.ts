import { foldTable, frequentTrigrams, shapeClasses } from './gram-alphabet.ts';
import type { SegmentKernels } from './segment-kernels.ts';

/** Each gram of a block, quad and shape included, may take up one of the longest slices. */
const POOL_BYTES_PER_BYTE = 3 * 512;
const EMIT_BYTES = 1 << 20;

export interface EmittedGrams {
  keys: Uint32Array;
  /** Where each list begins, and behind them the end of the last. */
  offsets: Uint32Array;
  bytes: number;
}

/** The postings of a segment that is being built, in the memory of its kernels: bytes of about a third of the text. */
export class GramCollector {
  readonly #kernels: SegmentKernels;

  constructor(kernels: SegmentKernels) {
    this.#kernels = kernels;
    const { places, bytes, words, run } = kernels;
    bytes.set(foldTable, places.FOLD);
    bytes.set(shapeClasses, places.SHAPE_CLASSES);
    words.set(frequentTrigrams, (places.FREQUENT >> 2) + 1);
    run.startBuilder(frequentTrigrams.length);
  }

  get bytesUsed(): number {
    return this.#kernels.run.poolEnd() - this.#kernels.places.POOL;
  }

  /**
   * Before the first block of a text. Of one that is watched the trigrams are counted, and dropText can take its grams back. Units
   * are block numbers from 1.
   */
  startText(unit: number, watched: boolean): void {
    this.#kernels.run.startText(unit, watched ? 1 : 0);
  }

  /** Returns how many distinct trigrams a watched text has beyond those of its blocks before. */
  addBlock(address: number, length: number, unit: number): number {
    this.#kernels.reach(this.#kernels.run.poolEnd() + (length + 1) * POOL_BYTES_PER_BYTE);
    return this.#kernels.run.addBlock(address, length, unit);
  }

  dropText(): void {
    this.#kernels.run.dropText();
  }

  /** Hands out all lists in the order of their keys, first those of grams and then those of shapes, and forgets them. */
  emit(
    blocks: number,
    bitmapBytes: number,
    write: (bytes: Uint8Array) => void,
  ): { grams: EmittedGrams; shapes: EmittedGrams } {
    const { run } = this.#kernels;
    const keys = (run.poolEnd() + 63) & ~63;
    const ids = keys + 4 * run.gramsGiven() + 64;
    const room = { keys, ids, out: (ids + 4 * run.gramsGiven() + 127) & ~63, blocks, bitmapBytes };
    this.#kernels.reach(ids);
    this.#kernels.reach(room.out + EMIT_BYTES + blocks + bitmapBytes + 1024);
    const grams = this.#emitLists(run.listGrams(keys, ids), 0, room, write);
    const shapes = this.#emitLists(run.listShapes(keys, ids), grams.bytes, room, write);
    run.startSegment();
    return { grams, shapes };
  }

  #emitLists(
    count: number,
    base: number,
    room: { keys: number; ids: number; out: number; blocks: number; bitmapBytes: number },
    write: (bytes: Uint8Array) => void,
  ): EmittedGrams {
    const { run, bytes, words } = this.#kernels;
    const { keys, ids, out, blocks, bitmapBytes } = room;
    const outEnd = out + EMIT_BYTES + blocks;
    let emitted = 0;
    for (let from = 0; from < count; ) {
      from = run.emitLists(ids, from, count, out, outEnd, outEnd, base + emitted, blocks, bitmapBytes);
      const length = run.bytesEmitted();
      write(bytes.subarray(out, out + length));
      emitted += length;
    }
    const offsets = new Uint32Array(count + 1);
    offsets.set(words.subarray(ids >> 2, (ids >> 2) + count));
    offsets[count] = base + emitted;
    return { keys: words.slice(keys >> 2, (keys >> 2) + count), offsets, bytes: emitted };
  }
}
