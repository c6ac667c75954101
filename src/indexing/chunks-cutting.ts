import path from 'node:path';
import { cancelled } from '../base/errors.ts';
import type { ChunksEntry, ChunksSummary, IndexWriter, SegmentEntry } from '../search/index.ts';
import type { IndexCounters } from './counters.ts';
import { type FactsThread, type FactsThreads, ParserEnded } from './facts-threads.ts';
import { eachPart, orderOfParts, type PartRange, partsOf } from './segment-parts.ts';

export interface ChunksCuttingDeps {
  threads: FactsThreads;
  writer: IndexWriter;
  counters: IndexCounters;
  chunksVersion: string;
  /** Parts that are worked on at once. */
  workers: number;
  /** Returns when the part of this place among them may go on. */
  mayGoOn(place: number): Promise<void>;
  /** Whether the segment is still to have chunks; the work ends with `cancelled` when not. */
  isWanted(): boolean;
  signal: AbortSignal;
}

/** What a thread does before others get a turn with it. */
const sliceMs = 100;
/** What is gathered of a part stays in memory until it is whole: about half of this. */
const sizes = { wholeBytes: 48 * 2 ** 20, partBytes: 32 * 2 ** 20 };
/** A text that ends the thread is a parser's, of another job: this one is begun anew, but not for ever. */
const endsMax = 5;

let jobs = 0;

type Part = PartRange & { file: string };

/** Cuts the texts of a segment into one file of chunks; of one that has chunks already those texts that have none yet. */
export async function cutSegment(segment: SegmentEntry, deps: ChunksCuttingDeps): Promise<ChunksSummary> {
  const { writer } = deps;
  const parts = partsOf(segment, sizes).map((range): Part => ({ ...range, file: writer.newFile('chunks') }));
  const standing = segment.chunks?.version === deps.chunksVersion ? segment.chunks : null;
  try {
    const summaries = await eachPart(
      parts,
      (part, place, signal) => cutPart(segment, part, standing, { ...deps, place, signal }),
      deps,
    );
    if (parts.length === 1 && standing === null) return summaries[0]!;
    const merged = await mergeWith(standing, parts, deps);
    for (const { file } of parts) await writer.giveUp(file);
    return merged;
  } catch (error) {
    for (const { file } of parts) {
      await writer.giveUp(`${file}.part`);
      await writer.giveUp(file);
    }
    throw error;
  }
}

export function chunksEntry({ file, chunksVersion, fileBytes, chunks, skips }: ChunksSummary): ChunksEntry {
  const unnamed = skips.unnamed ?? 0;
  return { file: path.basename(file), version: chunksVersion, fileBytes, chunks, unnamed };
}

async function cutPart(
  segment: SegmentEntry,
  part: Part,
  standing: ChunksEntry | null,
  deps: ChunksCuttingDeps & { place: number },
): Promise<ChunksSummary> {
  for (let ends = 0; ; ends++) {
    try {
      return await deps.threads.use(deps.signal, (thread) =>
        cutWith(thread, segment, part, { ...deps, job: ++jobs, standing }),
      );
    } catch (error) {
      await deps.writer.giveUp(`${part.file}.part`);
      if (!(error instanceof ParserEnded) || ends === endsMax) throw error;
    }
  }
}

async function cutWith(
  thread: FactsThread,
  segment: SegmentEntry,
  { first, end, file }: Part,
  deps: ChunksCuttingDeps & { job: number; place: number; standing: ChunksEntry | null },
): Promise<ChunksSummary> {
  const { job, place, standing, writer, counters, signal, chunksVersion } = deps;
  const inFolder = (name: string) => path.join(writer.folder, name);
  await thread.ask<'cut-begin'>({
    kind: 'cut-begin',
    job,
    segment: inFolder(segment.file),
    dictionaries: segment.dictionaries === null ? null : inFolder(segment.dictionaries),
    facts: inFolder(segment.facts!.file),
    standing: standing === null ? null : inFolder(standing.file),
    file,
    chunksVersion,
    first,
    end,
  });
  let cut = 0;
  try {
    for (let isDone = false; !isDone; ) {
      await deps.mayGoOn(place);
      if (signal.aborted || !deps.isWanted()) throw cancelled(signal.reason);
      const done = await thread.ask<'cut-work'>({ kind: 'cut-work', job, sliceMs });
      isDone = done.isDone;
      cut += done.cut;
    }
    const summary = await thread.ask<'cut-finish'>({ kind: 'cut-finish', job });
    counters.chunksCut += cut;
    return summary;
  } catch (error) {
    if (!(error instanceof ParserEnded))
      await thread.ask<'cut-discard'>({ kind: 'cut-discard', job }).catch(() => {});
    throw error;
  }
}

/** The parts in one file; of blobs that have chunks in the one that stands, those. */
async function mergeWith(
  standing: ChunksEntry | null,
  parts: readonly Part[],
  { writer, threads, signal }: ChunksCuttingDeps,
): Promise<ChunksSummary> {
  const file = writer.newFile('chunks');
  const inputs = parts.map((part) => part.file);
  try {
    return await threads.use(signal, (thread) =>
      thread.ask<'cut-merge'>({
        kind: 'cut-merge',
        inputs,
        standing: standing === null ? null : path.join(writer.folder, standing.file),
        order: orderOfParts(parts),
        file,
      }),
    );
  } catch (error) {
    await writer.giveUp(`${file}.part`);
    await writer.giveUp(file);
    throw error;
  }
}
