import path from 'node:path';
import { PeriscopeError } from '../../base/errors.ts';

/** A file of the index that cannot be trusted. Nothing of it is used; the writer makes it anew. */
export const brokenIndexFile = (file: string, why: string) =>
  new PeriscopeError(
    'unavailable',
    'search/index-file-broken',
    `The file ${path.basename(file)} of the index is broken: ${why}.`,
    'Nothing needs to be done: what it held is indexed anew. If it happens again, check the disk.',
    { data: { file: path.basename(file) } },
  );

export const newerIndexFile = (file: string) =>
  new PeriscopeError(
    'unavailable',
    'search/index-file-newer',
    `The file ${path.basename(file)} of the index was written by a newer Periscope.`,
    'Run the newer Periscope here too, or give this one an index folder of its own.',
    { data: { file: path.basename(file) } },
  );

/** Another process writes the index, and came later. */
export const writerReplaced = (generation: number) =>
  new PeriscopeError(
    'conflict',
    'search/index-writer-replaced',
    `Another process has taken over writing the index; this one's changes after generation ${generation} are dropped.`,
    'Nothing needs to be done: the other process brings the index up to date.',
    { data: { generation } },
  );

const indexDiskFull = (cause: unknown) =>
  new PeriscopeError(
    'unavailable',
    'search/index-disk-full',
    'The disk of the index is full: the index stays as it was.',
    'Free disk space in the index folder; indexing goes on by itself.',
    { cause },
  );

export function isDiskFull(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** A fault of the disk in our words where it is one that people know. */
export function diskFault(error: unknown): unknown {
  return isDiskFull(error) ? indexDiskFull(error) : error;
}
