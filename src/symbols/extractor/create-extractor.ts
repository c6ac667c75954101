import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Language, Parser } from 'web-tree-sitter';
import type { FactsOutcome, FileFacts } from '../../search/index.ts';
import { languageDefinitions, languageOfText } from '../languages/language-list.ts';
import { readPackageFile } from '../packages/read-package-file.ts';
import { assembleFacts } from './assemble-facts.ts';
import { CapturedReferences, captureFile, captureMeanings } from './captured-file.ts';
import { grammarVersions, loadGrammar } from './grammars.ts';
import type { GrammarLanguage, LanguageDefinition, ScannedLanguage } from './language-definition.ts';
import { isMachineMade, isNestedTooDeep } from './machine-made.ts';
import { compileQuery } from './query-matcher.ts';
import { SyntaxTree, TreeColumns } from './syntax-tree.ts';
import { type OffsetText, readOffsets } from './text-offsets.ts';
import { readInPieces } from './text-pieces.ts';
import { MEMORY_BYTES_MAX, startTreeSitter, type TreeSitterMemory } from './tree-sitter-memory.ts';

/** Counted up when the same query and definition give other facts. */
const EXTRACTOR_VERSION = 1;

export interface ExtractorOptions {
  /** Names of languages as the language table has them; default all that there are. */
  languages?: readonly string[];
  /** Larger texts are skipped. Default 1 MiB. */
  sizeBytesMax?: number;
  /** A text that takes longer is skipped. Default 3 s. */
  deadlineMs?: number;
}

export interface ExtractionRequest {
  /** Name of the language as the language table has it. */
  language: string;
  /** Tells dialects (`.tsx`) and package manifests apart; nothing else is taken from it. */
  path: string;
  /** The stored text, UTF-8. */
  text: Uint8Array;
}

export interface Extractor {
  /** Synchronous, and never throws for what a text holds. */
  extract(request: ExtractionRequest): FactsOutcome;
  /** A text has spoilt or used up the parsers' memory, which a thread has once: every further one fails. Go on in a new thread. */
  isBroken(): boolean;
  /** What facts of a language depend on besides the text: grammar, query, definition. Null where it has no extractor. */
  versionOf(language: string): string | null;
  /** One for all languages. */
  readonly factsVersion: string;
  /** Frees the grammars' parsers. */
  close(): void;
}

/** A text that needs more of tree-sitter's memory is stopped. An ordinary one of a megabyte takes a tenth of it. */
const MEMORY_BYTES_ENOUGH = 0.8 * MEMORY_BYTES_MAX;
const ASKED_BETWEEN_CHECKS = 16;
/** Once stopped parsers have lost so much, the thread has lived long enough. */
const LOST_BYTES_MAX = 0.7 * MEMORY_BYTES_MAX;

/** Loads every grammar that is asked for and compiles the queries: about a second for all. One extractor per thread. */
export async function createExtractor(options: ExtractorOptions = {}): Promise<Extractor> {
  const { sizeBytesMax = 1_048_576, deadlineMs = 3000 } = options;
  const wanted = options.languages;
  const names = [...languageDefinitions.keys()].filter(
    (name) => !wanted || wanted.includes(languageDefinitions.get(name)!.language),
  );
  const memory = await startTreeSitter();
  const shared: SharedRoom = { memory, columns: new TreeColumns(), references: new CapturedReferences() };
  const grammars = new Map<string, Language>();
  const parts = new Map<string, Extraction>();
  for (const name of names) {
    const { definition } = languageDefinitions.get(name)!;
    if ('grammar' in definition) {
      const { grammar } = definition;
      const language = grammars.get(grammar) ?? (await loadGrammar(grammar));
      grammars.set(grammar, language);
      parts.set(name, await grammarExtraction(definition, language, shared));
    } else {
      parts.set(name, scanned(definition));
    }
  }
  const versions = await factsVersions();
  let broken = false;
  return {
    extract({ language, path, text }) {
      const packageFile = text.length <= sizeBytesMax ? readPackageFile(path, text) : null;
      const outcome = extractText(language, path, text);
      if (packageFile === null) return outcome;
      if ('facts' in outcome) return { facts: { ...outcome.facts, packageFile } };
      return { facts: { symbols: [], references: [], imports: [], namespace: null, packageFile } };
    },
    isBroken: () => broken,
    versionOf: (language) => versions.byLanguage.get(language) ?? null,
    factsVersion: versions.all,
    close() {
      // Spoilt memory cannot be given back part by part: it goes with the thread.
      if (!broken) for (const part of parts.values()) part.close();
    },
  };

  function extractText(language: string, path: string, text: Uint8Array): FactsOutcome {
    const part = parts.get(languageOfText(language, path, text) ?? '');
    if (!part) return { skipped: 'no-language' };
    if (text.length > sizeBytesMax) return { skipped: 'too-large' };
    if (broken) return { skipped: 'failed' };
    const offsets = readOffsets(text);
    if (!part.longLines && isMachineMade(text.length, offsets)) return { skipped: 'machine-made' };
    if (part.isParsed && isNestedTooDeep(text)) return { skipped: 'machine-made' };
    const deadline = performance.now() + deadlineMs;
    let asked = 0;
    const isOver = () => {
      // Asked after every hundred of the parser's steps.
      if (++asked % ASKED_BETWEEN_CHECKS !== 0) return false;
      return performance.now() > deadline || memory.sizeBytes() > MEMORY_BYTES_ENOUGH;
    };
    try {
      return { facts: part.run(offsets, isOver) };
    } catch (error) {
      if (error instanceof ParserBroken || memory.sizeBytes() > LOST_BYTES_MAX) broken = true;
      return { skipped: error instanceof OutOfTime && !broken ? 'too-slow' : 'failed' };
    }
  }
}

interface Extraction {
  longLines: boolean;
  /** By a grammar; scanners do not call themselves. */
  isParsed: boolean;
  run(offsets: OffsetText, isOver: () => boolean): FileFacts;
  close(): void;
}

/** What one text after the other is read into, of whatever language. */
interface SharedRoom {
  memory: TreeSitterMemory;
  columns: TreeColumns;
  references: CapturedReferences;
}

class OutOfTime extends Error {}
class ParserBroken extends Error {}

async function grammarExtraction(
  definition: GrammarLanguage,
  language: Language,
  { memory, columns, references }: SharedRoom,
): Promise<Extraction> {
  let parser = newParser(language);
  const tree = new SyntaxTree(language, columns);
  const matcher = compileQuery(await queryText(definition), language, tree);
  const meanings = captureMeanings(matcher);
  return {
    longLines: definition.longLines ?? false,
    isParsed: true,
    run(offsets, isOver) {
      const text = definition.prepare?.(offsets.text) ?? offsets.text;
      const parsed = unlessBroken(() => parser.parse(readInPieces(text), null, { progressCallback: isOver }));
      if (!parsed) {
        memory.abandon(parser);
        parser = newParser(language);
        throw new OutOfTime();
      }
      try {
        tree.read(parsed, text, memory);
      } finally {
        // Never left to the garbage collector: tree-sitter's memory ends at 2 GiB, and the thread with it.
        unlessBroken(() => parsed.delete());
      }
      const captured = captureFile(tree, matcher, meanings, definition, references, () => {
        if (isOver()) throw new OutOfTime();
      });
      return assembleFacts(tree, captured, definition, offsets);
    },
    close: () => parser.delete(),
  };
}

function newParser(language: Language): Parser {
  const parser = new Parser();
  parser.setLanguage(language);
  return parser;
}

/** Whatever tree-sitter throws in the midst of its work leaves its memory as it was just then. */
function unlessBroken<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new ParserBroken("tree-sitter's memory is spoilt", { cause });
  }
}

function scanned(definition: ScannedLanguage): Extraction {
  return {
    longLines: definition.longLines ?? false,
    isParsed: false,
    run: (offsets) => inBytes(definition.scan(offsets.text), offsets),
    close: () => {},
  };
}

/** Facts whose offsets are UTF-16, as scanners give them, with offsets of bytes. */
function inBytes(facts: FileFacts, { byteOf }: OffsetText): FileFacts {
  const at = (offset: number) => (offset < 0 ? -1 : byteOf(offset));
  return {
    ...facts,
    symbols: facts.symbols.map((symbol) => ({
      ...symbol,
      nameStart: at(symbol.nameStart),
      nameEnd: at(symbol.nameEnd),
      start: at(symbol.start),
      end: at(symbol.end),
      signatureStart: at(symbol.signatureStart),
      signatureEnd: at(symbol.signatureEnd),
      docStart: at(symbol.docStart),
      docEnd: at(symbol.docEnd),
    })),
    references: facts.references.map((reference) => ({ ...reference, start: at(reference.start) })),
    imports: facts.imports.map((one) => ({ ...one, start: at(one.start) })),
  };
}

async function queryText(definition: GrammarLanguage): Promise<string> {
  const parts = await Promise.all(definition.queries.map((file) => readFile(file, 'utf8')));
  return parts.join('\n');
}

/** Versions of every language there is, also of those that this extractor was not asked for: all threads agree on them. */
async function factsVersions(): Promise<{ byLanguage: Map<string, string>; all: string }> {
  const grammars = await grammarVersions();
  const byLanguage = new Map<string, string>();
  const everything = createHash('sha256').update(`${EXTRACTOR_VERSION}`);
  const parts = new Map<string, string[]>();
  for (const { language, definition } of languageDefinitions.values()) {
    const said = await definitionVersion(definition, grammars);
    parts.set(language, [...(parts.get(language) ?? []), said]);
  }
  for (const [language, said] of parts) {
    const hash = createHash('sha256').update(`${EXTRACTOR_VERSION}\0${said.join('\0')}`);
    const version = hash.digest('hex').slice(0, 16);
    byLanguage.set(language, version);
    everything.update(`${language}\0${version}\0`);
  }
  return { byLanguage, all: everything.digest('hex').slice(0, 16) };
}

async function definitionVersion(
  definition: LanguageDefinition,
  grammars: ReadonlyMap<string, string>,
): Promise<string> {
  if (!('grammar' in definition)) return `scan ${definition.version}`;
  return `${grammars.get(definition.grammar)} ${definition.version} ${await queryText(definition)}`;
}
