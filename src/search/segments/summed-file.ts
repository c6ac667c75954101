import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { HEADER_BYTES } from './segment-format.ts';

interface SummedHead {
  bodyBytes: number;
  tablesBytes: number;
  tablesCrc: number;
}

/** A kind of file beside a segment, as SummedOutput writes it. */
export interface SummedKind<Head extends SummedHead, Tables extends { pageSums: Uint32Array }> {
  pageBytes: number;
  decodeHead(file: string, bytes: Buffer, fileBytes: number): Head;
  tablesOver(buffer: ArrayBufferLike, head: Head): Tables;
  /** The error for bytes that are not what was written. */
  broken(file: string, what: string): Error;
}

/** A file as it is sent to another thread, which shares its tables. */
export interface SummedHandle<Head> {
  file: string;
  head: Head;
  tables: SharedArrayBuffer;
  /** A byte for each page of the body: whether it has been found as it was written. */
  pagesChecked: SharedArrayBuffer;
}

let opened = 0;

/** An open file beside a segment: its tables in memory, all else on disk. */
export class SummedFile<Head extends SummedHead, Tables extends { pageSums: Uint32Array }> {
  readonly handle: SummedHandle<Head>;
  /** Tells the open files of one thread apart; never 0. */
  readonly serial = ++opened;
  readonly file: string;
  readonly head: Head;
  readonly tables: Tables;
  readonly #kind: SummedKind<Head, Tables>;
  readonly #fd: number;
  readonly #pagesChecked: Uint8Array;

  /** Opens the file of a handle by a descriptor of its own, or by one that is open already. */
  constructor(kind: SummedKind<Head, Tables>, handle: SummedHandle<Head>, fd = openSync(handle.file, 'r')) {
    this.handle = handle;
    this.file = handle.file;
    this.head = handle.head;
    this.tables = kind.tablesOver(handle.tables, handle.head);
    this.#kind = kind;
    this.#fd = fd;
    this.#pagesChecked = new Uint8Array(handle.pagesChecked);
  }

  /** Reads whole pages of the body, the last of which may be shorter. A page that is not as it was written is an error. */
  readPages(first: number, last: number): Buffer {
    const { pageBytes } = this.#kind;
    const from = first * pageBytes;
    const bytes = Buffer.allocUnsafe(Math.min((last + 1) * pageBytes, this.head.bodyBytes) - from);
    readWhole(this.#kind, this.file, this.#fd, bytes, HEADER_BYTES + from);
    for (let page = first; page <= last; page++) {
      if (this.#pagesChecked[page] === 1) continue;
      const at = page * pageBytes - from;
      if (crc32(bytes.subarray(at, at + pageBytes)) !== this.tables.pageSums[page])
        throw this.#kind.broken(this.file, 'a page is not as it was written');
      this.#pagesChecked[page] = 1;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Opens a file: its tables are read into shared memory as they are, and checked. `make` takes over the descriptor. */
export function openSummed<Head extends SummedHead, Tables extends { pageSums: Uint32Array }, Open>(
  kind: SummedKind<Head, Tables>,
  file: string,
  make: (handle: SummedHandle<Head>, fd: number) => Open,
): Open {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const header = Buffer.alloc(HEADER_BYTES);
    const read = readSync(fd, header, 0, HEADER_BYTES, 0);
    const head = kind.decodeHead(file, header.subarray(0, read), size);
    if (HEADER_BYTES + head.bodyBytes + head.tablesBytes !== size)
      throw kind.broken(file, 'the header does not fit the file');
    const tables = new SharedArrayBuffer(head.tablesBytes);
    readWhole(kind, file, fd, new Uint8Array(tables), HEADER_BYTES + head.bodyBytes);
    if (crc32(new Uint8Array(tables)) !== head.tablesCrc)
      throw kind.broken(file, 'the tables are not as they were written');
    const pagesChecked = new SharedArrayBuffer(Math.ceil(head.bodyBytes / kind.pageBytes));
    return make({ file, head, tables, pagesChecked }, fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

type Faults = Pick<SummedKind<SummedHead, { pageSums: Uint32Array }>, 'broken'>;

function readWhole(kind: Faults, file: string, fd: number, into: Uint8Array, position: number): void {
  for (let at = 0; at < into.length; ) {
    const read = readPart(kind, file, fd, into, at, position);
    if (read === 0) throw kind.broken(file, 'a file is cut short');
    at += read;
  }
}

function readPart(
  { broken }: Faults,
  file: string,
  fd: number,
  into: Uint8Array,
  at: number,
  position: number,
): number {
  try {
    return readSync(fd, into, at, into.length - at, position + at);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EIO') throw error;
    throw broken(file, 'the disk does not give it back');
  }
}
