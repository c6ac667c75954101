import { z } from 'zod';
import type { DataFolderLayout } from '../data-folder.ts';
import { count, duration, size } from '../quantity.ts';

export const mirrorsPart = z
  .strictObject({
    fetchTtl: duration('60s', { zero: true, most: '7d' }).describe(
      'How old a mirror may be before a read asks its remote again. 0 asks at every read.',
    ),
    fetchTimeout: duration('5m', { least: '1s', most: '1d' }).describe('Wall-clock bound of one fetch.'),
    cloneTimeout: duration('1h', { least: '1s', most: '7d' }).describe(
      'Wall-clock bound of the first fetch of a repository.',
    ),
    readTimeout: duration('30s', { least: '1s', most: '1h' }).describe(
      'Wall-clock bound of one git command that reads a mirror.',
    ),
    diskSizeMax: size('100GiB', { zero: true, least: '10MB' }).describe(
      'Disk for all mirrors together; beyond it the one unused longest is deleted and cloned again when asked for. 0 is no bound.',
    ),
    worktreesMax: count(8, { most: 10_000 }).describe(
      'Directories that may be written out at once for what cannot be read in place.',
    ),
    worktreesSizeMax: size('20GiB', { least: '10MB' }).describe(
      'Disk for all of those directories together.',
    ),
    batchProcessesMax: count(16, { most: 1000 }).describe(
      'Persistent git processes that read objects, over all repositories.',
    ),
    processesMax: count(8, { most: 1000 }).describe(
      'Other git processes at once; further ones wait for a while, then the answer is busy.',
    ),
  })
  .prefault({});

/** mirrors' MirrorsOptions. */
export interface MirrorsConfig {
  folder: string;
  worktreeFolder: string;
  fetchTtlMs: number;
  fetchTimeoutMs: number;
  cloneTimeoutMs: number;
  readTimeoutMs: number;
  diskBytesMax: number;
  worktreesMax: number;
  worktreeBytesMax: number;
  batchProcessesMax: number;
  processesMax: number;
}

export function mirrorsConfig(
  written: z.output<typeof mirrorsPart>,
  layout: DataFolderLayout,
): MirrorsConfig {
  return {
    folder: layout.mirrors,
    worktreeFolder: layout.worktrees,
    fetchTtlMs: written.fetchTtl,
    fetchTimeoutMs: written.fetchTimeout,
    cloneTimeoutMs: written.cloneTimeout,
    readTimeoutMs: written.readTimeout,
    diskBytesMax: written.diskSizeMax,
    worktreesMax: written.worktreesMax,
    worktreeBytesMax: written.worktreesSizeMax,
    batchProcessesMax: written.batchProcessesMax,
    processesMax: written.processesMax,
  };
}
