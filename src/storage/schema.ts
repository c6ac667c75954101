import type { Generated } from 'kysely';

/**
 * The tables, as every module that owns rows sees them. Times are integer milliseconds since the Unix epoch, flags are 0 or 1,
 * JSON stands in text columns: the same on SQLite and PostgreSQL. Migrations live in storage/migrations.
 */
export interface Schema {
  meta: MetaTable;
  lease: LeaseTable;
  host_state: HostStateTable;
  repository: RepositoryTable;
  repository_alias: RepositoryAliasTable;
  token: TokenTable;
  audit: AuditTable;
  job: JobTable;
  event: EventTable;
  trace: TraceTable;
  trace_citation: TraceCitationTable;
  trace_use: TraceUseTable;
}

/** Single facts of this data folder: its id, the key that signs cursors. */
export interface MetaTable {
  key: string;
  value: string;
}

/** A named lease with a fencing token that only ever grows: `fence` of a later holder is larger. */
export interface LeaseTable {
  name: string;
  owner: string;
  fence: number;
  until_ms: number;
}

export interface HostStateTable {
  host: string;
  last_good_ms: number | null;
  last_problem: string | null;
  last_problem_ms: number | null;
}

/** repoId is `id`: below 2^32, never reused (AUTOINCREMENT, IDENTITY), keyed by the host's immutable id. */
export interface RepositoryTable {
  id: Generated<number>;
  host: string;
  external_id: string;
  name: string;
  default_branch: string | null;
  archived: number;
  fork: number;
  visibility: string;
  web_url: string | null;
  /** JSON of hosts' RepositoryLocation. Holds no credential. */
  location: string;
  /** 1 while the host's newest good list still has it. */
  present: number;
  first_seen_ms: number;
  last_seen_ms: number;
}

/** A former name that still leads to the repository. */
export interface RepositoryAliasTable {
  host: string;
  name: string;
  repository_id: number;
}

export interface TokenTable {
  id: string;
  /** Lower-case hex SHA-256 of the whole token; the token itself is never stored. */
  sha256: string;
  label: string;
  subject_kind: string;
  subject: string;
  /** JSON array of group names. */
  groups_json: string;
  /** JSON array of scopes. */
  scopes_json: string;
  destination: string;
  created_ms: number;
  created_by: string;
  expires_ms: number | null;
  revoked_ms: number | null;
  last_used_ms: number | null;
}

export interface AuditTable {
  id: Generated<number>;
  at_ms: number;
  subject: string;
  on_behalf_of: string | null;
  operation: string;
  /** JSON array of repository names. */
  repositories_json: string;
  outcome: string;
  detail_json: string;
}

export interface JobTable {
  id: Generated<number>;
  kind: string;
  /** Idempotency key: one live job per (kind, key). */
  key: string;
  state: string;
  payload_json: string;
  attempts: number;
  max_attempts: number;
  next_ms: number;
  lease_owner: string | null;
  lease_until_ms: number | null;
  /** Grows with every claim; a completion that shows an older one is refused. */
  fence: number;
  result_json: string | null;
  problem: string | null;
  created_ms: number;
  finished_ms: number | null;
}

/** Append-only; feeds progress, webhooks and logs. */
export interface EventTable {
  id: Generated<number>;
  at_ms: number;
  kind: string;
  subject: string;
  data_json: string;
}

/** A search by meaning. Holds no code and no credential: retrieval cleans what it keeps. */
export interface TraceTable {
  id: Generated<number>;
  at_ms: number;
  account: string;
  conversation: string;
  question: string;
  /** JSON object of filters and switches. */
  parameters_json: string;
  /** JSON array of the repository ids that the search was narrowed to; null when it was not. */
  narrowed_json: string | null;
  ranking: string;
  /** JSON array of the features' names, in the order of each citation's values. */
  features_json: string;
}

/** A place that a search showed; `position` counts from 0, best first. */
export interface TraceCitationTable {
  trace_id: number;
  position: number;
  repository_id: number;
  commit_id: string;
  path: string;
  start_line: number;
  end_line: number;
  score: number;
  /** JSON array of numbers. */
  values_json: string;
}

/** The first time that a tool was used on a citation. */
export interface TraceUseTable {
  trace_id: number;
  position: number;
  tool: string;
  at_ms: number;
}
