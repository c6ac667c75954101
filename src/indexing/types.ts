import type { Repository } from '../catalog/index.ts';
import type { FactsSkip, PathReason, SkipReason } from '../search/index.ts';
import type { ScipLeftOut } from '../symbols/index.ts';

export interface IndexingOptions {
  /** The index folder. */
  folder: string;
  /** Globs of the branches that are kept indexed beside the default branch. Default none. */
  branches: readonly string[];
  /** Texts above it are skipped as too large. Default 1 MiB. */
  fileBytesMax: number;
  /** Distinct trigrams of a text above it are skipped: machine-made text. Default 20 000. */
  trigramsMax: number;
  /** Threads that decode, mask and build. */
  workers: number;
  /** Bound of what all of them hold together. */
  memoryBytesMax: number;
  /** Texts of revisions that were asked for and belong to no kept branch. */
  visitedBytesMax: number;
  /** How often every repository is looked at for changes that nobody told. 0 never. */
  sweepIntervalMs: number;
  /** Whether the structure of texts (definitions, uses, imports) is extracted behind them. */
  symbols: boolean;
  /** Threads that extract it, beside those that index texts. */
  symbolWorkers: number;
  /** Of the vectors of its chunks. */
  vectorFolder: string;
  /** Null embeds nothing, and vectors that are there go. Needs symbols. */
  embedding: EmbeddingOptions | null;
}

export interface EmbeddingOptions {
  /** Where there are more chunks, the encoder sees none in advance. 0 is no bound. */
  chunksMax: number;
  /** Chunks of a batch of the encoder. Default 128. */
  batchMax?: number;
  /** How long the encoder waits after a first failure. Default 5 s. */
  retryFirstMs?: number;
}

export interface IndexingProgress {
  repositoriesDone: number;
  repositoriesTotal: number;
  bytesDone: number;
  bytesPerSecond: number;
  /** Null while nothing can be said. */
  remainingMs: number | null;
  /** Null where nothing is embedded here. */
  embedding: EmbeddingProgress | null;
  /** Text whose symbols are in the index, and all text; null where none are extracted here. */
  symbols: { bytesDone: number; bytesTotal: number } | null;
}

export interface EmbeddingProgress {
  /** Of texts that are cut. */
  chunks: number;
  /** Those with a vector of the table, which come at once. */
  inTable: number;
  /** Those with a vector of the encoder, which come in the background; null where there is none. */
  encoded: number | null;
  encoder: {
    /** Null until it could be opened. */
    model: string | null;
    /** `at-query`: there are too many chunks to encode them in advance. */
    state: 'waiting' | 'working' | 'done' | 'at-query' | 'held-up';
    /** Why it is held up, and what to do about it. */
    problem: string | null;
  } | null;
}

/** Of the chunks of a default branch's documents, the same text counted once. */
export interface EmbeddingCoverage {
  chunks: number;
  inTable: number;
  encoded: number;
}

export type RepositoryIndexState = 'indexed' | 'pending' | 'indexing' | 'never' | 'failed' | 'empty';

export interface RepositoryIndexStatus {
  repositoryId: number;
  state: RepositoryIndexState;
  /** Of the default branch: what is indexed, and what it stands at as far as is known. */
  indexedCommit: string | null;
  headCommit: string | null;
  indexedMs: number | null;
  documents: number;
  skipped: Readonly<Partial<Record<SkipReason | PathReason, number>>>;
  maskedSpans: number;
  branches: readonly { branch: string; commit: string }[];
  problem: string | null;
}

/** Of the documents of a default branch that have a text. */
export interface SymbolCoverage {
  withSymbols: number;
  /** Theirs are still to be extracted. */
  pending: number;
  /** Why others have none: `no-language` is one that nothing is extracted of. */
  skipped: Readonly<Partial<Record<FactsSkip, number>>>;
}

/** What was kept of an uploaded SCIP index, and what not. */
export interface ScipReceipt {
  commit: string;
  documents: number;
  occurrences: number;
  symbols: number;
  leftOut: Readonly<ScipLeftOut>;
  /** Names that looked like credentials. */
  maskedNames: number;
  /** False: the process that writes the index has not taken it over yet, and does so as soon as it can. */
  published: boolean;
}

export interface Indexing {
  status(repositoryId: number): RepositoryIndexStatus;
  /** Null where the repository is not indexed, or symbols are not extracted. Reads the index where that has changed. */
  symbolCoverage(repositoryId: number): Promise<SymbolCoverage | null>;
  /** Null where the repository is not indexed, or nothing is embedded. As of some seconds ago at most. */
  embeddingCoverage(repositoryId: number): Promise<EmbeddingCoverage | null>;
  progress(): IndexingProgress;
  /**
   * Whether a repository whose default branch is indexed at this commit was seen to stand at another one. Servers look by themselves
   * every few seconds, whoever writes the index; asking costs nothing.
   */
  isBehind(repositoryId: number, indexedCommit: string): boolean;
  /** Grows when that may have changed for any repository. */
  headsVersion(): number;
  /** Why nothing can be indexed now, and what to do about it; null when nothing hinders it here. */
  problem(): string | null;
  /** Something may have changed: looked at at once, before what the sweep brings. Never fails. */
  changed(repository: Repository): void;
  /**
   * Makes a revision searchable: at once when it is, else what of it is indexed already is, and the rest follows in the
   * background within an LRU bound. `pending` files are not searchable yet.
   */
  ensureRevision(
    repository: Repository,
    commit: string,
    options: { signal: AbortSignal; budgetMs: number },
  ): Promise<{ revision: string; pending: number }>;
  /**
   * Takes in what the SCIP index of a repository's own CI says of a commit, in place of what was said before. Fails with `busy` while
   * the commit is not indexed, and with `invalid-request` and `too-large` for an upload that cannot be taken.
   */
  takeScip(
    repository: Repository,
    upload: {
      commit: string;
      body: AsyncIterable<Uint8Array>;
      /** Folder that its paths are counted from; '' is the whole repository. */
      root: string;
    },
    options: { signal: AbortSignal; budgetMs: number },
  ): Promise<ScipReceipt>;
  /** Everything once, for `periscope index --once`. Fails with `busy` when another process writes the index. */
  indexAll(options: {
    signal: AbortSignal;
    onProgress?: (progress: IndexingProgress) => void;
    /** Symbols come another time. Default false. */
    textOnly?: boolean;
  }): Promise<IndexingProgress>;
  close(): Promise<void>;
}
