import path from 'node:path';
import { cancelled, PeriscopeError } from '../base/errors.ts';
import type { SegmentEntry } from '../search/index.ts';
import type { VectorKind } from '../vectors/index.ts';
import type { EmbeddedSegment, VectorCounts } from './embedding-messages.ts';
import { createEmbeddingThread, type EmbeddingThread } from './embedding-thread.ts';
import type { FactsPace } from './facts-pace.ts';
import type { WritingGround } from './writing-ground.ts';

/** Gives each chunk its vector of the table, behind the chunks, and takes away those of texts that have gone. */
export interface EmbeddingLane {
  turn(): Promise<boolean>;
  hasWork(): boolean;
  /** Of published segments, and of what the store has. */
  counts(): { chunks: number } & VectorCounts;
  /** For the encoder, which keeps its vectors in the same store. Null until that is open, and while texts are being evicted. */
  store(): EmbeddingThread | null;
  /** Published ones with current chunks. */
  segments(): readonly SegmentEntry[];
  filesOf(segment: SegmentEntry): EmbeddedSegment;
  took(counts: VectorCounts): void;
  /** The vectors of other encoders go. */
  keepOnly(encoder: VectorKind): Promise<void>;
  lost(): void;
  close(): Promise<void>;
}

export interface EmbeddingLaneOptions {
  /** Of the vectors. */
  folder: string;
  chunksVersion: string;
  /** False: there is no encoder any more, and its vectors go. */
  keepsEncoded: boolean;
}

const sliceMs = 100;
const tidyMs = 2000;
const filesLogged = 20;

export function createEmbeddingLane(
  { session, counters, clock, logger, turns, signal }: WritingGround,
  { folder, chunksVersion, keepsEncoded }: EmbeddingLaneOptions,
  { pace, workerFile, fence }: { pace: FactsPace; workerFile: URL | undefined; fence: number },
): EmbeddingLane {
  const { writer } = session;
  const thread = createEmbeddingThread(workerFile);
  let isOpen = false;
  let isBusy = false;
  /** Segments, with their chunks, that have all of their vectors. */
  let done = new Set<string>();
  let told = '';
  let evictionsPurged = -1;
  let counts: VectorCounts = { table: 0, encoders: [] };
  let isTidy = false;
  let tidiedMs = Number.NEGATIVE_INFINITY;

  return {
    async turn() {
      if (isRewriting()) return false;
      isBusy = true;
      try {
        return await step();
      } catch (fault) {
        if (!isLost(fault)) throw fault;
        counters.vectorsReopened += 1;
        isOpen = false;
        return true;
      } finally {
        isBusy = false;
      }
    },
    hasWork: () => isBusy || !isOpen || told !== presentName() || dueSegment() !== undefined,
    counts: () => ({
      chunks: writer.state().segments.reduce((sum, { chunks }) => sum + (chunks?.chunks ?? 0), 0),
      ...counts,
    }),
    store: () => (isOpen && !isRewriting() && told === presentName() ? thread : null),
    segments: () => writer.state().segments.filter(isCut),
    filesOf,
    took(now) {
      counts = now;
      isTidy = false;
    },
    async keepOnly(encoder) {
      counts = await thread.ask<'keep'>({ kind: 'keep', encoders: [encoder] });
    },
    lost() {
      isOpen = false;
      turns.ring();
    },
    close: thread.close,
  };

  async function step(): Promise<boolean> {
    if (!isOpen) return open();
    if (told !== presentName()) return tellPresent();
    const segment = dueSegment();
    if (segment !== undefined) return embed(segment);
    return tidy();
  }

  /** They are about to be written anew, without what must not be embedded. */
  function isRewriting(): boolean {
    const { evicting, retired } = writer.state();
    return evicting.length > 0 || retired.length > 0;
  }

  async function open(): Promise<boolean> {
    const { nextBlobId: ownersEnd } = writer.state();
    const opened = await thread.ask<'open'>({
      kind: 'open',
      folder,
      fence,
      edition: chunksVersion,
      ownersEnd,
    });
    const { length: count } = opened.broken;
    counters.vectorPartsBroken += count;
    if (count > 0) {
      const files = opened.broken.slice(0, filesLogged);
      logger.warn('damaged files of the vectors are made anew', { files, count });
    }
    counts = opened;
    done = new Set();
    told = '';
    isOpen = true;
    if (!keepsEncoded) counts = await thread.ask<'keep'>({ kind: 'keep', encoders: [] });
    return true;
  }

  /** Names the segments that are there: another name means that texts came or went. */
  function presentName(): string {
    return writer
      .state()
      .segments.map(({ file }) => file)
      .join(' ');
  }

  /** What goes because it was opted out goes from the disk as well, also when the process ended before that was done. */
  async function tellPresent(): Promise<boolean> {
    const name = presentName();
    const { segments, nextBlobId: ownersEnd } = writer.state();
    const bits = new Uint8Array((ownersEnd >>> 3) + 1);
    for (const segment of segments)
      for (const owner of session.blobIdsOf(segment)) bits[owner >>> 3]! |= 1 << (owner & 7);
    const { textsEvicted } = counters;
    const purge = evictionsPurged !== textsEvicted;
    const answer = await thread.ask<'present'>({ kind: 'present', bits, ownersEnd, purge });
    counters.vectorsDeleted += answer.deleted;
    counts = answer;
    evictionsPurged = textsEvicted;
    told = name;
    return true;
  }

  function isCut({ chunks }: SegmentEntry): boolean {
    return chunks?.version === chunksVersion;
  }

  function nameOf({ file, chunks }: SegmentEntry): string {
    return `${file} ${chunks!.file}`;
  }

  /** The newest first, those of visited revisions last. */
  function dueSegment(): SegmentEntry | undefined {
    const due = writer
      .state()
      .segments.filter((segment) => isCut(segment) && !done.has(nameOf(segment)))
      .reverse();
    return due.find(({ visited }) => !visited) ?? due[0];
  }

  function filesOf({ file, dictionaries, chunks }: SegmentEntry): EmbeddedSegment {
    const inFolder = (name: string) => path.join(writer.folder, name);
    return {
      segment: inFolder(file),
      dictionaries: dictionaries === null ? null : inFolder(dictionaries),
      chunks: inFolder(chunks!.file),
    };
  }

  async function embed(segment: SegmentEntry): Promise<boolean> {
    const isStanding = () =>
      writer.state().segments.some((one) => isCut(one) && nameOf(one) === nameOf(segment));
    try {
      await thread.ask<'embed-begin'>({ kind: 'embed-begin', segment: filesOf(segment) });
      for (let isDone = false; !isDone; ) {
        // Large segments, too: it is a small part of what indexing them took, and they are found by it.
        await pace.small();
        if (signal.aborted || turns.isClosed()) throw cancelled(signal.reason);
        if (!isStanding() || isRewriting()) {
          await thread.ask<'embed-discard'>({ kind: 'embed-discard' });
          return true;
        }
        const worked = await thread.ask<'embed-work'>({ kind: 'embed-work', sliceMs });
        isDone = worked.isDone;
        kept(worked);
      }
      const finished = await thread.ask<'embed-finish'>({ kind: 'embed-finish' });
      kept(finished);
      const now = new Set(writer.state().segments.filter(isCut).map(nameOf));
      done = new Set([...done, nameOf(segment)].filter((name) => now.has(name)));
      if (dueSegment() === undefined) counts = await thread.ask<'keep'>({ kind: 'keep', encoders: 'all' });
      return true;
    } catch (fault) {
      // Merged or gone meanwhile: there is nothing to do any more.
      if (!signal.aborted && !isLost(fault) && !isStanding()) return true;
      throw fault;
    }
  }

  function kept(now: { embedded: number } & VectorCounts): void {
    counters.chunksEmbedded += now.embedded;
    counts = now;
    isTidy &&= now.embedded === 0;
  }

  async function tidy(): Promise<boolean> {
    if (isTidy || clock.now() - tidiedMs < tidyMs) return false;
    const { isChanged } = await thread.ask<'tidy'>({ kind: 'tidy' });
    if (!isChanged) {
      isTidy = true;
      tidiedMs = clock.now();
    }
    return isChanged;
  }
}

export function isLost(fault: unknown): boolean {
  return (
    fault instanceof PeriscopeError &&
    ['indexing/vectors-lost', 'indexing/embedding-ended'].includes(fault.code)
  );
}
