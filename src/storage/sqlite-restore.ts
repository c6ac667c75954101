import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { PeriscopeError } from '../base/errors.ts';
import { newerSchema, notABackup, targetNotEmpty } from './errors.ts';
import { fencesGivenOut, type GivenOut, keepGivenOut } from './given-out.ts';
import { isForeign, migrateTo, schemaVersion } from './migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { refuseNetworkFolder } from './network-folder.ts';
import { copyPages } from './sqlite-backup.ts';
import { createPrivateFile } from './sqlite-connection.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import type { Tables } from './tables.ts';

/** A server that runs may give out more between our look at the target and the moment in which its content changes. */
const GIVEN_OUT_MEANWHILE = 1000;

interface RestoreStep {
  migrations: readonly Migration[];
  newest: number;
  overwrite: boolean;
  clock: Clock;
}

/** Everything is made ready in a file beside the target; the switch is one SQLite transaction over all pages, seen by whoever has it open. */
export async function restoreSqlite(file: string, fromFile: string, step: RestoreStep): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await refuseNetworkFolder(path.dirname(file));
  const target = await lookAt(file, step);
  if (target.state !== 'empty' && !step.overwrite) throw targetNotEmpty(file);

  const ready = `${file}.restoring`;
  await removeDatabase(ready);
  try {
    await createPrivateFile(ready);
    await prepare(ready, fromFile, target.state === 'ours' ? target.givenOut : null, step);
    if (target.state === 'unknown') await removeDatabase(file);
    await createPrivateFile(file);
    await copyPages(ready, file);
  } finally {
    await removeDatabase(ready);
  }
}

type Target = { state: 'empty' } | { state: 'unknown' } | { state: 'ours'; givenOut: GivenOut };

async function lookAt(file: string, step: RestoreStep): Promise<Target> {
  try {
    const db = await openSqliteDatabase(file);
    try {
      const version = await schemaVersion(db, 'sqlite');
      if (version === 0) return { state: (await isForeign(db)) ? 'unknown' : 'empty' };
      if (version > step.newest) throw newerSchema(file, version, step.newest, null);
      const { rows } = await sql<{ name: string; seq: number }>`
        select name, seq from sqlite_sequence`.execute(db);
      const lastIds = new Map(rows.map(({ name, seq }) => [name, seq + GIVEN_OUT_MEANWHILE]));
      return {
        state: 'ours',
        givenOut: { lastIds, ...(await fencesGivenOut(db, GIVEN_OUT_MEANWHILE)) },
      };
    } finally {
      await db.destroy();
    }
  } catch (fault) {
    if (fault instanceof PeriscopeError && fault.code === 'storage/corrupt') return { state: 'unknown' };
    throw fault;
  }
}

async function prepare(
  ready: string,
  fromFile: string,
  givenOut: GivenOut | null,
  step: RestoreStep,
): Promise<void> {
  try {
    await copyPages(fromFile, ready);
    await takeForward(ready, fromFile, givenOut, step);
  } catch (fault) {
    const damaged = fault instanceof PeriscopeError && fault.code === 'storage/corrupt';
    throw damaged ? notABackup(fromFile, 'it is damaged', fault) : fault;
  }
}

async function takeForward(
  ready: string,
  fromFile: string,
  givenOut: GivenOut | null,
  { migrations, newest, clock }: RestoreStep,
): Promise<void> {
  const db = await openSqliteDatabase(ready);
  try {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check`.execute(db);
    if (rows[0]?.quick_check !== 'ok') throw notABackup(fromFile, 'it is damaged');
    const from = await schemaVersion(db, 'sqlite');
    if (from === 0) throw notABackup(fromFile, 'it is no database of Periscope');
    if (from > newest) throw newerSchema(fromFile, from, newest, null);
    await db.transaction().execute(async (tx) => {
      await migrateTo(tx, { kind: 'sqlite', migrations, from, to: newest, nowMs: clock.now() });
      if (givenOut) await keepGivenOut(tx, givenOut, raiseLastId);
    });
  } finally {
    await db.destroy();
  }
}

async function raiseLastId(tx: Kysely<Tables>, table: string, last: number): Promise<void> {
  const raised = await sql`
    update sqlite_sequence set seq = max(seq, ${last}) where name = ${table}`.execute(tx);
  if (raised.numAffectedRows === 0n) {
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(tx);
  }
}

async function removeDatabase(file: string): Promise<void> {
  for (const part of [file, `${file}-wal`, `${file}-shm`]) await rm(part, { force: true });
}
