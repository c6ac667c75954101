import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

const writableByOthers = 0o022;

/**
 * `account N` when every directory below an object directory belongs to one account and lets no other write, else null. Objects
 * come into such a directory by that account's hand alone, and whoever pushes to it does so through git, which verifies ids.
 */
export async function onlyWriterOf(objectDirectory: string): Promise<string | null> {
  // Where accounts are no numbers, nothing is known of who writes.
  if (process.getuid === undefined) return null;
  const root = await realpath(objectDirectory);
  const names = await readdir(root, { withFileTypes: true });
  const folders = names.filter((entry) => !entry.isFile()).map(({ name }) => path.join(root, name));
  let owner: number | null = null;
  // Who can write into its parent could put another directory in its place.
  for (const folder of [path.dirname(root), root, ...folders]) {
    const { uid, mode } = await lstat(folder);
    const isOwn = owner === null || owner === uid;
    const isFolder = (mode & 0o170000) === 0o040000;
    if (!isOwn || !isFolder || (mode & writableByOthers) !== 0) return null;
    owner = uid;
  }
  // Objects of another repository, whoever wrote those.
  if (names.some(({ name }) => name === 'info') && (await hasAlternates(root))) return null;
  return `account ${owner}`;
}

async function hasAlternates(root: string): Promise<boolean> {
  const names = await readdir(path.join(root, 'info'));
  return names.includes('alternates');
}
