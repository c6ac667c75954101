/**
 * Engines over text that know no repository and no caller: they are given bytes and return offsets.
 *
 * So far the regex matcher (regex/): RE2's syntax, linear time whatever the pattern, over UTF-8, line by line unless the pattern
 * names the line break. Start reading at regex/regex.ts. A pattern is parsed (parser.ts), compiled to an automaton over bytes
 * (compiler.ts), made deterministic while it runs (lazy-dfa.ts); single lines are matched by line-matcher.ts, the lines of whole texts
 * by block-scanner.ts with the compiled loops of kernels.as.ts, matches over several lines by across-lines.ts. Why it is our own: docs/decisions/0021-regex-matcher.md.
 *
 * Texts of an index lie in immutable segments (segments/): start at segments/segment-builder.ts and segments/segment-reader.ts; the
 * format and its history stand in segments/segment-format.ts, why it is so in docs/decisions/0056-segments.md.
 *
 * What the structure of those texts says lies beside each segment (facts/), by the segment's own blob numbers: start at facts/types.ts,
 * facts/facts-builder.ts and facts/facts-reader.ts; the format and its history stand in facts/facts-format.ts.
 *
 * The pieces of those texts that are ranked by words and embedded lie beside each segment too (chunks/): start at chunks/types.ts and
 * chunks/cut-text.ts, chunks/rank-keywords.ts ranks them; why they are so in docs/decisions/0072-chunks.md.
 *
 * What the SCIP index of a repository's own CI said of a commit lies beside them (scip/): start at scip/scip-format.ts.
 *
 * A query over an index runs in a thread (engine/): engine/run-query.ts shows its steps, engine/document-search.ts the order in which
 * documents are looked at, docs/decisions/0051-engine.md why nothing hidden plays a part in that.
 */

export { ChunksBuilder, type ChunksBuilderOptions } from './chunks/chunks-builder.ts';
export { ChunksReader, type ChunksReaderOptions } from './chunks/chunks-reader.ts';
export { type CutText, chunksVersion, cutText } from './chunks/cut-text.ts';
export type {
  ChunkCoverage,
  ChunkFilter,
  FieldWeight,
  KeywordAnswer,
  KeywordGround,
  KeywordHit,
  KeywordQuestion,
  KeywordRanking,
  KeywordWeights,
} from './chunks/keyword-types.ts';
export { keywordWeights } from './chunks/keyword-weights.ts';
export { type MergeChunksOptions, mergeChunks } from './chunks/merge-chunks.ts';
export { attachChunks, type ChunksHandle, type OpenChunks, openChunks } from './chunks/open-chunks.ts';
export { createKeywordRanking } from './chunks/rank-keywords.ts';
export {
  type Chunk,
  type ChunkField,
  type ChunkSkip,
  type ChunksCounters,
  type ChunksSummary,
  chunkFields,
  chunkSkips,
} from './chunks/types.ts';
export { termsOfText } from './chunks/words.ts';
export { documentClass } from './documents/document-class.ts';
export { languageName, languageNamed, languageOf, nearLanguages } from './documents/languages.ts';
export {
  type CodeSearchDeps,
  type CodeSearchOptions,
  createCodeSearch,
} from './engine/create-code-search.ts';
export { type QuestionAnswerer, startSearchThread } from './engine/search-thread.ts';
export type { ShownRevision } from './engine/searched-revisions.ts';
export type {
  AskedGround,
  CodeSearch,
  Counted,
  Facets,
  FoundFile,
  FoundLine,
  FoundPlace,
  IndexedRevision,
  IndexQuestion,
  IndexSearch,
  Scope,
  ScopeRepository,
  SearchAnswer,
  SearchOutput,
  SearchPosition,
  SearchRequest,
  SearchStatistics,
} from './engine/types.ts';
export { NO_RANK, RankCursor, segmentsBySlot, type View } from './engine/view.ts';
export { FactsBuilder, type FactsBuilderOptions } from './facts/facts-builder.ts';
export { FACTS_FORMAT } from './facts/facts-format.ts';
export {
  type FactsName,
  FactsReader,
  type FactsReaderOptions,
  type FoundModule,
  type FoundName,
  type NameSearchOptions,
} from './facts/facts-reader.ts';
export { type MergeFactsOptions, mergeFacts } from './facts/merge-facts.ts';
export { attachFacts, type FactsHandle, type OpenFacts, openFacts } from './facts/open-facts.ts';
export { type DefinitionList, IMPORTS_IT, kindsMask, type UseList } from './facts/postings.ts';
export {
  type DependencyFact,
  dataKinds,
  type Ecosystem,
  ecosystems,
  type FactsCounters,
  type FactsOutcome,
  type FactsSkip,
  type FactsSummary,
  type FileFacts,
  factsSkips,
  type ImportFact,
  type PackageFact,
  type ReferenceFact,
  type ReferenceKind,
  referenceKinds,
  type SymbolFact,
  type SymbolKind,
  symbolKinds,
} from './facts/types.ts';
export { damagedFileOf, damageNotes, noteDamage, removeDamageNotes } from './index-folder/damage-notes.ts';
export { brokenIndexFile, diskFault } from './index-folder/index-errors.ts';
export { readIndexState } from './index-folder/index-state-file.ts';
export {
  type IndexContent,
  type IndexWriter,
  type IndexWriterOptions,
  openIndexWriter,
} from './index-folder/index-writer.ts';
export {
  type HeldGeneration,
  type OpenGeneration,
  type OpenIndex,
  type OpenIndexOptions,
  type OpenRevision,
  type OpenSegmentEntry,
  openIndex,
  type SegmentFile,
} from './index-folder/open-index.ts';
export type {
  ChunksEntry,
  FactsEntry,
  IndexState,
  RevisionEntry,
  ScipEntry,
  SegmentEntry,
} from './index-folder/types.ts';
export { type Manifest, openManifest, readBlobIds } from './manifests/manifest.ts';
export type { DocumentClass, ManifestHead, ManifestRow, PathReason, SkipReason } from './manifests/types.ts';
export {
  type CopiedHead,
  copyManifest,
  type NewManifest,
  writeManifest,
} from './manifests/write-manifest.ts';
export { filePattern, repositoryPattern } from './queries/glob-patterns.ts';
export { parseQuery, QUERY_LENGTH_MAX } from './queries/parse-query.ts';
export { type QueryField, queryFields } from './queries/query-fields.ts';
export { queryToZoekt } from './queries/query-to-zoekt.ts';
export type {
  ParsedQuery,
  ParseQueryOptions,
  QueryFilters,
  QueryNode,
  QueryTarget,
  TextPattern,
} from './queries/types.ts';
export type { ByteRange } from './regex/line-matcher.ts';
export type { LiteralQuery } from './regex/literal-query.ts';
export { fulfils } from './regex/literal-query.ts';
export { exactLiterals, type ScanLiteral, scanLiterals } from './regex/literal-sets.ts';
export { compileRegex, type Regex, type RegexOptions } from './regex/regex.ts';
export { type RequiredLiteralsOptions, requiredLiterals, requiredShapes } from './regex/required-literals.ts';
export type { MatchedLine, ScanOptions, ScanOutcome, TextEnds } from './regex/text-scan.ts';
export { warmRegexTables } from './regex/unicode-tables.ts';
export type { Deadline } from './regex/work-meter.ts';
export type { ScanDescription, ScannedText } from './scanning/scan-messages.ts';
export { createScanPool, type Scan, type ScanPool, type ScanPoolOptions } from './scanning/scan-pool.ts';
export { OpenScip, occurrenceAt, openScip, type ScipDocument, type ScipSymbol } from './scip/open-scip.ts';
export {
  ScipBuilder,
  type ScipBuilderOptions,
  type ScipOccurrence,
  type ScipSummary,
} from './scip/scip-builder.ts';
export { type Descriptor, descriptorsOf, LOCAL_SYMBOL, symbolKey, symbolParts } from './scip/scip-symbol.ts';
export { dictionaryFileName, openDictionaries, writeDictionaries } from './segments/dictionary-file.ts';
export { dictionaryGroup } from './segments/dictionary-groups.ts';
export { type DictionarySample, trainDictionaries } from './segments/dictionary-training.ts';
export { type BlobReference, type MergeOptions, mergeSegments } from './segments/merge-segments.ts';
export { openSegment } from './segments/open-segment.ts';
export { SegmentBuilder, type SegmentBuilderOptions } from './segments/segment-builder.ts';
export { SegmentReader } from './segments/segment-reader.ts';
export type { DictionarySet, SegmentSummary, SegmentText } from './segments/types.ts';
export { createZoektSearch, type ZoektDeps, type ZoektOptions } from './zoekt/create-zoekt-search.ts';
