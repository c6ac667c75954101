import type { ChunksTables } from './chunks-format.ts';
import type { FieldNorms } from './field-norms.ts';
import type { OpenChunks } from './open-chunks.ts';
import type { WordList } from './word-lists.ts';

export interface ScoredChunk {
  segment: number;
  chunk: number;
  score: number;
  /** Rank of a document that shows it. */
  document: number;
  /** Number within its blob. */
  part: number;
}

export interface AddedWord {
  norms: FieldNorms;
  idf: number;
  tables: ChunksTables;
  /** Only to chunks that have a score. */
  onlyKnown: boolean;
}

/** Null: it does not count. */
export type Accepts = (segment: number, chunk: number) => { document: number; part: number } | null;

const BUCKETS = 1024;
/** How many times as many are looked at where too many were refused. */
const MORE = 8;

/** Scores of chunks while a question is answered; serves again for the next one. */
export class ScoredChunks {
  #scores: Float64Array[] = [];
  #touched: Uint32Array[] = [];
  #counts: number[] = [];
  #most = 0;
  #isPartial = false;

  /** Chunks that have a score. */
  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  restart(segments: readonly (OpenChunks | null)[]): void {
    this.#touched.forEach((touched, segment) => {
      const scores = this.#scores[segment]!;
      for (let i = 0; i < this.#counts[segment]!; i++) scores[touched[i]!] = 0;
    });
    this.#scores.length = segments.length;
    this.#touched.length = segments.length;
    segments.forEach((open, segment) => {
      const chunks = open?.chunks ?? 0;
      if ((this.#scores[segment]?.length ?? -1) >= chunks) return;
      this.#scores[segment] = new Float64Array(chunks);
      this.#touched[segment] = new Uint32Array(chunks);
    });
    this.#counts = segments.map(() => 0);
    this.#most = 0;
    this.#isPartial = false;
  }

  /** Adds what a word says of the chunks that have it. */
  add(segment: number, list: WordList, { norms, idf, tables, onlyKnown }: AddedWord): void {
    const { from, to, weights } = list;
    const { chunks, counts } = list.source;
    const scores = this.#scores[segment]!;
    const touched = this.#touched[segment]!;
    let count = this.#counts[segment]!;
    let most = this.#most;
    if (onlyKnown) this.#isPartial = true;
    for (let i = from; i < to; i++) {
      const chunk = chunks[i]!;
      const before = scores[chunk]!;
      if (before === 0 && onlyKnown) continue;
      const weight = weights === null ? norms.weigh(counts[i]!, tables, chunk) : weights[i]!;
      const score = before + idf * weight;
      if (before === 0 && score > 0) touched[count++] = chunk;
      scores[chunk] = score;
      if (score > most) most = score;
    }
    this.#counts[segment] = count;
    this.#most = most;
  }

  /** As it is with all words that were added; null where some of them were added only to chunks that had a score. */
  scoreOf(segment: number, chunk: number): number | null {
    const score = this.#scores[segment]![chunk]!;
    return score === 0 && this.#isPartial ? null : score;
  }

  /** Whether so many chunks surely have a score above `score`. */
  holdsAbove(score: number, wanted: number): boolean {
    if (this.#most <= score || this.count < wanted) return false;
    let above = 0;
    for (const [segment, touched] of this.#touched.entries()) {
      const scores = this.#scores[segment]!;
      const count = this.#counts[segment]!;
      for (let i = 0; i < count; i++) if (scores[touched[i]!]! > score && ++above >= wanted) return true;
    }
    return false;
  }

  /** The best that `accepts` says something of, best first; equals by document, then as they stand in the text. */
  best(wanted: number, accepts: Accepts): ScoredChunk[] {
    for (let among = wanted; ; among *= MORE) {
      const least = this.#bucketOfBest(among);
      const found = this.#accepted(least, accepts);
      // Many may be refused: it is tried with worse ones.
      if (found.length < wanted && least > 0) continue;
      found.sort((a, b) => b.score - a.score || a.document - b.document || a.part - b.part);
      return found.slice(0, wanted);
    }
  }

  #accepted(least: number, accepts: Accepts): ScoredChunk[] {
    const found: ScoredChunk[] = [];
    for (const [segment, touched] of this.#touched.entries()) {
      const scores = this.#scores[segment]!;
      for (let i = 0; i < this.#counts[segment]!; i++) {
        const chunk = touched[i]!;
        const score = scores[chunk]!;
        if (this.#bucketOf(score) < least) continue;
        const accepted = accepts(segment, chunk);
        if (accepted !== null) found.push({ segment, chunk, score, ...accepted });
      }
    }
    return found;
  }

  #bucketOf(score: number): number {
    return Math.floor((score * BUCKETS) / this.#most);
  }

  /** A bucket of scores that at least so many are in or above, and not many more: 0 where fewer have any. */
  #bucketOfBest(wanted: number): number {
    if (wanted >= this.count) return 0;
    const buckets = new Uint32Array(BUCKETS + 1);
    for (const [segment, touched] of this.#touched.entries()) {
      const scores = this.#scores[segment]!;
      for (let i = 0; i < this.#counts[segment]!; i++) buckets[this.#bucketOf(scores[touched[i]!]!)]! += 1;
    }
    let above = 0;
    for (let bucket = BUCKETS; bucket > 0; bucket--) {
      above += buckets[bucket]!;
      if (above >= wanted) return bucket;
    }
    return 0;
  }
}
