import { crc32 } from 'node:zlib';
import { HEADER_BYTES } from '../segments/segment-format.ts';
import { scipBroken } from './scip-errors.ts';

/**
 * SCIP file, little endian: what a SCIP index says of one commit of one repository. A header of 256 bytes, a body, tables. Offsets
 * are counted from the start of the body, which is shorter than 4 GB.
 *
 * Header: magic `PSCP`, u32 version, u32 CRC-32 of the rest of the header, then the fields of `ScipHead` from byte 16 on.
 * Body: records, each behind a CRC-32 of its bytes, which is checked whenever it is read. Numbers are varints.
 *   one for each document: path (length, bytes), then how many uses there are and each as: distance from the start of the one before,
 *   symbol * 2 + 1 for a definition; at one place at most one definition and one use, in this order. Symbol 0 is one that is local to its document.
 *   one for each SYMBOLS_PER_PAGE symbols, which count from 1, see `ScipSymbol`: text (length, bytes); definitions (count, each as
 *   document and start); documents that use it (count, distances); symbols that it implements; symbols that implement it.
 * Tables: the columns of `scipTablesOver`, each at a multiple of 4.
 *
 * Version 1: first. A reader accepts its own version alone: the others are dropped, and come back with the next upload.
 */
const SCIP_FORMAT = 1;
const MAGIC = 0x50435350;
const CHECKED_FROM = 12;
export const SYMBOLS_PER_PAGE = 32;
export const RECORD_HEAD_BYTES = 4;

const fields = [
  'documents',
  'symbols',
  'pages',
  'uses',
  'bodyBytes',
  'tablesBytes',
  'tablesCrc',
  'fileBytes',
] as const;

/** Numbers are stored as doubles: exact for every size that a file can have. */
export type ScipHead = Record<(typeof fields)[number], number>;

export function encodeScipHead(head: ScipHead): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(SCIP_FORMAT, 4);
  for (const [at, field] of fields.entries()) bytes.writeDoubleLE(head[field], 16 + 8 * at);
  bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), 8);
  return bytes;
}

export function decodeScipHead(file: string, bytes: Buffer, fileBytes: number): ScipHead {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC)
    throw scipBroken(file, 'the file is none of ours');
  if (bytes.readUInt32LE(4) !== SCIP_FORMAT) throw scipBroken(file, 'it has the format of another Periscope');
  if (crc32(bytes.subarray(CHECKED_FROM, HEADER_BYTES)) !== bytes.readUInt32LE(8))
    throw scipBroken(file, 'the header is not as it was written');
  const head = Object.fromEntries(
    fields.map((field, at) => [field, bytes.readDoubleLE(16 + 8 * at)]),
  ) as ScipHead;
  if (head.fileBytes !== fileBytes || HEADER_BYTES + head.bodyBytes + head.tablesBytes !== fileBytes)
    throw scipBroken(file, 'the file is cut short or has grown');
  if (scipTablesBytes(head) !== head.tablesBytes) throw scipBroken(file, 'the header fits no tables');
  return head;
}

export interface ScipTables {
  /** Where each document's record begins, and behind them the end of the last. */
  documentOffsets: Uint32Array;
  /** Hashes of paths, ascending, and the document of each. */
  pathHashes: Uint32Array;
  pathDocuments: Uint32Array;
  pageOffsets: Uint32Array;
  /** Hashes of symbols without their versions, ascending, and the symbol of each. */
  keyHashes: Uint32Array;
  keySymbols: Uint32Array;
}

type Counts = Pick<ScipHead, 'documents' | 'symbols' | 'pages'>;

function columns({ documents, symbols, pages }: Counts): [keyof ScipTables, number][] {
  return [
    ['documentOffsets', documents + 1],
    ['pathHashes', documents],
    ['pathDocuments', documents],
    ['pageOffsets', pages + 1],
    ['keyHashes', symbols],
    ['keySymbols', symbols],
  ];
}

export function scipTablesBytes(counts: Counts): number {
  return columns(counts).reduce((sum, [, count]) => sum + 4 * count, 0);
}

/** Views of the columns over the bytes of the tables. */
export function scipTablesOver(buffer: ArrayBufferLike, counts: Counts): ScipTables {
  let at = 0;
  return Object.fromEntries(
    columns(counts).map(([name, count]) => {
      const column = new Uint32Array(buffer, at, count);
      at += 4 * count;
      return [name, column];
    }),
  ) as unknown as ScipTables;
}

/** Of paths and of symbols' keys (FNV-1a over UTF-16 units); what it leads to is compared. */
export function scipHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
