import { LRUCache } from 'lru-cache';
import { FACTS_PAGE } from './facts-format.ts';
import type { OpenFacts } from './open-facts.ts';
import type { FactsCounters } from './types.ts';

const nothing = Buffer.alloc(0);
/** A list that covers more pages is read past the cache: it would drive out all else. */
const CACHED_SPAN = 4;
const PAGES_OF_A_FILE = 2 ** 18;

/** The pages that a reader has read last, of whatever files. */
export class FactsPages {
  readonly #pages: LRUCache<number, Buffer>;
  readonly #counters: FactsCounters;

  constructor(cacheBytes: number, counters: FactsCounters) {
    this.#pages = new LRUCache({ max: Math.max(CACHED_SPAN, Math.ceil(cacheBytes / FACTS_PAGE)) });
    this.#counters = counters;
  }

  /** Bytes of the body. Nobody writes to them. */
  read(facts: OpenFacts, offset: number, length: number): Buffer {
    if (length <= 0) return nothing;
    const first = Math.floor(offset / FACTS_PAGE);
    const last = Math.floor((offset + length - 1) / FACTS_PAGE);
    const from = offset - first * FACTS_PAGE;
    if (first === last) return this.#page(facts, first).subarray(from, from + length);
    if (last - first >= CACHED_SPAN) return this.#readPages(facts, first, last).subarray(from, from + length);
    const parts: Buffer[] = [];
    for (let page = first; page <= last; page++) parts.push(this.#page(facts, page));
    return Buffer.concat(parts).subarray(from, from + length);
  }

  #page(facts: OpenFacts, page: number): Buffer {
    const key = facts.serial * PAGES_OF_A_FILE + page;
    let bytes = this.#pages.get(key);
    if (bytes === undefined) {
      bytes = this.#readPages(facts, page, page);
      this.#pages.set(key, bytes);
    }
    return bytes;
  }

  #readPages(facts: OpenFacts, first: number, last: number): Buffer {
    const bytes = facts.readPages(first, last);
    this.#counters.fileReads++;
    this.#counters.fileBytesRead += bytes.length;
    return bytes;
  }
}
