/** Questions in words over the chunks that a view shows, and what they are answered with. */
import type { View } from '../engine/view.ts';
import type { SymbolKind } from '../facts/types.ts';
import type { Manifest } from '../manifests/manifest.ts';
import type { ChunksReader } from './chunks-reader.ts';
import type { OpenChunks } from './open-chunks.ts';
import type { ChunkField, ChunksCounters } from './types.ts';

/** What BM25F and the score of paths depend on; to be fitted. */
export interface KeywordWeights {
  /** How soon a further use of a word stops to count. */
  k1: number;
  fields: Readonly<Record<ChunkField, FieldWeight>>;
  path: {
    /** What a path's score counts beside the text's. 0: paths play no part. */
    weight: number;
    /** What a word counts in the name of the file, where it counts 1 in that of a folder. */
    fileName: number;
    /** As `b` of a field. */
    b: number;
  };
}

export interface FieldWeight {
  weight: number;
  /** From 0 to 1: how far the length of the field, by the mean over the visible chunks, counts against it. */
  b: number;
}

/** What a question is answered from: what a search in the same thread has (`AskedGround`), and what reads chunks. */
export interface KeywordGround {
  view: View;
  /** In the order of the view. */
  segments: readonly { readonly slot: number; readonly chunks: OpenChunks | null }[];
  /** In the order of the view. */
  manifests: readonly Manifest[];
  /** Where blobs lie, as in a view's places. */
  table: Uint32Array;
  reader: ChunksReader;
}

export interface ChunkFilter {
  /**
   * Whether a document counts (its repository, path, language), by manifest and row. Asked of documents whose chunks could be among
   * the best, once each. Default: all do.
   */
  document?: (manifest: number, row: number) => boolean;
  /** Default: all. Null is the kind of chunks without a symbol. */
  kinds?: ReadonlySet<SymbolKind | null>;
}

export interface KeywordQuestion {
  text: string;
  /** How many of the best hits are wanted. */
  limit: number;
  filter?: ChunkFilter;
  /** Default: `keywordWeights`. */
  weights?: KeywordWeights;
}

/** A chunk that was found, with what a scorer may want to know of it. All figures depend on visible documents alone. */
export interface KeywordHit {
  /** Number in the view. */
  segment: number;
  /** Number of the chunk in its segment's file. */
  chunk: number;
  /** Number of its blob in the segment. */
  blob: number;
  /** Number of the chunk within its blob, from 0. */
  part: number;
  /** The view's rank of the first document that shows it and passes the filter. */
  document: number;
  /** Text and path together. */
  score: number;
  /** BM25F over the fields of the chunk. */
  textScore: number;
  pathScore: number;
  /** Share of the question's weight (its words by how rare they are) that the chunk's text has. */
  termCoverage: number;
  /** The same for the chunk's name alone. */
  nameCoverage: number;
  /** The same for the path. */
  pathCoverage: number;
  /** Words of its name. */
  nameWords: number;
  /** Words of all its fields. */
  words: number;
}

export interface KeywordAnswer {
  /** Best first; equals in the order of documents, then of the text. */
  hits: readonly KeywordHit[];
  /** The words that were looked for, and how many visible chunks have each. */
  words: readonly { word: string; chunks: number }[];
  /** Chunks that had a score. */
  scored: number;
  coverage: ChunkCoverage;
  /** For tests and metrics, never for an asker: what lies beside the visible in one file is counted too. */
  counters: KeywordCounters;
  /** What could not be read, in words; those chunks are missing. */
  problems: readonly string[];
}

export interface KeywordCounters extends ChunksCounters {
  /** Entries of lists that were decoded. */
  postings: number;
  /** Rows of manifests whose paths were taken apart. */
  pathRows: number;
}

/** What of a view's documents has chunks. */
export interface ChunkCoverage {
  /** Chunks that are shown. */
  chunks: number;
  /** Different texts that are shown. */
  texts: number;
  /** Of these, those that are not cut yet. */
  pendingTexts: number;
}

/** Answers questions in one thread. Keeps what it works out for a view as long as that view lives. */
export interface KeywordRanking {
  rank(question: KeywordQuestion, ground: KeywordGround): KeywordAnswer;
  coverage(ground: KeywordGround): ChunkCoverage;
}
