import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { HEADER_BYTES } from '../segments/segment-format.ts';
import { chunksBroken } from './chunks-errors.ts';
import {
  CHUNKS_PAGE,
  type ChunksHead,
  type ChunksTables,
  chunksTablesOver,
  decodeChunksHead,
} from './chunks-format.ts';

/** Chunks as they are sent to another thread, which shares their tables. */
export interface ChunksHandle {
  file: string;
  head: ChunksHead;
  tables: SharedArrayBuffer;
  /** A byte for each page of the body: whether it has been found as it was written. */
  pagesChecked: SharedArrayBuffer;
}

/** Opens a chunks file: its tables are read into shared memory as they are, and checked. */
export function openChunks(file: string): OpenChunks {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const header = Buffer.alloc(HEADER_BYTES);
    const read = readSync(fd, header, 0, HEADER_BYTES, 0);
    const head = decodeChunksHead(file, header.subarray(0, read), size);
    if (HEADER_BYTES + head.bodyBytes + head.tablesBytes !== size)
      throw chunksBroken(file, 'the header does not fit the file');
    const tables = new SharedArrayBuffer(head.tablesBytes);
    readWhole(file, fd, new Uint8Array(tables), HEADER_BYTES + head.bodyBytes);
    if (crc32(new Uint8Array(tables)) !== head.tablesCrc)
      throw chunksBroken(file, 'the tables are not as they were written');
    const pagesChecked = new SharedArrayBuffer(Math.ceil(head.bodyBytes / CHUNKS_PAGE));
    return new OpenChunks({ file, head, tables, pagesChecked }, fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The same chunks in another thread, by a file descriptor of its own. */
export function attachChunks(handle: ChunksHandle): OpenChunks {
  return new OpenChunks(handle, openSync(handle.file, 'r'));
}

let opened = 0;

/** Open chunks: their tables in memory, all else on disk. A ChunksReader reads them. */
export class OpenChunks {
  readonly handle: ChunksHandle;
  /** Tells open chunks of one thread apart; never 0. */
  readonly serial = ++opened;
  readonly file: string;
  readonly head: ChunksHead;
  readonly tables: ChunksTables;
  readonly #fd: number;
  readonly #pagesChecked: Uint8Array;

  constructor(handle: ChunksHandle, fd: number) {
    this.handle = handle;
    this.file = handle.file;
    this.head = handle.head;
    this.tables = chunksTablesOver(handle.tables, handle.head);
    this.#fd = fd;
    this.#pagesChecked = new Uint8Array(handle.pagesChecked);
  }

  /** Of the segment that these are the chunks of. */
  get blobs(): number {
    return this.head.blobs;
  }

  get chunks(): number {
    return this.head.chunks;
  }

  get chunksVersion(): string {
    return this.head.chunksVersion;
  }

  /** Reads whole pages of the body, the last of which may be shorter. A page that is not as it was written is an error. */
  readPages(first: number, last: number): Buffer {
    const from = first * CHUNKS_PAGE;
    const bytes = Buffer.allocUnsafe(Math.min((last + 1) * CHUNKS_PAGE, this.head.bodyBytes) - from);
    readWhole(this.file, this.#fd, bytes, HEADER_BYTES + from);
    for (let page = first; page <= last; page++) {
      if (this.#pagesChecked[page] === 1) continue;
      const at = page * CHUNKS_PAGE - from;
      if (crc32(bytes.subarray(at, at + CHUNKS_PAGE)) !== this.tables.pageSums[page])
        throw chunksBroken(this.file, 'a page is not as it was written');
      this.#pagesChecked[page] = 1;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function readWhole(file: string, fd: number, into: Uint8Array, position: number): void {
  for (let at = 0; at < into.length; ) {
    const read = readSync(fd, into, at, into.length - at, position + at);
    if (read === 0) throw chunksBroken(file, 'a file is cut short');
    at += read;
  }
}
