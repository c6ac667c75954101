import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { VectorKind } from '../types.ts';
import { publishFile, writeAll } from './sync-file.ts';
import {
  aligned,
  encodeVectorHead,
  HEADER_BYTES,
  sectionsOf,
  shapeOf,
  type VectorShape,
} from './vector-format.ts';

const BUFFER_BYTES = 1 << 20;
const FIRST_ROWS = 1024;

/** Writes a segment front to back, the header last: whole at its name or not there at all. Rows come in the order of (owner, part). */
export class VectorSegmentWriter {
  readonly #file: string;
  readonly #kind: VectorKind;
  readonly #shape: VectorShape;
  readonly #fd: number;
  readonly #buffer: Buffer;
  #buffered = 0;
  #written = HEADER_BYTES;
  #recordsCrc = 0;
  #rows = 0;
  #owners = new Uint32Array(FIRST_ROWS);
  #parts = new Uint32Array(FIRST_ROWS);
  #sketches: Uint8Array;

  constructor(file: string, kind: VectorKind) {
    this.#file = file;
    this.#kind = kind;
    this.#shape = shapeOf(kind.dimensions);
    this.#buffer = Buffer.alloc(Math.max(BUFFER_BYTES, this.#shape.stride));
    this.#sketches = new Uint8Array(FIRST_ROWS * this.#shape.sketchBytes);
    this.#fd = openSync(`${file}.part`, 'w', 0o600);
  }

  get rows(): number {
    return this.#rows;
  }

  add(owner: number, part: number, values: Int8Array, scale: number): void {
    const { width, stride } = this.#shape;
    const record = this.#nextRecord();
    record.fill(0);
    record.set(new Uint8Array(values.buffer, values.byteOffset, values.length), 0);
    record.writeFloatLE(scale, width);
    record.writeUInt32LE(crc32(record.subarray(0, width + 4)), width + 4);
    this.#finishRecord(owner, part, record, stride);
  }

  /** Of another segment of the same kind, as it is. */
  addRecord(owner: number, part: number, bytes: Uint8Array): void {
    const record = this.#nextRecord();
    record.set(bytes);
    this.#finishRecord(owner, part, record, this.#shape.stride);
  }

  finish(): void {
    this.#flush();
    const sections = sectionsOf(this.#rows, this.#kind.dimensions);
    const owners = bytesOf(this.#owners.subarray(0, this.#rows));
    const parts = bytesOf(this.#parts.subarray(0, this.#rows));
    const sketches = this.#sketches.subarray(0, this.#rows * this.#shape.sketchBytes);
    writeAll(this.#fd, new Uint8Array(aligned(this.#written) - this.#written), this.#written);
    writeAll(this.#fd, owners, sections.owners);
    writeAll(this.#fd, parts, sections.parts);
    writeAll(this.#fd, sketches, sections.sketches);
    const head = encodeVectorHead({
      kind: this.#kind,
      rows: this.#rows,
      recordsCrc: this.#recordsCrc,
      ownersCrc: crc32(owners),
      partsCrc: crc32(parts),
      sketchesCrc: crc32(sketches),
    });
    writeAll(this.#fd, head, 0);
    fsyncSync(this.#fd);
    closeSync(this.#fd);
    publishFile(`${this.#file}.part`, this.#file);
  }

  discard(): void {
    closeSync(this.#fd);
    rmSync(`${this.#file}.part`, { force: true });
  }

  #nextRecord(): Buffer {
    const { stride } = this.#shape;
    if (this.#buffered + stride > this.#buffer.length) this.#flush();
    return this.#buffer.subarray(this.#buffered, this.#buffered + stride);
  }

  #finishRecord(owner: number, part: number, record: Uint8Array, stride: number): void {
    this.#buffered += stride;
    if (this.#rows === this.#owners.length) this.#grow();
    this.#owners[this.#rows] = owner;
    this.#parts[this.#rows] = part;
    const { sketchBytes } = this.#shape;
    sketchInto(this.#sketches, this.#rows * sketchBytes, record, this.#kind.dimensions);
    this.#rows += 1;
  }

  #grow(): void {
    const double = <T extends Uint8Array | Uint32Array>(column: T): T => {
      const grown = new (column.constructor as new (length: number) => T)(2 * column.length);
      grown.set(column);
      return grown;
    };
    this.#owners = double(this.#owners);
    this.#parts = double(this.#parts);
    this.#sketches = double(this.#sketches);
  }

  #flush(): void {
    const bytes = this.#buffer.subarray(0, this.#buffered);
    writeAll(this.#fd, bytes, this.#written);
    this.#recordsCrc = crc32(bytes, this.#recordsCrc);
    this.#written += bytes.length;
    this.#buffered = 0;
  }
}

/** Bits of the values that are above zero. */
function sketchInto(sketches: Uint8Array, at: number, record: Uint8Array, dimensions: number): void {
  for (let i = 0; i < dimensions; i++) {
    const value = record[i]!;
    if (value > 0 && value < 128) sketches[at + (i >> 3)]! |= 1 << (i & 7);
  }
}

function bytesOf(column: Uint32Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}
