import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { PeriscopeError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { corrupt, newerSchema } from './errors.ts';
import { acquireLease } from './leases.ts';
import { isForeign, known, lockPostgresSchema, migrateTo, schemaVersion } from './migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { refuseNetworkFolder } from './network-folder.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { dumpPostgres } from './postgres-dump.ts';
import type { Schema } from './schema.ts';
import { copyBeforeMigration, copySqlite, existingCopyBefore } from './sqlite-backup.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import type { Tables } from './tables.ts';
import type { Storage, StorageOptions } from './types.ts';

export interface StorageDeps {
  clock: Clock;
  logger: Logger;
  /** The steps that this version knows; all of ours by default. */
  migrations?: readonly Migration[];
}

/** How often one transaction is begun again after the database gave it up. */
const ATTEMPTS_MAX = 12;

/** Opens the database, made or brought up to this version's schema first. Any number of processes may have it open. */
export async function openStorage(options: StorageOptions, deps: StorageDeps): Promise<Storage> {
  return options.kind === 'sqlite' ? openSqlite(options.file, deps) : openPostgres(options, deps);
}

async function openSqlite(file: string, deps: StorageDeps): Promise<Storage> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await refuseNetworkFolder(folder);
  const db = await openSqliteDatabase(file);
  try {
    await migrateSqlite(db, file, deps);
  } catch (fault) {
    await db.destroy();
    throw fault;
  }
  return storageOver('sqlite', db, deps, (target) => copySqlite(file, target));
}

async function migrateSqlite(db: Kysely<Tables>, file: string, deps: StorageDeps): Promise<void> {
  const { migrations, newest } = known(deps.migrations);
  const refuseNewer = async (found: number) => {
    if (found > newest) throw newerSchema(file, found, newest, await existingCopyBefore(file, found));
  };
  const before = await schemaVersion(db, 'sqlite');
  await refuseNewer(before);
  if (before === newest) return;
  await db.transaction().execute(async (tx) => {
    // Another process may have been first while this one waited for the file.
    const from = await schemaVersion(tx, 'sqlite');
    await refuseNewer(from);
    if (from === newest) return;
    if (from === 0 && (await isForeign(tx))) throw corrupt(file);
    if (from > 0) {
      const copy = await copyBeforeMigration(file, newest);
      deps.logger.info('the database was copied before its upgrade', { copy, from, to: newest });
    }
    await migrateTo(tx, { kind: 'sqlite', migrations, from, to: newest, nowMs: deps.clock.now() });
  });
}

async function openPostgres(
  options: { url: string; poolSizeMax: number },
  deps: StorageDeps,
): Promise<Storage> {
  const db = new Kysely<Tables>({ dialect: postgresDialect(options, deps.logger) });
  try {
    const { migrations, newest } = known(deps.migrations);
    await db.transaction().execute(async (tx) => {
      await lockPostgresSchema(tx);
      const from = await schemaVersion(tx, 'postgres');
      if (from > newest) throw newerSchema('The PostgreSQL database', from, newest, null);
      if (from < newest) {
        await migrateTo(tx, { kind: 'postgres', migrations, from, to: newest, nowMs: deps.clock.now() });
      }
    });
    return storageOver('postgres', db, deps, (target) => dumpPostgres(db, target, deps.clock));
  } catch (fault) {
    await db.destroy();
    throw fault;
  }
}

function storageOver(
  kind: Storage['kind'],
  tables: Kysely<Tables>,
  { clock }: StorageDeps,
  backup: Storage['backup'],
): Storage {
  const db = tables as unknown as Kysely<Schema>;
  return {
    kind,
    db,
    transaction: (work) => transact(kind, db, work),
    acquireLease: (name, options) => acquireLease(db, clock, name, options),
    metaOnce: (key, make) => metaOnce(db, key, make),
    backup,
    close: () => db.destroy(),
  };
}

/** Serializable on PostgreSQL, so that work written for SQLite's single writer means the same there; the price is that some is done again. */
async function transact<T>(
  kind: Storage['kind'],
  db: Kysely<Schema>,
  work: (db: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const transaction = db.transaction();
    try {
      return await (kind === 'postgres'
        ? transaction.setIsolationLevel('serializable')
        : transaction
      ).execute(work);
    } catch (fault) {
      const again = fault instanceof PeriscopeError && fault.code === 'storage/aborted';
      if (!again || attempt === ATTEMPTS_MAX) throw fault;
    }
    // Two that met must not meet again; nothing that anyone sees depends on this draw.
    await sleep(Math.random() * Math.min(2 ** attempt, 250));
  }
}

async function metaOnce(db: Kysely<Schema>, key: string, make: () => string): Promise<string> {
  const stored = () => db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  const found = await stored();
  if (found) return found.value;
  await db
    .insertInto('meta')
    .values({ key, value: make() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await stored())?.value ?? metaOnce(db, key, make);
}
