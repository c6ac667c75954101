/** A search by meaning as it was answered, to be kept. What is handed over is cleaned before it is kept: no secret, no code. */
export interface TracedSearch {
  asker: TraceAsker;
  /** As it was asked. Kept masked, without what looks like code, and cut. */
  question: string;
  /** File, language and kind filters, switches, limits: all but the question and the repositories. */
  parameters: Readonly<Record<string, TraceParameter>>;
  /** Repositories that the asker narrowed the search to; null when all visible ones were searched. */
  narrowedTo: readonly number[] | null;
  /** Names the ranking that answered, such as the version of its weights. */
  ranking: string;
  /** Places that were shown, best first. */
  citations: readonly TracedCitation[];
  /** Texts that the answer shows, to recognise code within the question. They are compared and never kept. */
  shownTexts: readonly string[];
}

export type TraceParameter = string | number | boolean | null | readonly (string | number)[];

/** By whom traces are counted and joined. */
export interface TraceAsker {
  account: string;
  /** The conversation's id. */
  conversation: string;
}

export interface TracedCitation {
  repositoryId: number;
  /** `host/owner/name`. Compared with the opt-out; not kept, since names change. */
  name: string;
  commit: string;
  /** As paths are shown: invalid UTF-8 as `\xNN`. */
  path: string;
  /** Counted from 1, both inclusive. */
  lines: { start: number; end: number };
  score: number;
  /** What the scorer saw of it, by name. Finite numbers. */
  features: Readonly<Record<string, number>>;
}

/** A place that was read or walked from after it may have been cited. */
export interface TracedUse {
  asker: TraceAsker;
  /** The operation's name. */
  tool: string;
  repositoryId: number;
  path: string;
  /** Null where the whole file was taken. */
  lines: { start: number; end: number } | null;
}

/** Keeps searches and what was used of them. Nothing here waits, fails or throws: what cannot be kept is dropped and counted. */
export interface TraceRecorder {
  record(search: TracedSearch): void;
  /** Attaches to the newest search of the conversation that cited the place; does nothing where none did. */
  used(use: TracedUse): void;
  counters(): TraceCounters;
}

export interface TraceCounters {
  /** Searches taken into the queue. */
  recorded: number;
  /** Searches kept in the storage. */
  kept: number;
  /** Uses attached to a search. */
  attached: number;
  /** Searches and uses that were lost: the queue was full, or the storage did not take them. */
  dropped: number;
  /** Searches that an opt-out left out. */
  optedOut: number;
}

export interface TracesOptions {
  /** False records nothing, and deletes what was kept. */
  kept: boolean;
  /** Older searches are deleted. 0 keeps them until there are too many. */
  retentionMs: number;
  /** Searches kept; the oldest go first. */
  searchesMax: number;
  optOut: {
    /** Exact names. Nothing of these accounts is kept. */
    accounts: readonly string[];
    /** Globs over `name` and `host/name`. No place in these repositories is kept, and no search narrowed to one. */
    repositories: readonly string[];
  };
}

/** Finds credentials: spans of the text's UTF-8, in order. */
export interface SecretFinder {
  find(text: Uint8Array): readonly { start: number; end: number }[];
}

/** A search as it was kept. */
export interface StoredTrace {
  id: number;
  atMs: number;
  account: string;
  conversation: string;
  question: string;
  parameters: Readonly<Record<string, TraceParameter>>;
  narrowedTo: readonly number[] | null;
  ranking: string;
  /** Best first. */
  citations: readonly StoredCitation[];
}

export interface StoredCitation extends Omit<TracedCitation, 'name'> {
  /** Tools that took it up afterwards; empty where it was only shown. */
  usedBy: readonly string[];
}

export interface TraceQuery {
  limit: number;
  /** Goes on behind this one, towards older ones. */
  beforeId?: number;
  sinceMs?: number;
  account?: string;
  /** Only searches of which something was used. */
  used?: boolean;
}

export interface TraceReader {
  /**
   * Newest first. `sees` are the repositories that the reader may see now: a search that was narrowed to another one, or that cites
   * one, is not there for them. Null sees everything. Places that may not be shown any more are left out, for everybody, and so is a
   * search that showed no others.
   */
  list(
    query: TraceQuery,
    sees: ReadonlySet<number> | null,
    mayShow?: PlacesShown,
  ): Promise<readonly StoredTrace[]>;
}

/** For each place whether it may be shown now. */
export type PlacesShown = (
  places: readonly Pick<StoredCitation, 'repositoryId' | 'commit' | 'path'>[],
) => Promise<readonly boolean[]>;

export interface Traces extends TraceRecorder, TraceReader {
  /** Writes what waits. */
  close(): Promise<void>;
}
