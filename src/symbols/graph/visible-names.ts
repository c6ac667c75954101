import { LRUCache } from 'lru-cache';
import {
  type DefinitionList,
  type FactsName,
  type OpenFacts,
  type ReferenceKind,
  symbolKinds,
} from '../../search/index.ts';
import type { ReadableFacts } from './readable-facts.ts';
import type { DefinitionPlace } from './resolver/types.ts';
import type { VisibleFiles } from './visible-files.ts';

/** Texts that use a name, each once, where its best place is. */
export interface UsingTexts {
  /** Best ranks, as they come. */
  ranks: Uint32Array;
  /** How often each uses the name, by whatever kind. */
  counts: Uint32Array;
  /** Bits of kinds, as in postings. */
  kinds: Uint16Array;
  length: number;
}

const NAMES_KEPT = 500;
const DEFINITIONS_KEPT = 200_000;
const EVERYWHERE_MAX = 300;
const NEAR_NAMES_MAX = 200;

/** Where names are defined and used and modules imported, in what a view shows. */
export class VisibleNames {
  readonly #facts: ReadableFacts;
  readonly #places: VisibleFiles;
  readonly #names = new LRUCache<string, readonly (FactsName | null)[]>({ max: NAMES_KEPT });
  readonly #definitions = new LRUCache<string, readonly DefinitionPlace[]>({
    maxSize: DEFINITIONS_KEPT,
    sizeCalculation: ({ length }) => length + 1,
  });
  /** Of a name in one segment, of visible blobs and hidden ones. */
  readonly #lists = new LRUCache<string, { list: DefinitionList | null }>({
    maxSize: DEFINITIONS_KEPT,
    sizeCalculation: ({ list }) => (list?.length ?? 0) + 1,
  });

  constructor(facts: ReadableFacts, places: VisibleFiles) {
    this.#facts = facts;
    this.#places = places;
  }

  definitions(name: string, revision: number): readonly DefinitionPlace[] {
    const key = `${revision} ${name}`;
    let places = this.#definitions.get(key);
    if (places === undefined) {
      places = this.#definitionsIn(name, (rank) => this.#places.placeIn(rank, revision), revision);
      this.#definitions.set(key, places);
    }
    return places;
  }

  definitionsEverywhere(name: string): readonly DefinitionPlace[] {
    return this.allDefinitions(name).slice(0, EVERYWHERE_MAX);
  }

  /** Definitions of a name, each content where its best place is, by rank. */
  allDefinitions(name: string): readonly DefinitionPlace[] {
    const key = `* ${name}`;
    let places = this.#definitions.get(key);
    if (places === undefined) {
      places = this.#definitionsIn(name, (rank) => rank, -1);
      this.#definitions.set(key, places);
    }
    return places;
  }

  symbolsNamed(file: number, name: string): readonly number[] {
    const place = this.#places.textPlaceOf(file);
    const facts = place === null ? null : this.#facts.factsOf(place.segment);
    if (facts === null) return NO_NUMBERS;
    const list = this.#listOf(place!.segment, facts, name);
    return list === null ? NO_NUMBERS : numbersOf(list, place!.blob);
  }

  /** Names that are defined in visible texts and begin so; of those that are not accepted nothing is read. */
  definedWithPrefix(
    prefix: string,
    accepts: (name: string) => boolean,
    stop: () => boolean,
  ): ReadonlySet<string> {
    const names = new Set<string>();
    this.#facts.eachSegment((facts, ranks) => {
      if (stop()) return;
      const visible = (blob: number) => ranks[blob] !== 0;
      const options = { limit: NEAR_NAMES_MAX, accepts, visible, stop };
      for (const { name } of this.#facts.reader.namesWithPrefix(facts, prefix, options)) names.add(name);
    });
    return names;
  }

  /** Texts that use a name. */
  using(name: string, kinds?: readonly ReferenceKind[]): UsingTexts {
    const lists = this.lookup(name).map((found, segment) => {
      const facts = found === null ? null : this.#facts.factsOf(segment);
      return facts === null
        ? null
        : this.#facts.guarded(segment, () => this.#facts.reader.usesOf(facts, found!, kinds));
    });
    const most = lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
    const using = {
      ranks: new Uint32Array(most),
      counts: new Uint32Array(most),
      kinds: new Uint16Array(most),
      length: 0,
    };
    for (const [segment, list] of lists.entries()) {
      const ranks = this.#facts.asked.view.rankOfBlob[segment];
      if (list === null || ranks == null) continue;
      for (let i = 0; i < list.length; i++) {
        const rank = ranks[list.blobs[i]!]!;
        if (rank === 0) continue;
        using.ranks[using.length] = rank;
        using.counts[using.length] = list.counts[i]!;
        using.kinds[using.length++] = list.kinds[i]!;
      }
    }
    return using;
  }

  /** Best ranks of texts that import a module by one of these names. */
  importers(modules: Iterable<string>): Set<number> {
    const found = new Set<number>();
    for (const module of modules) {
      this.#facts.eachSegment((facts, ranks) => {
        for (const blob of this.#facts.reader.importersOf(facts, module)) {
          const rank = ranks[blob]!;
          if (rank !== 0) found.add(rank);
        }
      });
    }
    return found;
  }

  /** Modules, as they are written in visible texts, that hold a text or begin with it, with the best ranks of who imports them. */
  modulesLike(
    text: string,
    where: 'prefix' | 'anywhere',
    accepts?: (module: string) => boolean,
  ): Map<string, number[]> {
    const found = new Map<string, number[]>();
    this.#facts.eachSegment((facts, ranks) => {
      const options = {
        limit: Number.POSITIVE_INFINITY,
        visible: (blob: number) => ranks[blob] !== 0,
        ...(accepts ? { accepts } : {}),
      };
      const modules =
        where === 'prefix'
          ? this.#facts.reader.modulesWithPrefix(facts, text, options)
          : this.#facts.reader.modulesContaining(facts, text, options);
      for (const { module, importers } of modules) {
        const known = found.get(module) ?? [];
        for (const blob of importers) known.push(ranks[blob]!);
        found.set(module, known);
      }
    });
    return found;
  }

  /** A name in each segment; null where nothing there has it. */
  lookup(name: string): readonly (FactsName | null)[] {
    let found = this.#names.get(name);
    if (found === undefined) {
      found = this.#facts.asked.segments.map((_, segment) => {
        const facts =
          this.#facts.asked.view.rankOfBlob[segment] == null ? null : this.#facts.factsOf(segment);
        return facts === null
          ? null
          : this.#facts.guarded(segment, () => this.#facts.reader.lookup(facts, name));
      });
      this.#names.set(name, found);
    }
    return found;
  }

  #definitionsIn(name: string, placeOf: (rank: number) => number, revision: number): DefinitionPlace[] {
    const places: DefinitionPlace[] = [];
    const { view, segments } = this.#facts.asked;
    for (let segment = 0; segment < segments.length; segment++) {
      if (revision >= 0 && view.holds[segment * this.#places.revisions + revision] === 0) continue;
      const facts = this.#facts.factsOf(segment);
      const ranks = view.rankOfBlob[segment];
      if (facts === null || ranks == null) continue;
      const list = this.#listOf(segment, facts, name);
      if (list === null) continue;
      for (let i = 0; i < list.length; i++) {
        const rank = ranks[list.blobs[i]!]!;
        const file = rank === 0 ? 0 : placeOf(rank);
        if (file === 0) continue;
        places.push({
          file,
          symbol: list.symbols[i]!,
          kind: symbolKinds[list.kinds[i]!]!,
          exported: list.exported[i] === 1,
        });
      }
    }
    return places.sort((a, b) => a.file - b.file || a.symbol - b.symbol);
  }

  /** Definitions of a name in a segment; null for none. */
  #listOf(segment: number, facts: OpenFacts, name: string): DefinitionList | null {
    const key = `${segment} ${name}`;
    let known = this.#lists.get(key);
    if (known === undefined) {
      const found = this.#lookupIn(segment, facts, name);
      const list =
        found === null || found.definitions === 0
          ? null
          : this.#facts.guarded(segment, () => this.#facts.reader.definitionsOf(facts, found));
      known = { list };
      this.#lists.set(key, known);
    }
    return known.list;
  }

  /** Of one segment alone: most names are looked for in few. */
  #lookupIn(segment: number, facts: OpenFacts, name: string): FactsName | null {
    const known = this.#names.get(name);
    if (known !== undefined) return known[segment] ?? null;
    return this.#facts.guarded(segment, () => this.#facts.reader.lookup(facts, name));
  }
}

/** Numbers of a blob's symbols in an ascending list. */
function numbersOf({ blobs, symbols, length }: DefinitionList, blob: number): readonly number[] {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (blobs[middle]! < blob) low = middle + 1;
    else high = middle;
  }
  if (blobs[low] !== blob || low >= length) return NO_NUMBERS;
  let end = low + 1;
  while (end < length && blobs[end] === blob) end++;
  return Array.from(symbols.subarray(low, end));
}

const NO_NUMBERS: readonly number[] = [];
