/** What the rest of Periscope may ask of git. Paths are in their shown form (base/byte-path), object ids are lower-case hex of 40 or 64 digits. */

/** The same shape as hosts' RemoteAccess; declared here because mirrors know no host. */
export interface RemoteAccess {
  origin: string;
  username: string | null;
  secret: (() => Promise<string>) | null;
  sshKeyFile: string | null;
  sshKnownHostsFile: string | null;
  caFile: string | null;
  proxy: string | null;
  allowInsecureHttp: boolean;
}

export type MirrorSource =
  | { kind: 'folder'; gitDir: string; workTree: string | null; root: string }
  | { kind: 'remote'; url: string; access: RemoteAccess };

export interface MirrorSubject {
  /** repoId */
  id: number;
  /** As the caller knows it, for error texts. */
  name: string;
  source: MirrorSource;
}

export interface MirrorsOptions {
  /** Holds `<repoId>.git` bare mirrors and what git needs (config file, empty home). */
  folder: string;
  /** Materialised directories. */
  worktreeFolder: string;
  /** A fetch younger than this is fresh enough. 0 asks the remote every time. */
  fetchTtlMs: number;
  fetchTimeoutMs: number;
  cloneTimeoutMs: number;
  readTimeoutMs: number;
  /** All mirrors together; beyond it the one unused longest goes. 0 is no bound. */
  diskBytesMax: number;
  worktreesMax: number;
  worktreeBytesMax: number;
  /** Persistent `cat-file` processes over all repositories. */
  batchProcessesMax: number;
  /** Git processes of other kinds at once; further ones wait in a bounded queue, then `busy`. */
  processesMax: number;
}

export interface ResolvedRevision {
  commit: string;
  /** Branch or tag name as people write it, or the commit's hex. */
  revision: string;
  kind: 'branch' | 'tag' | 'commit';
  isDefault: boolean;
}

export interface Ref {
  /** Short name. */
  name: string;
  kind: 'branch' | 'tag';
  /** The commit it leads to, tags peeled. */
  commit: string;
}

export type EntryKind = 'file' | 'executable' | 'symlink' | 'submodule' | 'directory';

export interface TreeEntry {
  /** Shown form of the whole path from the root; '' is the root itself. */
  path: string;
  kind: EntryKind;
  oid: string;
}

export interface Commit {
  commit: string;
  /** Its root. */
  tree: string;
  parents: string[];
  authorName: string;
  authorEmail: string;
  /** Milliseconds since the epoch. */
  authoredMs: number;
  committedMs: number;
  /** Raw bytes: decoded by the content door. */
  message: Buffer;
}

export interface BlameLine {
  commit: string;
  /** Line number in `commit`'s version of the file. */
  originalLine: number;
  originalPath: string;
  line: number;
  authorName: string;
  authoredMs: number;
  summary: Buffer;
}

export interface HistoryQuery {
  commit: string;
  /** '' is the whole repository. */
  path: string;
  lines?: { start: number; end: number };
  /** Commits whose diff adds or removes this literal text (`git log -S`). */
  pickaxe?: string;
  /** With `pickaxe`: only what happens in files for which it is true counts, by their name in that commit. Default: all files. */
  pickaxeCounts?: (path: string) => boolean;
  authorContains?: string;
  sinceMs?: number;
  untilMs?: number;
  skip: number;
  limit: number;
  followRenames: boolean;
}

export interface MaterialisedFile {
  path: string;
  kind: EntryKind;
  oid: string;
  /** Where its bytes are, or null for what has none on disk (submodules, names that no file system takes, what a view finds too large). */
  file: string | null;
  /** In git. */
  sizeBytes: number;
}

/** What of a directory is written to disk, and in which form. */
export interface DirectoryView {
  /** Names what the view does: one repository's directories are shared under one key, and go when another one is in force. */
  key: string;
  /** False leaves a path out as if it were not there, and all that is below it. */
  wants(path: string, kind: EntryKind): boolean;
  /** A file's bytes as they are written. They are not to be changed in place. */
  transform(bytes: Buffer): Buffer;
  /** Larger files are listed and not written. */
  fileBytesMax: number;
}

export interface MaterialisedDirectory {
  folder: string;
  files: readonly MaterialisedFile[];
  /** Must be called; until then it is not evicted. */
  release(): void;
}

export interface MirrorState {
  /** When the remote was last asked with success; null for folders, which are always current. */
  fetchedMs: number | null;
  /** The last fetch's fault, when what is served is older because of it. */
  problem: string | null;
  defaultBranch: string | null;
  empty: boolean;
  sizeBytes: number | null;
  /** Grows whenever refs were seen to change; a cheap "is the answer still the same". */
  generation: number;
}

/** Changes that a folder's work tree has and its commit has not. */
export interface UncommittedChanges {
  branch: string;
  changedFiles: number;
}

export interface ReadOptions {
  signal: AbortSignal;
}

export interface BulkBlob {
  oid: string;
  /** Null: the repository does not hold it, it is no blob, or it is damaged. */
  sizeBytes: number | null;
  /** It is there, and git cannot read it. */
  damaged: boolean;
  /** Null where it was not wanted. May share memory with its neighbours. */
  bytes: Buffer | null;
}

/** One repository. Every method makes sure first that the mirror exists and is fresh enough (TTL), in one flight however many ask. */
export interface Mirror {
  state(options: ReadOptions): Promise<MirrorState>;
  /** What is known without asking anybody: no fetch, no clone, for lists of thousands of repositories. `lastCommit` is the default branch's, null when empty or not mirrored yet. */
  peek(
    options: ReadOptions,
  ): Promise<MirrorState & { lastCommit: { commit: string; committedMs: number } | null }>;
  /** Asks the remote now, TTL or not. */
  refresh(options: ReadOptions): Promise<MirrorState>;
  /** `undefined` is the default branch. Fails with `ref-not-found` naming the default branch. */
  resolve(revision: string | undefined, options: ReadOptions): Promise<ResolvedRevision>;
  refs(options: ReadOptions): Promise<Ref[]>;
  commit(commit: string, options: ReadOptions): Promise<Commit>;
  /** Fails with `path-not-found`. Never follows symlinks. */
  entry(commit: string, path: string, options: ReadOptions): Promise<TreeEntry>;
  /** Direct children, in git's order. Fails with `path-not-found` when it is no directory. */
  list(commit: string, path: string, options: ReadOptions): Promise<TreeEntry[]>;
  /** Everything below `path`, files before depth grows beyond `depthMax`; stops at `limit` and says so. */
  walk(
    commit: string,
    path: string,
    options: ReadOptions & { depthMax: number; limit: number },
  ): Promise<{ entries: TreeEntry[]; complete: boolean }>;
  /** Bytes of each blob; null where it is missing. */
  sizes(oids: readonly string[], options: ReadOptions): Promise<(number | null)[]>;
  /** Whether all of these objects are there, told by their ids alone: much less work than their sizes. */
  holdsAll(oids: readonly string[], options: ReadOptions): Promise<boolean>;
  /** Fails with `too-large` above `bytesMax`, before the content is read. */
  blob(oid: string, options: ReadOptions & { bytesMax: number }): Promise<Buffer>;
  /** Bytes `start` (inclusive) to `end` (exclusive) of a blob of any size, without holding the rest. */
  blobRange(oid: string, range: { start: number; end: number }, options: ReadOptions): Promise<Buffer>;
  /**
   * Many blobs in the order asked, read past all caches by a process that nobody else waits for, for indexing. Content above
   * `bytesMax` is passed over; 0 asks for sizes alone, Infinity for contents without asking for sizes first.
   */
  blobs(oids: readonly string[], options: ReadOptions & { bytesMax: number }): AsyncIterable<BulkBlob>;
  /**
   * Who has put this repository's objects where they are: `mirror` when git has verified each of them as it fetched it; `account N`
   * when they lie in a folder where that account alone can write, so that a blob which is there was there for it to read; null when
   * others could have written too, and an object may be there in name only.
   */
  objectsBy(options: ReadOptions): Promise<string | null>;
  history(query: HistoryQuery, options: ReadOptions): Promise<Commit[]>;
  /** Raw unified diff of a commit against its first parent (or `against`), below `path`; cut at `bytesMax`. */
  diff(
    query: { commit: string; against?: string; path: string; contextLines: number; bytesMax: number },
    options: ReadOptions,
  ): Promise<{
    patch: Buffer;
    truncated: boolean;
    files: { path: string; status: string; added: number | null; removed: number | null }[];
  }>;
  blame(
    query: { commit: string; path: string; start: number; end: number },
    options: ReadOptions,
  ): Promise<BlameLine[]>;
  /** Without a view everything is written as it is in git. */
  materialise(
    commit: string,
    path: string,
    options: ReadOptions & { view?: DirectoryView },
  ): Promise<MaterialisedDirectory>;
  /** From now on only directories of the view with this key are kept; null is of none. Those in use go when they are given back. */
  keepDirectories(viewKey: string | null): Promise<void>;
  uncommittedChanges(options: ReadOptions): Promise<UncommittedChanges | null>;
}

/** Work done, for metrics, benches and tests that count instead of timing. */
export interface MirrorCounters {
  processesStarted: number;
  clones: number;
  fetches: number;
  /** Tree objects: listings of one directory each. */
  treesRead: number;
  blobsRead: number;
  materialisations: number;
}

export interface Mirrors {
  open(subject: MirrorSubject): Mirror;
  lsRemote(
    url: string,
    access: RemoteAccess,
    options: { signal: AbortSignal },
  ): Promise<{ defaultBranch: string | null; refs: ReadonlyMap<string, string> }>;
  /** Deletes the mirror of a repository that is gone. */
  forget(id: number): Promise<void>;
  counters(): MirrorCounters;
  close(): Promise<void>;
}
