import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { scipTooMuch, scipUnreadable } from './scip-faults.ts';

/** What columns of a document count: bytes of UTF-8, units of UTF-16 or characters. */
export type ColumnUnit = 'utf-8' | 'utf-16' | 'utf-32';

export interface ReadOccurrence {
  /** From 0. */
  line: number;
  /** From 0, in units of the document. */
  column: number;
  symbol: string;
  isDefinition: boolean;
}

export interface ReadDocument {
  path: string;
  unit: ColumnUnit;
  occurrences: readonly ReadOccurrence[];
  /** Pairs: the first is an implementation of the second. */
  implementations: readonly (readonly [string, string])[];
}

/** A document larger than this is none that a person wrote; also the bound of what is held at once. */
const DOCUMENT_BYTES_MAX = 32 << 20;
const OCCURRENCES_MAX = 1_000_000;
const DEFINITION = 1;

/**
 * Reads a SCIP index (scip.proto of github.com/sourcegraph/scip) front to back, one document in memory at a time: fields are read off
 * the wire, so that documentation and whatever is not asked for costs nothing. `visit` gets documents in their order; what is known of
 * other packages' symbols comes as a document without a path. Fails with `symbols/scip-unreadable` and `symbols/scip-too-much`.
 */
export function readScipIndex(file: string, visit: (document: ReadDocument) => void): { documents: number } {
  const source = new FieldSource(file);
  let documents = 0;
  try {
    for (let field = source.next(); field !== null; field = source.next()) {
      if (field.number === 2) {
        documents++;
        visit(readDocument(field.bytes()));
      } else if (field.number === 3) visit(externalSymbol(field.bytes()));
      else field.skip();
    }
  } finally {
    source.close();
  }
  if (documents === 0) throw scipUnreadable('it holds no document');
  return { documents };
}

interface Field {
  number: number;
  /** Its bytes; good until the next field. */
  bytes(): Buffer;
  skip(): void;
}

const BUFFER_BYTES = 1 << 20;

/** Fields of the outermost message, which may be larger than memory. */
class FieldSource {
  readonly #fd: number;
  readonly #size: number;
  #buffer: Buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  /** Where the buffer begins in the file, how much of it is filled, and how much of that is read. */
  #from = 0;
  #filled = 0;
  #at = 0;

  constructor(file: string) {
    this.#fd = openSync(file, 'r');
    this.#size = fstatSync(this.#fd).size;
  }

  next(): Field | null {
    if (this.#position >= this.#size) return null;
    if (this.#position === 0 && this.#ensure(2) && this.#buffer.readUInt16BE(0) === 0x1f8b)
      throw scipUnreadable('it is compressed');
    const key = this.#varint();
    const number = Math.floor(key / 8);
    const type = key % 8;
    if (number === 0) throw notWhole();
    if (type === WireType.Varint) {
      this.#varint();
      return nothing(number);
    }
    if (type === WireType.Bit32 || type === WireType.Bit64) {
      this.#jump(type === WireType.Bit32 ? 4 : 8);
      return nothing(number);
    }
    if (type !== WireType.LengthDelimited) throw notWhole();
    const length = this.#varint();
    if (this.#position + length > this.#size) throw notWhole();
    return {
      number,
      bytes: () => {
        if (length > DOCUMENT_BYTES_MAX)
          throw scipTooMuch(`a single document has over ${DOCUMENT_BYTES_MAX >> 20} MB`);
        if (!this.#ensure(length)) throw notWhole();
        const bytes = this.#buffer.subarray(this.#at, this.#at + length);
        this.#at += length;
        return bytes;
      },
      skip: () => this.#jump(length),
    };
  }

  close(): void {
    closeSync(this.#fd);
  }

  get #position(): number {
    return this.#from + this.#at;
  }

  #varint(): number {
    let value = 0;
    for (let shift = 1; shift <= 2 ** 42; shift *= 128) {
      if (!this.#ensure(1)) throw notWhole();
      const byte = this.#buffer[this.#at++]!;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
    throw notWhole();
  }

  #jump(bytes: number): void {
    this.#from = this.#position + bytes;
    this.#at = 0;
    this.#filled = 0;
    if (this.#from > this.#size) throw notWhole();
  }

  /** Whether so many bytes come, and are in the buffer now. */
  #ensure(bytes: number): boolean {
    if (this.#filled - this.#at >= bytes) return true;
    const rest = this.#buffer.subarray(this.#at, this.#filled);
    const buffer = bytes > this.#buffer.length ? Buffer.allocUnsafe(bytes) : this.#buffer;
    rest.copy(buffer, 0);
    this.#from += this.#at;
    this.#at = 0;
    this.#filled = rest.length;
    this.#buffer = buffer;
    while (this.#filled < bytes) {
      const free = buffer.length - this.#filled;
      const read = readSync(this.#fd, buffer, this.#filled, free, this.#from + this.#filled);
      if (read === 0) return false;
      this.#filled += read;
    }
    return true;
  }
}

function nothing(number: number): Field {
  return { number, bytes: () => Buffer.alloc(0), skip: () => {} };
}

function notWhole(): Error {
  return scipUnreadable('its bytes are no protobuf message, or it is cut short');
}

/** Faults of the wire reader are faults of the upload. */
function fieldsOf(
  bytes: Uint8Array,
  visit: (number: number, type: WireType, reader: BinaryReader) => boolean,
) {
  try {
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      const [number, type] = reader.tag();
      if (!visit(number, type, reader)) reader.skip(type, number);
    }
  } catch (error) {
    if (error instanceof Error && 'kind' in error) throw error;
    throw notWhole();
  }
}

const isBytes = (type: WireType) => type === WireType.LengthDelimited;

function readDocument(bytes: Uint8Array): ReadDocument {
  let path = '';
  let unit: ColumnUnit = 'utf-16';
  const occurrences: ReadOccurrence[] = [];
  const implementations: [string, string][] = [];
  fieldsOf(bytes, (number, type, reader) => {
    if (number === 1 && isBytes(type)) path = reader.string();
    else if (number === 2 && isBytes(type)) {
      if (occurrences.length >= OCCURRENCES_MAX)
        throw scipTooMuch(`a document has over ${OCCURRENCES_MAX} occurrences`);
      const occurrence = readOccurrence(reader.bytes());
      if (occurrence !== null) occurrences.push(occurrence);
    } else if (number === 3 && isBytes(type)) readSymbol(reader.bytes(), implementations);
    else if (number === 6 && type === WireType.Varint) {
      const said = reader.uint32();
      unit = said === 1 ? 'utf-8' : said === 3 ? 'utf-32' : 'utf-16';
    } else return false;
    return true;
  });
  return { path, unit, occurrences, implementations };
}

function externalSymbol(bytes: Uint8Array): ReadDocument {
  const implementations: [string, string][] = [];
  readSymbol(bytes, implementations);
  return { path: '', unit: 'utf-16', occurrences: [], implementations };
}

/** Null for what names no symbol or no place. */
function readOccurrence(bytes: Uint8Array): ReadOccurrence | null {
  const range: number[] = [];
  let symbol = '';
  let roles = 0;
  fieldsOf(bytes, (number, type, reader) => {
    if (number === 1 && isBytes(type)) {
      const end = reader.uint32() + reader.pos;
      if (end > reader.len) throw notWhole();
      while (reader.pos < end && range.length < 4) range.push(reader.int32());
      reader.pos = end;
    } else if (number === 1 && type === WireType.Varint && range.length < 4) range.push(reader.int32());
    else if (number === 2 && isBytes(type)) symbol = reader.string();
    else if (number === 3 && type === WireType.Varint) roles = reader.int32();
    else return false;
    return true;
  });
  const [line, column] = range;
  if (symbol === '' || line === undefined || column === undefined || range.length < 3) return null;
  return { line, column, symbol, isDefinition: (roles & DEFINITION) !== 0 };
}

function readSymbol(bytes: Uint8Array, implementations: [string, string][]): void {
  let symbol = '';
  const of: string[] = [];
  fieldsOf(bytes, (number, type, reader) => {
    if (number === 1 && isBytes(type)) symbol = reader.string();
    else if (number === 4 && isBytes(type)) {
      const related = readRelationship(reader.bytes());
      if (related !== null) of.push(related);
    } else return false;
    return true;
  });
  for (const one of of) if (symbol !== '') implementations.push([symbol, one]);
}

/** The symbol that is implemented; null for another kind of relationship. */
function readRelationship(bytes: Uint8Array): string | null {
  let symbol = '';
  let isImplementation = false;
  fieldsOf(bytes, (number, type, reader) => {
    if (number === 1 && isBytes(type)) symbol = reader.string();
    else if (number === 3 && type === WireType.Varint) isImplementation = reader.uint32() !== 0;
    else return false;
    return true;
  });
  return isImplementation && symbol !== '' ? symbol : null;
}
