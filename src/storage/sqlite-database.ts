import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { PeriscopeError } from '../base/errors.ts';
import { createPrivateFile, SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import type { Tables } from './tables.ts';

/** How long a caller waits for other writers before it is told that the database is busy. */
const WAIT_MS_MAX = 15_000;

/** The file, made when it is not there, in WAL mode and with whatever schema it has. */
export async function openSqliteDatabase(file: string): Promise<Kysely<Tables>> {
  await createPrivateFile(file);
  const writer = new SqliteConnection(file, { readOnly: false });
  try {
    await inWalMode(writer);
    const reader = new SqliteConnection(file, { readOnly: true });
    return new Kysely<Tables>({ dialect: sqliteDialect({ writer, reader, waitMsMax: WAIT_MS_MAX }) });
  } catch (fault) {
    writer.close();
    throw fault;
  }
}

/** Switching a new file needs it alone for a moment: another process may be doing the same. */
async function inWalMode(connection: SqliteConnection): Promise<void> {
  const givesUpMs = performance.now() + WAIT_MS_MAX;
  for (;;) {
    try {
      connection.exec('pragma journal_mode = wal');
      return;
    } catch (fault) {
      const again = fault instanceof PeriscopeError && fault.code === 'storage/busy';
      if (!again || performance.now() > givesUpMs) throw fault;
    }
    await sleep(5);
  }
}
