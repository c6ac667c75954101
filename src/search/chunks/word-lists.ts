import { LRUCache } from 'lru-cache';
import { PeriscopeError } from '../../base/errors.ts';
import { noteDamage } from '../index-folder/damage-notes.ts';
import type { FieldNorms } from './field-norms.ts';
import type { KeywordGround } from './keyword-types.ts';
import { termHash } from './term-hash.ts';
import { type Counts, PostingList } from './term-postings.ts';
import { rememberCount, type VisibleChunks } from './visible-chunks.ts';

export interface AskedWord {
  readonly word: string;
  /** Visible chunks that have it. */
  readonly chunks: number;
  readonly idf: number;
  /** By segment: where it stands, among what is shown. Null: not read yet. */
  lists: SegmentLists | null;
}

/** By segment; null where there is nothing. */
export type SegmentLists = readonly (WordList | null)[];

/** Where a word stands in a segment: a part of two columns. */
export interface WordList {
  source: { readonly chunks: Uint32Array; readonly counts: Uint16Array };
  /** How much the word says of each chunk, where that is known already. */
  weights: Float64Array | null;
  from: number;
  to: number;
}

/** Of common words, which most questions have some of: bytes that are kept. */
const KEPT_BYTES = 24 << 20;
const ENTRY_BYTES = 14;

/** Reads where the words of questions stand; what it has decoded for one serves until the next, but for common words. */
export class WordLists {
  readonly #decoded = new PostingList();
  #ground!: KeywordGround;
  #visible!: VisibleChunks;
  readonly #common = new LRUCache<string, SegmentLists>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (lists) => 1 + lists.reduce((sum, list) => sum + ENTRY_BYTES * (list?.to ?? 0), 0),
  });
  #norms!: FieldNorms;
  #postings = 0;
  /** What could not be read of this question's segments, in words. */
  readonly problems = new Set<string>();
  readonly damaged = new Set<number>();

  restart(ground: KeywordGround, visible: VisibleChunks, norms: FieldNorms): void {
    this.#ground = ground;
    this.#visible = visible;
    this.#norms = norms;
    this.#decoded.clear();
    this.#postings = 0;
    this.problems.clear();
    this.damaged.clear();
  }

  /** Entries of lists that were decoded for this question. */
  get postings(): number {
    return this.#postings;
  }

  /** A word is counted once for a view, which takes reading all of it. */
  asked(word: string): AskedWord {
    const { chunksWith, coverage } = this.#visible;
    const counted = chunksWith.get(word);
    const lists = counted === undefined ? this.whole(word) : (this.#common.get(this.#keyOf(word)) ?? null);
    const chunks =
      counted ?? lists!.reduce((sum, list) => sum + (list === null ? 0 : list.to - list.from), 0);
    if (counted === undefined && this.problems.size === 0) rememberCount(this.#visible, word, chunks);
    const idf = Math.log(1 + (coverage.chunks - chunks + 0.5) / (chunks + 0.5));
    return { word, chunks, idf, lists };
  }

  /** Remembers how much a word says of each chunk, for this view and these weights. */
  keep(word: AskedWord): void {
    const key = this.#keyOf(word.word);
    if (this.problems.size > 0 || this.#common.has(key)) return;
    const lists = word.lists!.map((list, segment) => {
      if (list === null) return null;
      const chunks = list.source.chunks.slice(list.from, list.to);
      const counts = list.source.counts.slice(list.from, list.to);
      const { tables } = this.#ground.segments[segment]!.chunks!;
      const weights = new Float64Array(chunks.length);
      for (let i = 0; i < chunks.length; i++) weights[i] = this.#norms.weigh(counts[i]!, tables, chunks[i]!);
      return { source: { chunks, counts }, weights, from: 0, to: chunks.length };
    });
    this.#common.set(key, lists);
    word.lists = lists;
  }

  /** Norms are of one view and of one set of weights. */
  #keyOf(word: string): string {
    return `${this.#norms.serial} ${word}`;
  }

  /** All of what is shown. */
  whole(word: string): SegmentLists {
    const term = termHash(word);
    return this.#ground.segments.map(({ chunks: open }, segment) => {
      const shown = this.#visible.shown[segment] ?? null;
      if (open === null || shown === null || this.damaged.has(segment)) return null;
      try {
        const found = this.#ground.reader.term(open, term);
        if (found === null) return null;
        const from = this.#decoded.length;
        this.#decoded.append(this.#ground.reader.list(open, found), found.count, shown);
        this.#postings += found.count;
        return { source: this.#decoded, weights: null, from, to: this.#decoded.length };
      } catch (error) {
        if (!(error instanceof PeriscopeError) || error.kind !== 'unavailable') throw error;
        noteDamage(open.file);
        this.damaged.add(segment);
        this.problems.add(`${error.message} ${error.next}`);
        return null;
      }
    });
  }
}

/** How often a chunk has a word, by field; 0 for not at all. */
export function countsAt(list: WordList | null, chunk: number): Counts {
  if (list === null) return 0;
  const { chunks, counts } = list.source;
  let low = list.from;
  let high = list.to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (chunks[middle]! < chunk) low = middle + 1;
    else high = middle;
  }
  return low < list.to && chunks[low] === chunk ? counts[low]! : 0;
}
