/**
 * Meaning as vectors: embedders that turn texts into them, and a store that finds the nearest.
 *
 * It is given chunks of text with their names and paths, numbers for what they belong to, and which of those numbers may be found; it
 * knows no repository, no asker and no rights. Vectors of different models, lengths or preparations are never compared.
 *
 * Start reading at types.ts. Words are made by words/word-pieces.ts. A table fitted to the default model embeds everything at once
 * (table/static-embedder.ts; made by scripts/fit-static-table); an encoder follows in threads of its own (encoders/), from the default
 * model, a folder or an endpoint. Vectors lie in immutable segments (store/vector-format.ts), written by store/vector-writer.ts, opened
 * into memory that threads share by store/vector-reader.ts, searched by store/vector-scanner.ts. One list out of vectors of two models
 * is made by ranking/semantic-list.ts. Why so: docs/decisions/0070-embedders.md and docs/decisions/0071-vector-store.md.
 */

export {
  type Candidate,
  type CandidateEncoder,
  type CandidateEncoderOptions,
  createCandidateEncoder,
} from './encoders/candidate-encoder.ts';
export type { TextPrefixes } from './encoders/chunk-preparation.ts';
export { defaultModelName, prepareDefaultModel } from './encoders/default-model.ts';
export { createEmbedderSource, type EmbedderSource } from './encoders/embedder-source.ts';
export type { DefaultModelPlace } from './encoders/encoder-messages.ts';
export { type EndpointEmbedderOptions, openEndpointEmbedder } from './encoders/endpoint-embedder.ts';
export { createLocalEmbedder, type LocalEmbedderOptions } from './encoders/local-embedder.ts';
export {
  createLocalPairReader,
  type LocalPairReader,
  type LocalPairReaderOptions,
} from './encoders/local-pair-reader.ts';
export type { ModelFiles } from './encoders/model-files.ts';
export { type ModelFolderOptions, openModelFolder } from './encoders/model-folder.ts';
export {
  createQuestionEncoder,
  type QuestionEncoder,
  type QuestionEncoderDeps,
  type QuestionEncoderOptions,
} from './encoders/question-encoder.ts';
export { type SemanticHit, type SemanticListInput, semanticList } from './ranking/semantic-list.ts';
export { type FolderStoreOptions, openFolderStore } from './store/folder-store.ts';
export { quantize } from './store/quantize.ts';
export type {
  AllowedOwners,
  KindCount,
  VectorAnswer,
  VectorHit,
  VectorPlace,
  VectorQuery,
  VectorRow,
  VectorStore,
} from './store/store-types.ts';
export { isSameKind, kindName } from './store/vector-kinds.ts';
export {
  type BrokenPart,
  createVectorReader,
  type VectorGeneration,
  type VectorHandle,
  type VectorReader,
  type VectorReaderOptions,
} from './store/vector-reader.ts';
export {
  createVectorScanner,
  type VectorScanner,
  type VectorScannerOptions,
} from './store/vector-scanner.ts';
export {
  openVectorWriter,
  type RowChoice,
  readKindCounts,
  readOwnerCounts,
  type StoredRows,
  type VectorWriter,
  type VectorWriterOptions,
} from './store/vector-writer.ts';
export { isTableKind, loadStaticEmbedder, type StaticEmbedder } from './table/static-embedder.ts';
export type { ChunkText, Embedder, EmbeddingUrgency, QuantizedVector, VectorKind } from './types.ts';
