import { readdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { createPacer } from '../pacer.ts';

/**
 * Tells without starting git whether any reference may have changed. Git writes a reference by renaming a lock file over it, so
 * its directory's time moves with it: the directories, HEAD, packed-refs and the reftable are all that has to be looked at.
 */
export interface RefsFingerprint {
  /**
   * A value to compare; the newest of the times in it, in milliseconds. Where references lie in very many folders, those below the
   * first are looked at for a twentieth of the time at most: a change there is seen a few seconds late.
   */
  take(): Promise<Fingerprint>;
}

export interface Fingerprint {
  value: string;
  newestMs: number;
}

const foldersEachTime = 64;
const restPerLook = 20;
const restMsMax = 5000;

export function createRefsFingerprint(options: { gitDir: string; commonDir: string }): RefsFingerprint {
  const refsFolder = path.join(options.commonDir, 'refs');
  const top = [
    path.join(options.gitDir, 'HEAD'),
    path.join(options.commonDir, 'packed-refs'),
    path.join(options.commonDir, 'reftable'),
    ...['', 'heads', 'tags', 'remotes'].map((name) => path.join(refsFolder, name)),
  ];
  const known = new Map<string, { mtimeMs: number; folders: string[] }>();

  /** Of a repository with many folders of references: what the last look at all of them gave. */
  let last: (Fingerprint & { top: string; atMs: number; restMs: number }) | null = null;
  let looking: Promise<Fingerprint> | null = null;

  /** What stands for itself or nearly all changes: new and packed references, HEAD. */
  function topStamp(): Fingerprint {
    let newestMs = 0;
    let value = '';
    for (const file of top) {
      const stat = statOf(file);
      value += stat ? `${stat.mtimeMs}.${stat.ino}.${stat.size};` : '-;';
      if (stat && stat.mtimeMs > newestMs) newestMs = stat.mtimeMs;
    }
    return { value, newestMs };
  }

  async function look(from: Fingerprint): Promise<Fingerprint> {
    const startMs = performance.now();
    const pacer = createPacer();
    let { value, newestMs } = from;
    let folders = 0;
    const toVisit = [refsFolder];
    for (let folder = toVisit.pop(); folder !== undefined; folder = toVisit.pop()) {
      if (pacer.isDue()) await pacer.turn();
      const stat = statOf(folder);
      if (!stat?.isDirectory()) continue;
      folders += 1;
      value += `${stat.mtimeMs};`;
      if (stat.mtimeMs > newestMs) newestMs = stat.mtimeMs;
      let seen = known.get(folder);
      if (seen?.mtimeMs !== stat.mtimeMs) {
        seen = { mtimeMs: stat.mtimeMs, folders: foldersIn(folder) };
        known.set(folder, seen);
      }
      for (const below of seen.folders) toVisit.push(below);
    }
    const atMs = performance.now();
    const restMs = Math.min((atMs - startMs) * restPerLook, restMsMax);
    last = folders > foldersEachTime ? { value, newestMs, top: from.value, atMs, restMs } : null;
    return { value, newestMs };
  }

  return {
    async take() {
      const now = topStamp();
      if (last?.top === now.value && performance.now() - last.atMs < last.restMs) return last;
      looking ??= look(now).finally(() => {
        looking = null;
      });
      return looking;
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
