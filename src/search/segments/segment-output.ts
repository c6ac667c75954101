import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { HEADER_BYTES, SECTION_ALIGNMENT } from './segment-format.ts';
import { syncFolder } from './sync-folder.ts';

const BUFFER_BYTES = 1 << 20;

/** A segment file that is being written: front to back, the header last; whole at its name or not there at all. */
export class SegmentOutput {
  readonly file: string;
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #buffered = 0;
  #written = HEADER_BYTES;
  #isClosed = false;

  constructor(file: string) {
    this.file = file;
    this.#fd = openSync(partOf(file), 'w', 0o600);
  }

  get at(): number {
    return this.#written + this.#buffered;
  }

  write(bytes: Uint8Array): void {
    if (this.#buffered + bytes.length > BUFFER_BYTES) this.#flush();
    if (bytes.length > BUFFER_BYTES) this.#put(bytes);
    else {
      this.#buffer.set(bytes, this.#buffered);
      this.#buffered += bytes.length;
    }
  }

  /** Goes on at the next multiple of a section's alignment, and returns it. */
  startSection(): number {
    const over = this.at % SECTION_ALIGNMENT;
    if (over > 0) this.write(Buffer.alloc(SECTION_ALIGNMENT - over));
    return this.at;
  }

  finish(head: Uint8Array): void {
    this.#flush();
    writeWhole(this.#fd, head, 0);
    fsyncSync(this.#fd);
    this.#close();
    renameSync(partOf(this.file), this.file);
    syncFolder(path.dirname(this.file));
  }

  discard(): void {
    this.#close();
    rmSync(partOf(this.file), { force: true });
  }

  /** Once: its number may be another file's by then. */
  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#fd);
  }

  #flush(): void {
    const buffered = this.#buffer.subarray(0, this.#buffered);
    this.#buffered = 0;
    this.#put(buffered);
  }

  #put(bytes: Uint8Array): void {
    writeWhole(this.#fd, bytes, this.#written);
    this.#written += bytes.length;
  }
}

function writeWhole(fd: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
}

function partOf(file: string): string {
  return `${file}.part`;
}
