import { crc32 } from 'node:zlib';
import { NumberColumn } from './number-column.ts';
import { HEADER_BYTES } from './segment-format.ts';
import { SegmentOutput } from './segment-output.ts';

/** A file beside a segment that is being written: its body front to back with a sum for each page, then tables, the header last. */
export class SummedOutput {
  readonly #output: SegmentOutput;
  readonly #pageBytes: number;
  readonly #sums = new NumberColumn();
  #page = 0;
  #filled = 0;

  constructor(file: string, pageBytes: number) {
    this.#output = new SegmentOutput(file);
    this.#pageBytes = pageBytes;
  }

  get file(): string {
    return this.#output.file;
  }

  /** Bytes of the body so far. */
  get at(): number {
    return this.#output.at - HEADER_BYTES;
  }

  write(bytes: Uint8Array): void {
    this.#output.write(bytes);
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + this.#pageBytes - this.#filled);
      this.#page = crc32(part, this.#page);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === this.#pageBytes) this.#closePage();
    }
  }

  /** Ends the body. */
  sums(): Uint32Array {
    if (this.#filled > 0) this.#closePage();
    return this.#sums.values;
  }

  /** Puts the file into place, lasting. */
  finish(head: Uint8Array, tables: Uint8Array): void {
    this.#output.write(tables);
    this.#output.finish(head);
  }

  discard(): void {
    this.#output.discard();
  }

  #closePage(): void {
    this.#sums.push(this.#page);
    this.#page = 0;
    this.#filled = 0;
  }
}
