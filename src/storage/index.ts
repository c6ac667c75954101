/**
 * Storage: the relational state of one data folder, over SQLite (embedded, the default) or PostgreSQL, through Kysely.
 *
 * It opens the database, takes its schema forward, and gives out transactions, leases with a fencing token, and backups that are taken
 * and restored while everything goes on. It knows rows and not what they mean: whoever owns a table asks for it through `db`.
 *
 * Reads outside a transaction see the last committed state and never wait for a writer. A transaction that asks `storage.db` instead of
 * the `db` that it was given waits for itself until it is told that the database is busy.
 *
 * Start at open-storage.ts; the tables are in schema.ts, how they came to be in migrations/.
 */
export { openStorage, type StorageDeps } from './open-storage.ts';
export { restoreStorage } from './restore-storage.ts';
export type { Schema } from './schema.ts';
export type { Lease, Storage, StorageOptions } from './types.ts';
