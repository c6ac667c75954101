import { crc32 } from 'node:zlib';
import { vectorFileBroken, vectorFileVersion } from '../errors.ts';
import type { VectorKind } from '../types.ts';

/**
 * Vector segment file, little endian: a header of 1024 bytes, then records, owners, parts and sketches, each at a multiple of 64.
 *
 * Header: magic `PVEC`, u32 version, u32 CRC-32 of the rest of the header, u32 length of the JSON, `VectorHead` as JSON.
 * Records: for each row its values as int8, filled up with zeros to a multiple of 16; then f32 scale, u32 CRC-32 of values and scale,
 * eight zeros. Owners and parts: u32 for each row, in the order of (owner, part). Sketches: a bit for each value, set where it is above
 * zero, filled up to a multiple of 128 bits.
 *
 * Every byte is guarded: by a CRC-32 of each section that is checked when the section is loaded, and by that of each record when it
 * is read alone.
 *
 * Version 1: first. A reader accepts its own version alone: vectors can always be made anew.
 */
export const VECTOR_FORMAT_VERSION = 1;
export const HEADER_BYTES = 1024;
export const SECTION_ALIGNMENT = 64;
export const DIMENSIONS_MAX = 4096;
const MAGIC = 0x43455650;
const CHECKED_FROM = 12;
const JSON_AT = 16;

export interface VectorHead {
  kind: VectorKind;
  rows: number;
  recordsCrc: number;
  ownersCrc: number;
  partsCrc: number;
  sketchesCrc: number;
}

export interface VectorShape {
  /** Values of a record, with those that fill it up. */
  width: number;
  /** Bytes of a record. */
  stride: number;
  /** Bytes of a sketch. */
  sketchBytes: number;
}

export function shapeOf(dimensions: number): VectorShape {
  const width = Math.ceil(dimensions / 16) * 16;
  return { width, stride: width + 16, sketchBytes: Math.ceil(dimensions / 128) * 16 };
}

export interface VectorSections {
  records: number;
  owners: number;
  parts: number;
  sketches: number;
  fileBytes: number;
}

/** Where the sections begin. */
export function sectionsOf(rows: number, dimensions: number): VectorSections {
  const { stride, sketchBytes } = shapeOf(dimensions);
  const owners = aligned(HEADER_BYTES + rows * stride);
  const parts = aligned(owners + 4 * rows);
  const sketches = aligned(parts + 4 * rows);
  return { records: HEADER_BYTES, owners, parts, sketches, fileBytes: sketches + rows * sketchBytes };
}

export function aligned(bytes: number): number {
  return Math.ceil(bytes / SECTION_ALIGNMENT) * SECTION_ALIGNMENT;
}

export function encodeVectorHead(head: VectorHead): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(VECTOR_FORMAT_VERSION, 4);
  bytes.writeUInt32LE(json.length, 12);
  bytes.set(json, JSON_AT);
  bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), 8);
  return bytes;
}

export function decodeVectorHead(file: string, bytes: Buffer, fileBytes: number): VectorHead {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC) {
    throw vectorFileBroken(file, 'a file holds no vectors');
  }
  const version = bytes.readUInt32LE(4);
  if (version !== VECTOR_FORMAT_VERSION) throw vectorFileVersion(file, version, VECTOR_FORMAT_VERSION);
  if (crc32(bytes.subarray(CHECKED_FROM, HEADER_BYTES)) !== bytes.readUInt32LE(8)) {
    throw vectorFileBroken(file, 'a header is not as it was written');
  }
  const head = JSON.parse(bytes.toString('utf8', JSON_AT, JSON_AT + bytes.readUInt32LE(12))) as VectorHead;
  if (sectionsOf(head.rows, head.kind.dimensions).fileBytes !== fileBytes) {
    throw vectorFileBroken(file, 'a file is cut short or has grown');
  }
  return head;
}

/** Bytes of a bitmap over rows: whole words of 64 bits. */
export function rowBitmapBytes(rows: number): number {
  return Math.ceil(rows / 64) * 8;
}
