import { constants } from 'node:fs';
import { open, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { shownPath } from '../../base/byte-path.ts';

const bytesMax = 64 * 1024;

/** A small file of a git directory, or null where there is none. Never follows a symlink, never waits on a pipe. */
export async function readGitFile(path: string): Promise<string | null> {
  const bytes = await readSmall(path);
  return bytes === null ? null : bytes.toString('utf8');
}

/** The branch that HEAD names, in its shown form; null when it is detached or leads to no branch. */
export async function defaultBranchOf(gitDir: string): Promise<string | null> {
  const head = await readHead(join(gitDir, 'HEAD'));
  // The end is trimmed first: a pattern that looks for it takes a time that grows with the square of a file of blanks.
  const branch = /^(?:ref:\s*)?refs\/heads\/(.+)$/s.exec(head.toString('latin1').trimEnd())?.[1];
  // A repository of the reftable format keeps a placeholder in this file.
  if (branch === undefined || branch === '.invalid') return null;
  return shownPath(Buffer.from(branch, 'latin1'));
}

/** Git before 1.5 made HEAD a symlink, and still reads it. */
async function readHead(path: string): Promise<Buffer> {
  try {
    return (await readSmall(path)) ?? Buffer.alloc(0);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ELOOP') throw fault;
    return readlink(path, { encoding: 'buffer' });
  }
}

async function readSmall(path: string): Promise<Buffer | null> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fault;
  }
  try {
    if (!(await file.stat()).isFile()) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytesMax), 0, bytesMax, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
