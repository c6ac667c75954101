/**
 * The structure of texts: what they define, use and import, read from their syntax, and what their package manifests say.
 *
 * Extraction is given a language, a path and a text, and gives facts (src/search/facts/types.ts); it knows no repository and no asker,
 * and nothing of how facts are stored. What a use points to is resolved later, at query time.
 *
 * Start reading at extractor/create-extractor.ts: a text is parsed by tree-sitter's grammar of its language (grammars/), read out of
 * tree-sitter's memory as a flat tree (extractor/syntax-tree.ts), matched by the language's query (extractor/query-matcher.ts) and made
 * into facts (extractor/assemble-facts.ts). What is peculiar to a language stands in languages/NAME/, how to add one in
 * docs/languages.md, why the grammars lie here as they do in docs/decisions/0060-grammars.md.
 *
 * What a repository's own CI knows for certain comes as a SCIP index (scip/): start at scip/take-scip-index.ts.
 *
 * The graph (graph/) answers who defines, uses, extends and imports what, in the threads of the search pool: graph/run-graph.ts shows
 * the steps, graph/resolver/resolver.ts how a use finds its definitions, docs/decisions/0061-graph.md why nothing of it is stored.
 */

export {
  createExtractor,
  type ExtractionRequest,
  type Extractor,
  type ExtractorOptions,
} from './extractor/create-extractor.ts';
export {
  createGraphSearch,
  graphWorkerFile,
} from './graph/create-graph-search.ts';
export { GraphAnswers, type GraphQuestion } from './graph/run-graph.ts';
export {
  type Confidence,
  type EdgeFinding,
  edgeFindings,
  type GraphAnswer,
  type GraphCoverage,
  type GraphEdge,
  type GraphFilters,
  type GraphNode,
  type GraphPlace,
  type GraphPosition,
  type GraphRelation,
  type GraphRequest,
  type GraphSearch,
  type GraphStart,
  type GraphStatistics,
  graphRelations,
} from './graph/types.ts';
export {
  type ScipLeftOut,
  type TakenScip,
  type TakeScipOptions,
  takeScipIndex,
} from './scip/take-scip-index.ts';
