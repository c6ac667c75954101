/**
 * Search by meaning: a question in words, answered by the few chunks that it is about. The engine never sees an asker: it gets the
 * scope, and nothing outside of it influences which chunks come, in what order and with what scores.
 *
 * Stages give ranked lists (keywords, the meanings that two models see, what the graph leads to); the lists are fused by rank, what
 * comes first is ordered anew by a scorer and, where one is configured, by a cross-encoder. Each stage can be switched off, and each
 * says what it took.
 */
import type { Scope, SymbolKind, TextPattern } from '../search/index.ts';
import type { FeatureName } from './scorer/features.ts';

/** In the order in which they run. */
export const retrievalStages = [
  'encode-question',
  'keywords',
  'table',
  'encoder',
  'fusion',
  'expansion',
  'scorer',
  'files',
  'near-duplicates',
  'encode-candidates',
  'cross-encoder',
] as const;
export type RetrievalStage = (typeof retrievalStages)[number];

/** How chunks are ranked: what an evaluation compares. */
export interface RankingSettings {
  /** Keyword ranking over names, paths and bodies. */
  keywords: boolean;
  /** Vectors of the table that embeds everything at once. */
  table: boolean;
  /** Vectors of the encoder, of what it has seen. */
  encoder: boolean;
  /** What the first hits call, extend and stand beside, and who calls them. */
  expansion: boolean;
  /** Orders the first of the fused list by a weighted sum of features. */
  scorer: boolean;
  /** Where a change is told and no place asked for: what was found in one file adds up. */
  files: boolean;
  /** Orders the first of the scored list by an endpoint that reads question and chunk together; only where one is configured. */
  crossEncoder: boolean;
  /** The same or nearly the same chunk in forks, copies and vendored folders comes once. */
  nearDuplicates: boolean;
  /** Of reciprocal rank fusion: how much less the second place of a list counts than the first. */
  fusionK: number;
  weights: ScorerWeights;
}

/** Weights of the linear scorer, with where they come from. */
export interface ScorerWeights {
  /** What they were fitted on and how, or that they were set by hand. */
  provenance: string;
  weights: Readonly<Record<FeatureName, number>>;
}

export interface RetrievalFilters {
  /** Paths have each of them. */
  paths?: readonly TextPattern[];
  /** Paths have none of them. */
  withoutPaths?: readonly TextPattern[];
  /** Numbers of the language table. */
  languages?: readonly number[];
  /** Kinds of the symbols that chunks are about. */
  kinds?: readonly SymbolKind[];
}

export interface RetrievalRequest {
  question: string;
  scope: Scope;
  /** As in searches: these revisions of repositories instead of their branches. */
  revisions: ReadonlyMap<number, string>;
  filters: RetrievalFilters;
  /** Chunks of the answer. */
  limit: number;
  /** Default: as configured. */
  ranking?: Partial<RankingSettings>;
  /** Asked before anything of a chunk leaves the process: whether its place may be shown now. Default: all may. */
  admits?: (places: readonly ChunkPlace[]) => Promise<readonly boolean[]>;
  budgetMs: number;
}

/** Where a chunk stands. */
export interface ChunkPlace {
  repositoryId: number;
  revision: string;
  commit: string;
  path: string;
  /** From 1, both included. */
  startLine: number;
  endLine: number;
}

/** From 1, both included. */
export interface LineRange {
  startLine: number;
  endLine: number;
}

/** Why a chunk was found. */
export type FoundBecause =
  | {
      by: 'keywords';
      /** Place in that list, from 1. */
      rank: number;
      /** Words of the question that it has, as they are written there. */
      terms: readonly string[];
    }
  | { by: 'table' | 'encoder' /** Place in the list of meaning, from 1. */; rank: number; cosine: number }
  | { by: 'graph'; relation: GraphStep /** Name of the hit that led to it. */; of: string };

/** `calls`: it calls the hit; `called`: the hit calls it; `extended`: the hit extends it; `beside`: they stand in one file. */
export type GraphStep = 'calls' | 'called' | 'extended' | 'beside';

export interface RetrievedChunk {
  place: ChunkPlace;
  /** Of the symbol that it is about; empty for a piece of a text. */
  name: string;
  /** Names around it and its own, with dots; its own name alone where nothing is around it. */
  container: string;
  kind: SymbolKind | null;
  language: string | null;
  /** By which it stands where it stands; comparable within one answer. */
  score: number;
  features: Readonly<Record<FeatureName, number>>;
  because: readonly FoundBecause[];
  /** The line that says what its symbol is; null where it has none. */
  signatureLine: number | null;
  /** Further lines of the same symbol that were found, the best first: a symbol takes one place. */
  slices: readonly LineRange[];
  /** Further visible places of the very same text, at most some; `alsoCount` has all. */
  also: readonly ChunkPlace[];
  alsoCount: number;
  /** Other texts that say nearly the same here, at most some; `similarCount` has all. */
  similar: readonly ChunkPlace[];
  similarCount: number;
}

export interface StageRun {
  stage: RetrievalStage;
  /** `left-out`: it was asked for and could not run, `why` says what was in the way. */
  state: 'ran' | 'off' | 'left-out';
  ms: number;
  /** Chunks in its list, or that it looked at. */
  count: number;
  /** In words for the asker; they name no repository. */
  why: string | null;
}

/** How much of what was asked about can be found, counted over what is visible and fits the filters. */
export interface RetrievalCoverage {
  /** Documents that have a text, or will have one. */
  documents: number;
  /** Documents whose text is still being indexed, or cannot be read now. */
  unread: number;
  /** Different texts of those documents. */
  texts: number;
  /** Texts that are not cut into chunks yet. */
  unchunked: number;
  chunks: number;
  /** Chunks with a vector of the table, and of the encoder. Null where that was not looked for. */
  inTable: number | null;
  encoded: number | null;
  /** Repositories of the scope without any searchable revision yet, by id. */
  unindexed: readonly number[];
}

export interface RetrievalAnswer {
  generation: number;
  hits: readonly RetrievedChunk[];
  /** Chunks that were ranked before the limit; there may be further ones that no list held. */
  considered: number;
  coverage: RetrievalCoverage;
  stages: readonly StageRun[];
  stopped: null | 'budget';
  /** In words for the asker; they name no repository. */
  problems: readonly string[];
}

export interface Retrieval {
  /** How it ranks where a request says nothing else. */
  readonly ranking: RankingSettings;
  /** Fails with `cancelled`, `busy` and `timeout`, as searches do. Stages that fail are left out, and the answer says so. */
  retrieve(request: RetrievalRequest, signal: AbortSignal): Promise<RetrievalAnswer>;
  close(): Promise<void>;
}
