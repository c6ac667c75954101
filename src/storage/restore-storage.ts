import { open } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { notABackup } from './errors.ts';
import { known } from './migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { restorePostgres } from './postgres-restore.ts';
import { restoreSqlite } from './sqlite-restore.ts';
import type { StorageOptions } from './types.ts';

/**
 * Puts what `Storage.backup` wrote in place of the database, whole or not at all, and takes it up to this version's schema. Servers may
 * be running on it: from one moment to the next they see the restored rows. Ids and fences that were given out since the backup are
 * not given out again.
 */
export async function restoreStorage(
  options: StorageOptions,
  fromFile: string,
  choice: { /** Without it a database that is there already is refused. */ overwrite: boolean },
  deps: { clock: Clock; logger: Logger; migrations?: readonly Migration[] },
): Promise<void> {
  const kind = await kindOfBackup(fromFile);
  if (kind !== options.kind) {
    throw notABackup(
      fromFile,
      `it is a backup of ${kindNames[kind]}, and this is ${kindNames[options.kind]}`,
    );
  }
  const step = { ...known(deps.migrations), overwrite: choice.overwrite, clock: deps.clock };
  if (options.kind === 'sqlite') await restoreSqlite(options.file, fromFile, step);
  else await restorePostgres(options, fromFile, { ...step, logger: deps.logger });
}

const kindNames = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

async function kindOfBackup(file: string): Promise<StorageOptions['kind']> {
  const start = await firstBytes(file);
  if (start.startsWith('SQLite format 3\0')) return 'sqlite';
  if (start.startsWith('{"periscopeDump":')) return 'postgres';
  throw notABackup(file, 'it is no backup of Periscope');
}

async function firstBytes(file: string): Promise<string> {
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(32), 0, 32, 0);
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (fault) {
    throw notABackup(file, 'it cannot be read', fault);
  }
}
