import { PeriscopeError } from '../base/errors.ts';
import { orWhenAborted } from '../base/or-when-aborted.ts';
import { withDeadline } from '../base/with-deadline.ts';
import type { IndexSearch } from '../search/index.ts';
import type { CandidateEncoder, Embedder } from '../vectors/index.ts';
import { encoderTimeout } from './errors.ts';
import type { CrossEncoder } from './reranking/cross-encoder.ts';
import { encodeCandidates } from './reranking/encode-candidates.ts';
import { NO_VECTOR } from './stages/meaning-lists.ts';
import type { RankedAnswer, RankedChunk, RetrievalQuestion } from './thread/retrieval-question.ts';
import type { RankingSettings, Retrieval, RetrievalAnswer, RetrievedChunk, StageRun } from './types.ts';
import type { VectorShelf } from './vector-shelf.ts';

/** What the threads of a search pool run that are to answer questions by meaning, and about the graph, too. */
export const retrievalWorkerFile = new URL('./thread/retrieval-worker.js', import.meta.url);

export interface RetrievalOptions {
  ranking: RankingSettings;
  /** How long a question may take to encode; afterwards it is answered without. Default 300 ms. */
  encodeMs?: number;
  /** Chunks that a cross-encoder reads. Default 30. */
  rerankedMax?: number;
  /** Where an asker sees more chunks, the encoder has read none in advance. Default 1 000 000. */
  embeddedMax?: number;
  /** How long it may then take to read what a question brings; afterwards that stays in its order. Default 800 ms. */
  candidatesMs?: number;
}

export interface RetrievalDeps {
  /** Its threads must run `retrievalWorkerFile`. */
  index: Pick<IndexSearch, 'ask'>;
  /** Null: there are no vectors, and words alone rank. */
  vectors: VectorShelf | null;
  /** Encodes questions as the encoder's vectors were made; null where there is none. */
  encoder: Pick<Embedder, 'kind' | 'embedQuery'> | null;
  /** Reads the chunks that a question brings, where there are too many to read in advance; null where there is no encoder. */
  candidates?: Pick<CandidateEncoder, 'cosines'> | null;
  /** Null where none is configured. */
  crossEncoder: CrossEncoder | null;
  /** Milliseconds, for what stages take. Default: this process's clock. */
  now?: () => number;
}

/** What a cross-encoder reads of a chunk. */
const TEXT_BYTES_MAX = 3000;
/** Chunks that an encoder reads for a question, where it has read none in advance. */
const CANDIDATES = 40;
/** Chunks beyond the limit that come back from a thread, in place of those that may not be shown any more. */
const SPARE = 5;

/** Asks an index by meaning, in the threads that search it. */
export function createRetrieval(options: RetrievalOptions, deps: RetrievalDeps): Retrieval {
  const { encodeMs = 300, rerankedMax = 30, embeddedMax = 1_000_000, candidatesMs = 800 } = options;
  const { index, vectors, encoder, crossEncoder, candidates = null, now = () => performance.now() } = deps;

  return {
    ranking: options.ranking,
    async retrieve({ scope, revisions, question, filters, limit, budgetMs, admits, ...request }, signal) {
      const wanted: RankingSettings = { ...options.ranking, ...request.ranking };
      // Where there is none, nobody misses it.
      const ranking = { ...wanted, encoder: wanted.encoder && encoder !== null };
      const reranks = ranking.crossEncoder && crossEncoder !== null;
      const encoded = await encodedQuestion(question, ranking, signal);
      const borrowed = (await vectors?.borrow()) ?? null;
      try {
        const asked: RetrievalQuestion = {
          kind: 'retrieval',
          question,
          filters,
          limit: Math.max(limit, reranks ? rerankedMax : 0) + SPARE,
          candidates: CANDIDATES + SPARE,
          ranking,
          vectors: borrowed?.handle ?? null,
          encoder: encoded.seen,
          encoderWhy: encoded.why,
          candidatesAbove: wanted.encoder && ranking.scorer && candidates !== null ? embeddedMax : null,
          textBytesMax: reranks ? TEXT_BYTES_MAX : 0,
        };
        const ranked = await index.ask<RankedAnswer>(
          { scope, revisions, budgetMs, generation: null, question: asked },
          signal,
        );
        if (ranked === null) return noIndexAnswer(scope.map(({ id }) => id));
        const admitted = await admittedOf(ranked.hits, admits);
        const read = await withCandidates(question, admitted, ranking, signal);
        const reranked = await rerank(question, read.hits, ranking, signal);
        const { next: _, ...answer } = ranked;
        return {
          ...answer,
          hits: reranked.hits.slice(0, limit).map(withoutText),
          stages: [encoded.run, ...ranked.stages, read.run, reranked.run],
          problems: [...ranked.problems, ...(borrowed?.problems ?? [])],
        };
      } finally {
        borrowed?.release();
      }
    },
    async close() {
      vectors?.close();
      await crossEncoder?.close();
    },
  };

  /** The question as the encoder sees it, unless it takes too long or fails. */
  async function encodedQuestion(
    question: string,
    ranking: RankingSettings,
    signal: AbortSignal,
  ): Promise<{ seen: RetrievalQuestion['encoder']; why: string | null; run: StageRun }> {
    const stage = 'encode-question';
    // Where there is no vector to compare with, nothing need be encoded.
    if (!ranking.encoder || encoder === null || vectors === null) {
      return { seen: null, why: null, run: { stage, state: 'off', ms: 0, count: 0, why: null } };
    }
    const startedMs = now();
    try {
      const vector = await withDeadline(signal, encodeMs, (bounded, expired) =>
        orWhenAborted(encoder.embedQuery(question, bounded), bounded, () =>
          expired() ? encoderTimeout(encodeMs) : signal.reason,
        ),
      );
      return {
        seen: { kind: encoder.kind, vector },
        why: null,
        run: { stage, state: 'ran', ms: now() - startedMs, count: 1, why: null },
      };
    } catch (fault) {
      signal.throwIfAborted();
      const ms = now() - startedMs;
      // Said as where vectors are that may not be looked at: an asker must not learn whether there are any.
      if (fault instanceof PeriscopeError && fault.code === 'vectors/nothing-encoded')
        return { seen: null, why: NO_VECTOR, run: { stage, state: 'ran', ms, count: 1, why: null } };
      const why = whyOf(fault);
      return { seen: null, why, run: { stage, state: 'left-out', ms, count: 0, why } };
    }
  }

  async function withCandidates(
    question: string,
    hits: readonly RankedChunk[],
    { weights }: RankingSettings,
    signal: AbortSignal,
  ): Promise<{ hits: readonly RankedChunk[]; run: StageRun }> {
    const stage = 'encode-candidates';
    const count = hits.filter(({ candidate }) => candidate !== null).length;
    if (candidates === null || count === 0) {
      return { hits, run: { stage, state: 'off', ms: 0, count: 0, why: null } };
    }
    const startedMs = now();
    try {
      const found = await withDeadline(signal, candidatesMs, (bounded, expired) =>
        orWhenAborted(
          encodeCandidates(question, hits, { encoder: candidates, weights }, bounded),
          bounded,
          () => (expired() ? encoderTimeout(candidatesMs) : signal.reason),
        ),
      );
      return { hits: found, run: { stage, state: 'ran', ms: now() - startedMs, count, why: null } };
    } catch (fault) {
      signal.throwIfAborted();
      const why = whyOf(fault);
      return { hits, run: { stage, state: 'left-out', ms: now() - startedMs, count: 0, why } };
    }
  }

  async function rerank(
    question: string,
    hits: readonly RankedChunk[],
    ranking: RankingSettings,
    signal: AbortSignal,
  ): Promise<{ hits: readonly RankedChunk[]; run: StageRun }> {
    const stage = 'cross-encoder';
    if (!ranking.crossEncoder || crossEncoder === null) {
      return { hits, run: { stage, state: 'off', ms: 0, count: 0, why: null } };
    }
    const read = hits.slice(0, rerankedMax);
    const startedMs = now();
    try {
      const scores = await crossEncoder.scores(question, read.map(readText), signal);
      const order = read
        .map((hit, at) => ({ hit: { ...hit, score: scores[at]! }, at }))
        .sort((a, b) => b.hit.score - a.hit.score || a.at - b.at)
        .map(({ hit }) => hit);
      return {
        hits: [...order, ...hits.slice(rerankedMax)],
        run: { stage, state: 'ran', ms: now() - startedMs, count: read.length, why: null },
      };
    } catch (fault) {
      signal.throwIfAborted();
      const why = whyOf(fault);
      return { hits, run: { stage, state: 'left-out', ms: now() - startedMs, count: 0, why } };
    }
  }
}

/** Nothing of what may not be shown any more is sent anywhere. */
async function admittedOf(
  hits: readonly RankedChunk[],
  admits: ((places: readonly RetrievedChunk['place'][]) => Promise<readonly boolean[]>) | undefined,
): Promise<readonly RankedChunk[]> {
  if (admits === undefined || hits.length === 0) return hits;
  const places = hits.flatMap(({ place, also, similar }) => [place, ...also, ...similar]);
  const may = (await admits(places)).values();
  return hits.flatMap((hit) => {
    const isShown = may.next().value === true;
    const also = hit.also.filter(() => may.next().value === true);
    const similar = hit.similar.filter(() => may.next().value === true);
    const alsoCount = hit.alsoCount - (hit.also.length - also.length);
    const similarCount = hit.similarCount - (hit.similar.length - similar.length);
    return isShown ? [{ ...hit, also, alsoCount, similar, similarCount }] : [];
  });
}

function readText({ place, container, text }: RankedChunk): string {
  return `${place.path}\n${container}\n${text}`;
}

function withoutText({ text: _, candidate: __, ...hit }: RankedChunk): RetrievedChunk {
  return hit;
}

function whyOf(fault: unknown): string {
  return fault instanceof PeriscopeError ? fault.message : 'it failed';
}

/** While there is no index nothing was looked at, and the answer says so. */
function noIndexAnswer(unindexed: readonly number[]): RetrievalAnswer {
  return {
    generation: 0,
    hits: [],
    considered: 0,
    coverage: {
      documents: 0,
      unread: 0,
      texts: 0,
      unchunked: 0,
      chunks: 0,
      inTable: null,
      encoded: null,
      unindexed,
    },
    stages: [],
    stopped: null,
    problems: [],
  };
}
