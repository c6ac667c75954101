export type Scope = 'read' | 'models' | 'runs' | 'admin';
export type SubjectKind = 'person' | 'service' | 'run' | 'local';
export type Destination = 'local' | 'external';

/** Who asks, for whom, with which scopes. Goes into every operation. */
export interface Caller {
  /** `local` is the operator's own shell on the server: sees everything. */
  subject: { kind: SubjectKind; name: string };
  onBehalfOf: string | null;
  /** What usage is counted by. */
  account: string;
  groups: readonly string[];
  /** Proven accounts at hosts: never a typed name. */
  forgeAccounts: readonly { host: string; account: string }[];
  scopes: readonly Scope[];
  destination: Destination;
  /** What guards and traces are counted by. */
  conversation: Conversation;
  /** Of this one call. */
  signal: AbortSignal;
}

export interface Conversation {
  id: string;
  /** `exact`: the client told us (stdio process, session, header); `guessed`: token plus client name within idle minutes, where repeats are shortened but never refused. */
  certainty: 'exact' | 'guessed';
}

/** The part of a repository that decides who may see it. */
export interface GateSubject {
  readonly id: number;
  readonly host: string;
  readonly name: string;
  /** Further names at the same host that must all be allowed too: of those whose data it shows, and its plain name. Default none. */
  readonly alsoNamed?: readonly string[];
}

/** `repositories` are globs over `name` and `host/name`; `*` never crosses `/`, `**` does. */
export interface AccessRule {
  effect: 'allow' | 'deny';
  people: readonly string[];
  groups: readonly string[];
  repositories: readonly string[];
}

export interface AccessOptions {
  rules: readonly AccessRule[];
  /** Groups and the people that the config puts into them, besides the groups that a token carries. */
  groups: Readonly<Record<string, readonly string[]>>;
}

export interface Decision {
  allowed: boolean;
  /** For `periscope access explain`; never shown to the asker. */
  reason: string;
}

/** The one gate. Search, read, counts, suggestions, error texts: nothing is decided elsewhere. */
export interface Gate {
  /** Those of `repositories` that the caller may see, in their order. Cached by identity and by the array itself. */
  visible<T extends GateSubject>(caller: Caller, repositories: readonly T[]): Promise<readonly T[]>;
  explain(caller: Caller, repository: GateSubject): Promise<Decision>;
}

export interface TokenSummary {
  id: string;
  label: string;
  subject: { kind: SubjectKind; name: string };
  groups: readonly string[];
  scopes: readonly Scope[];
  destination: Destination;
  createdMs: number;
  createdBy: string;
  expiresMs: number | null;
  revokedMs: number | null;
  lastUsedMs: number | null;
}

export interface Tokens {
  /** The token's text is returned this once: `psc_` and 256 random bits. */
  create(
    wanted: {
      label: string;
      subject: { kind: 'person' | 'service'; name: string };
      groups: readonly string[];
      scopes: readonly Scope[];
      destination: Destination;
      expiresMs: number | null;
    },
    by: Caller,
  ): Promise<{ token: string; summary: TokenSummary }>;
  list(): Promise<TokenSummary[]>;
  /** Effective on the next call of every connection of every process that shares the data folder. Fails with not-found. */
  revoke(id: string, by: Caller): Promise<void>;
  /** Fails with `unauthenticated` for anything but a live token; the answer is the same for unknown, expired and revoked. */
  authenticate(token: string): Promise<TokenSummary>;
}

export interface AuditEntry {
  /** The name of the caller's subject. */
  subject: string;
  onBehalfOf: string | null;
  operation: string;
  repositories: readonly string[];
  outcome: string;
  detail: Readonly<Record<string, unknown>>;
}

export interface Audit {
  /** Buffered and written in batches; never slows or fails the call it tells of. Administrative changes are written before they take effect. */
  record(entry: AuditEntry): void;
  recordNow(entry: AuditEntry): Promise<void>;
  list(query: {
    limit: number;
    subject?: string;
    operation?: string;
    sinceMs?: number;
  }): Promise<(AuditEntry & { id: number; atMs: number })[]>;
  close(): Promise<void>;
}
