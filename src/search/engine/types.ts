/**
 * One query over an index. An engine never sees a caller: it gets the repositories that it may look at, before it ranks, counts
 * or limits, and nothing outside of them influences the answer.
 */
import type { Manifest } from '../manifests/manifest.ts';
import type { QueryNode, TextPattern } from '../queries/types.ts';
import type { Deadline } from '../regex/work-meter.ts';
import type { OpenScip } from '../scip/open-scip.ts';
import type { SegmentReader } from '../segments/segment-reader.ts';
import type { ShownRevision } from './searched-revisions.ts';
import type { SearchedSegment } from './searched-segment.ts';
import type { View } from './view.ts';

export interface ScopeRepository {
  /** repoId */
  id: number;
  host: string;
  name: string;
  archived: boolean;
  fork: boolean;
}

/**
 * The repositories that an asker may look into, in the order in which their documents rank. Held by the asker and compared by
 * identity: the same array means the same scope, so what is computed for it is kept.
 */
export type Scope = readonly ScopeRepository[];

export type SearchOutput = 'lines' | 'files' | 'count' | 'repos';

export interface SearchRequest {
  query: QueryNode;
  scope: Scope;
  /**
   * Where these stand, the named revision of the repository is searched instead of its branches. Each must be one of the index's
   * revisions. Empty: every indexed branch.
   */
  revisions: ReadonlyMap<number, string>;
  output: SearchOutput;
  /** Files whose lines are returned. */
  filesMax: number;
  linesPerFileMax: number;
  /** Other places of the same content that are named of each file. Default 10. */
  placesMax?: number;
  contextLines: number;
  /** Longer lines are cut around the match. */
  lineBytesMax: number;
  /** Count everything instead of stopping when enough good files are known. */
  exact: boolean;
  /** Where an earlier answer ended (its `next`); null starts at the front. Bound to that answer's generation. */
  after: SearchPosition | null;
  budgetMs: number;
}

/** Opaque to all but the engine: small, JSON. */
export type SearchPosition = Readonly<Record<string, number>>;

export interface FoundPlace {
  repositoryId: number;
  revision: string;
  commit: string;
  path: string;
}

export interface FoundLine {
  /** From 1. */
  number: number;
  text: string;
  /** Byte ranges of the matches within `text` as UTF-8; none for context lines. */
  ranges: readonly { start: number; end: number }[];
  matched: boolean;
  cut: boolean;
}

export interface FoundFile extends FoundPlace {
  oid: string;
  /** Name of the language, null when none is known. */
  language: string | null;
  score: number;
  /** Why it stands where it stands: for `explain`, zoekt's debug and tests. */
  matchedPath: boolean;
  matchedSymbol: boolean;
  /** Ranges of a path match, bytes of `path`. */
  pathRanges: readonly { start: number; end: number }[];
  /** Matching lines of the file as far as they were looked at. */
  lineCount: number;
  lineCountExact: boolean;
  /** Matched lines with their context, in order, grouped into blocks without gaps, best block first kept within the caps. */
  blocks: readonly (readonly FoundLine[])[];
  /** Further visible places of the very same content: other branches, forks, copies. At most some; `alsoCount` has all. */
  also: readonly FoundPlace[];
  alsoCount: number;
  /**
   * Set where the engine's index masks no credentials and has no object ids (`oid` is empty): `text` of each line must be taken anew
   * from the content door, by repository, commit, path and line, before anyone sees it. Masking keeps lengths, so `ranges` stay.
   */
  unmasked?: true;
}

export interface Counted {
  count: number;
  /** False: there are at least so many. */
  exact: boolean;
}

export interface Facets {
  repositories: readonly { repositoryId: number; files: number }[];
  languages: readonly { language: string; files: number }[];
  /** First directory of the path within its repository. */
  folders: readonly { repositoryId: number; folder: string; files: number }[];
}

export interface SearchStatistics {
  candidates: number;
  documentsOpened: number;
  blocksDecoded: number;
  blocksCached: number;
  postingLists: number;
  postingBytes: number;
  contentBytesRead: number;
  textBytesScanned: number;
  /** Milliseconds by stage, of this process's clock. */
  ms: Readonly<Record<string, number>>;
}

export interface SearchAnswer {
  generation: number;
  files: readonly FoundFile[];
  /** Filled for output `repos`: every place counts, wherever the same content lies. */
  repositories: readonly { repositoryId: number; files: number; lines: number }[];
  fileCount: Counted;
  lineCount: Counted;
  facets: Facets;
  /** What was looked through: of the scope after the query's repository and branch filters. */
  searched: {
    repositories: number;
    /** Whose texts are in the index. */
    documents: number;
    /** Repositories of the scope without any searchable revision yet, by id. */
    unindexed: readonly number[];
    /** Files that are in no index, by reason, over the searched revisions. */
    skipped: Readonly<Record<string, number>>;
    /** Files of searched revisions whose text is still being indexed. */
    pending: number;
  };
  /** Why not everything was looked through. `enough`: better ones cannot come, see `exact`. */
  stopped: null | 'enough' | 'budget' | 'limit';
  next: SearchPosition | null;
  /** Broken segments and the like, in words for the asker: they name no repository. */
  problems: readonly string[];
  /** How the engine matched, where the asker may wonder: `\s at the end of a pattern does not take the line break`. */
  notes: readonly string[];
  statistics: SearchStatistics;
}

/** What the index has of one repository. */
export interface IndexedRevision {
  repositoryId: number;
  revision: string;
  kind: 'branch' | 'visited';
  isDefault: boolean;
  commit: string;
  committedMs: number;
  indexedMs: number;
  checkedMs: number;
  documents: number;
  skipped: Readonly<Record<string, number>>;
  maskedSpans: number;
  policyKey: string;
}

/** What a thread of the pool answers questions of another kind from: the very generation, manifests and view that searches have. */
export interface AskedGround {
  generation: number;
  scope: Scope;
  /** The same object as long as the scope shows the same of a generation: what is worked out for it may be kept by it. */
  view: View;
  /** In the order in which they rank. */
  shown: readonly ShownRevision[];
  manifests: readonly Manifest[];
  /** By manifest: documents whose text cannot be read. Null where every text can. */
  missing: Uint32Array | null;
  /** Where blobs lie, as in a view's places. */
  table: Uint32Array;
  segments: readonly SearchedSegment[];
  reader: SegmentReader;
  deadline: Deadline & { isStopped(): boolean };
  /** What was uploaded for the commit that a revision shows; null for nothing. */
  scipOf(shown: ShownRevision): OpenScip | null;
  /** Whether a row's path has a pattern. */
  pathHas(pattern: TextPattern, manifest: Manifest, row: number): boolean;
}

/** A question that is no search, over the same index and within the same scopes. */
export interface IndexQuestion {
  scope: Scope;
  revisions: ReadonlyMap<number, string>;
  budgetMs: number;
  /** Of the answer that this goes on from; null starts anew. */
  generation: number | null;
  /** What the worker's file understands; plain data. */
  question: unknown;
}

/** Our own engine: besides searches it hands questions of other kinds to the threads of its pool. */
export interface IndexSearch extends CodeSearch {
  /** Null while there is no index. Fails as `search` does, and as what answers. */
  ask<Answer extends { next: unknown }>(question: IndexQuestion, signal: AbortSignal): Promise<Answer | null>;
}

/** Finds lines in an index: ours or another engine's. */
export interface CodeSearch {
  /** Fails with `cancelled`, `busy`, `search/generation-gone` (conflict) for a position of a generation that is no longer there, and what a pattern is faulty with. */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchAnswer>;
  /** Revisions of a repository that can be searched now; of all when `repositoryId` is left out. */
  revisions(repositoryId?: number): readonly IndexedRevision[];
  generation(): number;
  close(): Promise<void>;
}
