import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { VarintReader } from '../facts/varints.ts';
import { HEADER_BYTES } from '../segments/segment-format.ts';
import { scipBroken } from './scip-errors.ts';
import {
  decodeScipHead,
  RECORD_HEAD_BYTES,
  type ScipHead,
  type ScipTables,
  SYMBOLS_PER_PAGE,
  scipHash,
  scipTablesOver,
} from './scip-format.ts';
import { symbolKey } from './scip-symbol.ts';

/** A SCIP file as it is sent to another thread, which shares its tables. */
export interface ScipHandle {
  file: string;
  head: ScipHead;
  tables: SharedArrayBuffer;
}

/** What is said of the places of one document. */
export interface ScipDocument {
  readonly path: string;
  /** Ascending. */
  readonly starts: Uint32Array;
  /** 0: local to the document. */
  readonly symbols: Uint32Array;
  readonly definitions: Uint8Array;
}

export interface ScipSymbol {
  readonly text: string;
  readonly definitions: readonly { document: number; start: number }[];
  /** Documents that use it, ascending. */
  readonly documents: readonly number[];
  readonly implementations: readonly number[];
  readonly implementedBy: readonly number[];
}

/** Opens a SCIP file: its tables are read into shared memory, and checked. Nothing stays open: there may be many. */
export function openScip(file: string): OpenScip {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const header = Buffer.alloc(HEADER_BYTES);
    const head = decodeScipHead(file, header.subarray(0, readSync(fd, header, 0, HEADER_BYTES, 0)), size);
    const tables = new SharedArrayBuffer(head.tablesBytes);
    readWhole(file, fd, new Uint8Array(tables), HEADER_BYTES + head.bodyBytes);
    if (crc32(new Uint8Array(tables)) !== head.tablesCrc)
      throw scipBroken(file, 'the tables are not as they were written');
    return new OpenScip({ file, head, tables });
  } finally {
    closeSync(fd);
  }
}

/** Records that are kept decoded, by what they hold. */
const DOCUMENT_USES_KEPT = 200_000;
const PAGES_KEPT = 200;

/** What a SCIP index says of one commit. Belongs to one thread; its tables are shared. */
export class OpenScip {
  readonly handle: ScipHandle;
  readonly file: string;
  readonly head: ScipHead;
  readonly #tables: ScipTables;
  readonly #documents = new LRUCache<number, ScipDocument>({
    maxSize: DOCUMENT_USES_KEPT,
    sizeCalculation: ({ starts }) => starts.length + 1,
  });
  readonly #pages = new LRUCache<number, readonly ScipSymbol[]>({ max: PAGES_KEPT });

  constructor(handle: ScipHandle) {
    this.handle = handle;
    this.file = handle.file;
    this.head = handle.head;
    this.#tables = scipTablesOver(handle.tables, handle.head);
  }

  /** -1 when nothing is said of the path. */
  documentAt(path: string): number {
    const { pathHashes, pathDocuments } = this.#tables;
    for (const at of equalTo(pathHashes, scipHash(path))) {
      const document = pathDocuments[at]!;
      if (this.document(document).path === path) return document;
    }
    return -1;
  }

  document(number: number): ScipDocument {
    let document = this.#documents.get(number);
    if (document === undefined) {
      document = this.#readDocument(number);
      this.#documents.set(number, document);
    }
    return document;
  }

  /** By a number from 1. */
  symbol(number: number): ScipSymbol {
    const page = Math.floor((number - 1) / SYMBOLS_PER_PAGE);
    let symbols = this.#pages.get(page);
    if (symbols === undefined) {
      symbols = this.#readPage(page);
      this.#pages.set(page, symbols);
    }
    const symbol = symbols[(number - 1) % SYMBOLS_PER_PAGE];
    if (symbol === undefined) throw scipBroken(this.file, 'it names a symbol that it does not hold');
    return symbol;
  }

  /** Symbols, in whatever version, that have this key. */
  symbolsOfKey(key: string): number[] {
    const { keyHashes, keySymbols } = this.#tables;
    return equalTo(keyHashes, scipHash(key))
      .map((at) => keySymbols[at]!)
      .filter((symbol) => symbolKey(this.symbol(symbol).text) === key);
  }

  #readDocument(number: number): ScipDocument {
    const { documentOffsets } = this.#tables;
    const { bytes, reader } = this.#record(documentOffsets[number]!, documentOffsets[number + 1]!);
    const path = textOf(bytes, reader);
    const count = reader.number();
    if (count > bytes.length) throw scipBroken(this.file, 'a record is not as it was written');
    const starts = new Uint32Array(count);
    const symbols = new Uint32Array(count);
    const definitions = new Uint8Array(count);
    let start = 0;
    for (let at = 0; at < count; at++) {
      start += reader.number();
      const said = reader.number();
      starts[at] = start;
      symbols[at] = said >>> 1;
      definitions[at] = said & 1;
    }
    return { path, starts, symbols, definitions };
  }

  #readPage(page: number): ScipSymbol[] {
    const { pageOffsets } = this.#tables;
    const { bytes, reader } = this.#record(pageOffsets[page]!, pageOffsets[page + 1]!);
    const count = Math.min(SYMBOLS_PER_PAGE, this.head.symbols - page * SYMBOLS_PER_PAGE);
    const list = <T>(read: () => T): T[] => Array.from({ length: reader.number() }, read);
    return Array.from({ length: count }, () => {
      const text = textOf(bytes, reader);
      const definitions = list(() => ({ document: reader.number(), start: reader.number() }));
      let document = 0;
      const documents = list(() => {
        document += reader.number();
        return document;
      });
      const implementations = list(() => reader.number());
      return { text, definitions, documents, implementations, implementedBy: list(() => reader.number()) };
    });
  }

  #record(from: number, to: number): { bytes: Buffer; reader: VarintReader } {
    if (!(from + RECORD_HEAD_BYTES <= to && to <= this.head.bodyBytes))
      throw scipBroken(this.file, 'it names a record that it does not hold');
    const whole = Buffer.allocUnsafe(to - from);
    const fd = openSync(this.file, 'r');
    try {
      readWhole(this.file, fd, whole, HEADER_BYTES + from);
    } finally {
      closeSync(fd);
    }
    const bytes = whole.subarray(RECORD_HEAD_BYTES);
    if (crc32(bytes) !== whole.readUInt32LE(0))
      throw scipBroken(this.file, 'a record is not as it was written');
    return { bytes, reader: new VarintReader(bytes) };
  }
}

/** Positions at which an ascending column has a value. */
function equalTo(column: Uint32Array, value: number): number[] {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! < value) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (; column[low] === value; low++) found.push(low);
  return found;
}

/** Position of the definition or of the use that begins at a byte; -1 for none. */
export function occurrenceAt(
  { starts, definitions }: Pick<ScipDocument, 'starts' | 'definitions'>,
  start: number,
  of: 'definition' | 'use',
): number {
  const wanted = of === 'definition' ? 1 : 0;
  return equalTo(starts, start).find((at) => definitions[at] === wanted) ?? -1;
}

function textOf(bytes: Buffer, reader: VarintReader): string {
  const length = reader.number();
  const text = bytes.toString('utf8', reader.at, reader.at + length);
  reader.at += length;
  return text;
}

function readWhole(file: string, fd: number, into: Uint8Array, position: number): void {
  for (let at = 0; at < into.length; ) {
    const read = readSync(fd, into, at, into.length - at, position + at);
    if (read === 0) throw scipBroken(file, 'the file is cut short');
    at += read;
  }
}
