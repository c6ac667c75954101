import { PeriscopeError } from '../../base/errors.ts';
import type { View } from '../engine/view.ts';
import { noteDamage } from '../index-folder/damage-notes.ts';
import type {
  KeywordAnswer,
  KeywordGround,
  KeywordHit,
  KeywordQuestion,
  KeywordRanking,
} from './keyword-types.ts';
import { keywordWeights } from './keyword-weights.ts';
import { type PassingChunks, passingChunks } from './passing-chunks.ts';
import { type PathScore, PathScores } from './path-scores.ts';
import { PathTermsOf } from './path-terms.ts';
import { type ScoredChunk, ScoredChunks } from './scored-chunks.ts';
import { termHash } from './term-hash.ts';
import { NAME_MAX, PostingList } from './term-postings.ts';
import { normsOf, rememberCount, type VisibleChunks, visibleChunks } from './visible-chunks.ts';
import { termsOfText } from './words.ts';

/** A question's further words, in their order, are left out. */
const WORDS_MAX = 48;
/** Hits by text among which paths decide, for each that is wanted, and at least. */
const CANDIDATES_PER_HIT = 2;
const CANDIDATES_LEAST = 100;
/** A word in over this share of the visible chunks is not what anybody is found by, where another word is rarer. */
const COMMON_SHARE = 0.02;

interface AskedWord {
  word: string;
  /** Visible chunks that have it. */
  chunks: number;
  idf: number;
  /** By segment: where it stands, among what is shown. Null: not read yet. */
  lists: (WordList | null)[] | null;
}

/** A part of what was decoded for a question. */
interface WordList {
  from: number;
  to: number;
}

/** Ranks chunks by the words of a question: BM25F over their fields, and beside it what the words are in paths. */
export function createKeywordRanking(): KeywordRanking {
  const known = new WeakMap<View, VisibleChunks>();
  const decoded = new PostingList();
  const scored = new ScoredChunks();
  const pathTerms = new PathTermsOf();

  return {
    coverage: (ground) => visibleOf(ground).coverage,
    rank,
  };

  function visibleOf(ground: KeywordGround): VisibleChunks {
    const before = known.get(ground.view);
    if (before?.files.every((chunks, segment) => chunks === ground.segments[segment]?.chunks)) return before;
    const visible = visibleChunks(ground, pathTerms);
    known.set(ground.view, visible);
    return visible;
  }

  function rank(question: KeywordQuestion, ground: KeywordGround): KeywordAnswer {
    const weights = question.weights ?? keywordWeights;
    const visible = visibleOf(ground);
    const isFiltered = question.filter?.document !== undefined || question.filter?.kinds !== undefined;
    const problems = new Set<string>();
    const damaged = new Set<number>();
    ground.reader.takeCounters();
    decoded.clear();
    const words = [...new Set(termsOfText(question.text))].slice(0, WORDS_MAX).map((word) => asked(word));
    // The rarest first; of equals the one that sorts before, so that sums are made in one order.
    words.sort((a, b) => a.chunks - b.chunks || (a.word < b.word ? -1 : 1));
    const norms = normsOf(visible, weights);
    const candidates = Math.max(CANDIDATES_LEAST, CANDIDATES_PER_HIT * question.limit);
    scored.restart(ground.segments.map(({ chunks }) => chunks));
    for (const [place, word] of words.entries()) score(word, place);
    const paths = new PathScores(ground, { words: words.map(({ word }) => word), weights, visible });
    const found = hits();
    return {
      hits: found,
      words: words.map(({ word, chunks }) => ({ word, chunks })),
      scored: scored.count,
      coverage: visible.coverage,
      counters: { ...ground.reader.takeCounters(), pathRows: pathTerms.takeRowsRead() },
      problems: [...problems],
    };

    function asked(word: string): AskedWord {
      const counted = visible.chunksWith.get(word);
      const lists = counted === undefined ? readLists(word) : null;
      const chunks =
        counted ?? lists!.reduce((sum, list) => sum + (list === null ? 0 : list.to - list.from), 0);
      if (counted === undefined && problems.size === 0) rememberCount(visible, word, chunks);
      const idf = Math.log(1 + (visible.coverage.chunks - chunks + 0.5) / (chunks + 0.5));
      return { word, chunks, idf, lists };
    }

    function readLists(word: string): (WordList | null)[] {
      const term = termHash(word);
      return ground.segments.map(({ chunks: open }, segment) => {
        const shown = visible.shown[segment] ?? null;
        if (shown === null || open === null) return null;
        try {
          const found = ground.reader.term(open, term);
          if (found === null) return null;
          const from = decoded.length;
          decoded.append(ground.reader.list(open, found), found.count, shown);
          return { from, to: decoded.length };
        } catch (error) {
          if (!(error instanceof PeriscopeError) || error.kind !== 'unavailable') throw error;
          noteDamage(open.file);
          damaged.add(segment);
          problems.add(`${error.message} ${error.next}`);
          return null;
        }
      });
    }

    function score(word: AskedWord, place: number): void {
      if (word.chunks === 0) return;
      word.lists ??= readLists(word.word);
      const isCommon = word.chunks > COMMON_SHARE * visible.coverage.chunks;
      // What has none of the rarer words cannot come among the candidates any more.
      const left = words.slice(place).reduce((sum, { idf }) => sum + idf, 0);
      const onlyKnown = isCommon && !isFiltered && scored.holdsAbove(left, candidates);
      word.lists.forEach((list, segment) => {
        if (list !== null && !damaged.has(segment))
          scored.add(segment, decoded, {
            ...list,
            norms,
            idf: word.idf,
            tables: ground.segments[segment]!.chunks!.tables,
            onlyKnown,
          });
      });
    }

    function hits(): KeywordHit[] {
      const passes = passingChunks(question.filter, ground);
      const best = scored.best(candidates, (segment, chunk) => {
        const { tables } = ground.segments[segment]!.chunks!;
        if (passes.kinds && passes.kinds[tables.kinds[chunk]!] !== 1) return null;
        const blob = ground.reader.blobOf(ground.segments[segment]!.chunks!, chunk);
        const document = passes.document(segment, blob);
        return document === 0 ? null : { document, part: chunk - tables.chunkStarts[blob]! };
      });
      const known = new Set(best.map(({ segment, chunk }) => keyOf(segment, chunk)));
      const all = [
        ...best,
        ...foundByPath(passes).filter(({ segment, chunk }) => !known.has(keyOf(segment, chunk))),
      ];
      const whole = all.map((hit) => {
        const path = paths.best(hit.document, passes.test);
        return { ...hit, path, score: hit.score + weights.path.weight * path.score, textScore: hit.score };
      });
      whole.sort((a, b) => b.score - a.score || a.path.document - b.path.document || a.part - b.part);
      return whole.slice(0, question.limit).map(told);
    }

    /** Of documents whose path has a word that few have: chunks that have words of the question, and the first in any case. */
    function foundByPath(passes: PassingChunks): ScoredChunk[] {
      const found: ScoredChunk[] = [];
      for (const { segment, blob } of paths.rareDocuments()) {
        const open = ground.segments[segment]!.chunks;
        if (open === null || visible.shown[segment] === null || damaged.has(segment)) continue;
        const document = passes.document(segment, blob);
        if (document === 0) continue;
        const { chunkStarts, kinds } = open.tables;
        const first = chunkStarts[blob]!;
        for (let chunk = first; chunk < chunkStarts[blob + 1]!; chunk++) {
          if (passes.kinds && passes.kinds[kinds[chunk]!] !== 1) continue;
          const score = textScoreOf(segment, chunk);
          if (score > 0 || chunk === first)
            found.push({ segment, chunk, score, document, part: chunk - first });
        }
      }
      return found;
    }

    /** As it is when every word has been added, in the same order. */
    function textScoreOf(segment: number, chunk: number): number {
      const { tables } = ground.segments[segment]!.chunks!;
      return words.reduce((score, { idf, lists }) => {
        const counts = countsAt(decoded, lists?.[segment] ?? null, chunk);
        return counts === 0 ? score : score + idf * norms.weigh(counts, tables, chunk);
      }, 0);
    }

    function told({
      segment,
      chunk,
      part,
      path,
      score,
      textScore,
    }: ScoredChunk & { path: PathScore; textScore: number }): KeywordHit {
      const open = ground.segments[segment]!.chunks!;
      const { nameWords, outlineWords, docWords, bodyWords } = open.tables;
      let [weight, has, named] = [0, 0, 0];
      for (const { chunks, idf, lists } of words) {
        if (chunks === 0) continue;
        weight += idf;
        const counts = countsAt(decoded, lists?.[segment] ?? null, chunk);
        if (counts > 0) has += idf;
        if ((counts & NAME_MAX) > 0) named += idf;
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
}

function keyOf(segment: number, chunk: number): number {
  return segment * 2 ** 32 + chunk;
}

/** How often a chunk has the word, by field; 0 for not at all. */
function countsAt({ chunks, counts }: PostingList, list: WordList | null, chunk: number): number {
  if (list === null) return 0;
  let low = list.from;
  let high = list.to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (chunks[middle]! < chunk) low = middle + 1;
    else high = middle;
  }
  return low < list.to && chunks[low] === chunk ? counts[low]! : 0;
}
