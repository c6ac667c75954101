import { NumberColumn } from '../segments/number-column.ts';

/** What a builder has gathered of names, by string and blob: three numbers an entry, in the order in which they came. */
export class PostingColumns {
  readonly #strings = new NumberColumn();
  readonly #blobs = new NumberColumn();
  readonly #values = new NumberColumn();

  get length(): number {
    return this.#strings.length;
  }

  get bytesUsed(): number {
    return this.length * 12;
  }

  push(string: number, blob: number, value: number): void {
    this.#strings.push(string);
    this.#blobs.push(blob);
    this.#values.push(value);
  }

  /** The entries of each string, in the order in which they came. */
  byString(strings: number): PostingsByString {
    const starts = new Uint32Array(strings + 1);
    const of = this.#strings.values;
    for (const string of of) starts[string + 1]! += 1;
    for (let string = 0; string < strings; string++) starts[string + 1]! += starts[string]!;
    const ends = starts.slice();
    const entries = new Uint32Array(of.length);
    for (let entry = 0; entry < of.length; entry++) entries[ends[of[entry]!]!++] = entry;
    return { starts, entries, blobs: this.#blobs.values, values: this.#values.values };
  }
}

export interface PostingsByString {
  /** Of each string where its entries begin in `entries`, and behind them the number of all. */
  starts: Uint32Array;
  entries: Uint32Array;
  /** By entry. */
  blobs: Uint32Array;
  values: Uint32Array;
}
