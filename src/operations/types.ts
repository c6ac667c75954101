import type { z } from 'zod';
import type { Caller } from '../access/index.ts';
import type { Repository } from '../catalog/index.ts';
import type { Content } from '../content/index.ts';
import type { MentionsJson } from '../contract/index.ts';
import type { Indexing, ScipReceipt } from '../indexing/index.ts';
import type { Mirror, ResolvedRevision, TreeEntry } from '../mirrors/index.ts';
import type {
  LabelledPair,
  RankedAnswer,
  RankingSettings,
  TracedSearch,
  TracedUse,
  TraceQuery,
} from '../retrieval/index.ts';
import type { ScanPool } from '../search/index.ts';
import type { CodeFinder, CodeFinderOptions, CodeQuery, FoundCode } from './codesearch/code-finder.ts';
import type { GraphFinder } from './graph/graph-finder.ts';
import type { ListedTrace } from './retrieval/listed-traces.ts';
import type { MeaningFinder } from './retrieval/meaning-finder.ts';
import type { ScipUpload } from './scip-upload.ts';

/** A call as a surface hands it over: nothing is checked yet. */
export interface ToolCall {
  name: string;
  input: unknown;
}

export interface ToolAnswer {
  /** The operation that answered: not the asked name when that was rerouted. */
  tool: string;
  /** For a model: within the token budget, best first, notes on top. */
  text: string;
  /** For programs: follows the operation's output schema. */
  result: Record<string, unknown>;
  notes: readonly string[];
  cut: boolean;
  cursor: string | null;
  /** Whether anything was found: the CLI's exit code 0 or 1. */
  found: boolean;
}

/** One line or block of an answer, in order of worth. The budget takes rows from the front. */
export interface Row {
  text: string;
  value: unknown;
  /** Where a later call goes on after this row; the meaning is the operation's own. */
  position: Position;
  /** What this row shows, for "nothing new": a place. Absent for rows that are not findings. */
  place?: string;
  /** Rows of one heading stand together below it, where the first of them stands. */
  heading?: string;
  /** Below `text`, best first: the first always goes out with the row, the others once every row is shown and there is room. */
  pieces?: readonly Piece[];
}

export interface Piece {
  text: string;
  /** Where it stands among the pieces that are shown: from one line to another. One that goes on where another ends is joined to it. */
  from: number;
  to: number;
}

export type Position = Readonly<Record<string, string | number>>;

export interface OperationResult {
  /** What this is an answer about, given how many of the rows are shown; always shown itself. */
  head: string | ((shown: number) => string);
  /** Structured facts beside the rows. */
  facts: Record<string, unknown>;
  /** Name of the rows in the structured result. */
  rowsName: string;
  rows: readonly Row[];
  /** True when rows remain beyond those here, so that the last position leads on. */
  more: boolean;
  /** Rows there are in all, from the first page on, where that is known. */
  total?: number;
  /** How to go on from an answer that is whole, when there is more beyond what was asked for. */
  goOn?: string;
  notes: readonly string[];
  /** Shown instead of rows when there are none. */
  empty: string;
  /** Repositories that were looked into, for the audit, where there is no target. */
  repositories?: readonly Repository[];
  /** Changes whenever the same call could get another answer, where that is no part of what is told. */
  state?: string;
  /** Of a search by meaning: what of it is kept to learn from. */
  traced?: Omit<TracedSearch, 'asker' | 'shownTexts'>;
  /** Places that the call took up, where there is no target: an earlier search may have cited one. */
  tookUp?: readonly Pick<TracedUse, 'repositoryId' | 'path' | 'lines'>[];
}

/** A repository at one commit, after the gate and after the address was understood. */
export interface Target {
  repository: Repository;
  mirror: Mirror;
  revision: ResolvedRevision;
  /** As asked, after repairs; '' is the root. */
  path: string;
  /** What stands there, or null when nothing does (a deleted file still has a history). */
  entry: TreeEntry | null;
  /** From `file.ts:120` or `#L10-L20` in the address. */
  lines: { start: number; end: number } | null;
}

export interface OperationContext<Input> {
  input: Input;
  /** The repositories that this caller may see: all that an operation can know of. */
  visible: readonly Repository[];
  /** Present for operations with `needsRepository`. */
  target: Target | null;
  /** Set when a cursor continues an earlier answer. */
  after: Position | null;
  content: Content;
  scans: ScanPool;
  /** Search over the index of what is visible. */
  code: CodeFinder;
  /** The symbols of what is visible; null where another engine has its own index. */
  graph: GraphFinder | null;
  /** Search by meaning in what is visible; null where another engine has its own index. */
  meaning: MeaningFinder | null;
  /** Null where another engine has its own index. */
  indexing: Indexing | null;
  /** Set when the caller listens for what comes before the whole answer. */
  sendFirst: ((result: OperationResult) => void) | null;
  mirrorOf(repository: Repository): Mirror;
  permalink(
    place: { repository: Repository; revision: { commit: string } },
    path: string,
    lines: { start: number; end: number } | null,
  ): string | null;
  hostProblems(): readonly string[];
  limits: OperationLimits;
  destination: Caller['destination'];
  nowMs: number;
  signal: AbortSignal;
}

export interface OperationLimits {
  /** Tokens of this answer. */
  tokens: number;
  scanFilesMax: number;
  scanBytesMax: number;
  scanTimeMs: number;
  searchTimeMs: number;
}

export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  name: string;
  title: string;
  description: string;
  /** Repeating it does no harm and changes nothing. */
  readOnly: true;
  /** Counts for the fruitless streak. */
  isSearch: boolean;
  needsRepository: boolean;
  /** Whole files leave the perimeter: refused to callers whose model is external. */
  localOnly: boolean;
  /** Of an answer when the call names none; absent takes the configured default. */
  tokensDefault?: number;
  /** Operation that does what was meant when the path is of another kind: a directory given to read_file. */
  redirect?: {
    when: 'directory' | 'file';
    to: string;
    /** A parameter with which the operation does what was meant itself. */
    unless?: string;
  };
  /** Parameters of a call that works, for error texts. */
  example: Record<string, unknown>;
  input: Input;
  output: Output;
  run(context: OperationContext<z.output<Input>>): Promise<OperationResult>;
}

export interface GuardOptions {
  /** 0 switches the guard off. */
  identicalCallsMax: number;
  /** Searches in a row that bring nothing new; 0 switches the guard off. */
  fruitlessStreakMax: number;
  conversationsMax: number;
  conversationIdleMs: number;
}

export interface OperationsOptions {
  answerTokensDefault: number;
  answerTokensMax: number;
  /** Bound of an answer to a caller whose model is external. */
  externalAnswerTokensMax: number;
  /** Wall-clock bound of one call. */
  timeoutMs: number;
  scan: { filesMax: number; bytesMax: number; timeMs: number };
  search: CodeFinderOptions;
  guards: GuardOptions;
}

export interface OperationDescription {
  name: string;
  title: string;
  description: string;
  readOnly: true;
  /** JSON Schema 2020-12. */
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
}

/** What the server offers to programs beside the tools: the same gate, the same audit. */
export interface ProgramOperations {
  /** A code search with the engine's own answer, for surfaces that speak another protocol. */
  searchCode(query: Partial<CodeQuery> & { query: string }, caller: Caller): Promise<FoundCode>;
  /** The visible repositories in which a query of codesearch finds something; `type:repo` alone finds all that are indexed. */
  listRepositories(query: string, caller: Caller): Promise<readonly Repository[]>;
  /**
   * A whole file, as UTF-8, as fetch_file would give it in pieces: within the same gate and for the same callers. Fails with
   * `operations/not-text` for what has no text.
   */
  readWhole(
    place: { repo: string; path: string; revision: string | undefined },
    caller: Caller,
  ): Promise<Buffer>;
  /**
   * Somebody says that a repository has changed: looked at soon, once for however many say so. Fails with not-found-or-no-access
   * for unknown and hidden ones alike. Gives the repository's name.
   */
  repositoryChanged(name: string, caller: Caller): Promise<{ repository: string }>;
  /**
   * Takes in the SCIP index that a repository's own CI made of a commit. What it says is told to everybody who sees the repository:
   * surfaces ask for the scope `admin`. Fails with not-found-or-no-access for unknown and hidden repositories alike, before anything
   * of the upload is read.
   */
  uploadScip(upload: ScipUpload, caller: Caller): Promise<{ repository: string } & ScipReceipt>;
  /**
   * Searches by meaning that were kept, newest first, for administrators: surfaces ask for the scope `admin`. Whoever is not the
   * operator's own shell gets those whose every place they may see themselves.
   */
  listTraces(query: TraceQuery, caller: Caller): Promise<readonly ListedTrace[]>;
}

/** For evaluations, on the operator's own machine. */
export interface RankingTrials {
  /** Answers a labelled question as the tool `search` would, under another ranking; nothing of it is kept. */
  rankedPlaces(
    pair: Omit<LabelledPair, 'wanted'>,
    ranking: RankingSettings,
    limit: number,
    caller: Caller,
  ): Promise<RankedAnswer>;
}

export interface Listen {
  /** What is known before the whole answer, at most once: the same form, without a cursor. */
  onFirst(answer: ToolAnswer): void;
}

export interface Operations {
  list(): readonly OperationDescription[];
  /** True for an operation's name and for the names that agents know and that reroute. */
  knows(name: string): boolean;
  /** Runs one call. Throws PeriscopeError; nothing else. */
  handle(call: ToolCall, caller: Caller, listen?: Listen): Promise<ToolAnswer>;
  /** The picker: visible repositories, live. Never throws for a host that is down. */
  mentions(query: string, caller: Caller, limit: number): Promise<MentionsJson>;
  /** The instruction block for each `@repo:name` in `text`; unknown and hidden ones alike get a sentence that says so. */
  expandMentions(text: string, caller: Caller): Promise<string>;
  /** What a model is told once about working across repositories. */
  instructions(): string;
}
