import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDiskFull } from './index-errors.ts';
import { absentAsEmpty } from './index-state-file.ts';

/**
 * A reader's lease: the file `readers/UUID` names the generations that it reads from. Its time says that the reader lives: the file
 * server gives it, so that hosts with clocks of their own agree.
 */
export interface ReaderLease {
  /**
   * On disk when it returns, unless the disk is full: then the reader reads on without it, and at the worst finds a file gone and
   * says so. It is tried again at each beat.
   */
  hold(generations: readonly number[]): Promise<void>;
  close(): Promise<void>;
}

export const heartbeatMs = 10_000;
export const deadAfterMs = 60_000;

const readersFolder = (folder: string) => path.join(folder, 'readers');

export async function openReaderLease(
  folder: string,
  options: { heartbeatMs: number },
): Promise<ReaderLease> {
  const file = path.join(readersFolder(folder), randomUUID());
  let held: readonly number[] = [];
  let writing: Promise<void> = Promise.resolve();
  let isClosed = false;

  const write = () => {
    writing = writing
      .catch(() => {})
      .then(async () => {
        if (isClosed) return;
        await mkdir(readersFolder(folder), { recursive: true, mode: 0o700 });
        // Whole or not at all: half a list would let go of what is read.
        await writeFile(`${file}.new`, JSON.stringify(held), { mode: 0o600 });
        await rename(`${file}.new`, file);
      })
      .catch((error: unknown) => {
        if (!isDiskFull(error)) throw error;
      });
    return writing;
  };
  // A folder that cannot be written to for a moment is tried again at the next beat.
  const timer = setInterval(() => write().catch(() => {}), options.heartbeatMs);
  timer.unref();

  return {
    hold(generations) {
      held = [...generations];
      return write();
    },
    async close() {
      clearInterval(timer);
      isClosed = true;
      await writing.catch(() => {});
      await rm(file, { force: true });
      await rm(`${file}.new`, { force: true });
    },
  };
}

/** Generations that living readers hold. Leases of dead ones are removed. */
export async function heldGenerations(
  folder: string,
  options: { deadAfterMs: number },
): Promise<Set<number>> {
  const readers = readersFolder(folder);
  const nowMs = await timeOfServer(readers);
  const held = new Set<number>();
  for (const name of await readdir(readers).catch(absentAsEmpty)) {
    if (name === 'now') continue;
    const file = path.join(readers, name);
    const seen = await stat(file).catch(() => null);
    if (seen === null) continue;
    if (nowMs - seen.mtimeMs > options.deadAfterMs) {
      await rm(file, { force: true });
      continue;
    }
    for (const generation of await generationsIn(file)) held.add(generation);
  }
  return held;
}

/** On a full disk nobody can ask it, and nobody counts as dead. */
async function timeOfServer(readers: string): Promise<number> {
  const clockFile = path.join(readers, 'now');
  try {
    await mkdir(readers, { recursive: true, mode: 0o700 });
    await writeFile(clockFile, '', { mode: 0o600 });
    return (await stat(clockFile)).mtimeMs;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    return 0;
  }
}

async function generationsIn(file: string): Promise<number[]> {
  try {
    const read: unknown = JSON.parse(await readFile(file, 'utf8'));
    return Array.isArray(read) ? read.filter((item) => typeof item === 'number') : [];
  } catch {
    // Gone since, or half of a lease that its reader has not taken yet.
    return [];
  }
}
