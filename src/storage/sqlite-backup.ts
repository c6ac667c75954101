import { access, open, rename, rm } from 'node:fs/promises';
import { backup } from '@photostructure/sqlite';
import { PeriscopeError } from '../base/errors.ts';
import { backupExists, backupNotWritten } from './errors.ts';
import { SqliteConnection, sqliteError } from './sqlite-connection.ts';

/** A consistent copy of the last committed state at a file that must not be there yet. Writers go on, and so does this process. */
export async function copySqlite(file: string, target: string): Promise<void> {
  if (await exists(target)) throw backupExists(target);
  await copyAside(file, target);
}

/** `<file>.before-<version>`: the way back from an upgrade. One left by a killed upgrade shows the same state and is replaced. */
export async function copyBeforeMigration(file: string, version: number): Promise<string> {
  const target = nameBefore(file, version);
  await copyAside(file, target);
  return target;
}

export async function existingCopyBefore(file: string, version: number): Promise<string | null> {
  const name = nameBefore(file, version);
  return (await exists(name)) ? name : null;
}

/** Copies every page of `from` into the database file `to` in one transaction of its own, on a thread of its own. `to` may be in use. */
export async function copyPages(from: string, to: string): Promise<void> {
  // Not one of storage's own handles: each is locked while SQLite works on it, and the main thread would wait for this one.
  const source = new SqliteConnection(from, { readOnly: true });
  try {
    // All pages in one step: in smaller ones every write from elsewhere would start the copy again from the first page.
    await backup(source.handle, to, { rate: -1 });
  } catch (fault) {
    throw sqliteError(fault, to, false);
  } finally {
    source.close();
  }
}

async function copyAside(file: string, target: string): Promise<void> {
  const unfinished = `${target}.unfinished`;
  try {
    await rm(unfinished, { force: true });
    await (await open(unfinished, 'wx', 0o600)).close();
    await copyPages(file, unfinished);
    // The copy says WAL as the original does, and whoever opened it would leave two more files beside it.
    const copy = new SqliteConnection(unfinished, { readOnly: false });
    try {
      copy.exec('pragma journal_mode = delete');
    } finally {
      copy.close();
    }
    await rename(unfinished, target);
  } catch (fault) {
    await rm(unfinished, { force: true });
    throw fault instanceof PeriscopeError ? fault : backupNotWritten(target, fault);
  }
}

function nameBefore(file: string, version: number): string {
  return `${file}.before-${version}`;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
