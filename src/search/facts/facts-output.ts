import { crc32 } from 'node:zlib';
import { NumberColumn } from '../segments/number-column.ts';
import { HEADER_BYTES } from '../segments/segment-format.ts';
import { SegmentOutput } from '../segments/segment-output.ts';
import { encodeFactsHead, FACTS_PAGE, type FactsHead } from './facts-format.ts';

/** A facts file that is being written: its body front to back with a sum for each page, then tables, the header last. */
export class FactsOutput {
  readonly #output: SegmentOutput;
  readonly #sums = new NumberColumn();
  #page = 0;
  #filled = 0;

  constructor(file: string) {
    this.#output = new SegmentOutput(file);
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
      const part = bytes.subarray(at, at + FACTS_PAGE - this.#filled);
      this.#page = crc32(part, this.#page);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === FACTS_PAGE) this.#closePage();
    }
  }

  /** Ends the body. */
  sums(): Uint32Array {
    if (this.#filled > 0) this.#closePage();
    return this.#sums.values;
  }

  finish(head: FactsHead, tables: Uint8Array): void {
    this.#output.write(tables);
    this.#output.finish(encodeFactsHead(head));
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
