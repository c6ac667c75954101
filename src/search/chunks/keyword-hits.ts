import type { FieldNorms } from './field-norms.ts';
import type { KeywordGround, KeywordHit, KeywordWeights } from './keyword-types.ts';
import type { PassingChunks } from './passing-chunks.ts';
import type { PathScore, PathScores } from './path-scores.ts';
import type { ScoredChunk, ScoredChunks } from './scored-chunks.ts';
import { NAME_MAX } from './term-postings.ts';
import type { VisibleChunks } from './visible-chunks.ts';
import { type AskedWord, countsAt, type WordLists } from './word-lists.ts';

export interface KeywordHitsDeps {
  ground: KeywordGround;
  visible: VisibleChunks;
  weights: KeywordWeights;
  words: readonly AskedWord[];
  lists: WordLists;
  scored: ScoredChunks;
  norms: FieldNorms;
  paths: PathScores;
  passes: PassingChunks;
}

/** A content that is found by its path. */
interface FoundText {
  segment: number;
  document: number;
  /** Numbers of its chunks: from the first to before the last. */
  first: number;
  end: number;
}

interface WholeHit extends ScoredChunk {
  path: PathScore;
  textScore: number;
}

/** Puts the scores of texts and of paths together. */
export class KeywordHits {
  readonly #deps: KeywordHitsDeps;
  readonly #texts: readonly FoundText[];
  /** By document. */
  readonly #paths = new Map<number, PathScore>();

  constructor(deps: KeywordHitsDeps) {
    this.#deps = deps;
    this.#texts = this.#textsByPath();
  }

  /** `best`: by text, and all of them, where they are not as many as were wanted. */
  hits(best: readonly ScoredChunk[], wanted: number, limit: number): KeywordHit[] {
    const whole = best.map((hit) => this.#withPath(hit));
    whole.sort(byWorth);
    const least = whole[limit - 1]?.score ?? Number.NEGATIVE_INFINITY;
    const textMost = best.length < wanted ? Number.POSITIVE_INFINITY : best.at(-1)!.score;
    const known = new Set(best.map(({ segment, chunk }) => keyOf(segment, chunk)));
    for (const text of this.#texts) this.#addOf(text, { known, least, textMost, whole });
    return whole
      .sort(byWorth)
      .slice(0, limit)
      .map((hit) => this.#told(hit));
  }

  /** Of documents whose path has a word that few have. */
  #textsByPath(): FoundText[] {
    const { ground, visible, paths, passes } = this.#deps;
    const texts: FoundText[] = [];
    for (const { segment, blob } of paths.rareDocuments()) {
      const open = ground.segments[segment]!.chunks;
      if (open === null || visible.shown[segment] === null) continue;
      const document = passes.document(segment, blob);
      if (document === 0) continue;
      const { chunkStarts } = open.tables;
      texts.push({ segment, document, first: chunkStarts[blob]!, end: chunkStarts[blob + 1]! });
    }
    return texts;
  }

  /** Those of its chunks that have words of the question, and the first in any case; of these, those that may be among the best. */
  #addOf(
    { segment, document, first, end }: FoundText,
    {
      known,
      least,
      textMost,
      whole,
    }: { known: ReadonlySet<number>; least: number; textMost: number; whole: WholeHit[] },
  ): void {
    const { ground, lists, passes, scored } = this.#deps;
    if (lists.damaged.has(segment)) return;
    const path = this.#pathOf(document);
    const bonus = this.#deps.weights.path.weight * path.score;
    if (textMost + bonus < least) return;
    const { kinds } = ground.segments[segment]!.chunks!.tables;
    for (let chunk = first; chunk < end; chunk++) {
      if (passes.kinds && passes.kinds[kinds[chunk]!] !== 1) continue;
      if (known.has(keyOf(segment, chunk))) continue;
      const textScore = scored.scoreOf(segment, chunk) ?? this.#textScoreOf(segment, chunk);
      const score = textScore + bonus;
      if (score < least || (textScore === 0 && chunk !== first)) continue;
      whole.push({ segment, chunk, document, part: chunk - first, path, score, textScore });
    }
  }

  #withPath(hit: ScoredChunk): WholeHit {
    const { segment, chunk, document, part, score: textScore } = hit;
    const path = this.#pathOf(document);
    const score = textScore + this.#deps.weights.path.weight * path.score;
    return { segment, chunk, document, part, path, score, textScore };
  }

  #pathOf(document: number): PathScore {
    let path = this.#paths.get(document);
    if (path === undefined) {
      path = this.#deps.paths.best(document, this.#deps.passes.test);
      this.#paths.set(document, path);
    }
    return path;
  }

  /** As it is when every word has been added, in the same order. */
  #textScoreOf(segment: number, chunk: number): number {
    const { ground, words, norms } = this.#deps;
    const { tables } = ground.segments[segment]!.chunks!;
    let score = 0;
    for (const word of words) {
      const counts = countsAt(word.lists?.[segment] ?? null, chunk);
      if (counts > 0) score += word.idf * norms.weigh(counts, tables, chunk);
    }
    return score;
  }

  #told({ segment, chunk, part, path, score, textScore }: WholeHit): KeywordHit {
    const { ground, words } = this.#deps;
    const open = ground.segments[segment]!.chunks!;
    const { nameWords, outlineWords, docWords, bodyWords } = open.tables;
    let [weight, has, named] = [0, 0, 0];
    for (const word of words) {
      if (word.chunks === 0) continue;
      weight += word.idf;
      const counts = countsAt(word.lists?.[segment] ?? null, chunk);
      if (counts > 0) has += word.idf;
      if ((counts & NAME_MAX) > 0) named += word.idf;
    }
    const share = (of: number) => (weight === 0 ? 0 : of / weight);
    return {
      segment,
      chunk,
      blob: ground.reader.blobOf(open, chunk),
      part,
      document: path.document,
      score,
      textScore,
      pathScore: path.score,
      termCoverage: share(has),
      nameCoverage: share(named),
      pathCoverage: path.coverage,
      nameWords: nameWords[chunk]!,
      words: nameWords[chunk]! + outlineWords[chunk]! + docWords[chunk]! + bodyWords[chunk]!,
    };
  }
}

function byWorth(a: WholeHit, b: WholeHit): number {
  return b.score - a.score || a.path.document - b.path.document || a.part - b.part;
}

function keyOf(segment: number, chunk: number): number {
  return segment * 2 ** 32 + chunk;
}
