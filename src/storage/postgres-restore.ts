import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Kysely, sql } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { newerSchema, notABackup, targetNotEmpty } from './errors.ts';
import { fencesGivenOut, type GivenOut, keepGivenOut } from './given-out.ts';
import { lockPostgresSchema, migrateTo, schemaVersion } from './migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { DUMP_VERSION, type DumpLine, dumpedTables, lastId, tablesWithIds } from './postgres-dump.ts';
import type { Tables } from './tables.ts';

const ROWS_AT_ONCE = 200;

interface RestoreStep {
  migrations: readonly Migration[];
  newest: number;
  overwrite: boolean;
  clock: Clock;
  logger: Logger;
}

/** One transaction: the old tables go, those of the dump's version come and are filled, and then they are taken to this version. */
export async function restorePostgres(
  options: { url: string; poolSizeMax: number },
  fromFile: string,
  step: RestoreStep,
): Promise<void> {
  const db = new Kysely<Tables>({ dialect: postgresDialect(options, step.logger) });
  try {
    await db.transaction().execute((tx) => restoreWithin(tx, fromFile, step));
  } finally {
    await db.destroy();
  }
}

async function restoreWithin(tx: Kysely<Tables>, fromFile: string, step: RestoreStep): Promise<void> {
  await lockPostgresSchema(tx);
  const lines = dumpLines(fromFile);
  const first = (await lines.next()).value;
  if (!first || !('periscopeDump' in first)) throw damaged(fromFile);
  if (first.periscopeDump > DUMP_VERSION || first.schemaVersion > step.newest) {
    throw newerSchema(fromFile, first.schemaVersion, step.newest, null);
  }
  const givenOut = await emptyTarget(tx, step);
  const migrate = (from: number, to: number) =>
    migrateTo(tx, { kind: 'postgres', migrations: step.migrations, from, to, nowMs: step.clock.now() });
  await migrate(0, first.schemaVersion);
  await fill(tx, fromFile, lines);
  await migrate(first.schemaVersion, step.newest);
  if (givenOut) await keepGivenOut(tx, givenOut, raiseLastId);
}

/** What the old tables had given out, or null when there were none. */
async function emptyTarget(tx: Kysely<Tables>, step: RestoreStep): Promise<GivenOut | null> {
  const version = await schemaVersion(tx, 'postgres');
  if (version === 0) return null;
  if (!step.overwrite) throw targetNotEmpty('The PostgreSQL database');
  if (version > step.newest) throw newerSchema('The PostgreSQL database', version, step.newest, null);
  const there = await tablesThere(tx);
  // Locked first: nothing is given out any more once it has been read.
  await sql`lock table ${sql.join(there.map((table) => sql.table(table)))} in access exclusive mode`.execute(
    tx,
  );
  const lastIds = new Map<string, number>();
  for (const table of tablesWithIds) if (there.includes(table)) lastIds.set(table, await lastId(tx, table));
  const givenOut = { lastIds, ...(await fencesGivenOut(tx, 0)) };
  for (const table of there.reverse()) await tx.schema.dropTable(table).execute();
  await tx.schema.dropTable('migration').execute();
  return givenOut;
}

/** A database of an older version does not have all of today's tables. */
async function tablesThere(tx: Kysely<Tables>): Promise<(typeof dumpedTables)[number][]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(tx);
  const names = new Set(rows.map(({ name }) => name));
  return dumpedTables.filter((table) => names.has(table));
}

async function fill(tx: Kysely<Tables>, fromFile: string, lines: AsyncIterable<DumpLine>): Promise<void> {
  // The dump may be of an older schema than our types tell of.
  const untyped = tx as unknown as Kysely<Record<string, Record<string, unknown>>>;
  let table: string | null = null;
  let rows: Record<string, unknown>[] = [];
  let inserted = 0;
  let announced: number | null = null;
  const flush = async () => {
    if (rows.length === 0) return;
    if (table === null) throw damaged(fromFile);
    await untyped.insertInto(table).values(rows).execute();
    inserted += rows.length;
    rows = [];
  };
  for await (const line of lines) {
    if ('row' in line) {
      rows.push(line.row);
      if (rows.length >= ROWS_AT_ONCE) await flush();
      continue;
    }
    await flush();
    if ('table' in line) table = line.table;
    else if ('sequence' in line) await raiseLastId(tx, line.sequence, line.last);
    else if ('end' in line) announced = line.end;
  }
  if (announced !== inserted || rows.length > 0) throw damaged(fromFile);
}

async function raiseLastId(tx: Kysely<Tables>, table: string, last: number): Promise<void> {
  if (last <= (await lastId(tx, table))) return;
  await sql`select setval(pg_get_serial_sequence(${table}, 'id')::regclass, ${last})`.execute(tx);
}

async function* dumpLines(file: string): AsyncGenerator<DumpLine> {
  for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch (fault) {
      throw damaged(file, fault);
    }
    if (typeof parsed !== 'object' || parsed === null) throw damaged(file);
    yield parsed as DumpLine;
  }
}

const damaged = (file: string, cause?: unknown) => notABackup(file, 'it is damaged or was cut short', cause);
