import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';

/** A name for something unfinished that tells whose it is, so that it can be swept when that process is gone. */
export function unfinishedName(prefix: string, random: string): string {
  return `${prefix}-${hostname().replaceAll('-', '_')}-${process.pid}-${random}`;
}

const foreignAgeMs = 24 * 60 * 60 * 1000;

/** Removes folders named by `unfinishedName` whose process has ended; on another machine, those of yesterday. Returns how many. */
export async function sweepUnfinished(folder: string, prefix: string): Promise<number> {
  let swept = 0;
  for (const name of await readdir(folder)) {
    const owner = new RegExp(`^${prefix}(?:-\\d+)?-([^-]+)-(\\d+)-[0-9a-f]+$`).exec(name);
    if (!owner) continue;
    const target = path.join(folder, name);
    const isOurs = owner[1] === hostname().replaceAll('-', '_');
    if (isOurs ? isAlive(Number(owner[2])) : (await ageMs(target)) < foreignAgeMs) continue;
    await rm(target, { recursive: true, force: true });
    swept += 1;
  }
  return swept;
}

/**
 * Removes what a killed git left in a mirror: half-written packs older than any fetch may last, and lock files, which git holds
 * for moments only. The caller is the mirror's one writer.
 */
export async function sweepMirror(
  gitDir: string,
  options: { packAgeMs: number; lockAgeMs: number },
): Promise<number> {
  let swept = 0;
  const removeOld = async (file: string, oldMs: number) => {
    if ((await ageMs(file)) < oldMs) return;
    await rm(file, { recursive: true, force: true });
    swept += 1;
  };
  const objects = path.join(gitDir, 'objects');
  for (const folder of [objects, path.join(objects, 'pack')]) {
    for (const name of await namesIn(folder)) {
      // tmp_pack_, tmp_idx_, tmp_rev_ of index-pack; tmp_objdir-incoming- of receive; tmp_obj_ of loose writes.
      if (name.startsWith('tmp_')) await removeOld(path.join(folder, name), options.packAgeMs);
    }
  }
  for (const name of await namesIn(gitDir)) {
    if (name.endsWith('.lock')) await removeOld(path.join(gitDir, name), options.lockAgeMs);
  }
  for (const name of await namesIn(path.join(gitDir, 'refs'), true)) {
    if (name.endsWith('.lock')) await removeOld(path.join(gitDir, 'refs', name), options.lockAgeMs);
  }
  return swept;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function namesIn(folder: string, recursive = false): Promise<string[]> {
  return readdir(folder, { recursive }).catch(() => []);
}

/** By the file system's clock; 0 for what is gone already. */
async function ageMs(file: string): Promise<number> {
  return stat(file).then(
    (found) => Date.now() - found.mtimeMs,
    () => 0,
  );
}
