import type { HostProblem, RepositoryLocation } from '../hosts/index.ts';
import type { Mirror } from '../mirrors/index.ts';

/** A repository as everything above the catalog knows it. */
export interface Repository {
  /** u32, never reused. */
  readonly id: number;
  readonly host: string;
  /** `owner/name` or path below the folder; follows renames. */
  readonly name: string;
  /** Further names at the same host that decide with `name` who may see it. Default none. */
  readonly alsoNamed?: readonly string[];
  /** Former names at the same host. One may be another repository's name now: whether it leads here depends on who can see that one. */
  readonly aliases: readonly string[];
  readonly defaultBranch: string | null;
  readonly archived: boolean;
  readonly fork: boolean;
  readonly visibility: 'public' | 'private' | 'unknown';
  readonly webUrl: string | null;
  readonly location: RepositoryLocation;
}

export interface HostStatus {
  host: string;
  kind: string;
  lastGoodMs: number | null;
  /** Callers may see it: it names no place of the server. */
  problem: string | null;
  problemMs: number | null;
  /**
   * For the operator alone: folders that cannot be read, and single repositories that were seen and cannot be served, as this
   * process last saw them. They are not stored.
   */
  problems: readonly HostProblem[];
}

export interface CatalogOptions {
  /** How often hosts are asked for their lists. 0 asks only when `discover` is called. The first time is always the caller's. */
  discoveryIntervalMs: number;
  /** For each host. What it answers later is dropped. */
  discoveryTimeoutMs: number;
  /** False where another process asks the hosts: this one only follows what that one writes. Default true. */
  discovers?: boolean;
  /** How often it is looked whether another process changed the list. Default 2000; 0 never looks. */
  reloadIntervalMs?: number;
}

export interface Catalog {
  /** Every repository of every host, for the gate to filter. The array is replaced, never changed, when something changes. */
  repositories(): readonly Repository[];
  /** Grows whenever `repositories()` changes; the same in every process that has loaded the same list with the same configuration. */
  generation(): number;
  hosts(): readonly HostStatus[];
  mirror(repository: Repository): Mirror;
  permalink(
    repository: Repository,
    commit: string,
    path: string,
    lines: { start: number; end: number } | null,
  ): string | null;
  /**
   * Asks all hosts now (or one), in one flight per host however many ask, keeps the last good answer of one that fails, and never
   * throws for a dead host. Where this process does not ask hosts, the stored list is loaded anew.
   */
  discover(options: { signal: AbortSignal; host?: string }): Promise<readonly HostStatus[]>;
  close(): Promise<void>;
}
