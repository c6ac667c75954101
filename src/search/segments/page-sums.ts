import { NumberColumn } from './number-column.ts';
import { POSTING_PAGE } from './segment-format.ts';
import type { SegmentKernels } from './segment-kernels.ts';

/** Sums over the pages of what is written, one after another. */
export class PageSums {
  readonly #kernels: SegmentKernels;
  /** Address of room for a page. */
  readonly #page: number;
  #filled = 0;
  readonly #sums = new NumberColumn();

  constructor(kernels: SegmentKernels, page: number) {
    this.#kernels = kernels;
    this.#page = page;
  }

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const taken = Math.min(bytes.length - at, POSTING_PAGE - this.#filled);
      this.#kernels.bytes.set(bytes.subarray(at, at + taken), this.#page + this.#filled);
      at += taken;
      this.#filled += taken;
      if (this.#filled === POSTING_PAGE) this.#close();
    }
  }

  finish(): Uint32Array {
    if (this.#filled > 0) this.#close();
    return this.#sums.values;
  }

  #close(): void {
    this.#sums.push(this.#kernels.run.checksum(this.#page, this.#filled) >>> 0);
    this.#filled = 0;
  }
}
