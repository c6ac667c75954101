import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { HEADER_BYTES } from '../segments/segment-format.ts';
import { factsBroken } from './facts-errors.ts';
import {
  decodeFactsHead,
  FACTS_PAGE,
  type FactsHead,
  type FactsTables,
  factsTablesOver,
} from './facts-format.ts';

/** Facts as they are sent to another thread, which shares their tables. */
export interface FactsHandle {
  file: string;
  head: FactsHead;
  tables: SharedArrayBuffer;
  /** A byte for each page of the body: whether it has been found as it was written. */
  pagesChecked: SharedArrayBuffer;
}

/** Opens a facts file: its tables are read into shared memory as they are, and checked. */
export function openFacts(file: string): OpenFacts {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const header = Buffer.alloc(HEADER_BYTES);
    const read = readSync(fd, header, 0, HEADER_BYTES, 0);
    const head = decodeFactsHead(file, header.subarray(0, read), size);
    if (HEADER_BYTES + head.bodyBytes + head.tablesBytes !== size)
      throw factsBroken(file, 'the header does not fit the file');
    const tables = new SharedArrayBuffer(head.tablesBytes);
    readWhole(file, fd, new Uint8Array(tables), HEADER_BYTES + head.bodyBytes);
    if (crc32(new Uint8Array(tables)) !== head.tablesCrc)
      throw factsBroken(file, 'the tables are not as they were written');
    const pagesChecked = new SharedArrayBuffer(Math.ceil(head.bodyBytes / FACTS_PAGE));
    return new OpenFacts({ file, head, tables, pagesChecked }, fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The same facts in another thread, by a file descriptor of its own. */
export function attachFacts(handle: FactsHandle): OpenFacts {
  return new OpenFacts(handle, openSync(handle.file, 'r'));
}

let opened = 0;

/** Open facts: their tables in memory, all else on disk. A FactsReader reads them. */
export class OpenFacts {
  readonly handle: FactsHandle;
  /** Tells open facts of one thread apart; never 0. */
  readonly serial = ++opened;
  readonly file: string;
  readonly head: FactsHead;
  readonly tables: FactsTables;
  readonly #fd: number;
  readonly #pagesChecked: Uint8Array;

  constructor(handle: FactsHandle, fd: number) {
    this.handle = handle;
    this.file = handle.file;
    this.head = handle.head;
    this.tables = factsTablesOver(handle.tables, handle.head);
    this.#fd = fd;
    this.#pagesChecked = new Uint8Array(handle.pagesChecked);
  }

  /** Of the segment that these are the facts of. */
  get blobs(): number {
    return this.head.blobs;
  }

  get factsVersion(): string {
    return this.head.factsVersion;
  }

  /** Reads whole pages of the body, the last of which may be shorter. A page that is not as it was written is an error. */
  readPages(first: number, last: number): Buffer {
    const from = first * FACTS_PAGE;
    const bytes = Buffer.allocUnsafe(Math.min((last + 1) * FACTS_PAGE, this.head.bodyBytes) - from);
    readWhole(this.file, this.#fd, bytes, HEADER_BYTES + from);
    for (let page = first; page <= last; page++) {
      if (this.#pagesChecked[page] === 1) continue;
      const at = page * FACTS_PAGE - from;
      if (crc32(bytes.subarray(at, at + FACTS_PAGE)) !== this.tables.pageSums[page])
        throw factsBroken(this.file, 'a page is not as it was written');
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
    const read = readPart(file, fd, into, at, position);
    if (read === 0) throw factsBroken(file, 'a file is cut short');
    at += read;
  }
}

function readPart(file: string, fd: number, into: Uint8Array, at: number, position: number): number {
  try {
    return readSync(fd, into, at, into.length - at, position + at);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EIO') throw error;
    throw factsBroken(file, 'the disk does not give it back');
  }
}
