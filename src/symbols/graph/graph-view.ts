import { LRUCache } from 'lru-cache';
import {
  type AskedGround,
  type DefinitionList,
  damagedFileOf,
  type FactsName,
  type FactsReader,
  type ImportFact,
  languageName,
  noteDamage,
  type OpenFacts,
  type OpenScip,
  RankCursor,
  type ReferenceFact,
  type ReferenceKind,
  type SymbolFact,
  segmentsBySlot,
  symbolKinds,
} from '../../search/index.ts';
import { ExactUses } from './exact-uses.ts';
import type { FactsCache } from './facts-cache.ts';
import { type PackageFile, packageTable } from './package-places.ts';
import { Resolver } from './resolver/resolver.ts';
import type { DefinitionPlace, PackageTable, Resolved, ResolverTree } from './resolver/types.ts';
import type { FactsMissing } from './types.ts';

/** What a text is in the index. */
interface TextPlace {
  segment: number;
  blob: number;
}

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

const CLASSES = 4;
const NAMES_KEPT = 500;
const DEFINITIONS_KEPT = 200_000;
const EVERYWHERE_MAX = 300;
const ENDING_MAX = 40;
const NEAR_NAMES_MAX = 200;
/** Places of one text that are looked through for the one that is wanted. */
const PLACES_LOOKED_AT = 64;
const TEXTS_KEPT_BYTES = 4 << 20;

/** Facts turned out to be damaged while a question was answered. The view knows which by now, and leaves them out. */
export class DamageMet extends Error {}

/**
 * What one scope shows of a generation, as a graph: the tree that a resolver asks, and the postings of names. It lives as long as the
 * view it stands on, and what it keeps follows from what is visible alone.
 */
export class GraphView implements ResolverTree {
  readonly resolver: Resolver;
  readonly exact: ExactUses;
  #ground: AskedGround;
  readonly #reader: FactsReader;
  readonly #cache: FactsCache;
  readonly #cursor: RankCursor;
  readonly #segmentOfSlot: Int32Array;
  /** Segments whose facts turned out to be damaged. */
  readonly #damaged: Set<number>;
  readonly #names: LRUCache<string, readonly (FactsName | null)[]>;
  readonly #definitions: LRUCache<string, readonly DefinitionPlace[]>;
  /** Of a name in one segment, of visible blobs and hidden ones. */
  readonly #lists: LRUCache<string, { list: DefinitionList | null }>;
  readonly #texts: LRUCache<number, { text: string }>;
  #packages: PackageTable | null = null;
  #packageFiles: readonly PackageFile[] | null = null;

  constructor(ground: AskedGround, reader: FactsReader, cache: FactsCache, damaged: Iterable<number> = []) {
    this.#ground = ground;
    this.#reader = reader;
    this.#cache = cache;
    this.#damaged = new Set(damaged);
    this.#cursor = new RankCursor(ground.view);
    this.#segmentOfSlot = segmentsBySlot(ground.segments);
    this.#names = new LRUCache({ max: NAMES_KEPT });
    this.#definitions = new LRUCache({
      maxSize: DEFINITIONS_KEPT,
      sizeCalculation: ({ length }) => length + 1,
    });
    this.#lists = new LRUCache({
      maxSize: DEFINITIONS_KEPT,
      sizeCalculation: ({ list }) => (list?.length ?? 0) + 1,
    });
    this.#texts = new LRUCache({
      maxSize: TEXTS_KEPT_BYTES,
      sizeCalculation: ({ text }) => text.length + 1,
    });
    this.exact = new ExactUses(this);
    this.resolver = new Resolver(this);
  }

  /** The same view as another question has it. */
  use(ground: AskedGround): void {
    this.#ground = ground;
  }

  get shown(): AskedGround['shown'] {
    return this.#ground.shown;
  }

  get revisions(): number {
    return this.#ground.manifests.length;
  }

  /** Segments whose facts turned out to be damaged. */
  get damagedSegments(): ReadonlySet<number> {
    return this.#damaged;
  }

  pathOf(file: number): string {
    this.#cursor.seek(file);
    return this.#ground.manifests[this.#cursor.manifest]!.path(this.#cursor.row);
  }

  revisionOf(file: number): number {
    this.#cursor.seek(file);
    return this.#cursor.manifest;
  }

  repositoryOf(file: number): number {
    return this.#ground.shown[this.revisionOf(file)]!.repository.id;
  }

  repositoryOfRevision(revision: number): number {
    return this.#ground.shown[revision]!.repository.id;
  }

  /** What was uploaded for the commit that a revision shows. */
  scipOf(revision: number): OpenScip | null {
    return this.#ground.scipOf(this.#ground.shown[revision]!);
  }

  exactly(file: number, start: number, kind: ReferenceKind | null): readonly Resolved[] | null {
    return this.exact.at(file, start, kind);
  }

  languageNumberOf(file: number): number {
    this.#cursor.seek(file);
    const said = this.#ground.manifests[this.#cursor.manifest]!.languages[this.#cursor.row]!;
    // Files of several languages may have one text, an empty one above all: the path tells them apart.
    if (said !== 0) return said;
    // What a first line says is not in every manifest.
    const place = this.#placeOf(file);
    const facts = place === null ? null : this.#factsOf(place.segment);
    return facts === null ? 0 : this.#reader.language(facts, place!.blob);
  }

  languageOf(file: number): string | null {
    return languageName(this.languageNumberOf(file));
  }

  rowOf(file: number): { revision: number; row: number } {
    this.#cursor.seek(file);
    return { revision: this.#cursor.manifest, row: this.#cursor.row };
  }

  fileAt(revision: number, path: string): number {
    const row = this.#ground.manifests[revision]!.rowOfPath(path);
    return row < 0 ? 0 : this.#rankOf(revision, row);
  }

  filesEndingWith(revision: number, ending: string): readonly number[] {
    const manifest = this.#ground.manifests[revision]!;
    const folded = Buffer.from(ending.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
    if (!manifest.mayHavePath(folded)) return [];
    return manifest
      .rowsWithPath(folded, Number.POSITIVE_INFINITY)
      .filter((row) => `/${manifest.path(row)}`.endsWith(`/${ending}`))
      .slice(0, ENDING_MAX)
      .map((row) => this.#rankOf(revision, row));
  }

  symbolsOf(file: number): readonly SymbolFact[] {
    return this.#read(file, NO_SYMBOLS, (facts, blob) => this.#cache.symbols(facts, blob));
  }

  symbolsNamed(file: number, name: string): readonly number[] {
    const place = this.#placeOf(file);
    const facts = place === null ? null : this.#factsOf(place.segment);
    if (facts === null) return NO_NUMBERS;
    const list = this.#listOf(place!.segment, facts, name);
    return list === null ? NO_NUMBERS : numbersOf(list, place!.blob);
  }

  headsOf(file: number): readonly ReferenceFact[] {
    return this.#read(file, NO_REFERENCES, (facts, blob) => this.#cache.heads(facts, blob));
  }

  referencesOf(file: number): readonly ReferenceFact[] {
    return this.#read(file, NO_REFERENCES, (facts, blob) => this.#cache.references(facts, blob));
  }

  importsOf(file: number): readonly ImportFact[] {
    return this.#read(file, NO_IMPORTS, (facts, blob) => this.#cache.imports(facts, blob));
  }

  namespaceOf(file: number): string | null {
    return this.#read<string | null>(file, null, (facts, blob) => this.#cache.namespace(facts, blob));
  }

  usesIn(file: number, name: string): readonly ReferenceFact[] {
    return this.#read(file, NO_REFERENCES, (facts, blob) => {
      const segment = this.#placeOf(file)!.segment;
      const found = this.#lookup(name)[segment];
      return found ? this.#reader.usesIn(facts, blob, found) : NO_REFERENCES;
    });
  }

  /** Imports that name or bind a name. */
  importsOfName(file: number, name: string): readonly ImportFact[] {
    return this.#read(file, NO_IMPORTS, (facts, blob) => {
      const found = this.#lookup(name)[this.#placeOf(file)!.segment];
      return found ? this.#reader.importsOf(facts, blob, found) : NO_IMPORTS;
    });
  }

  textOf(file: number): string | null {
    const content = this.contentOf(file);
    const known = this.#texts.get(content);
    if (known !== undefined) return known.text;
    const bytes = this.bytesOf(file);
    if (bytes === null) return null;
    const text = bytes.toString('utf8');
    this.#texts.set(content, { text });
    return text;
  }

  /** The stored text; null where there is none that can be read. */
  bytesOf(file: number): Buffer | null {
    const place = this.#placeOf(file);
    if (place === null) return null;
    try {
      return this.#ground.reader.blobText(this.#ground.segments[place.segment]!.file, place.blob);
    } catch (error) {
      if (damagedFileOf(error) === null) throw error;
      return null;
    }
  }

  /** A part of the stored text, from byte to byte, without reading the rest; null where it cannot be read. */
  partOf(file: number, start: number, end: number): Buffer | null {
    const place = this.#placeOf(file);
    if (place === null) return null;
    const { file: segment } = this.#ground.segments[place.segment]!;
    const { blobFirstBlocks, blockStarts, blockLengths } = segment.tables;
    const parts: Buffer[] = [];
    let at = start;
    try {
      for (let block = blobFirstBlocks[place.blob]!; block < blobFirstBlocks[place.blob + 1]!; block++) {
        const from = blockStarts[block]!;
        const to = from + blockLengths[block]!;
        // Blocks of a text share bytes where a line was cut.
        if (to <= at || from >= end) continue;
        const address = this.#ground.reader.text(segment, block) - from;
        const { bytes } = this.#ground.reader;
        parts.push(Buffer.from(bytes.slice(address + Math.max(at, from), address + Math.min(end, to))));
        at = Math.min(end, to);
      }
    } catch (error) {
      if (damagedFileOf(error) === null) throw error;
      return null;
    }
    return Buffer.concat(parts);
  }

  contentOf(file: number): number {
    this.#cursor.seek(file);
    return this.#ground.manifests[this.#cursor.manifest]!.blobIds[this.#cursor.row]!;
  }

  definitions(name: string, revision: number): readonly DefinitionPlace[] {
    const key = `${revision} ${name}`;
    let places = this.#definitions.get(key);
    if (places === undefined) {
      places = this.#definitionsIn(name, (rank) => this.#placeIn(rank, revision), revision);
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

  /** Names that are defined in visible texts and begin so; of those that are not accepted nothing is read. */
  definedWithPrefix(
    prefix: string,
    accepts: (name: string) => boolean,
    stop: () => boolean,
  ): ReadonlySet<string> {
    const names = new Set<string>();
    this.#eachSegment((facts, ranks) => {
      if (stop()) return;
      const visible = (blob: number) => ranks[blob] !== 0;
      const options = { limit: NEAR_NAMES_MAX, accepts, visible, stop };
      for (const { name } of this.#reader.namesWithPrefix(facts, prefix, options)) names.add(name);
    });
    return names;
  }

  get packages(): PackageTable {
    this.#packages ??= packageTable(this.packageFiles);
    return this.#packages;
  }

  /** Every manifest of a package that is visible, by rank. */
  get packageFiles(): readonly PackageFile[] {
    this.#packageFiles ??= this.#findPackageFiles();
    return this.#packageFiles;
  }

  /** Texts that use a name. */
  using(name: string, kinds?: readonly ReferenceKind[]): UsingTexts {
    const lists = this.#lookup(name).map((found, segment) => {
      const facts = found === null ? null : this.#factsOf(segment);
      return facts === null ? null : this.#guarded(segment, () => this.#reader.usesOf(facts, found!, kinds));
    });
    const most = lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
    const using = {
      ranks: new Uint32Array(most),
      counts: new Uint32Array(most),
      kinds: new Uint16Array(most),
      length: 0,
    };
    for (const [segment, list] of lists.entries()) {
      const ranks = this.#ground.view.rankOfBlob[segment];
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
      this.#eachSegment((facts, ranks) => {
        for (const blob of this.#reader.importersOf(facts, module)) {
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
    this.#eachSegment((facts, ranks) => {
      const options = {
        limit: Number.POSITIVE_INFINITY,
        visible: (blob: number) => ranks[blob] !== 0,
        ...(accepts ? { accepts } : {}),
      };
      const modules =
        where === 'prefix'
          ? this.#reader.modulesWithPrefix(facts, text, options)
          : this.#reader.modulesContaining(facts, text, options);
      for (const { module, importers } of modules) {
        const known = found.get(module) ?? [];
        for (const blob of importers) known.push(ranks[blob]!);
        found.set(module, known);
      }
    });
    return found;
  }

  /** The place of a text that is meant from a revision: in it, else in its repository, else the best. */
  placeFor(rank: number, revision: number): number {
    const wanted = this.#ground.shown[revision]!.repository.id;
    let inRepository = 0;
    let place = rank;
    for (let looked = 0; place !== 0 && looked < PLACES_LOOKED_AT; looked++) {
      const at = this.revisionOf(place);
      if (at === revision) return place;
      if (inRepository === 0 && this.#ground.shown[at]!.repository.id === wanted) inRepository = place;
      place = this.#ground.view.nextPlace[place]!;
    }
    return inRepository === 0 ? rank : inRepository;
  }

  /** The best place of a file's content. */
  bestPlace(file: number): number {
    const place = this.#placeOf(file);
    return place === null ? file : (this.#ground.view.rankOfBlob[place.segment]?.[place.blob] ?? file);
  }

  placesOf(file: number): number {
    let count = 0;
    for (let place = this.bestPlace(file); place !== 0; place = this.#ground.view.nextPlace[place]!) count++;
    return count;
  }

  /** Why a file has no facts, null where it has some. */
  factsMissing(file: number): FactsMissing | null {
    const place = this.#placeOf(file);
    if (place === null) {
      const { revision, row } = this.rowOf(file);
      return this.#ground.manifests[revision]!.skipped(row) ?? 'no-file';
    }
    const facts = this.#factsOf(place.segment);
    return facts === null ? 'pending' : this.#reader.skipped(facts, place.blob);
  }

  #rankOf(revision: number, row: number): number {
    const { runStarts, runRows } = this.#ground.view;
    const documentClass = this.#ground.manifests[revision]!.classOf(row);
    const run = documentClass * this.revisions + revision;
    return runStarts[run]! + row - runRows[run]!;
  }

  #placeOf(file: number): TextPlace | null {
    this.#cursor.seek(file);
    const blobId = this.#ground.manifests[this.#cursor.manifest]!.blobIds[this.#cursor.row]!;
    const { table } = this.#ground;
    const segment = this.#segmentOfSlot[table[2 * blobId]!] ?? -1;
    return blobId === 0 || segment < 0 ? null : { segment, blob: table[2 * blobId + 1]! };
  }

  #factsOf(segment: number): OpenFacts | null {
    return this.#damaged.has(segment) ? null : this.#ground.segments[segment]!.facts;
  }

  #read<T>(file: number, none: T, read: (facts: OpenFacts, blob: number) => T): T {
    const place = this.#placeOf(file);
    const facts = place === null ? null : this.#factsOf(place.segment);
    return facts === null ? none : this.#guarded(place!.segment, () => read(facts, place!.blob));
  }

  /** Damage costs the facts of its own segment. What was worked out by then may rest on them: the question has to be asked anew. */
  #guarded<T>(segment: number, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (damagedFileOf(error) === null) throw error;
      noteDamage(this.#ground.segments[segment]!.facts!.file);
      this.#damaged.add(segment);
      throw new DamageMet();
    }
  }

  #eachSegment(visit: (facts: OpenFacts, ranks: Uint32Array) => void): void {
    for (const segment of this.#ground.segments.keys()) {
      const facts = this.#factsOf(segment);
      const ranks = this.#ground.view.rankOfBlob[segment];
      if (facts !== null && ranks != null) this.#guarded(segment, () => visit(facts, ranks));
    }
  }

  #lookup(name: string): readonly (FactsName | null)[] {
    let found = this.#names.get(name);
    if (found === undefined) {
      found = this.#ground.segments.map((_, segment) => {
        const facts = this.#ground.view.rankOfBlob[segment] == null ? null : this.#factsOf(segment);
        return facts === null ? null : this.#guarded(segment, () => this.#reader.lookup(facts, name));
      });
      this.#names.set(name, found);
    }
    return found;
  }

  #definitionsIn(name: string, placeOf: (rank: number) => number, revision: number): DefinitionPlace[] {
    const places: DefinitionPlace[] = [];
    const { view, segments } = this.#ground;
    for (let segment = 0; segment < segments.length; segment++) {
      if (revision >= 0 && view.holds[segment * this.revisions + revision] === 0) continue;
      const facts = this.#factsOf(segment);
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
          : this.#guarded(segment, () => this.#reader.definitionsOf(facts, found));
      known = { list };
      this.#lists.set(key, known);
    }
    return known.list;
  }

  /** Of one segment alone: most names are looked for in few. */
  #lookupIn(segment: number, facts: OpenFacts, name: string): FactsName | null {
    const known = this.#names.get(name);
    if (known !== undefined) return known[segment] ?? null;
    return this.#guarded(segment, () => this.#reader.lookup(facts, name));
  }

  /** A place of the text in a revision; 0 for none. */
  #placeIn(rank: number, revision: number): number {
    const { runStarts, nextPlace } = this.#ground.view;
    for (let place = rank; place !== 0; place = nextPlace[place]!) {
      for (let documentClass = 0; documentClass < CLASSES; documentClass++) {
        const run = documentClass * this.revisions + revision;
        if (place >= runStarts[run]! && place < runStarts[run + 1]!) return place;
      }
    }
    return 0;
  }

  #findPackageFiles(): PackageFile[] {
    const files: PackageFile[] = [];
    this.#eachSegment((facts, ranks) => {
      for (const blob of this.#reader.packageFiles(facts)) {
        const best = ranks[blob]!;
        const fact = best === 0 ? null : this.#cache.package(facts, blob);
        if (fact === null) continue;
        for (let place = best; place !== 0; place = this.#ground.view.nextPlace[place]!) {
          const revision = this.revisionOf(place);
          const repository = this.#ground.shown[revision]!.repository.id;
          files.push({ file: place, revision, repository, path: this.pathOf(place), fact });
        }
      }
    });
    return files.sort((a, b) => a.file - b.file);
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
const NO_SYMBOLS: readonly SymbolFact[] = [];
const NO_REFERENCES: readonly ReferenceFact[] = [];
const NO_IMPORTS: readonly ImportFact[] = [];
