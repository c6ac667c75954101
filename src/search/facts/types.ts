/**
 * Facts: what the structure of one text says, by itself: its definitions, uses and imports, in the order in which they stand. They
 * depend on the text, its language and the version of what extracted them, and on nothing else: not on a repository, branch or asker.
 * What a use points to is decided when somebody asks, among what they may see.
 *
 * Offsets are bytes of the stored UTF-8 text, lines count from 1.
 */

/** Kinds of definitions, the same words for all languages. */
export const symbolKinds = [
  'function',
  'method',
  'constructor',
  'class',
  'interface',
  'struct',
  'enum',
  'enum-member',
  'trait',
  'type',
  'namespace',
  'module',
  'package',
  'field',
  'property',
  'constant',
  'variable',
  'macro',
  'annotation',
  'implementation',
  'object',
  'element',
  'selector',
  'key',
  'heading',
  'table',
  'column',
  'view',
  'index',
  'message',
  'service',
  'rpc',
  'resource',
  'stage',
  'target',
  'anchor',
  'template',
] as const;
export type SymbolKind = (typeof symbolKinds)[number];

/** What structures data and prose: no program's use means it. */
export const dataKinds: ReadonlySet<SymbolKind> = new Set<SymbolKind>([
  'element',
  'selector',
  'key',
  'heading',
  'table',
  'column',
  'view',
  'index',
  'anchor',
  'stage',
  'target',
  'resource',
]);

export interface SymbolFact {
  name: string;
  kind: SymbolKind;
  /** Of the name. */
  nameStart: number;
  nameEnd: number;
  /** The whole definition, with decorators and body, without the comment above it. */
  start: number;
  end: number;
  /** From `start` of the line that holds the name, as far as parameters and result go: at most 200 bytes, never the body. */
  signatureStart: number;
  signatureEnd: number;
  /** The comment that documents it; both -1 for none. */
  docStart: number;
  docEnd: number;
  nameLine: number;
  startLine: number;
  endLine: number;
  /** Number of the symbol around it, -1 for none. Parents come before their children. */
  parent: number;
  /** Can be used from another file, by the language's own rules as far as a file tells. */
  exported: boolean;
  /** Name of the declared type of a variable, field or result, without arguments: `Map` of `Map<string, User>`. */
  type: string | null;
}

/** What a use is. `extends`, `implements` and `embeds` stand in the heads of types; `use` is a value that is named but not called. */
export const referenceKinds = [
  'call',
  'member-call',
  'new',
  'type',
  'annotation',
  'use',
  'member',
  'extends',
  'implements',
  'embeds',
] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

/** A use of a name that is no local variable or parameter of its own file: those are left out. */
export interface ReferenceFact {
  name: string;
  kind: ReferenceKind;
  start: number;
  line: number;
  /** Number of the innermost symbol that holds it, -1 at the top of the file. */
  from: number;
  /** What stands before the dot, where it is a name or names with dots (`this`, `self`, `fs.promises`), at most 80 bytes. */
  receiver: string | null;
  /** Name of the receiver's type where the file itself tells it: `const x = new Foo()`, `x: Foo`, a parameter, `this`. */
  receiverType: string | null;
}

/** One imported name. */
export interface ImportFact {
  /** As it is written: `./a`, `@scope/name/sub`, `github.com/x/y`, `a.b.c`, `<stdio.h>` without the brackets. */
  module: string;
  /** Name within the module; `*` for all of it, `default` for its default. */
  name: string;
  /** What it is called in this file; empty where nothing is bound (a side effect, a re-export, `import a.b.*`). */
  local: string;
  /** Handed on to whoever imports this file. */
  reexport: boolean;
  /** The module is a path relative to this file (or, for C and PHP, perhaps to an include folder). */
  relative: boolean;
  start: number;
  line: number;
}

export const ecosystems = [
  'npm',
  'go',
  'python',
  'cargo',
  'maven',
  'nuget',
  'gem',
  'composer',
  'swift',
  'hex',
  'pub',
] as const;
export type Ecosystem = (typeof ecosystems)[number];

export interface DependencyFact {
  /** As the ecosystem names packages; `group:artifact` for Maven and Gradle. */
  name: string;
  /** As it is written; empty for none. */
  version: string;
  scope: 'run' | 'dev' | 'optional' | 'peer' | 'build';
  line: number;
}

/** What a package manifest (package.json, go.mod, pom.xml, …) says. */
export interface PackageFact {
  ecosystem: Ecosystem;
  /** Null where the file names no package of its own (a workspace root, a requirements file). */
  name: string | null;
  version: string | null;
  dependencies: readonly DependencyFact[];
  /** Further things that resolving needs, by ecosystem: npm `main`, `module`, `types`, `exports`, `workspaces`; Go `replace`; source folders. JSON text. */
  extra: string | null;
}

export interface FileFacts {
  symbols: readonly SymbolFact[];
  references: readonly ReferenceFact[];
  imports: readonly ImportFact[];
  /** The namespace that the file says it belongs to: `package` of Java, Kotlin, Scala, Go and Protobuf, `namespace` of C# and PHP. */
  namespace: string | null;
  packageFile: PackageFact | null;
}

/** Why a text has no facts. `no-language`: its language has no extractor. */
export const factsSkips = ['no-language', 'too-large', 'too-slow', 'machine-made', 'failed'] as const;
export type FactsSkip = (typeof factsSkips)[number];

export type FactsOutcome = { facts: FileFacts } | { skipped: FactsSkip };

/** What a facts file holds, counted when it was written. */
export interface FactsSummary {
  file: string;
  factsVersion: string;
  /** Of the segment. */
  blobs: number;
  blobsWithFacts: number;
  symbols: number;
  symbolsByKind: Readonly<Partial<Record<SymbolKind, number>>>;
  references: number;
  referencesByKind: Readonly<Partial<Record<ReferenceKind, number>>>;
  imports: number;
  definedNames: number;
  /** Names that are used or imported here and defined nowhere in this segment. */
  usedNames: number;
  modules: number;
  skips: readonly { reason: FactsSkip; language: number; blobs: number }[];
  /** Strings that were longer than 1024 bytes and are kept up to there. */
  cutStrings: number;
  /** Of the file on disk, by section. */
  sectionBytes: Readonly<Record<string, number>>;
  fileBytes: number;
}

/** Work done over facts: counted, never timed. */
export interface FactsCounters {
  /** Blocks of dictionaries that were gone through. */
  dictionaryBlocks: number;
  /** Lists of postings, and of grams. */
  lists: number;
  listBytes: number;
  /** Records decoded; what was still at hand is not counted. */
  records: number;
  stringPages: number;
  fileReads: number;
  fileBytesRead: number;
}
