import type {
  BlameLine,
  Commit,
  EntryKind,
  HistoryQuery,
  Mirror,
  ReadOptions,
  TreeEntry,
} from '../mirrors/index.ts';

export type TextEncoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'latin-1';

/** What the door lets out of a file. */
export type Document =
  | TextDocument
  | { kind: 'binary'; path: string; oid: string; sizeBytes: number }
  | {
      kind: 'lfs-pointer';
      path: string;
      oid: string;
      sizeBytes: number;
      lfsOid: string;
      lfsSizeBytes: number;
    }
  | { kind: 'symlink'; path: string; oid: string; target: string }
  | { kind: 'submodule'; path: string; commit: string }
  | { kind: 'directory'; path: string };

export interface TextDocument {
  kind: 'text';
  path: string;
  oid: string;
  executable: boolean;
  encoding: TextEncoding;
  /** Bytes in git, before decoding. */
  sizeBytes: number;
  /** Lines of the whole file; null where the file is so large that only part of it was looked at. */
  lineCount: number | null;
  /** Credential spans masked in what was read. */
  maskedSpans: number;
  /**
   * Lines `first` (from 1) on, at most `count`, without line breaks; long lines are cut at `lineBytesMax` and marked in `cutLines`.
   * Of a paged file (`text()` is null) only the pages around the `firstLine` that it was opened with are at hand: fewer lines may
   * come, at least one from `firstLine` itself while the file goes on. Then open again with the next line as `firstLine`.
   */
  lines(first: number, count: number, lineBytesMax: number): LineSlice;
  /** The whole text as stored UTF-8, or null when the file is over `wholeBytesMax`. */
  text(): Buffer | null;
}

export interface LineSlice {
  first: number;
  lines: string[];
  /** Line numbers that were cut, with their full byte length (of a line longer than a page: its length in git). */
  cutLines: ReadonlyMap<number, number>;
  /** False when the file goes on after the slice. */
  atEnd: boolean;
}

/** Opt-out and masking: what may be shown of one repository. */
export interface ContentPolicy {
  /**
   * True hides the path, or a directory that it lies in, everywhere, as if it were not there. A submodule counts as a directory.
   * `path` is in its plain shown form, without `.` or a slash too many.
   */
  optedOut(path: string, isDirectory?: boolean): boolean;
  /** Masks credentials in place (same length, same line breaks) and returns how many spans. `text` is UTF-8. */
  mask(text: Buffer): number;
  /** Names what is hidden and masked: directories on disk are kept under it. Default: of this very object alone. */
  key?: string;
  /** Names what `mask` does: texts masked under one key are shared among policies. Default: shared by this very object alone. */
  maskKey?: string;
  /** Promises that `optedOut` is never true, which spares asking. Default: it may be. */
  hidesNothing?: boolean;
}

/** The policy that a repository has given itself. */
export interface RepositoryPolicy extends ContentPolicy {
  /** Changes whenever what is hidden or masked may change. */
  readonly key: string;
  readonly maskKey: string;
  readonly hidesNothing: boolean;
}

export interface ContentOptions {
  /** Decoded texts kept. 0 keeps none. */
  cacheBytesMax: number;
  /** Files above it are read in pages, never whole. */
  wholeBytesMax: number;
  /** Bytes of a page of such a file, even. Default 1 MiB. */
  pageBytes?: number;
}

/** Work done, for metrics, benches and tests that count instead of timing. */
export interface ContentCounters {
  blobsDecoded: number;
  pagesDecoded: number;
  cacheHits: number;
  cacheEntries: number;
  cacheBytes: number;
}

/** The one door: everything of a repository that leaves for anyone is read through here. */
export interface Content {
  open(
    mirror: Mirror,
    commit: string,
    path: string,
    options: ReadOptions & { firstLine?: number },
  ): Promise<Document>;
  /** Like open, for an entry that this door gave out. One that was made otherwise needs the `commit` that it is of. */
  openEntry(
    mirror: Mirror,
    entry: TreeEntry,
    options: ReadOptions & { firstLine?: number; commit?: string },
  ): Promise<Document>;
  entry(mirror: Mirror, commit: string, path: string, options: ReadOptions): Promise<TreeEntry>;
  list(mirror: Mirror, commit: string, path: string, options: ReadOptions): Promise<TreeEntry[]>;
  /** The path of an entry that this door gave out as people are shown it, credentials in it masked. It is opened by its own. */
  shownPath(entry: TreeEntry): string;
  walk(
    mirror: Mirror,
    commit: string,
    path: string,
    options: ReadOptions & { depthMax: number; limit: number },
  ): Promise<{ entries: TreeEntry[]; complete: boolean }>;
  /**
   * Each file below `path` from a materialised directory, decoded and masked, one at a time; skipped ones with their reason. Files
   * whose path holds a credential are left out.
   */
  scan(
    mirror: Mirror,
    commit: string,
    path: string,
    options: ReadOptions & {
      fileBytesMax: number;
      wants: (path: string) => boolean;
      /** Files of a lower rank come first; by path within a rank. Default: all are alike. */
      rank?: (path: string) => number;
    },
  ): AsyncIterable<ScannedFile>;
  history(mirror: Mirror, query: HistoryQuery, options: ReadOptions): Promise<DecodedCommit[]>;
  diff(
    mirror: Mirror,
    query: { commit: string; against?: string; path: string; contextLines: number; bytesMax: number },
    options: ReadOptions,
  ): Promise<DecodedDiff>;
  blame(
    mirror: Mirror,
    query: { commit: string; path: string; start: number; end: number },
    options: ReadOptions,
  ): Promise<DecodedBlameLine[]>;
}

export type ScannedFile =
  | { kind: 'text'; path: string; oid: string; text: Buffer; encoding: TextEncoding }
  | {
      kind: 'skipped';
      path: string;
      reason: 'binary' | 'too-large' | 'lfs-pointer' | 'symlink' | 'submodule' | 'unreadable';
      entryKind: EntryKind;
    };

export type DecodedCommit = Omit<Commit, 'message'> & { subject: string; body: string };
export type DecodedBlameLine = Omit<BlameLine, 'summary'> & { summary: string };
export interface DecodedDiff {
  patch: string;
  truncated: boolean;
  files: { path: string; status: string; added: number | null; removed: number | null }[];
}
