import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * `periscope.json` in a mirror, written when it is complete and after each fetch: a mirror without one is none.
 * Version 1: first. A record of another version is as good as none: the mirror is made anew.
 */
const recordVersion = 1;
const fileName = 'periscope.json';

export interface MirrorRecord {
  url: string;
  objectFormat: 'sha1' | 'sha256';
  /** When the remote was last asked with success. */
  fetchedMs: number;
  sizeBytes: number;
}

export async function readRecord(gitDir: string): Promise<MirrorRecord | null> {
  try {
    const parsed = JSON.parse(await readFile(path.join(gitDir, fileName), 'utf8'));
    return parsed.version === recordVersion ? parsed : null;
  } catch {
    return null;
  }
}

export async function writeRecord(gitDir: string, record: MirrorRecord): Promise<void> {
  const file = path.join(gitDir, fileName);
  await writeFile(`${file}.${process.pid}`, JSON.stringify({ version: recordVersion, ...record }));
  await rename(`${file}.${process.pid}`, file);
}

/** When a mirror was last written to, by the file system's clock; 0 where there is none. */
export async function recordWrittenMs(gitDir: string): Promise<number> {
  return stat(path.join(gitDir, fileName)).then(
    (found) => found.mtimeMs,
    () => 0,
  );
}
