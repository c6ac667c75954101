import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { vectorFileBroken } from '../errors.ts';
import type { SegmentState } from './state-file.ts';
import {
  decodeVectorHead,
  HEADER_BYTES,
  rowBitmapBytes,
  sectionsOf,
  shapeOf,
  type VectorHead,
} from './vector-format.ts';
import type { Region, Regions } from './vector-memory.ts';

/** A segment whose parts lie in the shared memory; can be sent to other threads. Positions are addresses, 0 for what is not there. */
export interface LoadedSegment {
  file: string;
  head: VectorHead;
  owners: number;
  parts: number;
  /** Null: rows are picked by sketches and their records read from the file. */
  records: number | null;
  sketches: number | null;
  /** Bitmap of the rows that are deleted, or null. */
  deleted: number | null;
}

export type Residence = 'records' | 'sketches';

/** Bytes that are read and summed at a time. */
const PIECE_BYTES = 1 << 20;

/** Stops after each piece, so that others can have their turn. */
export function* loadSegment(
  file: string,
  residence: Residence,
  regions: Regions,
): Generator<void, { segment: LoadedSegment; region: Region }> {
  const fd = openSync(file, 'r');
  let region: Region | undefined;
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const read = readSync(fd, header, 0, HEADER_BYTES, 0);
    const head = decodeVectorHead(file, header.subarray(0, read), fstatSync(fd).size);
    const { rows, kind } = head;
    const sections = sectionsOf(rows, kind.dimensions);
    const { stride, sketchBytes } = shapeOf(kind.dimensions);
    const rowBytes = residence === 'records' ? stride : sketchBytes;
    const columnBytes = rowBitmapBytes(rows) * 32;
    region = regions.take(rowBytes * rows + 2 * columnBytes + 64);
    const owners = region.at;
    const parts = owners + columnBytes;
    const main = parts + columnBytes;
    const load = function* (at: number, from: number, bytes: number, wanted: number) {
      let sum = 0;
      for (let done = 0; done < bytes; done += PIECE_BYTES) {
        const piece = Math.min(PIECE_BYTES, bytes - done);
        const into = new Uint8Array(regions.memory.buffer, at + done, piece);
        readWhole(file, fd, into, from + done);
        sum = crc32(into, sum);
        yield;
      }
      if (sum !== wanted) throw vectorFileBroken(file, 'a section is not as it was written');
    };
    yield* load(owners, sections.owners, 4 * rows, head.ownersCrc);
    yield* load(parts, sections.parts, 4 * rows, head.partsCrc);
    if (residence === 'records') yield* load(main, sections.records, rowBytes * rows, head.recordsCrc);
    else yield* load(main, sections.sketches, rowBytes * rows, head.sketchesCrc);
    const segment: LoadedSegment = {
      file,
      head,
      owners,
      parts,
      records: residence === 'records' ? main : null,
      sketches: residence === 'sketches' ? main : null,
      deleted: null,
    };
    return { segment, region };
  } catch (error) {
    if (region) regions.give(region);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Reads a whole segment, and fails where anything of it is not as it was written. */
export function checkSegment(file: string): void {
  const fd = openSync(file, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const read = readSync(fd, header, 0, HEADER_BYTES, 0);
    const head = decodeVectorHead(file, header.subarray(0, read), fstatSync(fd).size);
    const { rows, kind } = head;
    const sections = sectionsOf(rows, kind.dimensions);
    const { stride, sketchBytes } = shapeOf(kind.dimensions);
    const buffer = Buffer.alloc(PIECE_BYTES);
    const check = (from: number, bytes: number, wanted: number) => {
      let sum = 0;
      for (let at = 0; at < bytes; at += buffer.length) {
        const piece = buffer.subarray(0, Math.min(buffer.length, bytes - at));
        readWhole(file, fd, piece, from + at);
        sum = crc32(piece, sum);
      }
      if (sum !== wanted) throw vectorFileBroken(file, 'a section is not as it was written');
    };
    check(sections.records, rows * stride, head.recordsCrc);
    check(sections.owners, 4 * rows, head.ownersCrc);
    check(sections.parts, 4 * rows, head.partsCrc);
    check(sections.sketches, rows * sketchBytes, head.sketchesCrc);
  } finally {
    closeSync(fd);
  }
}

/** The bitmap of a segment's deleted rows. */
export function loadDeleted(file: string, rows: number, regions: Regions): Region {
  const bits = readDeleted(file, rows);
  const region = regions.take(bits.length);
  new Uint8Array(regions.memory.buffer, region.at, bits.length).set(bits);
  return region;
}

/** A file of deleted rows: their bitmap, and behind it its CRC-32. */
export function readDeleted(file: string, rows: number): Uint8Array {
  const bytes = readFileSync(file);
  const bits = bytes.subarray(0, rowBitmapBytes(rows));
  if (bytes.length !== bits.length + 4 || crc32(bits) !== bytes.readUInt32LE(bits.length)) {
    throw vectorFileBroken(file, 'the list of deleted rows is not as it was written');
  }
  return new Uint8Array(bits);
}

export function encodeDeleted(bits: Uint8Array): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(bits));
  return Buffer.concat([bits, sum]);
}

/** Memory of a segment that is not there yet, by its entry in the state. */
export function recordBytesOf({ rows, kind }: SegmentState): number {
  return rows * shapeOf(kind.dimensions).stride;
}

export function readWhole(file: string, fd: number, into: Uint8Array, position: number): void {
  for (let at = 0; at < into.length; ) {
    const read = readSync(fd, into, at, into.length - at, position + at);
    if (read === 0) throw vectorFileBroken(file, 'a file is cut short');
    at += read;
  }
}
