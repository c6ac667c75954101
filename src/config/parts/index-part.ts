import path from 'node:path';
import { z } from 'zod';
import type { DataFolderLayout } from '../data-folder.ts';
import { count, duration, size } from '../quantity.ts';
import { filePath, type Meaning } from './meaning.ts';

export const indexPart = z
  .strictObject({
    folder: filePath()
      .optional()
      .describe(
        'Where the index is. May be a folder that several machines share: one of them writes, all read. Default: index in the data folder.',
      ),
    branches: z
      .array(z.string().min(1).max(255))
      .max(1000)
      .default([])
      .describe(
        'Globs of branches that are indexed beside the default branch of each repository, for example release/*. Default: none.',
      ),
    fileSizeMax: size('1MiB', { least: '1KiB', most: '64MiB' }).describe(
      'Files above it are not indexed; an answer says how many were left out. Another value means to index anew.',
    ),
    trigramsMax: count(20_000, { least: 100, most: 1_000_000 }).describe(
      'Files with more distinct sequences of three characters are not indexed: they are data. Another value means to index anew.',
    ),
    workers: count(0, { least: 0, most: 64 }).describe(
      'Threads that build the index. 0 is one for each core of the machine, at most 4.',
    ),
    memoryMax: size('800MiB', { least: '300MiB' }).describe(
      'Memory that building may take, over all threads.',
    ),
    visitedSizeMax: size('2GiB', { zero: true, least: '1MiB' }).describe(
      'Text of revisions that were asked for and belong to no indexed branch; beyond it the one unused longest goes. 0 keeps none for long.',
    ),
    sweepInterval: duration('5m', { zero: true, least: '1s', most: '7d' }).describe(
      'How often every repository is looked at for changes that nobody told. 0 never.',
    ),
    symbols: z
      .boolean()
      .default(true)
      .describe(
        'Whether definitions, uses and imports are extracted from the indexed texts, behind them. Without them there is no graph.',
      ),
    symbolWorkers: count(0, { least: 0, most: 64 }).describe(
      'Threads that extract them, with what indexing texts leaves of the cores. 0 is one for each core of the machine, at most 2.',
    ),
  })
  .prefault({});

/** indexing's IndexingOptions. */
export interface IndexConfig {
  folder: string;
  /** Of the vectors of its texts. */
  vectorFolder: string;
  branches: readonly string[];
  fileBytesMax: number;
  trigramsMax: number;
  /** 0: by the machine. */
  workers: number;
  memoryBytesMax: number;
  visitedBytesMax: number;
  sweepIntervalMs: number;
  symbols: boolean;
  /** 0: by the machine. */
  symbolWorkers: number;
}

export function indexConfig(
  written: z.output<typeof indexPart>,
  layout: DataFolderLayout,
  meaning: Meaning,
): IndexConfig {
  const folder = written.folder === undefined ? layout.index : meaning.path(written.folder);
  return {
    folder,
    vectorFolder: path.join(folder, 'vectors'),
    branches: written.branches,
    fileBytesMax: written.fileSizeMax,
    trigramsMax: written.trigramsMax,
    workers: written.workers,
    memoryBytesMax: written.memoryMax,
    visitedBytesMax: written.visitedSizeMax,
    sweepIntervalMs: written.sweepInterval,
    symbols: written.symbols,
    symbolWorkers: written.symbolWorkers,
  };
}
