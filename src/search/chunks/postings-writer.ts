import { VarintWriter } from '../facts/varints.ts';
import type { ChunksOutput } from './chunks-output.ts';
import { TermDictionaryWriter } from './term-dictionary.ts';
import type { TermHash } from './term-hash.ts';
import { type PostingList, writeList } from './term-postings.ts';

/** Writes the lists of terms, which come in the order of their hashes, and behind them the dictionary. */
export class PostingsWriter {
  readonly #output: ChunksOutput;
  readonly #dictionary = new TermDictionaryWriter();
  readonly #entries = new VarintWriter();
  readonly #table = new VarintWriter();
  #postings = 0;

  constructor(output: ChunksOutput) {
    this.#output = output;
  }

  add(term: TermHash, list: PostingList): void {
    const listAt = this.#output.at;
    writeList(list, this.#entries, this.#table);
    this.#output.write(this.#table.bytes);
    this.#output.write(this.#entries.bytes);
    const listBytes = this.#table.length + this.#entries.length;
    this.#dictionary.add(term, { count: list.length, listAt, listBytes });
    this.#postings += list.length;
  }

  finish() {
    const { terms } = this.#dictionary;
    const { bytes, blockTerms, blockOffsets } = this.#dictionary.finish(this.#output.at);
    this.#output.write(bytes);
    return { terms, postings: this.#postings, blockTerms, blockOffsets };
  }
}
