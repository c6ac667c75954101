import { VarintReader, VarintWriter } from '../facts/varints.ts';
import { firstNotBelow } from '../segments/ascending.ts';
import { NumberColumn } from '../segments/number-column.ts';
import type { SummedPages } from '../segments/summed-pages.ts';
import type { OpenChunks } from './open-chunks.ts';
import type { TermHash } from './term-hash.ts';
import type { ChunksCounters } from './types.ts';

/**
 * The dictionary: blocks of TERMS_PER_BLOCK terms (fewer in the last) in the order of their hashes. First where the lists of its first
 * term begin in the body; then for each term: the distance of its upper bits to those before (of the first to those that the table of
 * blocks has), its lower bits, how many chunks have it, the bytes of its list. Lists follow each other.
 */
const TERMS_PER_BLOCK = 64;

export interface FoundTerm {
  /** Chunks that have it, hidden ones too. */
  count: number;
  /** Where its list stands in the body. */
  listAt: number;
  listBytes: number;
}

/** Puts a dictionary together: terms come in the order of their hashes. */
export class TermDictionaryWriter {
  readonly #blocks = new VarintWriter();
  readonly #blockStarts = new NumberColumn();
  readonly #blockTerms = new NumberColumn();
  #upper = 0;
  #terms = 0;

  get terms(): number {
    return this.#terms;
  }

  add({ upper, lower }: TermHash, { count, listAt, listBytes }: FoundTerm): void {
    if (this.#terms % TERMS_PER_BLOCK === 0) {
      this.#blockStarts.push(this.#blocks.length);
      this.#blockTerms.push(upper);
      this.#blocks.number(listAt);
      this.#upper = upper;
    }
    this.#blocks.number(upper - this.#upper);
    this.#blocks.byte(lower & 0xff);
    this.#blocks.byte(lower >>> 8);
    this.#blocks.number(count);
    this.#blocks.number(listBytes);
    this.#upper = upper;
    this.#terms++;
  }

  /** `base`: where the blocks come to stand in the body. */
  finish(base: number): { bytes: Uint8Array; blockTerms: Uint32Array; blockOffsets: Uint32Array } {
    const starts = [...this.#blockStarts.values, this.#blocks.length];
    return {
      bytes: this.#blocks.bytes,
      blockTerms: this.#blockTerms.values,
      blockOffsets: Uint32Array.from(starts, (at) => base + at),
    };
  }
}

/** Goes through the terms of a block, or of several that follow each other. */
export class TermCursor {
  upper = 0;
  lower = 0;
  count = 0;
  listAt = 0;
  listBytes = 0;
  #reader = new VarintReader(new Uint8Array(0));
  #length = 0;

  open(block: Uint8Array, blockTerm: number): void {
    this.#reader = new VarintReader(block);
    this.#length = block.length;
    this.listAt = this.#reader.number();
    this.listBytes = 0;
    this.upper = blockTerm;
  }

  next(): boolean {
    const reader = this.#reader;
    if (reader.at >= this.#length) return false;
    this.listAt += this.listBytes;
    this.upper += reader.number();
    this.lower = reader.byte() | (reader.byte() << 8);
    this.count = reader.number();
    this.listBytes = reader.number();
    return true;
  }
}

const cursor = new TermCursor();

export function findTerm(
  chunks: OpenChunks,
  pages: SummedPages,
  counters: ChunksCounters,
  { upper, lower }: TermHash,
): FoundTerm | null {
  const { blockTerms, blockOffsets } = chunks.tables;
  // Terms with the same upper bits may lie in two blocks: the search begins in the one before the first that may begin with them.
  const first = Math.max(0, firstNotBelow(blockTerms, upper) - 1);
  for (let block = first; block < blockTerms.length && blockTerms[block]! <= upper; block++) {
    const offset = blockOffsets[block]!;
    cursor.open(pages.read(chunks, offset, blockOffsets[block + 1]! - offset), blockTerms[block]!);
    counters.dictionaryBlocks++;
    while (cursor.next()) {
      if (cursor.upper > upper) return null;
      if (cursor.upper !== upper || cursor.lower !== lower) continue;
      const { count, listAt, listBytes } = cursor;
      return { count, listAt, listBytes };
    }
  }
  return null;
}
