import { foldByte, gramsOf } from '../manifests/manifest-format.ts';
import { inBoth, indexIn } from '../segments/ascending.ts';
import type { SummedPages } from '../segments/summed-pages.ts';
import { DictionaryCursor, type ListedName } from './dictionary-block.ts';
import type { DictionaryName, SearchedDictionary } from './facts-format.ts';
import { compareNames, firstSpelling } from './name-order.ts';
import type { OpenFacts } from './open-facts.ts';
import type { FactsCounters } from './types.ts';
import { VarintReader } from './varints.ts';

export interface NameVisit {
  visit(name: string, lists: ListedName): 'stop' | undefined;
  /** Asked before each block. */
  stop?: (() => boolean) | undefined;
}

/** Looks names up in the dictionaries of a file. */
export class NameSearch {
  readonly #pages: SummedPages;
  readonly #counters: FactsCounters;
  readonly #cursor = new DictionaryCursor();

  constructor(pages: SummedPages, counters: FactsCounters) {
    this.#pages = pages;
    this.#counters = counters;
  }

  find(facts: OpenFacts, dictionary: DictionaryName, name: Buffer): ListedName | null {
    const block = blockOf(facts, dictionary, name);
    if (block < 0) return null;
    const cursor = this.#openBlock(facts, dictionary, block);
    while (cursor.next()) {
      const order = cursor.compare(name);
      if (order === 0) return cursor.lists();
      if (order > 0) return null;
    }
    return null;
  }

  /** Each spelling of a name that is the same where A-Z count as a-z. */
  findInAnyCase(facts: OpenFacts, dictionary: SearchedDictionary, name: Buffer): ListedName[] {
    const found: ListedName[] = [];
    const blocks = blockCount(facts, dictionary);
    for (let block = Math.max(0, blockOf(facts, dictionary, firstSpelling(name))); block < blocks; block++) {
      const cursor = this.#openBlock(facts, dictionary, block);
      while (cursor.next()) {
        const order = cursor.compareFolded(name);
        if (order > 0) return found;
        if (order === 0) found.push(cursor.lists());
      }
    }
    return found;
  }

  /** Visits names in the order of the dictionary until told to stop. */
  eachWithPrefix(
    facts: OpenFacts,
    dictionary: SearchedDictionary,
    prefix: Buffer,
    { visit, stop }: NameVisit,
  ): void {
    const blocks = blockCount(facts, dictionary);
    const first = Math.max(0, blockOf(facts, dictionary, firstSpelling(prefix)));
    for (let block = first; block < blocks; block++) {
      if (stop?.()) return;
      const cursor = this.#openBlock(facts, dictionary, block);
      while (cursor.next()) {
        const order = cursor.compareStart(prefix);
        if (order > 0) return;
        if (order < 0 || !cursor.startsWith(prefix)) continue;
        if (visit(cursor.text(), cursor.lists()) === 'stop') return;
      }
    }
  }

  /** Visits names that hold the text, where A-Z count as a-z, in the order of the dictionary until told to stop. */
  eachContaining(
    facts: OpenFacts,
    dictionary: SearchedDictionary,
    text: Buffer,
    { visit, stop }: NameVisit,
  ): void {
    const folded = Buffer.from(text.map(foldByte));
    const candidates = this.#blocksWith(facts, dictionary, folded);
    const count = candidates?.length ?? blockCount(facts, dictionary);
    for (let i = 0; i < count; i++) {
      if (stop?.()) return;
      const cursor = this.#openBlock(facts, dictionary, candidates?.[i] ?? i);
      while (cursor.next()) {
        if (!holds(cursor.name, cursor.length, folded)) continue;
        if (visit(cursor.text(), cursor.lists()) === 'stop') return;
      }
    }
  }

  #openBlock(facts: OpenFacts, dictionary: DictionaryName, block: number): DictionaryCursor {
    const { blockOffsets } = facts.tables.dictionaries[dictionary];
    const offset = blockOffsets[block]!;
    this.#counters.dictionaryBlocks++;
    this.#cursor.open(this.#pages.read(facts, offset, blockOffsets[block + 1]! - offset));
    return this.#cursor;
  }

  /** Blocks that may hold the text; null for every one. */
  #blocksWith(facts: OpenFacts, dictionary: SearchedDictionary, folded: Buffer): Uint32Array | null {
    if (folded.length < 3) return null;
    const { keys, offsets } = facts.tables.grams[dictionary];
    const places = gramsOf(folded).map((gram) => indexIn(keys, gram));
    if (places.includes(-1)) return new Uint32Array(0);
    const lengthOf = (place: number) => offsets[place + 1]! - offsets[place]!;
    places.sort((a, b) => lengthOf(a) - lengthOf(b));
    let blocks = this.#gramList(facts, dictionary, places[0]!);
    for (const place of places.slice(1)) {
      // What is left is looked at anyway: it costs less than reading a longer list.
      if (blocks.length * 16 < lengthOf(place)) break;
      blocks = inBoth(blocks, this.#gramList(facts, dictionary, place));
    }
    return blocks;
  }

  #gramList(facts: OpenFacts, dictionary: SearchedDictionary, place: number): Uint32Array {
    const { offsets } = facts.tables.grams[dictionary];
    const offset = offsets[place]!;
    const length = offsets[place + 1]! - offset;
    this.#counters.lists++;
    this.#counters.listBytes += length;
    const reader = new VarintReader(this.#pages.read(facts, offset, length));
    const blocks = new Uint32Array(length);
    let count = 0;
    let block = -1;
    while (reader.at < length) {
      block += reader.number();
      blocks[count++] = block;
    }
    return blocks.subarray(0, count);
  }
}

function blockCount(facts: OpenFacts, dictionary: DictionaryName): number {
  return facts.tables.dictionaries[dictionary].blockOffsets.length - 1;
}

/** The last block whose separator does not sort above the name, -1 where there is none: the name is in that block or nowhere. */
function blockOf(facts: OpenFacts, dictionary: DictionaryName, name: Buffer): number {
  const { separatorStarts, separators } = facts.tables.dictionaries[dictionary];
  let low = 0;
  let high = blockCount(facts, dictionary);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const separator = separators.subarray(separatorStarts[middle]!, separatorStarts[middle + 1]!);
    if (compareNames(name, name.length, separator, separator.length) >= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function holds(name: Buffer, length: number, folded: Buffer): boolean {
  const last = length - folded.length;
  for (let at = 0; at <= last; at++) {
    let matched = 0;
    while (matched < folded.length && foldByte(name[at + matched]!) === folded[matched]) matched++;
    if (matched === folded.length) return true;
  }
  return false;
}
