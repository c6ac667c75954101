/**
 * The structure of texts: what they define, use and import, read from their syntax, and what their package manifests say.
 *
 * It is given a language, a path and a text, and gives facts (src/search/facts/types.ts); it knows no repository and no asker, and
 * nothing of how facts are stored. What a use points to is resolved later, at query time.
 *
 * Start reading at extractor/create-extractor.ts: a text is parsed by tree-sitter's grammar of its language (grammars/), read out of
 * tree-sitter's memory as a flat tree (extractor/syntax-tree.ts), matched by the language's query (extractor/query-matcher.ts) and made
 * into facts (extractor/assemble-facts.ts). What is peculiar to a language stands in languages/NAME/, how to add one in
 * docs/languages.md, why the grammars lie here as they do in docs/decisions/0060-grammars.md.
 */

export {
  createExtractor,
  type ExtractionRequest,
  type Extractor,
  type ExtractorOptions,
} from './extractor/create-extractor.ts';
