import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes renames in a folder last through a loss of power, where the system can do that. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } catch {
    // Some file systems, network ones above all, refuse to sync a folder: there the rename alone has to do.
  } finally {
    closeSync(fd);
  }
}
