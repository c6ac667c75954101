import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export type StorageOptions =
  /** One file in the data folder, WAL. */
  { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string; poolSizeMax: number };

/** A lease held; `fence` goes with every write that it protects. */
export interface Lease {
  readonly name: string;
  readonly fence: number;
  /** False when it was lost. Call it well before `ttlMs` has passed. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export interface Storage {
  readonly kind: StorageOptions['kind'];
  readonly db: Kysely<Schema>;
  /** Runs `work` in one transaction; on SQLite a writer's (BEGIN IMMEDIATE). Retried when the database says that it was busy or had to abort one of two. */
  transaction<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
  /** The named lease, or null while another owner holds it; one that `isDead` says is surely gone holds nothing. */
  acquireLease(
    name: string,
    options: { owner: string; ttlMs: number; isDead?: (owner: string) => boolean },
  ): Promise<Lease | null>;
  /** A value of `meta`, made by `make` the first time, the same for all that race for it. */
  metaOnce(key: string, make: () => string): Promise<string>;
  /** A consistent copy while everything goes on. SQLite: one database file at `target`; PostgreSQL: our tables as a dump file of our own format. */
  backup(target: string): Promise<void>;
  close(): Promise<void>;
}
