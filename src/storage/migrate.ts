import { type Kysely, sql } from 'kysely';
import { allMigrations } from './migrations/all-migrations.ts';
import { columnTypes, type Migration } from './migrations/migration.ts';
import type { Tables } from './tables.ts';
import type { StorageOptions } from './types.ts';

/** 'peri' as a number: the advisory lock under which one process migrates or restores. */
const POSTGRES_LOCK = 0x70657269;

/** The version that the database is at; 0 for one without our tables. */
export async function schemaVersion(db: Kysely<Tables>, kind: StorageOptions['kind']): Promise<number> {
  const found =
    kind === 'sqlite'
      ? await sql`select 1 from sqlite_schema where name = 'migration'`.execute(db)
      : await sql`select 1 where to_regclass('migration') is not null`.execute(db);
  if (found.rows.length === 0) return 0;
  const newest = await db
    .selectFrom('migration')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst();
  return newest?.version ?? 0;
}

/** A SQLite file without our tables but with others is somebody else's. */
export async function isForeign(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_schema limit 1`.execute(db);
  return rows.length > 0;
}

/** Takes the database to `version` within the transaction `db`, which must already keep other writers out. */
export async function migrateTo(
  db: Kysely<Tables>,
  options: {
    kind: StorageOptions['kind'];
    migrations: readonly Migration[];
    from: number;
    to: number;
    nowMs: number;
  },
): Promise<void> {
  const types = columnTypes(options.kind);
  if (options.from === 0) {
    await db.schema
      .createTable('migration')
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('name', types.text, (column) => column.notNull())
      .addColumn('applied_ms', 'bigint', (column) => column.notNull())
      .execute();
  }
  for (const { version, name, up } of options.migrations) {
    if (version <= options.from || version > options.to) continue;
    await up(db as unknown as Kysely<unknown>, types);
    await db.insertInto('migration').values({ version, name, applied_ms: options.nowMs }).execute();
  }
}

/** Until the transaction ends, no other process migrates or restores. */
export async function lockPostgresSchema(db: Kysely<Tables>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(db);
  await sql`select pg_advisory_xact_lock(${sql.lit(POSTGRES_LOCK)})`.execute(db);
}

/** The steps that a caller of storage knows, ours unless it brings others, and the version they lead to. */
export function known(migrations: readonly Migration[] = allMigrations): {
  migrations: readonly Migration[];
  newest: number;
} {
  return { migrations, newest: migrations.at(-1)?.version ?? 0 };
}
