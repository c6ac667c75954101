import { crc32 } from 'node:zlib';
import { HEADER_BYTES } from '../segments/segment-format.ts';
import { factsBroken, factsFormat } from './facts-errors.ts';
import { type FactsSkip, factsSkips } from './types.ts';

/**
 * Facts file, little endian: the facts of the texts of one segment, by that segment's own blob numbers. A header of 256 bytes, a
 * body, tables. Offsets are counted from the start of the body, which is shorter than 4 GB.
 *
 * Header: magic `PFAC`, u32 version, u32 CRC-32 of the rest of the header, then the fields of `FactsHead` as `fields` lists them
 * from byte 16 on, then the version of what extracted the facts, in UTF-8.
 * Body, in this order:
 *   records     one for each blob that has facts, see record-columns.ts and stored-record.ts
 *   strings     all names, types, receivers, modules by number, in the order in which they first come up: a text and its neighbours
 *               need few of its pages. STRINGS_PER_PAGE to a page: their lengths, then their bytes
 *   postings    where names are defined and used and modules are imported, see postings.ts; in the order of the dictionaries
 *   dictionaries  names, in the order of name-order.ts, that are defined here, names that are used alone, modules; see dictionary-block.ts
 *   grams       of defined names and of modules: which blocks of the dictionary hold a gram (three bytes, A-Z folded)
 * Records and pages of strings are stored in pieces, see pieces.ts.
 * Tables: the columns of `tablesOver`, each at a multiple of 8.
 *
 * Every byte is guarded: header and tables by a CRC-32 that is checked at opening, the body by one for each page of 16 KB that is
 * checked when the page is first read.
 *
 * Version 1: first, with dictionaries in the order of their names' bytes.
 * Version 2: dictionaries in an order that puts all spellings of a name together (name-order.ts).
 * A reader accepts its own version alone: facts can always be extracted anew.
 */
export const FACTS_FORMAT = 2;

export const FACTS_PAGE = 16_384;
export const STRINGS_PER_PAGE = 256;
/** A longer string is cut. */
export const STRING_BYTES_MAX = 1024;
export const FACTS_VERSION_BYTES_MAX = 72;
const MAGIC = 0x43414650;
const CHECKED_FROM = 12;
const VERSION_AT = 184;

export const dictionaryNames = ['defined', 'used', 'modules'] as const;
export type DictionaryName = (typeof dictionaryNames)[number];
/** The dictionaries that are searched for parts of names. */
export type SearchedDictionary = 'defined' | 'modules';

const fields = [
  'blobs',
  'strings',
  'definedNames',
  'usedNames',
  'modules',
  'definedBlocks',
  'usedBlocks',
  'modulesBlocks',
  'definedSeparatorBytes',
  'usedSeparatorBytes',
  'modulesSeparatorBytes',
  'definedGrams',
  'modulesGrams',
  'symbols',
  'references',
  'imports',
  'bodyBytes',
  'tablesBytes',
  'tablesCrc',
  'fileBytes',
] as const;

/** Numbers are stored as doubles: exact for every size that a file can have. */
export type FactsHead = Record<(typeof fields)[number], number> & { factsVersion: string };

export function encodeFactsHead(head: FactsHead): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(FACTS_FORMAT, 4);
  fields.forEach((field, i) => {
    bytes.writeDoubleLE(head[field], 16 + 8 * i);
  });
  bytes.write(head.factsVersion, VERSION_AT, FACTS_VERSION_BYTES_MAX, 'utf8');
  bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), 8);
  return bytes;
}

export function decodeFactsHead(file: string, bytes: Buffer, fileBytes: number): FactsHead {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC)
    throw factsBroken(file, 'a file holds no facts');
  const version = bytes.readUInt32LE(4);
  if (version !== FACTS_FORMAT) throw factsFormat(file, version, FACTS_FORMAT);
  if (crc32(bytes.subarray(CHECKED_FROM, HEADER_BYTES)) !== bytes.readUInt32LE(8))
    throw factsBroken(file, 'the header is not as it was written');
  const numbers = Object.fromEntries(fields.map((field, i) => [field, bytes.readDoubleLE(16 + 8 * i)]));
  const factsVersion = bytes
    .toString('utf8', VERSION_AT, VERSION_AT + FACTS_VERSION_BYTES_MAX)
    .replace(/\0+$/, '');
  const head = { ...numbers, factsVersion } as FactsHead;
  if (head.fileBytes !== fileBytes) throw factsBroken(file, 'a file is cut short or has grown');
  if (factsTablesBytes(head) !== head.tablesBytes) throw factsBroken(file, 'the header fits no tables');
  return head;
}

export interface DictionaryTables {
  /** Where each block begins, and behind them the end of the last. */
  blockOffsets: Uint32Array;
  /** Of each block a text that sorts above all names before the block and not above its first; the end of the last behind them. */
  separatorStarts: Uint32Array;
  separators: Uint8Array;
}

export interface GramTables {
  keys: Uint32Array;
  offsets: Uint32Array;
}

export interface FactsTables {
  /** Where each blob's record begins, and behind them the end of the last; a blob without facts has none. */
  recordOffsets: Uint32Array;
  languages: Uint16Array;
  /** SKIP_BITS and HAS_PACKAGE. */
  states: Uint8Array;
  stringOffsets: Uint32Array;
  dictionaries: Record<DictionaryName, DictionaryTables>;
  grams: Record<SearchedDictionary, GramTables>;
  pageSums: Uint32Array;
}

/** Low bits of a blob's state: 0 has facts, else the number of the reason from 1. */
const SKIP_BITS = 15;
export const HAS_PACKAGE = 16;

type Width = 1 | 2 | 4;
export type TableCounts = Omit<FactsHead, 'tablesBytes' | 'tablesCrc' | 'fileBytes' | 'factsVersion'>;

function columns(head: TableCounts): [string, number, Width][] {
  return [
    ['recordOffsets', head.blobs + 1, 4],
    ['languages', head.blobs, 2],
    ['states', head.blobs, 1],
    ['stringOffsets', Math.ceil(head.strings / STRINGS_PER_PAGE) + 1, 4],
    ...dictionaryNames.flatMap((name): [string, number, Width][] => [
      [`${name}.blockOffsets`, head[`${name}Blocks`] + 1, 4],
      [`${name}.separatorStarts`, head[`${name}Blocks`] + 1, 4],
      [`${name}.separators`, head[`${name}SeparatorBytes`], 1],
    ]),
    ...(['defined', 'modules'] as const).flatMap((name): [string, number, Width][] => [
      [`${name}.keys`, head[`${name}Grams`], 4],
      [`${name}.offsets`, head[`${name}Grams`] + 1, 4],
    ]),
    ['pageSums', Math.ceil(head.bodyBytes / FACTS_PAGE), 4],
  ];
}

export function factsTablesBytes(head: TableCounts): number {
  return columns(head).reduce((sum, [, count, width]) => sum + aligned8(count * width), 0);
}

/** Views of the columns over the bytes of the tables. */
export function factsTablesOver(buffer: ArrayBufferLike, head: TableCounts): FactsTables {
  const views = new Map<string, Uint8Array | Uint16Array | Uint32Array>();
  let at = 0;
  for (const [name, count, width] of columns(head)) {
    if (width === 4) views.set(name, new Uint32Array(buffer, at, count));
    else if (width === 2) views.set(name, new Uint16Array(buffer, at, count));
    else views.set(name, new Uint8Array(buffer, at, count));
    at += aligned8(count * width);
  }
  const words = (name: string) => views.get(name) as Uint32Array;
  const bytes = (name: string) => views.get(name) as Uint8Array;
  const dictionary = (name: DictionaryName): DictionaryTables => ({
    blockOffsets: words(`${name}.blockOffsets`),
    separatorStarts: words(`${name}.separatorStarts`),
    separators: bytes(`${name}.separators`),
  });
  const grams = (name: SearchedDictionary): GramTables => ({
    keys: words(`${name}.keys`),
    offsets: words(`${name}.offsets`),
  });
  return {
    recordOffsets: words('recordOffsets'),
    languages: views.get('languages') as Uint16Array,
    states: bytes('states'),
    stringOffsets: words('stringOffsets'),
    dictionaries: {
      defined: dictionary('defined'),
      used: dictionary('used'),
      modules: dictionary('modules'),
    },
    grams: { defined: grams('defined'), modules: grams('modules') },
    pageSums: words('pageSums'),
  };
}

function aligned8(bytes: number): number {
  return (bytes + 7) & ~7;
}

/** Why a blob has no facts; null where it has some. */
export function skipOf(state: number): FactsSkip | null {
  return factsSkips[(state & SKIP_BITS) - 1] ?? null;
}

export function stateOf(reason: FactsSkip): number {
  return factsSkips.indexOf(reason) + 1;
}

/** A string as it is stored: UTF-8, cut at the end of a character where it is too long. */
export function storedString(text: string): string {
  if (text.length * 3 <= STRING_BYTES_MAX) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= STRING_BYTES_MAX) return text;
  let end = STRING_BYTES_MAX;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
