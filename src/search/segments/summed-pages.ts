import { LRUCache } from 'lru-cache';
import type { SummedFile } from './summed-file.ts';

const nothing = Buffer.alloc(0);
const PAGES_OF_A_FILE = 2 ** 18;

type AnyFile = Pick<SummedFile<never, never>, 'serial' | 'readPages'>;

export interface SummedPagesOptions {
  pageBytes: number;
  cacheBytes: number;
  /** A list that covers more pages is read past the cache: it would drive out all else. */
  cachedSpan: number;
}

/** The pages that a reader has read last, of whatever files of a kind. */
export class SummedPages {
  readonly #pages: LRUCache<number, Buffer>;
  readonly #pageBytes: number;
  readonly #cachedSpan: number;
  readonly #counters: { fileReads: number; fileBytesRead: number };

  constructor(
    { pageBytes, cacheBytes, cachedSpan }: SummedPagesOptions,
    counters: { fileReads: number; fileBytesRead: number },
  ) {
    this.#pages = new LRUCache({ max: Math.max(cachedSpan, Math.ceil(cacheBytes / pageBytes)) });
    this.#pageBytes = pageBytes;
    this.#cachedSpan = cachedSpan;
    this.#counters = counters;
  }

  /** Bytes of the body. Nobody writes to them. */
  read(file: AnyFile, offset: number, length: number): Buffer {
    if (length <= 0) return nothing;
    const first = Math.floor(offset / this.#pageBytes);
    const last = Math.floor((offset + length - 1) / this.#pageBytes);
    const from = offset - first * this.#pageBytes;
    if (first === last) return this.#page(file, first).subarray(from, from + length);
    if (last - first >= this.#cachedSpan)
      return this.#readPages(file, first, last).subarray(from, from + length);
    const parts: Buffer[] = [];
    for (let page = first; page <= last; page++) parts.push(this.#page(file, page));
    return Buffer.concat(parts).subarray(from, from + length);
  }

  #page(file: AnyFile, page: number): Buffer {
    const key = file.serial * PAGES_OF_A_FILE + page;
    let bytes = this.#pages.get(key);
    if (bytes === undefined) {
      bytes = this.#readPages(file, page, page);
      this.#pages.set(key, bytes);
    }
    return bytes;
  }

  #readPages(file: AnyFile, first: number, last: number): Buffer {
    const bytes = file.readPages(first, last);
    this.#counters.fileReads++;
    this.#counters.fileBytesRead += bytes.length;
    return bytes;
  }
}
