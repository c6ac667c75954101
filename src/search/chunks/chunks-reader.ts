import { firstNotBelow } from '../segments/ascending.ts';
import { SummedPages } from '../segments/summed-pages.ts';
import { readChunks } from './chunk-records.ts';
import { CHUNKS_PAGE, chunkSkipOf } from './chunks-format.ts';
import type { OpenChunks } from './open-chunks.ts';
import { type FoundTerm, findTerm } from './term-dictionary.ts';
import type { TermHash } from './term-hash.ts';
import type { Chunk, ChunkSkip, ChunksCounters } from './types.ts';

export interface ChunksReaderOptions {
  /** Pages of files that are kept. Default 16 MB. */
  pageBytes?: number;
}

const CACHED_SPAN = 8;
const PAGE_BYTES = 16 << 20;

/** Reads chunks for one thread, of any number of open files. Damage is a `search/chunks-broken`, and tells which file. */
export class ChunksReader {
  readonly #counters: ChunksCounters = noWork();
  readonly #pages: SummedPages;

  constructor({ pageBytes = PAGE_BYTES }: ChunksReaderOptions = {}) {
    this.#pages = new SummedPages(
      { pageBytes: CHUNKS_PAGE, cacheBytes: pageBytes, cachedSpan: CACHED_SPAN },
      this.#counters,
    );
  }

  /** The chunks of a blob, in the order of the text; the first has the number `chunks.tables.chunkStarts[blob]`. */
  chunksOf(chunks: OpenChunks, blob: number): Chunk[] {
    const { chunkStarts } = chunks.tables;
    const count = chunkStarts[blob + 1]! - chunkStarts[blob]!;
    if (count === 0) return [];
    this.#counters.records++;
    return readChunks(this.recordOf(chunks, blob), count);
  }

  /** One chunk by its number in the file. */
  chunk(chunks: OpenChunks, number: number): Chunk {
    const blob = this.blobOf(chunks, number);
    return this.chunksOf(chunks, blob)[number - chunks.tables.chunkStarts[blob]!]!;
  }

  /** The blob that a chunk belongs to. Reads nothing. */
  blobOf(chunks: OpenChunks, number: number): number {
    return firstNotBelow(chunks.tables.chunkStarts, number + 1) - 1;
  }

  /** Why a blob has no chunks, null where it has some. Reads nothing. */
  skipped(chunks: OpenChunks, blob: number): ChunkSkip | null {
    return chunkSkipOf(chunks.tables.states[blob]!);
  }

  /** Where the list of a term lies; null where no chunk has it. */
  term(chunks: OpenChunks, term: TermHash): FoundTerm | null {
    return findTerm(chunks, this.#pages, this.#counters, term);
  }

  /** The list of a term as the file has it. */
  list(chunks: OpenChunks, { listAt, listBytes }: FoundTerm): Buffer {
    this.#counters.lists++;
    return this.#pages.read(chunks, listAt, listBytes);
  }

  /** The record of a blob as another file takes it over. */
  recordOf(chunks: OpenChunks, blob: number): Buffer {
    const { recordOffsets } = chunks.tables;
    const offset = recordOffsets[blob]!;
    return this.#pages.read(chunks, offset, recordOffsets[blob + 1]! - offset);
  }

  /** Bytes of the body. */
  bytes(chunks: OpenChunks, offset: number, length: number): Buffer {
    return this.#pages.read(chunks, offset, length);
  }

  /** The work done since this was last asked. */
  takeCounters(): ChunksCounters {
    const taken = { ...this.#counters };
    Object.assign(this.#counters, noWork());
    return taken;
  }
}

function noWork(): ChunksCounters {
  return { dictionaryBlocks: 0, lists: 0, records: 0, fileReads: 0, fileBytesRead: 0 };
}
