/**
 * Search by meaning: a question in words, answered by the few chunks of text that it is about, with reasons.
 *
 * It is given a question and the scope that may be looked into; it knows no caller and no rights, and nothing outside of the scope
 * plays a part in an answer. What it finds are places: whoever shows their lines reads them through the content door.
 *
 * Start reading at types.ts and create-retrieval.ts; thread/retrieval-answers.ts shows the stages in their order. question/ tells questions that exact search answers better; stages/ has one file for each stage; scorer/
 * the features of a chunk and their weights; reranking/ what reads question and chunk together.
 */

export {
  createRetrieval,
  type RetrievalDeps,
  type RetrievalOptions,
  retrievalWorkerFile,
} from './create-retrieval.ts';
export { type Evaluation, evaluate } from './eval/evaluate.ts';
export { type ExportedPair, exportedPair, parsePairs } from './eval/labelled-pairs.ts';
export { type Proof, proveWeights, QUESTIONS_MIN } from './eval/prove-weights.ts';
export { rankingOf } from './eval/ranking-words.ts';
export {
  type Answerer,
  type Compared,
  type Difference,
  type LabelledPair,
  type LabelledPlace,
  type MetricName,
  metricNames,
  type RankedAnswer,
  type RankedPlace,
} from './eval/types.ts';
export { type ExactReading, type QuestionReading, readQuestion } from './question/read-question.ts';
export type { ExactSearch } from './question/stack-trace.ts';
export {
  type CrossEncoder,
  type CrossEncoderDialect,
  type CrossEncoderOptions,
  createCrossEncoder,
  crossEncoderDialects,
} from './reranking/cross-encoder.ts';
export { createLocalCrossEncoder, type LocalCrossEncoderOptions } from './reranking/local-cross-encoder.ts';
export { type FeatureName, type Features, featureNames } from './scorer/features.ts';
export { linearScore } from './scorer/linear-scorer.ts';
export { defaultWeights, parseWeights, readWeights } from './scorer/scorer-weights.ts';
export { createTraces, type TracesDeps } from './traces/create-traces.ts';
export type {
  StoredCitation,
  StoredTrace,
  TracedSearch,
  TracedUse,
  TraceQuery,
  TraceReader,
  TraceRecorder,
  Traces,
  TracesOptions,
} from './traces/types.ts';
export {
  type ChunkPlace,
  type FoundBecause,
  type GraphStep,
  type LineRange,
  type RankingSettings,
  type Retrieval,
  type RetrievalAnswer,
  type RetrievalCoverage,
  type RetrievalFilters,
  type RetrievalRequest,
  type RetrievalStage,
  type RetrievedChunk,
  retrievalStages,
  type ScorerWeights,
  type StageRun,
} from './types.ts';
export { createVectorShelf, type VectorShelf, type VectorShelfOptions } from './vector-shelf.ts';
