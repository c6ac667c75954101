import type { ChunksSummary, SegmentEntry } from '../search/index.ts';
import { type ChunksCuttingDeps, chunksEntry, cutSegment } from './chunks-cutting.ts';
import type { FactsPace } from './facts-pace.ts';
import type { FactsThreads } from './facts-threads.ts';
import { nextSegment } from './next-segment.ts';
import type { WritingGround } from './writing-ground.ts';

/** Gives each segment its chunks, behind its facts: what has just changed first, and large segments beside it. */
export interface ChunksLane {
  turn(size: 'small' | 'large'): Promise<boolean>;
  hasWork(): boolean;
  /** Whether a segment may be merged: texts that are not cut yet would have to be cut once more. */
  isReady(segment: SegmentEntry): boolean;
}

export interface ChunksLaneOptions {
  workers: number;
  /** Segments below it are what changes bring. */
  smallBytes: number;
}

export interface ChunksLaneDeps {
  threads: FactsThreads;
  pace: FactsPace;
  factsVersion: string;
  chunksVersion: string;
}

export function createChunksLane(
  { session, counters, turns, signal }: WritingGround,
  options: ChunksLaneOptions,
  { threads, pace, factsVersion, chunksVersion }: ChunksLaneDeps,
): ChunksLane {
  const { writer } = session;
  const inWork = new Set<string>();

  return {
    async turn(size) {
      const { evicting, retired } = writer.state();
      // They are about to be written anew.
      if (evicting.length > 0 || retired.length > 0) return false;
      const next = nextSegment(writer.state().segments, { size, smallBytes: options.smallBytes, isDue });
      return next !== undefined && run(next);
    },
    hasWork: () => inWork.size > 0 || writer.state().segments.some(isDue),
    isReady: (segment) => isCurrent(segment) && !inWork.has(segment.file),
  };

  function isCurrent({ chunks }: SegmentEntry): boolean {
    return chunks?.version === chunksVersion;
  }

  function isDue(segment: SegmentEntry): boolean {
    const { file, facts, chunks } = segment;
    if (facts?.version !== factsVersion || inWork.has(file)) return false;
    return !isCurrent(segment) || chunks!.unnamed > facts.unnamed;
  }

  function isSmall({ textBytes }: SegmentEntry): boolean {
    return textBytes < options.smallBytes;
  }

  async function run(segment: SegmentEntry): Promise<boolean> {
    inWork.add(segment.file);
    try {
      const summary = await cutSegment(segment, depsFor(segment));
      await publish(segment, summary);
      counters.chunksBuilt += 1;
      return true;
    } catch (fault) {
      // Merged or gone meanwhile: there is nothing to do any more.
      if (!signal.aborted && !isStanding(segment)) return true;
      throw fault;
    } finally {
      inWork.delete(segment.file);
      turns.ring();
    }
  }

  function depsFor(segment: SegmentEntry): ChunksCuttingDeps {
    return {
      threads,
      writer,
      counters,
      chunksVersion,
      workers: options.workers,
      mayGoOn: isSmall(segment) ? pace.small : pace.large,
      isWanted: () => isStanding(segment),
      signal,
    };
  }

  function isStanding({ file, facts, chunks }: SegmentEntry): boolean {
    const standing = writer.state().segments.find((segment) => segment.file === file);
    if (standing === undefined) return false;
    return standing.facts?.file === facts?.file && standing.chunks?.file === chunks?.file;
  }

  async function publish(segment: SegmentEntry, summary: ChunksSummary): Promise<void> {
    const entry = chunksEntry(summary);
    let isPublished = false;
    await session.publish((content) => {
      if (!isStanding(segment)) return content;
      isPublished = true;
      return {
        ...content,
        segments: content.segments.map((one) =>
          one.file === segment.file ? { ...one, chunks: entry } : one,
        ),
      };
    });
    if (!isPublished) await writer.giveUp(summary.file);
  }
}
