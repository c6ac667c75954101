import { crc32 } from 'node:zlib';
import { NumberColumn } from '../segments/number-column.ts';
import { HEADER_BYTES } from '../segments/segment-format.ts';
import { SummedOutput } from '../segments/summed-output.ts';
import { DictionaryWriter } from './dictionary-writer.ts';
import {
  type DictionaryName,
  dictionaryNames,
  encodeFactsHead,
  FACTS_PAGE,
  FACTS_VERSION_BYTES_MAX,
  type FactsHead,
  type FactsTables,
  factsTablesBytes,
  factsTablesOver,
  HAS_PACKAGE,
  STRINGS_PER_PAGE,
  skipOf,
  stateOf,
  storedString,
} from './facts-format.ts';

import { PieceEncoder } from './pieces.ts';
import { PostingColumns, type PostingsByString } from './posting-columns.ts';
import { DEFINITION_EXPORTED, IMPORTS_IT, writeDefinition, writeUse } from './postings.ts';
import { FactsEncoder } from './record-columns.ts';
import { RecordReader } from './record-reader.ts';
import { writeNamedStrings } from './stored-record.ts';
import { StringNumbers } from './string-numbers.ts';
import {
  type FactsOutcome,
  type FactsSkip,
  type FactsSummary,
  type ReferenceKind,
  referenceKinds,
  type SymbolKind,
  symbolKinds,
} from './types.ts';
import { VarintWriter } from './varints.ts';

export interface FactsBuilderOptions {
  /** Where the facts go; nothing stands there before `finish`. */
  file: string;
  /** Of what extracted the facts: files of another one are extracted anew. At most 72 bytes. */
  factsVersion: string;
  /** Blobs of the segment; those that are not added count as `no-language`. */
  blobs: number;
}

/** A record as it lies in another file. */
export interface CopiedRecord {
  /** Numbers there of the strings that the columns name. */
  ids: Uint32Array;
  strings: CopiedStrings;
  columns: Buffer;
  /** The columns as they are stored. */
  stored: Buffer;
}

export interface CopiedStrings {
  text(id: number): string;
  /** By number there the number here, -1 where it has none yet: one such array for each file and builder. */
  numbers: Int32Array;
}

/** Longer columns of one file are refused: it is data, whatever its extractor made of it. */
const COLUMNS_BYTES_MAX = 16 << 20;
const COUNT_BITS = 21;
const COUNT_MAX = (1 << COUNT_BITS) - 1;
/** Names of imports that name nothing that could be looked up. */
const nameless: ReadonlySet<string> = new Set(['', '*', 'default']);

/**
 * Builds the facts file of one segment. Records go to disk as they come; strings and postings stay in memory until `finish`, about a
 * tenth of the text. Belongs to one thread.
 */
export class FactsBuilder {
  readonly #output: SummedOutput;
  readonly #factsVersion: string;
  readonly #blobs: number;
  readonly #encoder = new FactsEncoder();
  readonly #pieces = new PieceEncoder();
  readonly #strings = new StringNumbers();
  readonly #record = new VarintWriter();
  readonly #recordOffsets: Uint32Array;
  readonly #languages: Uint16Array;
  readonly #states: Uint8Array;
  /** Values: number of the symbol; its kind stands beside. */
  readonly #definitions = new PostingColumns();
  readonly #definitionKinds = new NumberColumn();
  /** Values: how often, and above COUNT_BITS the set of kinds. */
  readonly #uses = new PostingColumns();
  readonly #imports = new PostingColumns();
  readonly #symbolCounts = new Float64Array(symbolKinds.length);
  readonly #referenceCounts = new Float64Array(referenceKinds.length);
  #importCount = 0;
  #cutStrings = 0;
  #nextBlob = 0;

  constructor({ file, factsVersion, blobs }: FactsBuilderOptions) {
    if (Buffer.byteLength(factsVersion) > FACTS_VERSION_BYTES_MAX || factsVersion.includes('\0'))
      throw new Error('the version of facts is too long');
    this.#factsVersion = factsVersion;
    this.#blobs = blobs;
    this.#recordOffsets = new Uint32Array(blobs + 1);
    this.#languages = new Uint16Array(blobs);
    this.#states = new Uint8Array(blobs).fill(stateOf('no-language'));
    this.#output = new SummedOutput(file, FACTS_PAGE);
  }

  /** Memory that grows with what is added. */
  get bytesUsed(): number {
    const postings = this.#definitions.bytesUsed + this.#uses.bytesUsed + this.#imports.bytesUsed;
    return this.#strings.bytesUsed + postings + this.#definitionKinds.length * 4 + this.#blobs * 7;
  }

  /** The facts of a blob of the segment, ascending. `language` is its number in the language table, 0 for none. */
  add(blob: number, language: number, outcome: FactsOutcome): void {
    if ('skipped' in outcome) {
      this.addSkipped(blob, language, outcome.skipped);
      return;
    }
    const { strings, columns } = this.#encoder.encode(outcome.facts, (text) => this.#stored(text));
    if (columns.length > COLUMNS_BYTES_MAX) {
      this.addSkipped(blob, language, 'too-large');
      return;
    }
    const stringsBefore = this.#strings.count;
    const ids = strings.map((text) => this.#strings.numberOf(text));
    this.#pieces.write(columns, this.#startRecord(ids, stringsBefore));
    this.#putRecord(blob, language, ids, new RecordReader(columns));
  }

  addSkipped(blob: number, language: number, reason: FactsSkip): void {
    this.#goTo(blob);
    this.#languages[blob] = language;
    this.#states[blob] = stateOf(reason);
  }

  /** A record of another file of the same version. */
  addRecord(blob: number, language: number, { ids, strings, columns, stored }: CopiedRecord): void {
    const stringsBefore = this.#strings.count;
    const { numbers } = strings;
    const own = Array.from(ids, (id) => {
      if (numbers[id]! < 0) numbers[id] = this.#strings.numberOf(strings.text(id));
      return numbers[id]!;
    });
    this.#startRecord(own, stringsBefore).append(stored);
    this.#putRecord(blob, language, own, new RecordReader(columns));
  }

  /** Puts the file into place, lasting. */
  finish(): FactsSummary {
    this.#goTo(this.#blobs);
    this.#recordOffsets[this.#blobs] = this.#output.at;
    const sectionBytes: Record<string, number> = { records: this.#output.at };
    const section = <T>(name: string, write: () => T): T => {
      const from = this.#output.at;
      const written = write();
      sectionBytes[name] = this.#output.at - from;
      return written;
    };
    const stringOffsets = section('strings', () => this.#writeStrings());
    const writers = section('postings', () => this.#writePostings());
    const dictionaries = section('dictionaries', () => ({
      defined: writers.defined.writeBlocks(this.#output),
      used: writers.used.writeBlocks(this.#output),
      modules: writers.modules.writeBlocks(this.#output),
    }));
    const grams = section('grams', () => ({
      defined: writers.defined.writeGrams(this.#output),
      modules: writers.modules.writeGrams(this.#output),
    }));
    const bodyBytes = this.#output.at;
    const head = this.#putTables(
      bodyBytes,
      {
        recordOffsets: this.#recordOffsets,
        languages: this.#languages,
        states: this.#states,
        stringOffsets,
        dictionaries,
        grams,
        pageSums: this.#output.sums(),
      },
      writers,
    );
    sectionBytes['tables'] = head.tablesBytes;
    return this.#summary(head, sectionBytes);
  }

  /** Leaves nothing behind. */
  discard(): void {
    this.#output.discard();
  }

  #stored(text: string): string {
    const stored = storedString(text);
    if (stored !== text) this.#cutStrings++;
    return stored;
  }

  #startRecord(ids: readonly number[], stringsBefore: number): VarintWriter {
    this.#record.clear();
    writeNamedStrings(ids, stringsBefore, this.#record);
    return this.#record;
  }

  #putRecord(blob: number, language: number, ids: readonly number[], record: RecordReader): void {
    this.#goTo(blob);
    this.#output.write(this.#record.bytes);
    this.#recordOffsets[blob + 1] = this.#output.at;
    this.#languages[blob] = language;
    this.#states[blob] = record.hasPackage ? HAS_PACKAGE : 0;
    this.#gatherDefinitions(blob, ids, record);
    this.#gatherUses(blob, ids, record);
    this.#importCount += record.imports;
  }

  #goTo(blob: number): void {
    if (blob < this.#nextBlob || blob > this.#blobs) throw new Error('blobs are added in ascending order');
    for (let at = this.#nextBlob; at <= blob; at++) this.#recordOffsets[at] = this.#output.at;
    this.#nextBlob = blob + 1;
  }

  #gatherDefinitions(blob: number, ids: readonly number[], record: RecordReader): void {
    let symbol = 0;
    record.eachDefinition((place, kind, exported) => {
      this.#symbolCounts[kind]! += 1;
      this.#definitions.push(ids[place]!, blob, symbol++);
      this.#definitionKinds.push(kind | (exported ? DEFINITION_EXPORTED : 0));
    });
  }

  #gatherUses(blob: number, ids: readonly number[], record: RecordReader): void {
    const counts = new Uint32Array(ids.length);
    const kinds = new Uint16Array(ids.length);
    record.eachUse((place, kind) => {
      this.#referenceCounts[kind]! += 1;
      counts[place]! += 1;
      kinds[place]! |= 1 << kind;
    });
    const modules = new Map<number, number>();
    record.eachImport((module, name) => {
      modules.set(module, (modules.get(module) ?? 0) + 1);
      if (!nameless.has(this.#strings.text(ids[name]!))) kinds[name]! |= IMPORTS_IT;
    });
    for (const [place, set] of kinds.entries()) {
      if (set === 0) continue;
      this.#uses.push(ids[place]!, blob, Math.min(counts[place]!, COUNT_MAX) | (set << COUNT_BITS));
    }
    for (const [place, count] of modules) this.#imports.push(ids[place]!, blob, count);
  }

  /** Where each page begins, and behind them the end of the last. */
  #writeStrings(): Uint32Array {
    const { count } = this.#strings;
    const offsets = new NumberColumn();
    const page = new VarintWriter();
    for (let from = 0; from < count; from += STRINGS_PER_PAGE) {
      offsets.push(this.#output.at);
      const texts: Buffer[] = [];
      for (let i = from; i < Math.min(count, from + STRINGS_PER_PAGE); i++)
        texts.push(Buffer.from(this.#strings.text(i)));
      page.clear();
      for (const { length } of texts) page.number(length);
      this.#record.clear();
      this.#pieces.write(Buffer.concat([page.bytes, ...texts]), this.#record);
      this.#output.write(this.#record.bytes);
    }
    offsets.push(this.#output.at);
    return offsets.values;
  }

  #writePostings(): Record<DictionaryName, DictionaryWriter> {
    const { count } = this.#strings;
    const definitions = this.#definitions.byString(count);
    const uses = this.#uses.byString(count);
    const imports = this.#imports.byString(count);
    const members: Record<DictionaryName, number[]> = { defined: [], used: [], modules: [] };
    for (let string = 0; string < count; string++) {
      if (entriesOf(definitions, string) > 0) members.defined.push(string);
      else if (entriesOf(uses, string) > 0) members.used.push(string);
      if (entriesOf(imports, string) > 0) members.modules.push(string);
    }
    const writers = {
      defined: new DictionaryWriter({ searched: true }),
      used: new DictionaryWriter({ searched: false }),
      modules: new DictionaryWriter({ searched: true }),
    };
    for (const name of dictionaryNames) {
      const ofUses = name === 'modules' ? imports : uses;
      for (const string of this.#strings.sort(members[name])) {
        const listsAt = this.#output.at;
        const definitionBytes = name === 'defined' ? this.#writeDefinitions(definitions, string) : 0;
        const useBytes = this.#writeUses(ofUses, string, name === 'modules');
        writers[name].add(Buffer.from(this.#strings.text(string)), listsAt, {
          id: string,
          definitions: name === 'defined' ? entriesOf(definitions, string) : 0,
          definitionBytes,
          uses: entriesOf(ofUses, string),
          useBytes,
        });
      }
    }
    return writers;
  }

  #writeDefinitions({ starts, entries, blobs, values }: PostingsByString, string: number): number {
    const kinds = this.#definitionKinds.values;
    const list = this.#record;
    list.clear();
    let before = -1;
    for (let i = starts[string]!; i < starts[string + 1]!; i++) {
      const entry = entries[i]!;
      writeDefinition(list, blobs[entry]! - before, values[entry]!, kinds[entry]!);
      before = blobs[entry]!;
    }
    this.#output.write(list.bytes);
    return list.length;
  }

  #writeUses(
    { starts, entries, blobs, values }: PostingsByString,
    string: number,
    ofModules: boolean,
  ): number {
    const list = this.#record;
    list.clear();
    let before = -1;
    for (let i = starts[string]!; i < starts[string + 1]!; i++) {
      const entry = entries[i]!;
      const value = values[entry]!;
      const kinds = ofModules ? IMPORTS_IT : value >>> COUNT_BITS;
      writeUse(list, blobs[entry]! - before, kinds, value & COUNT_MAX);
      before = blobs[entry]!;
    }
    this.#output.write(list.bytes);
    return list.length;
  }

  #putTables(
    bodyBytes: number,
    tables: FactsTables,
    writers: Record<DictionaryName, DictionaryWriter>,
  ): FactsHead {
    const counts = {
      blobs: this.#blobs,
      strings: this.#strings.count,
      definedNames: writers.defined.names,
      usedNames: writers.used.names,
      modules: writers.modules.names,
      definedBlocks: tables.dictionaries.defined.blockOffsets.length - 1,
      usedBlocks: tables.dictionaries.used.blockOffsets.length - 1,
      modulesBlocks: tables.dictionaries.modules.blockOffsets.length - 1,
      definedSeparatorBytes: tables.dictionaries.defined.separators.length,
      usedSeparatorBytes: tables.dictionaries.used.separators.length,
      modulesSeparatorBytes: tables.dictionaries.modules.separators.length,
      definedGrams: tables.grams.defined.keys.length,
      modulesGrams: tables.grams.modules.keys.length,
      symbols: this.#definitions.length,
      references: this.#referenceCounts.reduce((sum, count) => sum + count, 0),
      imports: this.#importCount,
      bodyBytes,
    };
    const bytes = new Uint8Array(factsTablesBytes(counts));
    copyTables(tables, factsTablesOver(bytes.buffer, counts));
    const head: FactsHead = {
      ...counts,
      tablesBytes: bytes.length,
      tablesCrc: crc32(bytes),
      fileBytes: HEADER_BYTES + bodyBytes + bytes.length,
      factsVersion: this.#factsVersion,
    };
    this.#output.finish(encodeFactsHead(head), bytes);
    return head;
  }

  #summary(head: FactsHead, sectionBytes: Record<string, number>): FactsSummary {
    const skips = new Map<string, { reason: FactsSkip; language: number; blobs: number }>();
    let withFacts = 0;
    for (const [blob, state] of this.#states.entries()) {
      const reason = skipOf(state);
      if (reason === null) {
        withFacts++;
        continue;
      }
      const language = this.#languages[blob]!;
      const key = `${reason} ${language}`;
      const skip = skips.get(key) ?? { reason, language, blobs: 0 };
      skips.set(key, { ...skip, blobs: skip.blobs + 1 });
    }
    return {
      file: this.#output.file,
      factsVersion: head.factsVersion,
      blobs: head.blobs,
      blobsWithFacts: withFacts,
      symbols: head.symbols,
      symbolsByKind: byKind<SymbolKind>(symbolKinds, this.#symbolCounts),
      references: head.references,
      referencesByKind: byKind<ReferenceKind>(referenceKinds, this.#referenceCounts),
      imports: head.imports,
      definedNames: head.definedNames,
      usedNames: head.usedNames,
      modules: head.modules,
      skips: [...skips.values()],
      cutStrings: this.#cutStrings,
      sectionBytes,
      fileBytes: head.fileBytes,
    };
  }
}

function entriesOf({ starts }: PostingsByString, string: number): number {
  return starts[string + 1]! - starts[string]!;
}

function byKind<K extends string>(kinds: readonly K[], counts: Float64Array): Partial<Record<K, number>> {
  const named = kinds.flatMap((kind, i) => (counts[i] === 0 ? [] : [[kind, counts[i]]]));
  return Object.fromEntries(named) as Partial<Record<K, number>>;
}

function copyTables(from: FactsTables, to: FactsTables): void {
  to.recordOffsets.set(from.recordOffsets);
  to.languages.set(from.languages);
  to.states.set(from.states);
  to.stringOffsets.set(from.stringOffsets);
  for (const name of dictionaryNames) {
    to.dictionaries[name].blockOffsets.set(from.dictionaries[name].blockOffsets);
    to.dictionaries[name].separatorStarts.set(from.dictionaries[name].separatorStarts);
    to.dictionaries[name].separators.set(from.dictionaries[name].separators);
  }
  for (const name of ['defined', 'modules'] as const) {
    to.grams[name].keys.set(from.grams[name].keys);
    to.grams[name].offsets.set(from.grams[name].offsets);
  }
  to.pageSums.set(from.pageSums);
}
