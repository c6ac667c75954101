import {
  type AskedGround,
  ChunksReader,
  createKeywordRanking,
  FactsReader,
  type KeywordAnswer,
  type SymbolKind,
} from '../../search/index.ts';
import type { GraphAnswers } from '../../symbols/index.ts';
import {
  createVectorScanner,
  loadStaticEmbedder,
  type StaticEmbedder,
  type VectorAnswer,
  type VectorHandle,
} from '../../vectors/index.ts';
import { readsAsChange } from '../question/reads-as-change.ts';
import { featuresOf } from '../scorer/chunk-features.ts';
import type { Features } from '../scorer/features.ts';
import { linearScore } from '../scorer/linear-scorer.ts';
import { addUpFiles } from '../stages/add-up-files.ts';
import { isBodiless } from '../stages/bodiless.ts';
import { expandHits } from '../stages/expansion.ts';
import { type FoldedPlace, foldSlices, symbolKey } from '../stages/fold-slices.ts';
import { fuseRanks, type RankedList } from '../stages/fuse-ranks.ts';
import { keywordList } from '../stages/keyword-list.ts';
import { type MeaningGround, meaningLists, nearest, type SeenQuestion } from '../stages/meaning-lists.ts';
import { groupNearDuplicates } from '../stages/near-duplicates.ts';
import type { FoundBecause, RetrievalCoverage } from '../types.ts';
import type { Candidate } from './candidates.ts';
import { ChunkGround } from './chunk-ground.ts';
import { QuestionWords } from './question-words.ts';
import type { RankedAnswer, RankedChunk, RetrievalQuestion } from './retrieval-question.ts';
import { type LeftOut, StageRuns } from './stage-runs.ts';
import { documentFilter, type VisibleTexts, VisibleTextsOf } from './visible-texts.ts';

/** Chunks of one list; what comes behind adds nothing to a fusion. */
const LIST_MAX = 200;
/** Vectors know no kinds of symbols: where these are asked for, so many times more are looked at. */
const KIND_FACTOR = 4;
/** Of the fused list, those that are scored, and those that are compared with each other. */
const SCORED_MAX = 100;
const COMPARED_MAX = 60;
/** What the graph leads to counts beside what the question found. */
const GRAPH_WEIGHT = 0.3;
const PLACES_TOLD_MAX = 5;
const TERMS_TOLD_MAX = 6;
const SLICES_TOLD_MAX = 20;

/** Answers questions by meaning in one thread, and keeps what it has worked out for a view as long as that shows the same. */
export class RetrievalAnswers {
  readonly #graph: GraphAnswers;
  readonly #chunks = new ChunksReader();
  readonly #facts = new FactsReader({ pageBytes: 8 << 20, recordBytes: 4 << 20 });
  readonly #keywords = createKeywordRanking();
  readonly #scanner = createVectorScanner();
  readonly #texts = new VisibleTextsOf(this.#chunks);
  #table: StaticEmbedder | null = null;
  /** All states of the vectors lie in one memory; each message brings another object for it, and a thread's room in it is kept by object. */
  #memory: VectorHandle['memory'] | null = null;

  /** `graph` answers questions about the graph in the same thread. */
  constructor(graph: GraphAnswers) {
    this.#graph = graph;
  }

  answer(asked: RetrievalQuestion, ground: AskedGround): RankedAnswer {
    const { question, filters, ranking } = asked;
    const stages = new StageRuns(() => performance.now());
    const accepts = documentFilter(filters, ground);
    const texts = this.#texts.of(ground, filters);
    const chunks = new ChunkGround(ground, this.#chunks, accepts);
    const isWanted = kindFilter(filters.kinds);
    const problems = new Set<string>();

    let words: KeywordAnswer | null = null as KeywordAnswer | null;
    const keywords = stages.run('keywords', ranking.keywords, () => {
      const found = this.#keywords.rank(
        {
          text: question,
          limit: LIST_MAX,
          filter: {
            ...(accepts === null ? {} : { document: accepts }),
            ...(filters.kinds === undefined ? {} : { kinds: new Set<SymbolKind | null>(filters.kinds) }),
          },
        },
        { ...ground, reader: this.#chunks },
      );
      for (const problem of found.problems) problems.add(problem);
      words = found;
      return keywordList(found, chunks);
    });
    for (const [at, candidate] of keywords.entries()) candidate.keywordPlace = at + 1;

    const lists: RankedList[] = [{ keys: keysOf(keywords), weight: 1 }];
    const meaning = this.#meaning(asked, ground, { texts, chunks, isWanted, stages });
    for (const { candidates, weight } of meaning.lists) lists.push({ keys: keysOf(candidates), weight });

    const byKey = new Map([...keywords, ...meaning.lists.flatMap(({ candidates }) => candidates)].map(keyed));
    let fused = new Map<number, number>();
    const first = stages.run('fusion', true, () => {
      fused = fuseRanks(lists, ranking.fusionK);
      return ordered(fused, byKey);
    });

    const isOver = ground.deadline.expired();
    const expanded = stages.run('expansion', ranking.expansion, () => {
      if (isOver) return outOfTime;
      const graph = this.#graph;
      return expandHits(first, { asked: ground, graph, facts: this.#facts, chunks, accepts: isWanted });
    });
    if (expanded.length > 0) {
      for (const candidate of expanded) byKey.set(candidate.key, candidate);
      fused = fuseRanks([...lists, { keys: keysOf(expanded), weight: GRAPH_WEIGHT }], ranking.fusionK);
    }
    const pool = ordered(fused, byKey).slice(0, SCORED_MAX);
    meaning.addCosines(pool);

    const questionWords = new QuestionWords(question, words?.words ?? null, texts.chunks);
    const wordsOf = wordsOfCandidates(chunks, questionWords);
    const scored = this.#scored(pool, { fused, chunks, questionWords, wordsOf, ranking, stages });
    // Whoever names a kind of symbol wants symbols.
    const wantsFiles = ranking.files && filters.kinds === undefined && readsAsChange(question);
    const added = stages.run('files', wantsFiles, () =>
      filesAddedUp(scored, { chunks, questionWords, wordsOf }),
    );
    const whole = emptyLast(wantsFiles ? added : scored, chunks);
    const groups = this.#groups(whole, { chunks, ranking, stages });
    const isBeyond =
      asked.candidatesAbove !== null && this.#texts.of(ground, {}).chunks > asked.candidatesAbove;
    const keyOf = ({ candidate }: Scored) =>
      symbolKey({ ...candidate, chunks: chunks.chunksOf(candidate.segment, candidate.blob) });
    const hits = foldSlices(groups, keyOf)
      .slice(0, isBeyond ? Math.max(asked.limit, asked.candidates) : asked.limit)
      .map((place) =>
        rankedChunk(place, { chunks, questionWords, textBytesMax: asked.textBytesMax, isBeyond }),
      );
    if (chunks.damaged > 0) problems.add(DAMAGED);
    return {
      generation: ground.generation,
      next: null,
      hits,
      considered: fused.size,
      coverage: coverageOf(texts, meaning, ground),
      stages: stages.runs,
      stopped: ground.deadline.expired() ? 'budget' : null,
      problems: [...problems],
    };
  }

  #meaning(
    { question, vectors, encoder, encoderWhy, ranking }: RetrievalQuestion,
    { deadline }: AskedGround,
    { texts, chunks, isWanted, stages }: MeaningDeps,
  ): Meaning {
    const handle = vectors && this.#inOneMemory(vectors);
    const limit = isWanted === everything ? LIST_MAX : LIST_MAX * KIND_FACTOR;
    const meaningGround: MeaningGround | null = handle && {
      scanner: this.#scanner,
      handle,
      bits: texts.bits,
      chunks,
      limit,
      accepts: isWanted,
      isCancelled: () => deadline.isStopped(),
    };
    const answers: { table: VectorAnswer | null; encoder: VectorAnswer | null } = {
      table: null,
      encoder: null,
    };
    const find = (by: 'table' | 'encoder', seen: () => SeenQuestion | LeftOut) => {
      stages.run(by, ranking[by], () => {
        if (meaningGround === null) return { why: NO_VECTORS_KEPT };
        const asSeen = seen();
        if ('why' in asSeen) return asSeen;
        const answer = nearest(asSeen, meaningGround);
        if ('why' in answer) return answer;
        answers[by] = answer;
        return answer.hits;
      });
    };
    let byTable: SeenQuestion | null = null;
    find('table', () => {
      this.#table ??= loadStaticEmbedder();
      byTable = { kind: this.#table.kind, vector: this.#table.embedQuery(question) };
      return byTable;
    });
    find('encoder', () => encoder ?? { why: encoderWhy ?? 'no encoder is configured' });
    const seenBy = { table: byTable as SeenQuestion | null, encoder };
    const lists =
      meaningGround === null
        ? []
        : meaningLists(
            answers.table,
            answers.encoder && encoder ? { answer: answers.encoder, seen: encoder } : null,
            texts.chunks,
            meaningGround,
          );
    return {
      lists,
      inTable: answers.table?.rows.allowed ?? null,
      encoded: answers.encoder?.rows.allowed ?? null,
      addCosines: (pool) => {
        if (handle === null) return;
        const places = pool.map(({ blobId, part }) => ({ owner: blobId, part }));
        const cosines = (by: 'table' | 'encoder') => {
          const seen = answers[by] && seenBy[by];
          return seen ? this.#scanner.scoresOf(handle, seen, places) : null;
        };
        const [ofTable, ofEncoder] = [cosines('table'), cosines('encoder')];
        for (const [at, candidate] of pool.entries()) {
          candidate.tableCosine = ofTable?.[at] ?? null;
          candidate.encoderCosine = ofEncoder?.[at] ?? null;
        }
      },
    };
  }

  #inOneMemory(handle: VectorHandle): VectorHandle {
    this.#memory ??= handle.memory;
    return { ...handle, memory: this.#memory };
  }

  #scored(
    pool: readonly Candidate[],
    { fused, chunks, questionWords, wordsOf, ranking, stages }: ScoringDeps,
  ): Scored[] {
    const best = Math.max(...fused.values(), Number.MIN_VALUE);
    const withFeatures = () =>
      pool.map((candidate): Scored => {
        const share = (fused.get(candidate.key) ?? 0) / best;
        const features = featuresOf(candidate, {
          words: questionWords,
          fused: share,
          path: chunks.pathOf(candidate.document),
          documentClass: chunks.classOf(candidate.document),
          wordsOf: () => wordsOf(candidate),
        });
        return { candidate, features, score: share };
      });
    const scored = stages.run('scorer', ranking.scorer, () =>
      withFeatures()
        .map((one) => ({ ...one, score: linearScore(one.features, ranking.weights) }))
        .sort((a, b) => b.score - a.score || a.candidate.key - b.candidate.key),
    );
    return ranking.scorer ? [...scored] : withFeatures();
  }

  #groups(scored: readonly Scored[], { chunks, ranking, stages }: GroupDeps): Scored[][] {
    const compared = scored.slice(0, COMPARED_MAX);
    const groups = stages.run('near-duplicates', ranking.nearDuplicates, () => {
      const texts = compared.map(({ candidate }) => ({
        name: candidate.chunk.name,
        text: chunks.textOf(candidate),
      }));
      return groupNearDuplicates(texts).map((members) => members.map((at) => compared[at]!));
    });
    return ranking.nearDuplicates ? [...groups] : compared.map((one) => [one]);
  }
}

const DAMAGED = 'Some chunks lie in a damaged part of the index. Nothing needs a hand: it is made anew.';

/** Threads do not know the configuration. */
const NO_VECTORS_KEPT = 'no vectors are kept: embedding.model is off, or none have been made so far';

const outOfTime: LeftOut = { why: 'the time of this question was over' };

interface MeaningDeps {
  texts: VisibleTexts;
  chunks: ChunkGround;
  isWanted(candidate: Candidate): boolean;
  stages: StageRuns;
}

interface Meaning {
  lists: readonly { candidates: readonly Candidate[]; weight: number }[];
  inTable: number | null;
  encoded: number | null;
  addCosines(pool: readonly Candidate[]): void;
}

interface ScoringDeps {
  fused: ReadonlyMap<number, number>;
  chunks: ChunkGround;
  questionWords: QuestionWords;
  wordsOf(candidate: Candidate): ReadonlySet<string>;
  ranking: RetrievalQuestion['ranking'];
  stages: StageRuns;
}

type GroupDeps = Pick<ScoringDeps, 'chunks' | 'ranking' | 'stages'>;

interface Scored {
  candidate: Candidate;
  features: Features;
  score: number;
}

/** Each is looked through once. */
function wordsOfCandidates(chunks: ChunkGround, questionWords: QuestionWords): ScoringDeps['wordsOf'] {
  const known = new Map<Candidate, ReadonlySet<string>>();
  return (candidate) => {
    let words = known.get(candidate);
    if (words === undefined) {
      words = questionWords.wordsIn(`${candidate.chunk.name}\n${chunks.textOf(candidate)}`);
      known.set(candidate, words);
    }
    return words;
  };
}

function filesAddedUp(
  scored: readonly Scored[],
  { chunks, questionWords, wordsOf }: Pick<ScoringDeps, 'chunks' | 'questionWords' | 'wordsOf'>,
): Scored[] {
  const members = scored.map(({ candidate, score }) => {
    const { key, document, chunk } = candidate;
    const { repositoryId, revision, path } = chunks.placeOf(document, chunk);
    return {
      ...{ score, key, document },
      folder: `${repositoryId} ${revision} ${path.slice(0, path.lastIndexOf('/') + 1)}`,
      words: [...wordsOf(candidate)],
    };
  });
  return addUpFiles(members, (words) => questionWords.coverageOf(words)).map(({ at, score }) => ({
    ...scored[at]!,
    score,
  }));
}

/** Their words and names alone would bring them to the front. */
function emptyLast(scored: readonly Scored[], chunks: ChunkGround): Scored[] {
  const isEmpty = ({ candidate }: Scored) => isBodiless(candidate.chunk, () => chunks.textOf(candidate));
  const empty = new Set(scored.filter(isEmpty));
  return [...scored.filter((one) => !empty.has(one)), ...empty];
}

const everything = () => true;

function kindFilter(kinds: readonly SymbolKind[] | undefined): (candidate: Candidate) => boolean {
  if (kinds === undefined) return everything;
  const wanted = new Set<SymbolKind | null>(kinds);
  return ({ chunk }) => wanted.has(chunk.kind);
}

function keyed(candidate: Candidate): [number, Candidate] {
  return [candidate.key, candidate];
}

function keysOf(candidates: readonly Candidate[]): number[] {
  return candidates.map(({ key }) => key);
}

function ordered(fused: ReadonlyMap<number, number>, byKey: ReadonlyMap<number, Candidate>): Candidate[] {
  return [...fused.keys()].map((key) => byKey.get(key)!);
}

function rankedChunk(
  { best, slices, similar: others }: FoldedPlace<Scored>,
  {
    chunks,
    questionWords,
    textBytesMax,
    isBeyond,
  }: { chunks: ChunkGround; questionWords: QuestionWords; textBytesMax: number; isBeyond: boolean },
): RankedChunk {
  const { candidate, features, score } = best;
  const { chunk, document } = candidate;
  const copies = chunks.copiesOf(document);
  const similar = others.map((other) => other.candidate);
  const text = chunks.textOf(candidate);
  return {
    place: chunks.placeOf(document, chunk),
    name: chunk.name,
    container: chunk.parents === '' ? chunk.name : `${chunk.parents}.${chunk.name}`,
    kind: chunk.kind,
    language: chunks.languageOf(document),
    score,
    features,
    because: because(candidate, questionWords.foundIn(`${chunk.name}\n${text}`, TERMS_TOLD_MAX)),
    signatureLine: signatureLine(candidate, chunks),
    slices: slices.slice(0, SLICES_TOLD_MAX).map(({ candidate: { chunk } }) => {
      const { startLine, endLine } = chunk;
      return { startLine, endLine };
    }),
    also: copies.slice(0, PLACES_TOLD_MAX).map((copy) => chunks.placeOf(copy, chunk)),
    alsoCount: copies.length,
    similar: similar.slice(0, PLACES_TOLD_MAX).map((other) => chunks.placeOf(other.document, other.chunk)),
    similarCount: similar.length,
    candidate: isBeyond ? embeddable(candidate, chunks, text) : null,
    text: textBytesMax === 0 ? '' : text.slice(0, textBytesMax),
  };
}

/** The signature lies before all slices of its symbol but the first. */
function signatureLine({ segment, blob, chunk }: Candidate, chunks: ChunkGround): number | null {
  const { signatureStart, start, startLine } = chunk;
  if (signatureStart < 0) return null;
  const [from, to] = signatureStart < start ? [signatureStart, start] : [start, signatureStart];
  const between = chunks.bytesOf({ segment, blob }, from, to);
  let lines = 0;
  for (const byte of between) if (byte === NEWLINE) lines++;
  return signatureStart < start ? startLine - lines : startLine + lines;
}

const NEWLINE = 10;

/** A chunk as the lane of vectors would have it embedded. */
function embeddable(
  { blobId, part, segment, blob, chunk }: Candidate,
  chunks: ChunkGround,
  body: string,
): RankedChunk['candidate'] {
  const { name, parents, signatureStart, signatureEnd } = chunk;
  const signature =
    signatureStart < 0
      ? ''
      : chunks.bytesOf({ segment, blob }, signatureStart, signatureEnd).toString('utf8');
  return { owner: blobId, part, text: { name, path: parents.replaceAll('.', '/'), signature, body } };
}

function because({ keywordPlace, meaning, graph }: Candidate, terms: readonly string[]): FoundBecause[] {
  const reasons: FoundBecause[] = [];
  if (keywordPlace > 0) reasons.push({ by: 'keywords', rank: keywordPlace, terms });
  if (meaning !== null) reasons.push({ by: meaning.by, rank: meaning.place, cosine: meaning.cosine });
  if (graph !== null) reasons.push({ by: 'graph', relation: graph.relation, of: graph.of });
  return reasons;
}

function coverageOf(
  { bits: _, ...texts }: VisibleTexts,
  { inTable, encoded }: Meaning,
  { scope, shown }: AskedGround,
): RetrievalCoverage {
  const indexed = new Set(shown.map(({ repository }) => repository.id));
  return {
    ...texts,
    // A row that came twice after a fall counts twice until it is merged away.
    inTable: inTable && Math.min(inTable, texts.chunks),
    encoded: encoded && Math.min(encoded, texts.chunks),
    unindexed: scope.map(({ id }) => id).filter((id) => !indexed.has(id)),
  };
}
