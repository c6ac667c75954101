import type { View } from '../engine/view.ts';
import { KeywordHits } from './keyword-hits.ts';
import type { KeywordAnswer, KeywordGround, KeywordQuestion, KeywordRanking } from './keyword-types.ts';
import { keywordWeights } from './keyword-weights.ts';
import { passingChunks } from './passing-chunks.ts';
import { PathScores } from './path-scores.ts';
import { PathTermsOf } from './path-terms.ts';
import { type Accepts, ScoredChunks } from './scored-chunks.ts';
import { normsOf, type VisibleChunks, visibleChunks } from './visible-chunks.ts';
import { type AskedWord, WordLists } from './word-lists.ts';
import { termsOfText } from './words.ts';

/** A question's further words, in their order, are left out. */
const WORDS_MAX = 48;
/** Hits by text among which paths decide, for each that is wanted, and at least. */
const CANDIDATES_PER_HIT = 2;
const CANDIDATES_LEAST = 100;
/** A word in over this share of the visible chunks is not what anybody is found by, where another word is rarer. */
const COMMON_SHARE = 0.02;
/** What is read in no time need not be kept. */
const KEPT_CHUNKS_LEAST = 500;

/** Ranks chunks by the words of a question: BM25F over their fields, and beside it what the words are in paths. */
export function createKeywordRanking(): KeywordRanking {
  const known = new WeakMap<View, VisibleChunks>();
  const pathTerms = new PathTermsOf();
  const lists = new WordLists();
  const scored = new ScoredChunks();

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
    ground.reader.takeCounters();
    const norms = normsOf(visible, weights);
    lists.restart(ground, visible, norms);
    scored.restart(ground.segments.map(({ chunks }) => chunks));
    const words = [...new Set(termsOfText(question.text))]
      .slice(0, WORDS_MAX)
      .map((word) => lists.asked(word));
    // The rarest first; of equals the one that sorts before, so that sums are made in one order.
    words.sort((a, b) => a.chunks - b.chunks || (a.word < b.word ? -1 : 1));
    const isFiltered = question.filter?.document !== undefined || question.filter?.kinds !== undefined;
    const passes = passingChunks(question.filter, ground);
    const paths = new PathScores(ground, { words: words.map(({ word }) => word), weights, visible });
    const found = new KeywordHits({ ground, visible, weights, words, lists, scored, norms, paths, passes });
    const candidates = Math.max(CANDIDATES_LEAST, CANDIDATES_PER_HIT * question.limit);
    let onlyKnown = false;
    for (const [place, word] of words.entries()) add(word, place);
    const hits = found.hits(scored.best(candidates, accepts), candidates, question.limit);
    return {
      hits,
      words: words.map(({ word, chunks }) => ({ word, chunks })),
      scored: scored.count,
      coverage: visible.coverage,
      counters: {
        ...ground.reader.takeCounters(),
        postings: lists.postings,
        pathRows: pathTerms.takeRowsRead(),
      },
      problems: [...lists.problems],
    };

    function add(word: AskedWord, place: number): void {
      if (word.chunks === 0) return;
      word.lists ??= lists.whole(word.word);
      const { idf } = word;
      const isCommon = word.chunks > COMMON_SHARE * visible.coverage.chunks;
      if (isCommon && word.chunks > KEPT_CHUNKS_LEAST) lists.keep(word);
      // What has none of the rarer words cannot come among the candidates any more.
      const left = words.slice(place).reduce((sum, other) => sum + other.idf, 0);
      onlyKnown ||= isCommon && !isFiltered && scored.holdsAbove(left, candidates);
      word.lists.forEach((list, segment) => {
        if (list === null || lists.damaged.has(segment)) return;
        const { tables } = ground.segments[segment]!.chunks!;
        scored.add(segment, list, { norms, idf, tables, onlyKnown });
      });
    }

    function accepts(segment: number, chunk: number): ReturnType<Accepts> {
      const open = ground.segments[segment]!.chunks!;
      if (passes.kinds && passes.kinds[open.tables.kinds[chunk]!] !== 1) return null;
      const blob = ground.reader.blobOf(open, chunk);
      const document = passes.document(segment, blob);
      return document === 0 ? null : { document, part: chunk - open.tables.chunkStarts[blob]! };
    }
  }
}
