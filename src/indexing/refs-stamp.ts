import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

const foldersMax = 64;
/** File times are coarse: what changed a moment ago may change again without a later time. */
const settledMs = 2000;

/** Directories below which a repository's references lie, for whoever watches them. */
export async function refsFolders(gitDir: string): Promise<string[]> {
  const common = await commonDirOf(gitDir);
  const heads = await foldersBelow(path.join(common, 'refs', 'heads'));
  return [...new Set([gitDir, common, path.join(common, 'refs'), ...heads])];
}

/**
 * How a folder's references look on disk: another stamp when a branch has moved, without asking git. Null when that cannot be told:
 * something changed just now, or there are too many directories.
 */
export async function refsStamp(gitDir: string, nowMs: number): Promise<string | null> {
  const common = await commonDirOf(gitDir);
  const heads = await foldersBelow(path.join(common, 'refs', 'heads'));
  if (heads.length > foldersMax) return null;
  const looked = [
    path.join(gitDir, 'HEAD'),
    path.join(common, 'packed-refs'),
    path.join(common, 'reftable', 'tables.list'),
    ...heads,
  ];
  const times = await Promise.all(looked.map(timeOf));
  if (Math.max(...times) > nowMs - settledMs) return null;
  return times.join(' ');
}

async function commonDirOf(gitDir: string): Promise<string> {
  const written = await readFile(path.join(gitDir, 'commondir'), 'utf8').catch(() => null);
  return written === null ? gitDir : path.resolve(gitDir, written.trim());
}

async function foldersBelow(folder: string): Promise<string[]> {
  const found = [folder];
  for (let at = 0; at < found.length && found.length <= foldersMax; at++) {
    const entries = await readdir(found[at]!, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isDirectory()) found.push(path.join(found[at]!, entry.name));
  }
  return found;
}

/** 0 for what is not there. */
async function timeOf(file: string): Promise<number> {
  const seen = await stat(file).catch(() => null);
  return seen?.mtimeMs ?? 0;
}
