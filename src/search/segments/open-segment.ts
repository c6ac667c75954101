import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { segmentBroken } from './segment-errors.ts';
import {
  bitmapBytes,
  decodeHead,
  HEADER_BYTES,
  LONG_OID,
  postingPages,
  type SegmentHead,
  type SegmentTables,
  tablesBytes,
  tablesOver,
} from './segment-format.ts';
import type { DictionarySet } from './types.ts';

/** A segment as it is sent to another thread, which shares its tables. */
export interface SegmentHandle {
  file: string;
  head: SegmentHead;
  tables: SharedArrayBuffer;
  /** A byte for each page of postings: whether it has been found as it was written. */
  pagesChecked: SharedArrayBuffer;
  dictionaries: DictionarySet | null;
}

/** Opens a segment: its tables are read into shared memory as they are, and checked. `dictionaries` are the known sets by hash. */
export function openSegment(file: string, dictionaries: ReadonlyMap<string, DictionarySet>): OpenSegment {
  const fd = openSync(file, 'r');
  try {
    const head = readHead(file, fd);
    const set = head.dictionaries === null ? null : dictionaries.get(head.dictionaries);
    if (set === undefined) throw segmentBroken(file, 'the compression dictionaries of a segment are missing');
    const tables = new SharedArrayBuffer(head.tablesBytes);
    const bytes = new Uint8Array(tables);
    readWhole(file, fd, bytes, head.tablesAt);
    if (crc32(bytes) !== head.tablesCrc)
      throw segmentBroken(file, 'the tables of a segment are not as they were written');
    const pagesChecked = new SharedArrayBuffer(postingPages(head));
    return new OpenSegment({ file, head, tables, pagesChecked, dictionaries: set }, fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The same segment in another thread, by a file descriptor of its own. */
export function attachSegment(handle: SegmentHandle): OpenSegment {
  return new OpenSegment(handle, openSync(handle.file, 'r'));
}

let opened = 0;

/** An open segment: its tables in memory, its postings and content on disk. */
export class OpenSegment {
  readonly handle: SegmentHandle;
  /** Tells open segments of one thread apart; never 0. */
  readonly serial = ++opened;
  readonly file: string;
  readonly head: SegmentHead;
  readonly blobs: number;
  readonly blocks: number;
  readonly textBytes: number;
  readonly tables: SegmentTables;
  readonly bitmapBytes: number;
  readonly #fd: number;
  readonly #pagesChecked: Uint8Array;

  constructor(handle: SegmentHandle, fd: number) {
    this.handle = handle;
    this.file = handle.file;
    this.head = handle.head;
    this.blobs = handle.head.blobs;
    this.blocks = handle.head.blocks;
    this.textBytes = handle.head.textBytes;
    this.tables = tablesOver(handle.tables, handle.head);
    this.bitmapBytes = bitmapBytes(this.blocks);
    this.#fd = fd;
    this.#pagesChecked = new Uint8Array(handle.pagesChecked);
  }

  get dictionaries(): DictionarySet | null {
    return this.handle.dictionaries;
  }

  /** Lower-case hex. */
  oid(blob: number): string {
    const { oidBytes } = this.head;
    const length = this.tables.blobKinds[blob]! & LONG_OID ? 32 : 20;
    return Buffer.from(this.tables.oids.subarray(blob * oidBytes, blob * oidBytes + length)).toString('hex');
  }

  group(blob: number): number {
    return this.tables.blobKinds[blob]! & 15;
  }

  /** Length of a blob's text. */
  blobBytes(blob: number): number {
    const { blobFirstBlocks, blockStarts, blockLengths } = this.tables;
    const last = blobFirstBlocks[blob + 1]! - 1;
    return last < blobFirstBlocks[blob]! ? 0 : blockStarts[last]! + blockLengths[last]!;
  }

  /** The block of a blob that holds an offset of its text; the first one of two that share it. */
  blockAt(blob: number, offset: number): number {
    const { blobFirstBlocks, blockStarts, blockLengths } = this.tables;
    let low = blobFirstBlocks[blob]!;
    let high = blobFirstBlocks[blob + 1]! - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (blockStarts[middle]! + blockLengths[middle]! > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  pageChecked(page: number): boolean {
    return this.#pagesChecked[page] === 1;
  }

  markPage(page: number): void {
    this.#pagesChecked[page] = 1;
  }

  /** Reads bytes of the file into memory, all of them or none. */
  read(into: Uint8Array, at: number, length: number, position: number): void {
    readWhole(this.file, this.#fd, into.subarray(at, at + length), position);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function readHead(file: string, fd: number): SegmentHead {
  const { size } = fstatSync(fd);
  const bytes = Buffer.alloc(HEADER_BYTES);
  const read = readSync(fd, bytes, 0, HEADER_BYTES, 0);
  const head = decodeHead(file, bytes.subarray(0, read), size);
  if (tablesBytes(head) !== head.tablesBytes || head.tablesAt + head.tablesBytes > size) {
    throw segmentBroken(file, "a segment's header does not fit its tables");
  }
  return head;
}

function readWhole(file: string, fd: number, into: Uint8Array, position: number): void {
  for (let at = 0; at < into.length; ) {
    const read = readSync(fd, into, at, into.length - at, position + at);
    if (read === 0) throw segmentBroken(file, 'a segment is cut short');
    at += read;
  }
}
