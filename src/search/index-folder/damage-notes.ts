import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { PeriscopeError } from '../../base/errors.ts';

/**
 * Notes of files that were found damaged: `damaged/NAME`, an empty file. Whoever meets the damage writes it, in whatever process;
 * the writer looks for notes, makes anew what the files held, and removes them.
 */
const notesFolder = (folder: string) => path.join(folder, 'damaged');

/** Never fails: where it cannot be written, whoever meets the damage next notes it again. */
export function noteDamage(file: string): void {
  const folder = notesFolder(path.dirname(file));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(folder, path.basename(file)), '', { mode: 0o600 });
  } catch {
    // The disk may be full, or ours to read alone.
  }
}

export async function damageNotes(folder: string): Promise<string[]> {
  return readdir(notesFolder(folder)).catch(() => []);
}

export async function removeDamageNotes(folder: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  for (const name of names) await rm(path.join(notesFolder(folder), name), { force: true }).catch(() => {});
  // Others may have written more.
  await rmdir(notesFolder(folder)).catch(() => {});
}

const indexFile = /^(?:\d{1,15}-[0-9a-f]{18}\.(?:seg|man|facts|chunks|scip)|dict-[0-9a-f]+)$/;
/** Not those of another version: what is newer than this program may be read by the one that writes. */
const damageCodes = new Set([
  'search/segment-broken',
  'search/facts-broken',
  'search/chunks-broken',
  'search/scip-broken',
  'search/index-file-broken',
]);

/** Name of the file of the index that a fault says is damaged or gone; null for other faults. */
export function damagedFileOf(fault: unknown): string | null {
  const { code, path: missing } = fault as { code?: unknown; path?: unknown };
  const file =
    fault instanceof PeriscopeError
      ? damageCodes.has(fault.code) && fault.data['file']
      : code === 'ENOENT' && missing;
  if (typeof file !== 'string') return null;
  const name = path.basename(file);
  return indexFile.test(name) ? name : null;
}
