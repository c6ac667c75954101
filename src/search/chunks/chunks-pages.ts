import { LRUCache } from 'lru-cache';
import { CHUNKS_PAGE } from './chunks-format.ts';
import type { OpenChunks } from './open-chunks.ts';
import type { ChunksCounters } from './types.ts';

const nothing = Buffer.alloc(0);
/** A list that covers more pages is read past the cache: it would drive out all else. */
const CACHED_SPAN = 8;
const PAGES_OF_A_FILE = 2 ** 18;

/** The pages that a reader has read last, of whatever files. */
export class ChunksPages {
  readonly #pages: LRUCache<number, Buffer>;
  readonly #counters: ChunksCounters;

  constructor(cacheBytes: number, counters: ChunksCounters) {
    this.#pages = new LRUCache({ max: Math.max(CACHED_SPAN, Math.ceil(cacheBytes / CHUNKS_PAGE)) });
    this.#counters = counters;
  }

  /** Bytes of the body. Nobody writes to them. */
  read(chunks: OpenChunks, offset: number, length: number): Buffer {
    if (length <= 0) return nothing;
    const first = Math.floor(offset / CHUNKS_PAGE);
    const last = Math.floor((offset + length - 1) / CHUNKS_PAGE);
    const from = offset - first * CHUNKS_PAGE;
    if (first === last) return this.#page(chunks, first).subarray(from, from + length);
    if (last - first >= CACHED_SPAN)
      return this.#readPages(chunks, first, last).subarray(from, from + length);
    const parts: Buffer[] = [];
    for (let page = first; page <= last; page++) parts.push(this.#page(chunks, page));
    return Buffer.concat(parts).subarray(from, from + length);
  }

  #page(chunks: OpenChunks, page: number): Buffer {
    const key = chunks.serial * PAGES_OF_A_FILE + page;
    let bytes = this.#pages.get(key);
    if (bytes === undefined) {
      bytes = this.#readPages(chunks, page, page);
      this.#pages.set(key, bytes);
    }
    return bytes;
  }

  #readPages(chunks: OpenChunks, first: number, last: number): Buffer {
    const bytes = chunks.readPages(first, last);
    this.#counters.fileReads++;
    this.#counters.fileBytesRead += bytes.length;
    return bytes;
  }
}
