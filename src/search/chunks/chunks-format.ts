import { crc32 } from 'node:zlib';
import { HEADER_BYTES } from '../segments/segment-format.ts';
import { chunksBroken, chunksFormat } from './chunks-errors.ts';
import { type ChunkSkip, chunkSkips } from './types.ts';

/**
 * Chunks file, little endian: the chunks of the texts of one segment, by that segment's own blob numbers, and which words stand in
 * them. The chunks of a blob have numbers that follow each other, and those of the next blob follow them. A header of 256 bytes, a
 * body, tables. Offsets are counted from the start of the body, which is shorter than 4 GB.
 *
 * Header: magic `PCHK`, u32 version, u32 CRC-32 of the rest of the header, then the fields of `ChunksHead` as `fields` lists them
 * from byte 16 on, then the version of what cut the chunks, in UTF-8.
 * Body, in this order:
 *   records     one for each blob that has chunks, see chunk-records.ts
 *   postings    which chunks have a term, see term-postings.ts; in the order of the dictionary
 *   dictionary  the terms by the 48 bits of their hashes (term-hash.ts), see term-dictionary.ts: words themselves are nowhere
 * Tables: the columns of `chunksTablesOver`, each at a multiple of 8.
 *
 * Every byte is guarded: header and tables by a CRC-32 that is checked at opening, the body by one for each page of 16 KB that is
 * checked when the page is first read.
 *
 * Version 1: first. A reader accepts its own version alone: chunks can always be cut anew.
 */
export const CHUNKS_FORMAT = 1;

export const CHUNKS_PAGE = 16_384;
export const CHUNKS_VERSION_BYTES_MAX = 136;
const MAGIC = 0x4b484350;
const CHECKED_FROM = 12;
const VERSION_AT = 120;

const fields = [
  'blobs',
  'chunks',
  'terms',
  'termBlocks',
  'postings',
  'cutBlobs',
  'textBytes',
  'bodyBytes',
  'tablesBytes',
  'tablesCrc',
  'fileBytes',
] as const;

/** Numbers are stored as doubles: exact for every size that a file can have. */
export type ChunksHead = Record<(typeof fields)[number], number> & { chunksVersion: string };

export function encodeChunksHead(head: ChunksHead): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(CHUNKS_FORMAT, 4);
  fields.forEach((field, i) => {
    bytes.writeDoubleLE(head[field], 16 + 8 * i);
  });
  bytes.write(head.chunksVersion, VERSION_AT, CHUNKS_VERSION_BYTES_MAX, 'utf8');
  bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), 8);
  return bytes;
}

export function decodeChunksHead(file: string, bytes: Buffer, fileBytes: number): ChunksHead {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC)
    throw chunksBroken(file, 'a file holds no chunks');
  const version = bytes.readUInt32LE(4);
  if (version !== CHUNKS_FORMAT) throw chunksFormat(file, version, CHUNKS_FORMAT);
  if (crc32(bytes.subarray(CHECKED_FROM, HEADER_BYTES)) !== bytes.readUInt32LE(8))
    throw chunksBroken(file, 'the header is not as it was written');
  const numbers = Object.fromEntries(fields.map((field, i) => [field, bytes.readDoubleLE(16 + 8 * i)]));
  const chunksVersion = bytes
    .toString('utf8', VERSION_AT, VERSION_AT + CHUNKS_VERSION_BYTES_MAX)
    .replace(/\0+$/, '');
  const head = { ...numbers, chunksVersion } as ChunksHead;
  if (head.fileBytes !== fileBytes) throw chunksBroken(file, 'a file is cut short or has grown');
  if (chunksTablesBytes(head) !== head.tablesBytes) throw chunksBroken(file, 'the header fits no tables');
  return head;
}

export interface ChunksTables {
  /** Number of each blob's first chunk, and behind them the number of all. */
  chunkStarts: Uint32Array;
  /** Where each blob's record begins, and behind them the end of the last. */
  recordOffsets: Uint32Array;
  /** CRC-32 of each blob's record: vectors that were made of a blob's chunks belong to these very ones. */
  recordSums: Uint32Array;
  /** 0 has chunks, else the number of the reason why not from 1. */
  states: Uint8Array;
  /** By chunk: words of each field, and the kind from 1, 0 for none. */
  nameWords: Uint8Array;
  outlineWords: Uint8Array;
  docWords: Uint16Array;
  bodyWords: Uint16Array;
  kinds: Uint8Array;
  /** Upper 32 bits of the first term of each block of the dictionary. */
  blockTerms: Uint32Array;
  /** Where each block begins, and behind them the end of the last. */
  blockOffsets: Uint32Array;
  pageSums: Uint32Array;
}

type Width = 1 | 2 | 4;
type TableCounts = Pick<ChunksHead, 'blobs' | 'chunks' | 'termBlocks' | 'bodyBytes'>;

function columns(head: TableCounts): [keyof ChunksTables, number, Width][] {
  return [
    ['chunkStarts', head.blobs + 1, 4],
    ['recordOffsets', head.blobs + 1, 4],
    ['recordSums', head.blobs, 4],
    ['states', head.blobs, 1],
    ['nameWords', head.chunks, 1],
    ['outlineWords', head.chunks, 1],
    ['docWords', head.chunks, 2],
    ['bodyWords', head.chunks, 2],
    ['kinds', head.chunks, 1],
    ['blockTerms', head.termBlocks, 4],
    ['blockOffsets', head.termBlocks + 1, 4],
    ['pageSums', Math.ceil(head.bodyBytes / CHUNKS_PAGE), 4],
  ];
}

export function chunksTablesBytes(head: TableCounts): number {
  return columns(head).reduce((sum, [, count, width]) => sum + aligned8(count * width), 0);
}

/** Views of the columns over the bytes of the tables. */
export function chunksTablesOver(buffer: ArrayBufferLike, head: TableCounts): ChunksTables {
  const views: Partial<Record<keyof ChunksTables, Uint8Array | Uint16Array | Uint32Array>> = {};
  let at = 0;
  for (const [name, count, width] of columns(head)) {
    if (width === 4) views[name] = new Uint32Array(buffer, at, count);
    else if (width === 2) views[name] = new Uint16Array(buffer, at, count);
    else views[name] = new Uint8Array(buffer, at, count);
    at += aligned8(count * width);
  }
  return views as unknown as ChunksTables;
}

function aligned8(bytes: number): number {
  return (bytes + 7) & ~7;
}

/** Why a blob has no chunks; null where it has some. */
export function chunkSkipOf(state: number): ChunkSkip | null {
  return chunkSkips[state - 1] ?? null;
}

export function chunkStateOf(reason: ChunkSkip): number {
  return chunkSkips.indexOf(reason) + 1;
}
