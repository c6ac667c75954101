import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { modelFileBroken } from '../errors.ts';

/**
 * The static table, little endian: magic `PSTA`, u32 version, u32 CRC-32 of all that follows, u32 pieces, u32 dimensions, u32 zero, the
 * first 16 bytes of the SHA-256 of the vocabulary; f32 centroid of documents and of queries, f32 scale of each piece (0: it
 * counts nothing), then the rows as int8.
 *
 * Version 1: first.
 */
const TABLE_VERSION = 1;
const MAGIC = 0x41545350;
const HEADER_BYTES = 40;
const CHECKED_FROM = 12;

export interface StaticTable {
  dimensions: number;
  documentCentroid: Float32Array;
  queryCentroid: Float32Array;
  scales: Float32Array;
  rows: Int8Array;
  /** Of the file, so that vectors of two tables are never mixed. */
  sum: string;
}

export function readStaticTable(file: string, vocabulary: ReadonlyMap<string, number>): StaticTable {
  const bytes = readFileSync(file);
  if (
    bytes.length < HEADER_BYTES ||
    bytes.readUInt32LE(0) !== MAGIC ||
    bytes.readUInt32LE(4) !== TABLE_VERSION
  ) {
    throw modelFileBroken(file, 'the static table does not begin as one');
  }
  const sum = crc32(bytes.subarray(CHECKED_FROM));
  if (sum !== bytes.readUInt32LE(8)) throw modelFileBroken(file, 'the static table is not as it was written');
  const pieces = bytes.readUInt32LE(12);
  const dimensions = bytes.readUInt32LE(16);
  if (!vocabularyMark(vocabulary).equals(bytes.subarray(24, HEADER_BYTES))) {
    throw modelFileBroken(file, 'the static table was fitted with another vocabulary');
  }
  const { buffer } = new Uint8Array(bytes);
  let at = HEADER_BYTES;
  const floats = (count: number) => {
    const values = new Float32Array(buffer, at, count);
    at += 4 * count;
    return values;
  };
  const documentCentroid = floats(dimensions);
  const queryCentroid = floats(dimensions);
  const scales = floats(pieces);
  const rows = new Int8Array(buffer, at, pieces * dimensions);
  return {
    dimensions,
    documentCentroid,
    queryCentroid,
    scales,
    rows,
    sum: sum.toString(16).padStart(8, '0'),
  };
}

export function encodeStaticTable(
  table: Omit<StaticTable, 'sum'>,
  vocabulary: ReadonlyMap<string, number>,
): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(TABLE_VERSION, 4);
  head.writeUInt32LE(table.scales.length, 12);
  head.writeUInt32LE(table.dimensions, 16);
  head.set(vocabularyMark(vocabulary), 24);
  const { documentCentroid, queryCentroid, scales, rows } = table;
  const columns = [documentCentroid, queryCentroid, scales, rows].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  const bytes = Buffer.concat([head, ...columns]);
  bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), 8);
  return bytes;
}

function vocabularyMark(vocabulary: ReadonlyMap<string, number>): Buffer {
  const listed = [...vocabulary].sort(([, a], [, b]) => a - b).map(([piece]) => piece);
  return createHash('sha256').update(listed.join('\n')).digest().subarray(0, 16);
}
