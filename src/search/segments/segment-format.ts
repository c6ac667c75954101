import { crc32 } from 'node:zlib';
import { frequentTrigramsId } from './gram-alphabet.ts';
import { otherGrams, segmentBroken, segmentVersion } from './segment-errors.ts';

/**
 * Segment file, little endian: a header of 256 bytes, then content, postings and tables, each at a multiple of 64.
 *
 * Header: magic `PSEG`, u32 version, u32 CRC-32 of the rest of the header, then the fields of `SegmentHead` as `fields` lists
 * them, then the hash of the dictionary set in ASCII (32 bytes, zeros for none).
 * Content: blocks, compressed (LZ4 against the dictionary of their group) unless that does not shorten them.
 * Postings: the lists of grams in the order of their keys, then those of shapes; delta varints or bitmaps.
 * Tables: the columns of `TableLayout`, each at a multiple of 8.
 *
 * Every byte is guarded: tables by a CRC-32 that is checked at opening, postings by a sum for each page of 16 KB when
 * it is first read, each block by a sum that is checked whenever it is decoded.
 *
 * Version 1: first. Version 2: the list of a quad is never left out, and no section is kept for symbols, which have files of their
 * own (facts). A reader accepts its own version alone: a segment can always be built anew.
 */
export const SEGMENT_VERSION = 2;

export const HEADER_BYTES = 256;
export const SECTION_ALIGNMENT = 64;
export const POSTING_PAGE = 16_384;
const MAGIC = 0x47455350;
const CHECKED_FROM = 12;
const DICTIONARY_AT = 224;
const DICTIONARY_BYTES = 32;

export interface SegmentHead {
  /** Of the table of frequent trigrams that quads are numbered by. */
  frequentTrigramsId: number;
  blobs: number;
  blocks: number;
  grams: number;
  shapes: number;
  oidBytes: number;
  tablesCrc: number;
  textBytes: number;
  contentAt: number;
  contentBytes: number;
  postingsAt: number;
  gramPostingBytes: number;
  shapePostingBytes: number;
  tablesAt: number;
  tablesBytes: number;
  fileBytes: number;
  /** Hash of the dictionary set, null when compressed without. */
  dictionaries: string | null;
}

/** All as doubles: exact for every size that a file can have. */
const fields = [
  'frequentTrigramsId',
  'blobs',
  'blocks',
  'grams',
  'shapes',
  'oidBytes',
  'tablesCrc',
  'textBytes',
  'contentAt',
  'contentBytes',
  'postingsAt',
  'gramPostingBytes',
  'shapePostingBytes',
  'tablesAt',
  'tablesBytes',
  'fileBytes',
] as const satisfies (keyof SegmentHead)[];

export function encodeHead(head: SegmentHead): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(SEGMENT_VERSION, 4);
  fields.forEach((field, i) => {
    bytes.writeDoubleLE(head[field], 16 + 8 * i);
  });
  bytes.write(head.dictionaries ?? '', DICTIONARY_AT, DICTIONARY_BYTES, 'latin1');
  bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), 8);
  return bytes;
}

export function decodeHead(file: string, bytes: Buffer, fileBytes: number): SegmentHead {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC) {
    throw segmentBroken(file, 'a file is no segment');
  }
  const version = bytes.readUInt32LE(4);
  if (version !== SEGMENT_VERSION) throw segmentVersion(file, version, SEGMENT_VERSION);
  if (crc32(bytes.subarray(CHECKED_FROM, HEADER_BYTES)) !== bytes.readUInt32LE(8)) {
    throw segmentBroken(file, "a segment's header is not as it was written");
  }
  const numbers = Object.fromEntries(fields.map((field, i) => [field, bytes.readDoubleLE(16 + 8 * i)]));
  const hash = bytes.toString('latin1', DICTIONARY_AT, DICTIONARY_AT + DICTIONARY_BYTES).replace(/\0+$/, '');
  const head = { ...numbers, dictionaries: hash === '' ? null : hash } as SegmentHead;
  if (head.fileBytes !== fileBytes) throw segmentBroken(file, 'a segment is cut short or has grown');
  if (head.frequentTrigramsId !== frequentTrigramsId) {
    throw otherGrams(file);
  }
  return head;
}

/** Bytes of a bitmap over a segment's blocks; a list of that very length is a bitmap. */
export function bitmapBytes(blocks: number): number {
  return (((blocks + 7) >> 3) + 15) & ~15;
}

export function postingPages(head: Pick<SegmentHead, 'gramPostingBytes' | 'shapePostingBytes'>): number {
  return Math.ceil((head.gramPostingBytes + head.shapePostingBytes) / POSTING_PAGE);
}

export type TableCounts = Pick<
  SegmentHead,
  'blobs' | 'blocks' | 'grams' | 'shapes' | 'oidBytes' | 'gramPostingBytes' | 'shapePostingBytes'
>;

/** The columns of the tables in their order, each with its number of values. */
export interface SegmentTables {
  blobIds: Uint32Array;
  /** The first block of each blob, and behind them the number of blocks: a blob without text has none. */
  blobFirstBlocks: Uint32Array;
  /** Group in the low four bits; LONG_OID where the oid has 32 bytes. */
  blobKinds: Uint8Array;
  /** `oidBytes` for each blob. */
  oids: Uint8Array;
  /** By block: the number of its blob within the segment, where it starts in the text, its length there. */
  blockBlobs: Uint32Array;
  blockStarts: Uint32Array;
  blockLengths: Uint32Array;
  /** Where a block begins in the content section; behind them the length of that section. */
  blockOffsets: Uint32Array;
  /** Number of its first line, from 1. */
  blockLines: Uint32Array;
  blockSums: Uint32Array;
  gramKeys: Uint32Array;
  /** Where each list begins in the postings section; behind them the end of the last. */
  gramOffsets: Uint32Array;
  shapeKeys: Uint32Array;
  shapeOffsets: Uint32Array;
  pageSums: Uint32Array;
}

export const LONG_OID = 0x80;

function columns(counts: TableCounts): readonly [keyof SegmentTables, number][] {
  const { blobs, blocks, grams, shapes, oidBytes } = counts;
  return [
    ['blobIds', blobs],
    ['blobFirstBlocks', blobs + 1],
    ['blobKinds', blobs],
    ['oids', blobs * oidBytes],
    ['blockBlobs', blocks],
    ['blockStarts', blocks],
    ['blockLengths', blocks],
    ['blockOffsets', blocks + 1],
    ['blockLines', blocks],
    ['blockSums', blocks],
    ['gramKeys', grams],
    ['gramOffsets', grams + 1],
    ['shapeKeys', shapes],
    ['shapeOffsets', shapes + 1],
    ['pageSums', postingPages(counts)],
  ];
}

const narrow: ReadonlySet<keyof SegmentTables> = new Set(['blobKinds', 'oids']);

export function tableSizes(counts: TableCounts): Record<keyof SegmentTables, number> {
  const sizes = columns(counts).map(([name, count]) => [
    name,
    aligned8(narrow.has(name) ? count : count * 4),
  ]);
  return Object.fromEntries(sizes) as Record<keyof SegmentTables, number>;
}

export function tablesBytes(counts: TableCounts): number {
  return Object.values(tableSizes(counts)).reduce((sum, size) => sum + size, 0);
}

/** Views of the columns over the bytes of the tables. */
export function tablesOver(buffer: ArrayBufferLike, counts: TableCounts): SegmentTables {
  const tables: Partial<Record<keyof SegmentTables, Uint8Array | Uint32Array>> = {};
  let at = 0;
  for (const [name, count] of columns(counts)) {
    tables[name] = narrow.has(name) ? new Uint8Array(buffer, at, count) : new Uint32Array(buffer, at, count);
    at += aligned8(narrow.has(name) ? count : count * 4);
  }
  return tables as SegmentTables;
}

function aligned8(bytes: number): number {
  return (bytes + 7) & ~7;
}
