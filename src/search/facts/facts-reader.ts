import { LRUCache } from 'lru-cache';
import { SummedPages } from '../segments/summed-pages.ts';
import type { ListedName } from './dictionary-block.ts';
import type { CopiedRecord } from './facts-builder.ts';
import { FACTS_PAGE, HAS_PACKAGE, skipOf, storedString } from './facts-format.ts';
import { NameSearch, type NameVisit } from './name-search.ts';
import type { OpenFacts } from './open-facts.ts';
import { PieceDecoder } from './pieces.ts';
import {
  type DefinitionList,
  IMPORTS_IT,
  kindsMask,
  readDefinitions,
  readUses,
  type UseList,
} from './postings.ts';
import { RecordReader } from './record-reader.ts';
import { readNamedStrings } from './stored-record.ts';
import { readSymbol, type StoredSymbol } from './stored-symbol.ts';
import { StringPages } from './string-pages.ts';
import {
  type FactsCounters,
  type FactsOutcome,
  type FactsSkip,
  type FileFacts,
  type ImportFact,
  type PackageFact,
  type ReferenceFact,
  type ReferenceKind,
  referenceKinds,
  type SymbolFact,
} from './types.ts';

export interface FactsReaderOptions {
  /** Pages of files that are kept. Default 16 MB. */
  pageBytes?: number;
  /** Decompressed records that are kept. Default 16 MB. */
  recordBytes?: number;
}

/** A name of one open file. Its numbers count hidden blobs too. */
export interface FactsName extends ListedName {
  name: string;
}

export interface FoundName {
  name: string;
  /** Where it is defined, in blobs that may be seen; at least once. */
  definitions: DefinitionList;
}

export interface FoundModule {
  module: string;
  /** Blobs that import it and may be seen; at least one. */
  importers: Uint32Array;
}

export interface NameSearchOptions {
  /** At least 1. */
  limit: number;
  /** Whether a name counts at all: of one that does not nothing is read. Default: all do. */
  accepts?: (name: string) => boolean;
  /** What is in other blobs alone is not found and does not count. Default: all may be seen. */
  visible?: (blob: number) => boolean;
  /** Asked again and again, every few dozen names; true ends the search with what is found. Default: it goes through all names. */
  stop?: () => boolean;
}

const PAGE_BYTES = 16 << 20;
const CACHED_SPAN = 4;
const RECORD_BYTES = 16 << 20;
const BLOBS_OF_A_FILE = 2 ** 24;
const EVERY_KIND = (1 << referenceKinds.length) - 1;

interface DecodedRecord {
  ids: Uint32Array;
  columns: RecordReader;
  columnBytes: number;
}

/**
 * Reads facts for one thread, of any number of open files: names and lists by dictionary, records by blob. Names are looked up as they
 * are stored, the first 1024 bytes of them. Damage is a `search/facts-broken`, and tells which file.
 */
export class FactsReader {
  readonly #counters: FactsCounters = noWork();
  readonly #pages: SummedPages;
  readonly #names: NameSearch;
  readonly #decoder = new PieceDecoder();
  readonly #strings: StringPages;
  readonly #records: LRUCache<number, DecodedRecord>;

  constructor({ pageBytes = PAGE_BYTES, recordBytes = RECORD_BYTES }: FactsReaderOptions = {}) {
    this.#pages = new SummedPages(
      { pageBytes: FACTS_PAGE, cacheBytes: pageBytes, cachedSpan: CACHED_SPAN },
      this.#counters,
    );
    this.#names = new NameSearch(this.#pages, this.#counters);
    this.#strings = new StringPages(this.#pages, this.#decoder, this.#counters);
    this.#records = new LRUCache({
      maxSize: recordBytes,
      sizeCalculation: ({ ids, columnBytes }) => columnBytes + 4 * ids.length + 200,
    });
  }

  /** Null where no blob defines, uses or imports it. Give what comes back to the methods below rather than ask again by name. */
  lookup(facts: OpenFacts, name: string): FactsName | null {
    const bytes = Buffer.from(storedString(name));
    const found = this.#names.find(facts, 'defined', bytes) ?? this.#names.find(facts, 'used', bytes);
    return found === null ? null : { ...found, name: bytes.toString() };
  }

  definitionsOf(facts: OpenFacts, name: string | FactsName): DefinitionList {
    const found =
      typeof name === 'string' ? this.#names.find(facts, 'defined', Buffer.from(storedString(name))) : name;
    return found === null ? readDefinitions(nothing, 0) : this.#definitions(facts, found);
  }

  /** Blobs that use the name by one of the kinds, all unless told. */
  usesOf(facts: OpenFacts, name: string | FactsName, kinds?: readonly ReferenceKind[]): UseList {
    return this.#uses(facts, this.#named(facts, name), kinds ? kindsMask(kinds) : EVERY_KIND);
  }

  /** Blobs that import something of this name, from whatever module. */
  blobsImportingName(facts: OpenFacts, name: string | FactsName): Uint32Array {
    return this.#uses(facts, this.#named(facts, name), IMPORTS_IT).blobs;
  }

  /** Blobs that import the module as it is written there. */
  importersOf(facts: OpenFacts, module: string): Uint32Array {
    const found = this.#names.find(facts, 'modules', Buffer.from(storedString(module)));
    return this.#uses(facts, found, IMPORTS_IT).blobs;
  }

  /** Defined names in the order of the dictionary, see name-order.ts. */
  namesWithPrefix(facts: OpenFacts, prefix: string, options: NameSearchOptions): FoundName[] {
    const found: FoundName[] = [];
    this.#names.eachWithPrefix(
      facts,
      'defined',
      Buffer.from(prefix),
      this.#collectNames(facts, found, options),
    );
    return found;
  }

  /** Defined names that hold the text, where A-Z count as a-z, in the order of the dictionary, see name-order.ts. */
  namesContaining(facts: OpenFacts, text: string, options: NameSearchOptions): FoundName[] {
    const found: FoundName[] = [];
    this.#names.eachContaining(
      facts,
      'defined',
      Buffer.from(text),
      this.#collectNames(facts, found, options),
    );
    return found;
  }

  /** The definitions of each name that is the same where A-Z count as a-z. */
  definitionsInAnyCase(facts: OpenFacts, name: string): DefinitionList[] {
    const spellings = this.#names.findInAnyCase(facts, 'defined', Buffer.from(storedString(name)));
    return spellings.map((lists) => this.#definitions(facts, lists));
  }

  modulesWithPrefix(facts: OpenFacts, prefix: string, options: NameSearchOptions): FoundModule[] {
    const found: FoundModule[] = [];
    this.#names.eachWithPrefix(
      facts,
      'modules',
      Buffer.from(prefix),
      this.#collectModules(facts, found, options),
    );
    return found;
  }

  modulesContaining(facts: OpenFacts, text: string, options: NameSearchOptions): FoundModule[] {
    const found: FoundModule[] = [];
    this.#names.eachContaining(
      facts,
      'modules',
      Buffer.from(text),
      this.#collectModules(facts, found, options),
    );
    return found;
  }

  /** Blobs that are package manifests. Reads nothing. */
  packageFiles(facts: OpenFacts): Uint32Array {
    const { states } = facts.tables;
    const blobs: number[] = [];
    for (let blob = 0; blob < states.length; blob++) if (states[blob]! & HAS_PACKAGE) blobs.push(blob);
    return Uint32Array.from(blobs);
  }

  /** Why a blob has no facts, null where it has some. Reads nothing. */
  skipped(facts: OpenFacts, blob: number): FactsSkip | null {
    return skipOf(facts.tables.states[blob]!);
  }

  /** Number of the blob's language in the language table, 0 for none. Reads nothing. */
  language(facts: OpenFacts, blob: number): number {
    return facts.tables.languages[blob]!;
  }

  /** All facts of a blob. */
  file(facts: OpenFacts, blob: number): FactsOutcome {
    const skipped = this.skipped(facts, blob);
    if (skipped !== null) return { skipped };
    return {
      facts: {
        symbols: this.symbolsOf(facts, blob),
        references: this.referencesOf(facts, blob),
        imports: this.importsOf(facts, blob),
        namespace: this.namespaceOf(facts, blob),
        packageFile: this.packageOf(facts, blob),
      } satisfies FileFacts,
    };
  }

  symbolsOf(facts: OpenFacts, blob: number): SymbolFact[] {
    return this.storedSymbolsOf(facts, blob).map(readSymbol);
  }

  /** The same, for as long as the file is open: names and types are read when they are asked for, and then fail as this does. */
  storedSymbolsOf(facts: OpenFacts, blob: number): StoredSymbol[] {
    const record = this.#record(facts, blob);
    return record?.columns.readSymbols(this.#textOf(facts, record)) ?? [];
  }

  /** One symbol by its number, null where the blob has none of that number. */
  symbolAt(facts: OpenFacts, blob: number, symbol: number): SymbolFact | null {
    if (symbol < 0) return null;
    const record = this.#record(facts, blob);
    const [found] = record?.columns.readSymbols(this.#textOf(facts, record), symbol, 1) ?? [];
    return found === undefined ? null : readSymbol(found);
  }

  /** All references, in their order. */
  referencesOf(facts: OpenFacts, blob: number): ReferenceFact[] {
    const record = this.#record(facts, blob);
    return record?.columns.readReferences(this.#textOf(facts, record)) ?? [];
  }

  /** The references of some kinds, in their order. */
  referencesOfKinds(facts: OpenFacts, blob: number, kinds: readonly ReferenceKind[]): ReferenceFact[] {
    const record = this.#record(facts, blob);
    return record?.columns.readReferences(this.#textOf(facts, record), -1, kindsMask(kinds)) ?? [];
  }

  /** The references of one name. */
  usesIn(facts: OpenFacts, blob: number, name: string | FactsName): ReferenceFact[] {
    const record = this.#record(facts, blob);
    const place = record === null ? -1 : this.#placeOf(facts, record, name);
    if (record === null || place < 0) return [];
    return record.columns.readReferences(this.#textOf(facts, record), place);
  }

  /** All imports, or those that import or bind one name. */
  importsOf(facts: OpenFacts, blob: number, name?: string | FactsName): ImportFact[] {
    const record = this.#record(facts, blob);
    if (record === null) return [];
    if (name === undefined) return record.columns.readImports(this.#textOf(facts, record));
    const place = this.#placeOf(facts, record, name);
    return place < 0 ? [] : record.columns.readImports(this.#textOf(facts, record), place);
  }

  namespaceOf(facts: OpenFacts, blob: number): string | null {
    const record = this.#record(facts, blob);
    return record === null ? null : record.columns.readNamespace(this.#textOf(facts, record));
  }

  packageOf(facts: OpenFacts, blob: number): PackageFact | null {
    if ((facts.tables.states[blob]! & HAS_PACKAGE) === 0) return null;
    return this.#record(facts, blob)?.columns.readPackage() ?? null;
  }

  /** A record as another file takes it over; null where the blob has none. */
  storedRecord(facts: OpenFacts, blob: number): Omit<CopiedRecord, 'strings'> | null {
    const record = this.#storedBytes(facts, blob);
    if (record === null) return null;
    const { ids, end } = readNamedStrings(record);
    return { ids, columns: this.#decoder.read(facts.file, record, end), stored: record.subarray(end) };
  }

  /** One of the file's strings. */
  text(facts: OpenFacts, id: number): string {
    return this.#strings.text(facts, id);
  }

  /** The work done since this was last asked. */
  takeCounters(): FactsCounters {
    const taken = { ...this.#counters };
    Object.assign(this.#counters, noWork());
    return taken;
  }

  #named(facts: OpenFacts, name: string | FactsName): FactsName | null {
    return typeof name === 'string' ? this.lookup(facts, name) : name;
  }

  #definitions(facts: OpenFacts, { listsAt, definitions, definitionBytes }: ListedName): DefinitionList {
    return readDefinitions(this.#list(facts, listsAt, definitionBytes), definitions);
  }

  #uses(facts: OpenFacts, found: ListedName | null, kinds: number): UseList {
    if (found === null) return readUses(nothing, 0, kinds);
    const bytes = this.#list(facts, found.listsAt + found.definitionBytes, found.useBytes);
    return readUses(bytes, found.uses, kinds);
  }

  #list(facts: OpenFacts, offset: number, length: number): Buffer {
    if (length === 0) return nothing;
    this.#counters.lists++;
    this.#counters.listBytes += length;
    return this.#pages.read(facts, offset, length);
  }

  #collectNames(
    facts: OpenFacts,
    found: FoundName[],
    { limit, accepts, visible, stop }: NameSearchOptions,
  ): NameVisit {
    const visit = (name: string, lists: ListedName) => {
      if (accepts && !accepts(name)) return undefined;
      const definitions = visibleDefinitions(this.#definitions(facts, lists), visible);
      if (definitions.length > 0) found.push({ name, definitions });
      return found.length >= limit ? 'stop' : undefined;
    };
    return { visit, stop };
  }

  #collectModules(
    facts: OpenFacts,
    found: FoundModule[],
    { limit, accepts, visible, stop }: NameSearchOptions,
  ): NameVisit {
    const visit = (module: string, lists: ListedName) => {
      if (accepts && !accepts(module)) return undefined;
      const { blobs } = this.#uses(facts, lists, IMPORTS_IT);
      const importers = visible ? blobs.filter(visible) : blobs;
      if (importers.length > 0) found.push({ module, importers });
      return found.length >= limit ? 'stop' : undefined;
    };
    return { visit, stop };
  }

  #textOf(facts: OpenFacts, { ids }: DecodedRecord): (place: number) => string {
    return (place) => this.#strings.text(facts, ids[place]!);
  }

  #placeOf(facts: OpenFacts, { ids }: DecodedRecord, name: string | FactsName): number {
    const found = this.#named(facts, name);
    return found === null ? -1 : ids.indexOf(found.id);
  }

  #record(facts: OpenFacts, blob: number): DecodedRecord | null {
    const key = facts.serial * BLOBS_OF_A_FILE + blob;
    const known = this.#records.get(key);
    if (known !== undefined) return known;
    const stored = this.#storedBytes(facts, blob);
    if (stored === null) return null;
    this.#counters.records++;
    const { ids, end } = readNamedStrings(stored);
    const columns = this.#decoder.read(facts.file, stored, end);
    const record = { ids, columns: new RecordReader(columns), columnBytes: columns.length };
    this.#records.set(key, record);
    return record;
  }

  #storedBytes(facts: OpenFacts, blob: number): Buffer | null {
    const { recordOffsets } = facts.tables;
    const offset = recordOffsets[blob]!;
    const length = recordOffsets[blob + 1]! - offset;
    return length === 0 ? null : this.#pages.read(facts, offset, length);
  }
}

const nothing = Buffer.alloc(0);

function visibleDefinitions(
  list: DefinitionList,
  visible: ((blob: number) => boolean) | undefined,
): DefinitionList {
  if (visible === undefined) return list;
  const kept = Array.from(list.blobs.keys()).filter((i) => visible(list.blobs[i]!));
  if (kept.length === list.length) return list;
  return {
    length: kept.length,
    blobs: Uint32Array.from(kept, (i) => list.blobs[i]!),
    symbols: Uint32Array.from(kept, (i) => list.symbols[i]!),
    kinds: Uint8Array.from(kept, (i) => list.kinds[i]!),
    exported: Uint8Array.from(kept, (i) => list.exported[i]!),
  };
}

function noWork(): FactsCounters {
  return {
    dictionaryBlocks: 0,
    lists: 0,
    listBytes: 0,
    records: 0,
    stringPages: 0,
    fileReads: 0,
    fileBytesRead: 0,
  };
}
