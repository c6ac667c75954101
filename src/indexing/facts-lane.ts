import path from 'node:path';
import { type FactsSummary, openFacts, type SegmentEntry } from '../search/index.ts';
import { documentsOf, type SegmentDocuments, shownBlobs } from './facts-documents.ts';
import { factsEntry } from './facts-entry.ts';
import { addFacts, extractFacts, type FactsExtractionDeps } from './facts-extraction.ts';
import type { FactsKind } from './facts-kind.ts';
import { UNNAMED_LANGUAGE } from './facts-messages.ts';
import type { FactsPace } from './facts-pace.ts';
import type { FactsThreads } from './facts-threads.ts';
import { nextSegment } from './next-segment.ts';
import type { WritingGround } from './writing-ground.ts';

export interface FactsProgress {
  /** Text whose facts are in the index, and all text. */
  bytesDone: number;
  bytesTotal: number;
}

/** Gives each segment its facts, behind the texts: what has just changed first, and large segments beside it. */
export interface FactsLane {
  turn(size: 'small' | 'large'): Promise<boolean>;
  hasWork(): boolean;
  /** Whether a segment may be merged: facts that are still missing would have to be extracted once more. */
  isReady(segment: SegmentEntry): boolean;
  progress(): FactsProgress;
  warm(): void;
}

export interface FactsLaneOptions {
  workers: number;
  /** Segments below it are what changes bring. */
  smallBytes: number;
}

/** Segments whose documents are not published yet are looked at again after this long. */
const earlyMs = 2000;

export function createFactsLane(
  ground: WritingGround,
  options: FactsLaneOptions,
  { threads, pace, kind }: { threads: FactsThreads; pace: FactsPace; kind: FactsKind },
): FactsLane {
  const { session, counters, clock, turns, signal } = ground;
  const { writer } = session;
  const inWork = new Map<string, { bytes: number }>();
  const early = new Map<string, { generation: number; sinceMs: number }>();
  const unnamed = new Map<string, Unnamed>();
  const isCurrent = ({ facts }: SegmentEntry) => facts?.version === kind.version;

  return {
    async turn(size) {
      // They are about to be written anew.
      if (isRewriting()) return false;
      const next = nextSegment(writer.state().segments, { size, smallBytes: options.smallBytes, isDue });
      if (next) return run(next);
      return size === 'small' && nameLater();
    },
    hasWork: () => inWork.size > 0 || writer.state().segments.some((segment) => isDue(segment)),
    isReady: (segment) => isCurrent(segment) && !inWork.has(segment.file),
    progress() {
      let bytesTotal = 0;
      let bytesDone = 0;
      for (const segment of writer.state().segments) {
        bytesTotal += segment.textBytes;
        const own = inWork.get(segment.file)?.bytes ?? 0;
        bytesDone += isCurrent(segment) ? segment.textBytes : Math.min(own, segment.textBytes);
      }
      return { bytesDone, bytesTotal };
    },
    warm: threads.warm,
  };

  function isRewriting(): boolean {
    const { evicting, retired } = writer.state();
    return evicting.length > 0 || retired.length > 0;
  }

  function isDue(segment: SegmentEntry): boolean {
    if (isCurrent(segment) || inWork.has(segment.file)) return false;
    const seen = early.get(segment.file);
    return !seen || seen.generation !== writer.state().generation || clock.now() - seen.sinceMs > earlyMs;
  }

  function isSmall({ textBytes }: SegmentEntry): boolean {
    return textBytes < options.smallBytes;
  }

  async function run(segment: SegmentEntry): Promise<boolean> {
    const work = { bytes: 0 };
    inWork.set(segment.file, work);
    try {
      const { generation } = writer.state();
      const documents = await documentsOf(segment, session, {
        hasFacts: kind.hasFacts,
        quick: isSmall(segment),
      });
      if (documents.isEarly) {
        early.set(segment.file, { generation, sinceMs: clock.now() });
        return true;
      }
      early.delete(segment.file);
      const summary = await extractFacts(segment, documents, depsFor(segment, work));
      await publish(segment, summary, documents.unnamed);
      counters.factsBuilt += 1;
      return true;
    } catch (fault) {
      // Merged or gone meanwhile: there is nothing to do any more.
      if (!signal.aborted && !isStanding(segment)) return true;
      throw fault;
    } finally {
      inWork.delete(segment.file);
      counters.parsersReplaced = threads.replaced();
      turns.ring();
    }
  }

  function depsFor(segment: SegmentEntry, work: { bytes: number }): FactsExtractionDeps {
    return {
      threads,
      writer,
      counters,
      factsVersion: kind.version,
      workers: options.workers,
      mayGoOn: isSmall(segment) ? pace.small : pace.large,
      isWanted: () => isStanding(segment),
      read: (bytes) => {
        work.bytes += bytes;
      },
      signal,
    };
  }

  function isStanding({ file, facts }: SegmentEntry): boolean {
    const standing = writer.state().segments.find((segment) => segment.file === file);
    return standing !== undefined && standing.facts?.file === facts?.file;
  }

  async function publish(segment: SegmentEntry, summary: FactsSummary, unnamedBlobs: number): Promise<void> {
    const entry = factsEntry(summary, unnamedBlobs);
    let isPublished = false;
    await session.publish((content) => {
      if (!isStanding(segment)) return content;
      isPublished = true;
      return {
        ...content,
        segments: content.segments.map((one) => (one.file === segment.file ? { ...one, facts: entry } : one)),
      };
    });
    if (!isPublished) await writer.giveUp(summary.file);
  }

  /* ---- blobs that no document showed, and one does now ---- */

  interface Unnamed {
    facts: string;
    /** Number in the segment by blobId. */
    blobs: ReadonlyMap<number, number>;
    /** Manifests that do not show any of them. */
    seen: Set<string>;
  }

  async function nameLater(): Promise<boolean> {
    for (const segment of writer.state().segments) {
      if (!isCurrent(segment) || segment.facts!.unnamed === 0 || inWork.has(segment.file)) continue;
      if (!(await hasShown(segment))) continue;
      const work = { bytes: 0 };
      inWork.set(segment.file, work);
      try {
        const own = unnamedOf(segment);
        const all = await documentsOf(segment, session, { hasFacts: kind.hasFacts, quick: false });
        const { added, left } = onlyOf(all, new Set(own.blobs.values()));
        const summary = await addFacts(segment, added, depsFor(segment, work));
        await publish(segment, summary, left);
        return true;
      } finally {
        inWork.delete(segment.file);
      }
    }
    return false;
  }

  async function hasShown(segment: SegmentEntry): Promise<boolean> {
    const own = unnamedOf(segment);
    const wanted = new Set(own.blobs.keys());
    for (const { file } of writer.state().revisions) {
      if (own.seen.has(file)) continue;
      if ((await shownBlobs(writer.folder, file, wanted)).size > 0) return true;
      own.seen.add(file);
    }
    return false;
  }

  function unnamedOf(segment: SegmentEntry): Unnamed {
    const facts = segment.facts!.file;
    const known = unnamed.get(segment.file);
    if (known?.facts === facts) return known;
    const open = openFacts(path.join(writer.folder, facts));
    const blobIds = session.blobIdsOf(segment);
    const blobs = new Map<number, number>();
    open.tables.languages.forEach((language, blob) => {
      if (language === UNNAMED_LANGUAGE) blobs.set(blobIds[blob]!, blob);
    });
    open.close();
    const own = { facts, blobs, seen: new Set<string>() };
    const files = new Set(writer.state().segments.map(({ file }) => file));
    for (const file of unnamed.keys()) if (!files.has(file)) unnamed.delete(file);
    unnamed.set(segment.file, own);
    return own;
  }
}

/** Documents of some blobs alone, and how many of those have none. */
function onlyOf({ languages, paths }: SegmentDocuments, blobs: ReadonlySet<number>) {
  const added = {
    languages: languages.map((language, blob) => (blobs.has(blob) ? language : UNNAMED_LANGUAGE)),
    paths,
  };
  let left = 0;
  for (const blob of blobs) if (languages[blob] === UNNAMED_LANGUAGE) left += 1;
  return { added, left };
}
