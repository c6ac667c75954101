import { readdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Tells without starting git whether any reference may have changed. Git writes a reference by renaming a lock file over it, so
 * its directory's time moves with it: the directories, HEAD, packed-refs and the reftable are all that has to be looked at.
 */
export interface RefsFingerprint {
  /** A value to compare; the newest of the times in it, in milliseconds. */
  take(): { value: string; newestMs: number };
}

export function createRefsFingerprint(options: { gitDir: string; commonDir: string }): RefsFingerprint {
  const files = [
    path.join(options.gitDir, 'HEAD'),
    path.join(options.commonDir, 'packed-refs'),
    path.join(options.commonDir, 'reftable'),
  ];
  const refsFolder = path.join(options.commonDir, 'refs');
  const known = new Map<string, { mtimeMs: number; folders: string[] }>();

  return {
    take() {
      let newestMs = 0;
      let value = '';
      for (const file of files) {
        const stat = statOf(file);
        value += stat ? `${stat.mtimeMs}.${stat.ino}.${stat.size};` : '-;';
        if (stat && stat.mtimeMs > newestMs) newestMs = stat.mtimeMs;
      }
      const toVisit = [refsFolder];
      for (let folder = toVisit.pop(); folder !== undefined; folder = toVisit.pop()) {
        const stat = statOf(folder);
        if (!stat?.isDirectory()) continue;
        value += `${stat.mtimeMs};`;
        if (stat.mtimeMs > newestMs) newestMs = stat.mtimeMs;
        let seen = known.get(folder);
        if (seen?.mtimeMs !== stat.mtimeMs) {
          seen = { mtimeMs: stat.mtimeMs, folders: foldersIn(folder) };
          known.set(folder, seen);
        }
        for (const below of seen.folders) toVisit.push(below);
      }
      return { value, newestMs };
    },
  };
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.join(folder, entry.name));
  } catch {
    // It went between two looks; its parent's time has moved.
    return [];
  }
}

/** Null also where a folder on the way has become a file. */
function statOf(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
