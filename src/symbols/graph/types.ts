/**
 * Questions about the graph of symbols: who defines, calls, extends, imports what, within and across repositories. An engine never
 * sees a caller: it gets the scope, and nothing outside of it influences an answer.
 *
 * Nothing of the graph is stored as such. A text's facts say what it defines and uses; what a use points to is worked out when
 * somebody asks, among what they may see, and each edge says how it was found and how sure it is.
 */
import type {
  Counted,
  Ecosystem,
  FactsSkip,
  ReferenceKind,
  Scope,
  SkipReason,
  SymbolKind,
  TextPattern,
} from '../../search/index.ts';

export const graphRelations = [
  'definitions',
  'references',
  'callers',
  'callees',
  'supertypes',
  'subtypes',
  'imports',
  'importers',
  'outline',
  'dependents',
  'dependencies',
] as const;
export type GraphRelation = (typeof graphRelations)[number];

export type GraphStart =
  /** `Foo`, `Foo.bar`, `Foo::bar`, `Foo#bar`, `pkg.Func`. What stands before the last part narrows: a type, a module, a package. */
  | {
      by: 'name';
      name: string;
      repositories?: readonly number[];
      path?: TextPattern;
      kinds?: readonly SymbolKind[];
    }
  /** What stands at a line: the definition whose name it holds, else what a use there points to, else the definition around it. */
  | {
      by: 'place';
      repositoryId: number;
      revision?: string;
      path: string;
      line: number;
      /** Byte within the line, from 1. */
      column?: number;
      /** The word that is meant, where the line has several. */
      name?: string;
    }
  | { by: 'file'; repositoryId: number; revision?: string; path: string }
  | { by: 'package'; name: string; ecosystem?: Ecosystem }
  | { by: 'repository'; repositoryId: number; revision?: string };

export interface GraphFilters {
  repositories?: readonly number[];
  path?: TextPattern;
  /** Files to leave out. */
  notPath?: TextPattern;
  /** Numbers of the language table. */
  languages?: readonly number[];
  /** Kinds of the symbols that are found. */
  kinds?: readonly SymbolKind[];
}

export interface GraphRequest {
  relation: GraphRelation;
  start: GraphStart;
  scope: Scope;
  /** As in searches: these revisions of repositories instead of their branches. */
  revisions: ReadonlyMap<number, string>;
  /** Steps from the start, for relations between symbols and between files: 1 to 3. Default 1. */
  depth?: number;
  /** What is found is filtered by it, the start is not. */
  filters?: GraphFilters;
  /** Edges, or definitions, of one answer. */
  placesMax: number;
  /** Look at every file instead of stopping when enough is known. */
  exact: boolean;
  /** Where an earlier answer ended (its `next`); null starts at the front. */
  after: GraphPosition | null;
  budgetMs: number;
}

export type GraphPosition = Readonly<Record<string, number>>;

/** How an edge was found. */
export const edgeFindings = [
  'same-file',
  'import',
  're-export',
  'namespace',
  'package',
  'receiver-type',
  'inherited',
  'unique-name',
  'name',
  'manifest',
  'scip',
] as const;
export type EdgeFinding = (typeof edgeFindings)[number];

/** `certain`: the same scope, or imports followed to a definition. `likely`: types and names leave one. `possible`: one of several. */
export type Confidence = 'certain' | 'likely' | 'possible';

export interface GraphNode {
  /** `symbol` has a symbol's fields set; `file` is a file as a module; `package` may have no place: it is no repository that is visible. */
  kind: 'symbol' | 'file' | 'package';
  /** Of a symbol its name, of a package its name, of a file its path. */
  name: string;
  /** Names around it and its own, with dots: `Foo.bar`. */
  container: string;
  symbolKind: SymbolKind | null;
  exported: boolean;
  signature: string | null;
  /** Null for a package that no visible repository is known to hold. */
  place: GraphPlace | null;
  language: string | null;
  ecosystem: Ecosystem | null;
  version: string | null;
}

export interface GraphPlace {
  repositoryId: number;
  revision: string;
  commit: string;
  path: string;
  /** Of the name; 1 for a file. */
  line: number;
  startLine: number;
  endLine: number;
  /** Further visible places of the very same content. */
  alsoCount: number;
}

export interface GraphEdge {
  /** Positions in `nodes`. */
  from: number;
  to: number;
  kind: ReferenceKind | 'import' | 'dependency';
  /** Where the use stands: in the file of `from`. */
  path: string;
  /** Ascending, at most ten. */
  lines: readonly number[];
  /** Uses, also those whose lines are left out. */
  uses: number;
  how: EdgeFinding;
  confidence: Confidence;
  /** Steps from the start, from 1. */
  depth: number;
  /** Of a dependency: the version as it is written, and what it is for. */
  version?: string;
  scope?: string;
}

export interface GraphCoverage {
  documents: number;
  withFacts: number;
  withoutLanguage: number;
  skipped: Readonly<Partial<Record<Exclude<FactsSkip, 'no-language'>, number>>>;
  /** Documents whose facts are still being extracted, or are damaged and made anew. */
  pending: number;
  /** Repositories of the scope without any searchable revision yet, by id. */
  unindexed: readonly number[];
  /** Why the file that was asked about has no facts; null where it has some, or no file was named. */
  start: FactsMissing | null;
}

/** Why a file has no facts: its text is not in the index, or was not read for symbols. */
export type FactsMissing = FactsSkip | SkipReason | 'no-file';

export interface GraphAnswer {
  generation: number;
  nodes: readonly GraphNode[];
  /** The definitions, files or packages that are meant, as positions in `nodes`. */
  targets: readonly number[];
  /** Set where a name is defined in several unrelated places: all of them, and how many there are; `targets` are the best. */
  ambiguous: { candidates: readonly number[]; count: Counted } | null;
  /** Where a name or a package means nothing: visible ones that are written like it, the nearest first, never the very same. */
  near: readonly string[];
  edges: readonly GraphEdge[];
  /** Edges, or definitions, or symbols of an outline. */
  count: Counted;
  coverage: GraphCoverage;
  /** `enough`: the answer is full. `limit`: so much was looked at that it was left there; `next` goes on. */
  stopped: null | 'enough' | 'budget' | 'limit';
  next: GraphPosition | null;
  /** In words for the asker; they name no repository. */
  problems: readonly string[];
  statistics: GraphStatistics;
}

/** Work done. `files` and `uses` depend on what is visible alone; the others also on how the index is laid out and what is cached. */
export interface GraphStatistics {
  files: number;
  uses: number;
  lists: number;
  listBytes: number;
  records: number;
  fileReads: number;
  ms: number;
}

export interface GraphSearch {
  /** Fails with `cancelled`, `busy`, `timeout`, `search/generation-gone`, and `symbols/…` for a start that cannot be meant. */
  graph(request: GraphRequest, signal: AbortSignal): Promise<GraphAnswer>;
}
