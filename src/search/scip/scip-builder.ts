import { crc32 } from 'node:zlib';
import { VarintWriter } from '../facts/varints.ts';
import { NumberColumn } from '../segments/number-column.ts';
import { HEADER_BYTES } from '../segments/segment-format.ts';
import { SegmentOutput } from '../segments/segment-output.ts';
import {
  encodeScipHead,
  RECORD_HEAD_BYTES,
  SYMBOLS_PER_PAGE,
  scipHash,
  scipTablesBytes,
  scipTablesOver,
} from './scip-format.ts';
import { symbolKey } from './scip-symbol.ts';

export interface ScipBuilderOptions {
  file: string;
  /** Overwrites what looks like a credential, keeping length and line breaks; returns how many. */
  mask(text: Uint8Array): number;
}

export interface ScipSummary {
  file: string;
  documents: number;
  symbols: number;
  uses: number;
  /** Names that looked like credentials. */
  maskedNames: number;
  fileBytes: number;
}

/** One occurrence of a document; `symbol` is a number that the builder gave, 0 for a local one. */
export interface ScipOccurrence {
  start: number;
  symbol: number;
  isDefinition: boolean;
}

const BODY_BYTES_MAX = 2 ** 32 - 1;

/** Writes a SCIP file document by document; what it holds in memory grows with the symbols and with the files that use each. */
export class ScipBuilder {
  readonly #output: SegmentOutput;
  readonly #mask: ScipBuilderOptions['mask'];
  readonly #record = new VarintWriter();
  readonly #offsets = new NumberColumn();
  readonly #paths: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #definitions = new PairColumn();
  readonly #starts = new NumberColumn();
  readonly #used = new PairColumn();
  readonly #implementations = new PairColumn();
  readonly #implemented = new PairColumn();
  #uses = 0;

  constructor({ file, mask }: ScipBuilderOptions) {
    this.#output = new SegmentOutput(file);
    this.#mask = mask;
  }

  /** Symbols so far. */
  get symbols(): number {
    return this.#numbers.size;
  }

  get uses(): number {
    return this.#uses;
  }

  /** Bytes on disk so far. */
  get bytes(): number {
    return this.#output.at;
  }

  /** The number of a symbol that is not local: from 1. */
  symbol(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  /** Each path once. Occurrences in any order; of several at one place one definition and one use count. */
  add(path: string, occurrences: readonly ScipOccurrence[]): void {
    const document = this.#paths.push(path) - 1;
    const sorted = [...occurrences].sort((a, b) => a.start - b.start || firstSaid(a) - firstSaid(b));
    const placed = sorted.filter(({ start, isDefinition }, at) => {
      const before = sorted[at - 1];
      return before?.start !== start || before.isDefinition !== isDefinition;
    });
    const record = this.#record;
    record.clear();
    text(record, path);
    record.number(placed.length);
    const users = new Set<number>();
    let before = 0;
    for (const { start, symbol, isDefinition } of placed) {
      record.number(start - before);
      record.number(symbol * 2 + (isDefinition ? 1 : 0));
      before = start;
      if (symbol === 0) continue;
      if (isDefinition) {
        this.#definitions.push(symbol, document);
        this.#starts.push(start);
      } else users.add(symbol);
    }
    for (const symbol of users) this.#used.push(symbol, document);
    this.#uses += placed.length;
    this.#offsets.push(this.#writeRecord());
  }

  /** By numbers: the first is an implementation of the second. */
  implementation(symbol: number, of: number): void {
    this.#implementations.push(symbol, of);
    this.#implemented.push(of, symbol);
  }

  finish(): ScipSummary {
    const names = [...this.#numbers.keys()];
    const maskedNames = this.#maskAll(names);
    this.#offsets.push(this.#at());
    const pageOffsets = this.#writeSymbols(names);
    const counts = {
      documents: this.#paths.length,
      symbols: names.length,
      pages: pageOffsets.length - 1,
    };
    const tablesBytes = scipTablesBytes(counts);
    const bytes = new Uint8Array(tablesBytes);
    const tables = scipTablesOver(bytes.buffer, counts);
    tables.documentOffsets.set(this.#offsets.values);
    tables.pageOffsets.set(pageOffsets);
    fill(tables.pathHashes, tables.pathDocuments, this.#paths.map(scipHash), 0);
    fill(
      tables.keyHashes,
      tables.keySymbols,
      names.map((name) => scipHash(symbolKey(name))),
      1,
    );
    const bodyBytes = this.#at();
    if (bodyBytes > BODY_BYTES_MAX) throw new Error('a SCIP file cannot be so large');
    const fileBytes = HEADER_BYTES + bodyBytes + tablesBytes;
    this.#output.write(bytes);
    this.#output.finish(
      encodeScipHead({
        ...counts,
        uses: this.#uses,
        bodyBytes,
        tablesBytes,
        tablesCrc: crc32(bytes),
        fileBytes,
      }),
    );
    return {
      file: this.#output.file,
      documents: counts.documents,
      symbols: counts.symbols,
      uses: this.#uses,
      maskedNames,
      fileBytes,
    };
  }

  discard(): void {
    this.#output.discard();
  }

  #writeSymbols(names: readonly string[]): number[] {
    const definitions = this.#definitions.bySymbol(names.length, this.#starts.values);
    const used = this.#used.bySymbol(names.length);
    const implementations = this.#implementations.bySymbol(names.length);
    const implemented = this.#implemented.bySymbol(names.length);
    const offsets: number[] = [];
    const record = this.#record;
    for (let first = 1; first <= names.length; first += SYMBOLS_PER_PAGE) {
      record.clear();
      const end = Math.min(first + SYMBOLS_PER_PAGE, names.length + 1);
      for (let symbol = first; symbol < end; symbol++) {
        text(record, names[symbol - 1]!);
        const places = definitions.of(symbol);
        record.number(places.length);
        for (const [document, start] of places) {
          record.number(document);
          record.number(start);
        }
        let before = 0;
        const documents = used.of(symbol);
        record.number(documents.length);
        for (const [document] of documents) {
          record.number(document - before);
          before = document;
        }
        for (const relation of [implementations.of(symbol), implemented.of(symbol)]) {
          record.number(relation.length);
          for (const [other] of relation) record.number(other);
        }
      }
      offsets.push(this.#writeRecord());
    }
    offsets.push(this.#at());
    return offsets;
  }

  /** Begins at the offset that it returns. */
  #writeRecord(): number {
    const at = this.#at();
    const head = Buffer.alloc(RECORD_HEAD_BYTES);
    head.writeUInt32LE(crc32(this.#record.bytes));
    this.#output.write(head);
    this.#output.write(this.#record.bytes);
    return at;
  }

  #at(): number {
    return this.#output.at - HEADER_BYTES;
  }

  #maskAll(names: string[]): number {
    let masked = 0;
    for (let first = 0; first < names.length; first += NAMES_AT_ONCE) {
      const part = names.slice(first, first + NAMES_AT_ONCE);
      const bytes = Buffer.from(part.join('\n'));
      const found = this.#mask(bytes);
      if (found === 0) continue;
      masked += found;
      for (const [at, name] of bytes.toString('utf8').split('\n').entries()) names[first + at] = name;
    }
    return masked;
  }
}

const NAMES_AT_ONCE = 4096;

/** Definitions come before uses, and what has a name in other files before what is local. */
function firstSaid({ symbol, isDefinition }: ScipOccurrence): number {
  return (isDefinition ? 0 : 2) + (symbol === 0 ? 1 : 0);
}

function text(record: VarintWriter, value: string): void {
  const bytes = Buffer.from(value);
  record.number(bytes.length);
  record.append(bytes);
}

function fill(
  hashes: Uint32Array,
  numbers: Uint32Array,
  unsorted: readonly number[],
  firstNumber: number,
): void {
  const order = Uint32Array.from(unsorted.keys()).sort((a, b) => unsorted[a]! - unsorted[b]! || a - b);
  for (const [at, index] of order.entries()) {
    hashes[at] = unsorted[index]!;
    numbers[at] = index + firstNumber;
  }
}

interface BySymbol {
  /** Values of a symbol, each with what stands beside it, in the order in which they came. */
  of(symbol: number): [number, number][];
}

/** Pairs of a symbol and a number. */
class PairColumn {
  readonly #symbols = new NumberColumn();
  readonly #values = new NumberColumn();

  push(symbol: number, value: number): void {
    this.#symbols.push(symbol);
    this.#values.push(value);
  }

  bySymbol(symbols: number, beside: Uint32Array | null = null): BySymbol {
    const of = this.#symbols.values;
    const values = this.#values.values;
    const starts = new Uint32Array(symbols + 2);
    for (const symbol of of) starts[symbol + 1]!++;
    for (let symbol = 1; symbol < starts.length; symbol++) starts[symbol]! += starts[symbol - 1]!;
    const next = starts.slice();
    const order = new Uint32Array(of.length);
    for (const [at, symbol] of of.entries()) order[next[symbol]!++] = at;
    return {
      of: (symbol) =>
        Array.from(order.subarray(starts[symbol]!, starts[symbol + 1]!), (at) => [
          values[at]!,
          beside?.[at] ?? 0,
        ]),
    };
  }
}
