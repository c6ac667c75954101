import { LRUCache } from 'lru-cache';
import type { SummedPages } from '../segments/summed-pages.ts';
import { STRINGS_PER_PAGE } from './facts-format.ts';
import type { OpenFacts } from './open-facts.ts';
import type { PieceDecoder } from './pieces.ts';
import type { FactsCounters } from './types.ts';
import { VarintReader } from './varints.ts';

const CACHE_BYTES = 16 << 20;
const PAGES_OF_A_FILE = 2 ** 24;
/** What decoded strings take beside their bytes, about. */
const STRING_BYTES = 40;

interface StringPage {
  bytes: Buffer;
  starts: Uint32Array;
  /** Those that were asked for. */
  texts: (string | undefined)[];
}

/** Strings by number, decoded when they are asked for. */
export class StringPages {
  readonly #pages = new LRUCache<number, StringPage>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes, texts }) => 2 * bytes.length + STRING_BYTES * texts.length + 1,
  });
  readonly #filePages: SummedPages;
  readonly #decoder: PieceDecoder;
  readonly #counters: FactsCounters;

  constructor(filePages: SummedPages, decoder: PieceDecoder, counters: FactsCounters) {
    this.#filePages = filePages;
    this.#decoder = decoder;
    this.#counters = counters;
  }

  text(facts: OpenFacts, number: number): string {
    const page = this.#page(facts, Math.floor(number / STRINGS_PER_PAGE));
    const at = number % STRINGS_PER_PAGE;
    let text = page.texts[at];
    if (text === undefined) {
      text = page.bytes.toString('utf8', page.starts[at], page.starts[at + 1]);
      page.texts[at] = text;
    }
    return text;
  }

  #page(facts: OpenFacts, number: number): StringPage {
    const key = facts.serial * PAGES_OF_A_FILE + number;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const page = this.#decode(facts, number);
    this.#pages.set(key, page);
    return page;
  }

  #decode(facts: OpenFacts, number: number): StringPage {
    const { stringOffsets } = facts.tables;
    const offset = stringOffsets[number]!;
    const stored = this.#filePages.read(facts, offset, stringOffsets[number + 1]! - offset);
    const bytes = this.#decoder.read(facts.file, stored, 0);
    this.#counters.stringPages++;
    const count = Math.min(STRINGS_PER_PAGE, facts.head.strings - number * STRINGS_PER_PAGE);
    const reader = new VarintReader(bytes);
    const starts = new Uint32Array(count + 1);
    for (let i = 0; i < count; i++) starts[i + 1] = starts[i]! + reader.number();
    for (let i = 0; i <= count; i++) starts[i]! += reader.at;
    return { bytes, starts, texts: new Array<string | undefined>(count) };
  }
}
