/**
 * Indexing: brings what is in mirrors into the search engine, through the content door, and keeps it so.
 *
 * Offers `createIndexing`: one process of several is the writer (a lease with a fence); it indexes what is new in large groups,
 * changes within a second or two, revisions that are asked for on the way, and keeps the index small. All others follow. Does not
 * know: who asks, how a query runs, or what a segment looks like inside.
 *
 * Start at create-indexing.ts, then index-writing.ts, the writer's two lanes. plan-repository.ts says what a repository needs,
 * build-segments.ts and build-worker.ts read and build, index-group.ts publishes, maintenance.ts merges and cleans up. Why texts may
 * be shared among repositories: docs/decisions/0053-indexing.md.
 *
 * The structure of texts comes behind them: facts-lane.ts says which segment is next, facts-extraction.ts goes through it, facts-serving.ts
 * is what a parser thread does. Why they lag behind and give way: docs/decisions/0067-facts-behind-texts.md.
 *
 * Vectors come behind chunks: embedding-lane.ts gives each chunk its vector of the table, embedding-encoding.ts leads the encoder
 * through all of them in the background, embedding-serving.ts is the one thread that writes them. docs/decisions/0075-embedding-lane.md.
 *
 * What the SCIP index of a repository's own CI says comes as an upload (scip-uploads.ts), in whatever process, and the writer takes it over.
 */
export type { IndexCounters } from './counters.ts';
export { createIndexing, type IndexingDeps, type IndexingRole } from './create-indexing.ts';
export type {
  EmbeddingCoverage,
  EmbeddingOptions,
  EmbeddingProgress,
  Indexing,
  IndexingOptions,
  IndexingProgress,
  RepositoryIndexState,
  RepositoryIndexStatus,
  ScipReceipt,
  SymbolCoverage,
} from './types.ts';
