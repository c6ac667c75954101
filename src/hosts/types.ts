/** What a host (a forge, a git URL list or a folder tree) tells of its repositories. */
export type HostKind = 'folder' | 'git';

export type RepositoryLocation =
  /**
   * Read where it is. `root` bounds what may be followed (alternates, common directories, symlinks): the repository's own folder;
   * the smallest folder around it and those that it borrows objects from or is a linked worktree of; or, where the configured
   * folder is itself a worktree or a submodule, the git directory that it belongs to, which then lies outside of `workTree`.
   * All three are absolute real paths in plain UTF-8, not in their shown form: they go to the file system and to git.
   *
   * `alsoNamed`: further full names at this host. Who may not see every one of them may not see the repository: those of the
   * repositories whose data it shows, and its plain name where others beside it made it take a longer one.
   */
  | {
      kind: 'folder';
      gitDir: string;
      workTree: string | null;
      root: string;
      alsoNamed?: readonly string[];
    }
  /** Mirrored from here. Never holds user info. */
  | { kind: 'remote'; url: string };

export interface HostRepository {
  /** Immutable at the host: survives renames. */
  externalId: string;
  /** `owner/name`, or the path below the folder. Shown form of the bytes. */
  fullName: string;
  location: RepositoryLocation;
  defaultBranch: string | null;
  archived: boolean;
  fork: boolean;
  visibility: 'public' | 'private' | 'unknown';
  /** The repository's page for people, without a trailing slash; null where there is none. */
  webUrl: string | null;
}

/** A repository that was seen but cannot be served, and why: never a silent gap. */
export interface HostProblem {
  what: string;
  why: string;
  next: string;
}

export interface HostListing {
  /** Distinct in `externalId` and in `fullName`. */
  repositories: HostRepository[];
  problems: HostProblem[];
  /** Part of the host could not be looked at: the absence of an `externalId` that starts with one of these says nothing. Default none. */
  unseenPrefixes?: readonly string[];
}

/** How git reaches a remote of this host. The secret is fetched for each command and never kept in argv, in a file or in a log. */
export interface RemoteAccess {
  /** `https://host[:port]` or `ssh://host[:port]`: the credential goes nowhere else. */
  origin: string;
  username: string | null;
  secret: (() => Promise<string>) | null;
  sshKeyFile: string | null;
  sshKnownHostsFile: string | null;
  caFile: string | null;
  proxy: string | null;
  /** Plain http and loopback addresses, for tests and for closed networks. */
  allowInsecureHttp: boolean;
}

export interface Host {
  readonly name: string;
  readonly kind: HostKind;
  /** Fails with `unavailable` when the host as a whole cannot be asked; single faulty repositories are problems of the listing. */
  list(options: { signal: AbortSignal }): Promise<HostListing>;
  /** Null for folders. */
  remoteAccess(location: RepositoryLocation): RemoteAccess | null;
  /** The forge's page of a place at a commit, or null. Lines count from 1. */
  permalink(
    repository: PermalinkSubject,
    commit: string,
    path: string,
    lines: { start: number; end: number } | null,
  ): string | null;
  /** False for a location that the configuration no longer names, so that what an older list holds is not served. Absent: all are. */
  serves?(location: RepositoryLocation): boolean;
  /** What the host itself says of who may read; absent on hosts without permissions of their own, where rules alone grant. */
  readonly permissions?: HostPermissions;
}

export interface PermalinkSubject {
  fullName: string;
  webUrl: string | null;
}

/** Filled by forges: the repositories that a proven account may read. Unknown is denied. */
export interface HostPermissions {
  readableBy(forgeAccount: string, options: { signal: AbortSignal }): Promise<ReadonlySet<string>>;
}

/** Supplied by the composition root: only mirrors start git. */
export type LsRemote = (
  url: string,
  access: RemoteAccess,
  options: { signal: AbortSignal },
) => Promise<{ defaultBranch: string | null; refs: ReadonlyMap<string, string> }>;

export type HostOptions =
  | { kind: 'folder'; name: string; folders: readonly string[]; depthMax: number }
  | {
      kind: 'git';
      name: string;
      urls: readonly string[];
      username: string | null;
      secret: (() => Promise<string>) | null;
      sshKeyFile: string | null;
      sshKnownHostsFile: string | null;
      caFile: string | null;
      proxy: string | null;
      allowInsecureHttp: boolean;
    };

export type OptionsOf<Kind extends HostKind> = Extract<HostOptions, { kind: Kind }>;
