import type { Clock } from '../base/clock.ts';
import type { IndexContent, RevisionEntry, SegmentEntry } from '../search/index.ts';
import type { BuildThreads } from './build-threads.ts';
import type { IndexCounters } from './counters.ts';
import type { IndexSession } from './index-session.ts';
import { chooseMerge, type MergeLimits } from './merge-choice.ts';
import { mergeInto } from './merging.ts';

export interface MaintenanceDeps {
  session: IndexSession;
  threads: BuildThreads;
  counters: IndexCounters;
  clock: Clock;
  placeOf(repositoryId: number): number;
  /** When a visited revision, `repositoryId commit`, was last asked for. */
  visitedUsed: ReadonlyMap<string, number>;
  signal: AbortSignal;
  /** Whether a segment has its facts and chunks; null where none are made. */
  hasFacts: ((segment: SegmentEntry) => boolean) | null;
  /** Trains dictionaries where there is text enough. */
  train(): Promise<void>;
}

export interface Maintenance {
  /**
   * One step of what keeps an index small, fast and clean, the most urgent first: texts that were opted out leave the disk, visited
   * revisions stay within their bound, segments are merged, files that nobody needs are deleted. False when there was none.
   */
  step(): Promise<boolean>;
  /** A repository was found as it is in the index: written down with others, now and then. */
  touched(repositoryId: number, seen: { checkedMs: number; refsStamp: string | null }): void;
}

/** How often it is written down that nothing has changed. */
const touchIntervalMs = 600_000;

export function createMaintenance(
  options: { visitedBytesMax: number; mergeLimits: MergeLimits },
  deps: MaintenanceDeps,
): Maintenance {
  const { session, counters, clock } = deps;
  const { writer } = session;
  const touches = new Map<number, { checkedMs: number; refsStamp: string | null }>();
  let touchedMs = clock.now();
  /** The generation of which nothing is left to be deleted. */
  let cleanGeneration = -1;
  const counts: LiveCounts = { generation: -1, dead: new Map() };

  return {
    touched: (repositoryId, seen) => void touches.set(repositoryId, seen),
    async step() {
      if (writer.state().evicting.length > 0) return evict(deps);
      if (writer.state().retired.length > 0) return retire(deps);
      if (await dropVisited(options.visitedBytesMax, counts, deps)) return true;
      const { segments } = writer.state();
      const dead = await deadBytes(counts, deps);
      const inputs = chooseInputs(segments, (segment) => dead.get(segment.file) ?? 0);
      if (inputs !== null) {
        await mergeInto(inputs, deps, deps.signal);
        return true;
      }
      await writeTouches();
      const { generation } = writer.state();
      if (cleanGeneration === generation) return false;
      const { deleted, held } = await writer.collect();
      counters.filesDeleted += deleted.length;
      if (held === 0) cleanGeneration = generation;
      return false;
    },
  };

  /** Facts and chunks go with a merge, or would have to be made once more: what has none waits, or is merged with its like. */
  function chooseInputs(
    segments: readonly SegmentEntry[],
    deadBytesOf: (segment: SegmentEntry) => number,
  ): readonly SegmentEntry[] | null {
    const { hasFacts } = deps;
    const choose = (among: readonly SegmentEntry[]) => chooseMerge(among, deadBytesOf, options.mergeLimits);
    if (hasFacts !== null) return choose(segments.filter(hasFacts));
    const [without, having] = [true, false].map((isNull) =>
      segments.filter(({ facts }) => (facts === null) === isNull),
    );
    return choose(without!) ?? choose(having!);
  }

  async function writeTouches(): Promise<void> {
    if (touches.size === 0 || clock.now() - touchedMs < touchIntervalMs) return;
    touchedMs = clock.now();
    const seen = new Map(touches);
    touches.clear();
    await session.publish((content) => ({
      ...content,
      revisions: content.revisions.map((entry) =>
        entry.kind === 'branch' ? { ...entry, ...seen.get(entry.repositoryId) } : entry,
      ),
    }));
  }
}

interface LiveCounts {
  generation: number;
  dead: ReadonlyMap<string, number>;
}

/** Writes anew each segment that holds a text which was opted out and which no document shows any more. */
async function evict(deps: MaintenanceDeps): Promise<boolean> {
  const { session, signal } = deps;
  const { evicting, segments } = session.writer.state();
  const isLive = await session.keepLive(segments);
  const gone = new Set(evicting.filter((blobId) => !isLive(blobId)));
  const holding = segments.find((segment) => session.blobIdsOf(segment).some((blobId) => gone.has(blobId)));
  if (holding) await mergeInto([holding], deps, signal);
  else {
    const done = new Set(evicting);
    await session.publish((content) => ({
      ...content,
      evicting: content.evicting.filter((blobId) => !done.has(blobId)),
    }));
  }
  return true;
}

/** Compresses anew what was compressed with dictionaries that have to go. */
async function retire(deps: MaintenanceDeps): Promise<boolean> {
  const { session, signal } = deps;
  await deps.train();
  const { segments, retired } = session.writer.state();
  const stale = segments.find(({ dictionaries }) => dictionaries !== null && retired.includes(dictionaries));
  if (stale) await mergeInto([stale], deps, signal);
  else await session.publish((content) => ({ ...content, retired: [] }));
  return true;
}

/** Lets the visited revisions go that were not asked for longest, until the texts that only they show fit. */
async function dropVisited(bytesMax: number, counts: LiveCounts, deps: MaintenanceDeps): Promise<boolean> {
  const { session, visitedUsed } = deps;
  const { revisions, segments } = session.writer.state();
  const bytes = segments.reduce((sum, { visited, textBytes }) => sum + (visited ? textBytes : 0), 0);
  if (bytes <= bytesMax) return false;
  const usedMs = ({ repositoryId, revision, checkedMs }: RevisionEntry) =>
    Math.max(checkedMs, visitedUsed.get(`${repositoryId} ${revision}`) ?? 0);
  const visited = revisions.filter(({ kind }) => kind === 'visited').sort((a, b) => usedMs(a) - usedMs(b));
  const oldest = visited[0];
  if (oldest) {
    await session.publish((content: IndexContent) => ({
      ...content,
      revisions: content.revisions.filter((entry) => entry.kind !== 'visited' || entry.file !== oldest.file),
    }));
  }
  // Without what the oldest one showed; when nothing goes with it, the next one follows.
  const largest = [...segments]
    .filter((segment) => segment.visited)
    .sort((a, b) => b.textBytes - a.textBytes);
  const dead = await deadBytes(counts, deps);
  const worth = largest.find((segment) => (dead.get(segment.file) ?? 0) > 0);
  if (worth) await mergeInto([worth], deps, deps.signal);
  return oldest !== undefined || worth !== undefined;
}

/** Text of each segment that nothing names any more, by the share of its blobs. Counted anew when the index has changed. */
async function deadBytes(
  counts: LiveCounts,
  { session }: MaintenanceDeps,
): Promise<ReadonlyMap<string, number>> {
  const { generation, segments } = session.writer.state();
  if (counts.generation === generation) return counts.dead;
  const isLive = await session.keepLive([]);
  const dead = new Map<string, number>();
  for (const segment of segments) {
    const blobIds = session.blobIdsOf(segment);
    let gone = 0;
    for (const blobId of blobIds) if (!isLive(blobId)) gone += 1;
    dead.set(segment.file, (segment.textBytes * gone) / Math.max(1, blobIds.length));
  }
  counts.generation = generation;
  counts.dead = dead;
  return dead;
}
