import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { PeriscopeError } from '../base/errors.ts';
import { backupExists, backupNotWritten } from './errors.ts';
import { schemaVersion } from './migrate.ts';
import type { Schema } from './schema.ts';
import type { Tables } from './tables.ts';

/**
 * Dump file: UTF-8, one JSON value a line, in this order.
 *   {"periscopeDump":1,"schemaVersion":N,"writtenMs":T}
 *   {"table":NAME} before the rows of each table, tables in the order in which they may be filled, then {"row":{COLUMN:VALUE}} each
 *   {"sequence":TABLE,"last":N} for each table whose ids the database gives out; 0 when none was given out yet
 *   {"end":ROWS} with the number of rows, so that a file that was cut short is seen
 * Version 1: first. A reader accepts its own version and those before it.
 */
export const DUMP_VERSION = 1;

export type DumpLine =
  | { periscopeDump: number; schemaVersion: number; writtenMs: number }
  | { table: string }
  | { row: Record<string, string | number | null> }
  | { sequence: string; last: number }
  | { end: number };

/** Every table of the newest schema, referenced ones first. */
export const dumpedTables = [
  'meta',
  'lease',
  'host_state',
  'repository',
  'repository_alias',
  'token',
  'audit',
  'job',
  'event',
  'trace',
  'trace_citation',
  'trace_use',
] as const satisfies readonly (keyof Schema)[];

export const tablesWithIds = [
  'repository',
  'audit',
  'job',
  'event',
  'trace',
] as const satisfies readonly (keyof Schema)[];

const ROWS_AT_ONCE = 500;

export async function dumpPostgres(db: Kysely<Tables>, target: string, clock: Clock): Promise<void> {
  const unfinished = `${target}.unfinished`;
  const taken = await open(target, 'r').then(
    (handle) => handle.close().then(() => true),
    () => false,
  );
  if (taken) throw backupExists(target);
  try {
    await rm(unfinished, { force: true });
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((tx) => writeDump(tx, file, clock));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, target);
  } catch (fault) {
    await rm(unfinished, { force: true });
    throw fault instanceof PeriscopeError ? fault : backupNotWritten(target, fault);
  }
}

async function writeDump(tx: Kysely<Tables>, file: FileHandle, clock: Clock): Promise<void> {
  const write = (lines: DumpLine[]) =>
    file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), 'utf8');
  let rows = 0;
  await write([
    {
      periscopeDump: DUMP_VERSION,
      schemaVersion: await schemaVersion(tx, 'postgres'),
      writtenMs: clock.now(),
    },
  ]);
  for (const table of dumpedTables) {
    await write([{ table }]);
    await sql`declare dump no scroll cursor for select * from ${sql.table(table)}`.execute(tx);
    for (;;) {
      const page = await sql<Record<string, string | number | null>>`
        fetch ${sql.lit(ROWS_AT_ONCE)} from dump`.execute(tx);
      if (page.rows.length === 0) break;
      await write(page.rows.map((row) => ({ row })));
      rows += page.rows.length;
    }
    await sql`close dump`.execute(tx);
  }
  // Sequences know no snapshot: read last, they are never behind the rows.
  for (const table of tablesWithIds) await write([{ sequence: table, last: await lastId(tx, table) }]);
  await write([{ end: rows }]);
}

/** The highest id that the database has given out in `table`, whether or not its row is still there. */
export async function lastId(db: Kysely<Tables>, table: string): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) as last`.execute(db);
  return rows[0]?.last ?? 0;
}
