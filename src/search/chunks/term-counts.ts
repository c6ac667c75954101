import {
  BODY_MAX,
  BODY_SHIFT,
  DOC_MAX,
  DOC_SHIFT,
  NAME_MAX,
  OUTLINE_MAX,
  OUTLINE_SHIFT,
} from './term-postings.ts';
import type { ChunkField } from './types.ts';

const places: Readonly<Record<ChunkField, { shift: number; max: number }>> = {
  name: { shift: 0, max: NAME_MAX },
  outline: { shift: OUTLINE_SHIFT, max: OUTLINE_MAX },
  body: { shift: BODY_SHIFT, max: BODY_MAX },
  doc: { shift: DOC_SHIFT, max: DOC_MAX },
};
const START = 1 << 16;

/** Counts the terms of one chunk after the other, and keeps what it has counted. */
export class TermCounts {
  #terms = new Uint32Array(START);
  #chunks = new Uint32Array(START);
  #counts = new Uint16Array(START);
  #length = 0;
  #chunk = 0;
  #from = 0;
  /** By term: the entry that is its in this chunk, or one of an older chunk. */
  #entries = new Uint32Array(START);

  begin(chunk: number, terms: number): void {
    this.#chunk = chunk;
    this.#from = this.#length;
    this.#reach(terms);
  }

  add(field: ChunkField, found: Uint32Array, count: number): void {
    const { shift, max } = places[field];
    const from = this.#from;
    for (let i = 0; i < count; i++) {
      const term = found[i]!;
      if (term >= this.#entries.length) this.#reach(term + 1);
      const entry = this.#entries[term]!;
      if (entry >= from && entry < this.#length && this.#terms[entry] === term) {
        const counts = this.#counts[entry]!;
        if (((counts >>> shift) & max) < max) this.#counts[entry] = counts + (1 << shift);
        continue;
      }
      if (this.#length === this.#terms.length) this.#grow();
      this.#entries[term] = this.#length;
      this.#terms[this.#length] = term;
      this.#chunks[this.#length] = this.#chunk;
      this.#counts[this.#length++] = 1 << shift;
    }
  }

  end(): void {
    this.#from = this.#length;
  }

  /** The entries of each term, in the order of chunks. */
  byTerm(terms: number) {
    const starts = new Uint32Array(terms + 1);
    const of = this.#terms.subarray(0, this.#length);
    for (const term of of) starts[term + 1]! += 1;
    for (let term = 0; term < terms; term++) starts[term + 1]! += starts[term]!;
    const ends = starts.slice();
    const entries = new Uint32Array(of.length);
    for (let entry = 0; entry < of.length; entry++) entries[ends[of[entry]!]!++] = entry;
    return { starts, entries, chunks: this.#chunks, counts: this.#counts };
  }

  #reach(terms: number): void {
    if (terms <= this.#entries.length) return;
    const larger = new Uint32Array(2 * terms);
    larger.set(this.#entries);
    this.#entries = larger;
  }

  #grow(): void {
    const size = 2 * this.#length;
    const terms = new Uint32Array(size);
    terms.set(this.#terms);
    const chunks = new Uint32Array(size);
    chunks.set(this.#chunks);
    const counts = new Uint16Array(size);
    counts.set(this.#counts);
    this.#terms = terms;
    this.#chunks = chunks;
    this.#counts = counts;
  }
}
