import { statSync } from 'node:fs';
import path from 'node:path';
import { PeriscopeError } from '../../base/errors.ts';
import type { OpenChunks } from '../chunks/open-chunks.ts';
import type { OpenFacts } from '../facts/open-facts.ts';
import { type Manifest, openManifest } from '../manifests/manifest.ts';
import type { OpenScip } from '../scip/open-scip.ts';
import { type BlobPlaces, type PlacedSegment, placeBlobs } from './blob-places.ts';
import { damagedFileOf, noteDamage } from './damage-notes.ts';
import { currentName, findState } from './index-state-file.ts';
import { heartbeatMs, openReaderLease } from './reader-leases.ts';
import type { IndexState, RevisionEntry, SegmentEntry } from './types.ts';

/** What the folder needs to know of an open segment. */
export interface SegmentFile {
  /** blobId of each of its blobs, by index. */
  readonly blobIds: Uint32Array;
  close(): void | Promise<void>;
}

export interface OpenSegmentEntry<Segment> extends PlacedSegment {
  readonly entry: SegmentEntry;
  readonly segment: Segment;
}

export interface OpenRevision {
  readonly entry: RevisionEntry;
  readonly manifest: Manifest;
}

/** One generation, open: what one query sees from its beginning to its end. */
export interface OpenGeneration<Segment> {
  readonly generation: number;
  readonly state: IndexState;
  /** In the state's order, without those that are broken. */
  readonly segments: readonly OpenSegmentEntry<Segment>[];
  /** In the state's order, without those that are broken. */
  readonly revisions: readonly OpenRevision[];
  readonly places: BlobPlaces;
  /** By the file of the segment whose they are; of those that have none, or none that can be opened, nothing stands here. */
  readonly facts: ReadonlyMap<string, OpenFacts>;
  /** The same of chunks. */
  readonly chunks: ReadonlyMap<string, OpenChunks>;
  /** What was uploaded, by `scipKey`; what cannot be opened is left out. */
  readonly scip: ReadonlyMap<string, OpenScip>;
  /** Names of files that could not be opened. They are noted for the writer. */
  readonly broken: readonly string[];
}

/** What a SCIP file belongs to. */
export function scipKey(repositoryId: number, commit: string): string {
  return `${repositoryId} ${commit}`;
}

export interface HeldGeneration<Segment> {
  readonly generation: OpenGeneration<Segment>;
  /** Must be called: what it reads is kept until then. */
  release(): void;
}

export interface OpenIndex<Segment> {
  /** The newest generation that is open; null while there is no index. Never waits. */
  current(): OpenGeneration<Segment> | null;
  /**
   * Looks whether there is a newer one (a `stat`) and holds the newest. Waits for its files to open, but not for longer than
   * `switchWaitMs` when an older one is open. Null while there is no index.
   */
  hold(): Promise<HeldGeneration<Segment> | null>;
  /** Opens what stands now, however long it takes. Fails when the folder cannot be read or was written by a newer Periscope. */
  refresh(): Promise<void>;
  /** Files opened so far. */
  counters(): { segmentsOpened: number; manifestsOpened: number; switches: number };
  close(): Promise<void>;
}

export interface OpenIndexOptions<Segment> {
  folder: string;
  openSegment(file: string, entry: SegmentEntry): Promise<Segment>;
  /** Opens the facts of segments. Default: nobody asks for them, and they are not opened. */
  openFacts?(file: string): OpenFacts;
  /** Opens the chunks of segments. Default: nobody asks for them, and they are not opened. */
  openChunks?(file: string): OpenChunks;
  /** Opens uploaded SCIP files. Default: nobody asks for them, and they are not opened. */
  openScip?(file: string): OpenScip;
  /** How often a newer generation is looked for when nobody asks. Default 2000. */
  pollMs?: number;
  /** Default 250. */
  switchWaitMs?: number;
  /** Default 10 seconds; must be well below what the writer takes for death. */
  heartbeatMs?: number;
}

/** Opens the index of a folder for reading, also one that is not there yet. */
export async function openIndex<Segment extends SegmentFile>(
  options: OpenIndexOptions<Segment>,
): Promise<OpenIndex<Segment>> {
  const { folder } = options;
  const currentFile = path.join(folder, currentName);
  const lease = await openReaderLease(folder, { heartbeatMs: options.heartbeatMs ?? heartbeatMs });
  const segments = new Map<string, OpenSegmentEntry<Segment>>();
  const manifests = new Map<string, Manifest>();
  const factsFiles = new Map<string, OpenFacts>();
  const chunksFiles = new Map<string, OpenChunks>();
  const scipFiles = new Map<string, OpenScip>();
  const freeSlots: number[] = [];
  const counted = { segmentsOpened: 0, manifestsOpened: 0, switches: 0 };
  /** Generations that somebody holds, the newest among them always. */
  const held = new Map<OpenGeneration<Segment>, number>();
  let newest: OpenGeneration<Segment> | null = null;
  let seenStamp = '';
  let switching: Promise<void> | null = null;
  let isClosed = false;

  const poll = setInterval(() => void lookForNewer(), options.pollMs ?? 2000);
  poll.unref();
  await refresh().catch(async (error: unknown) => {
    await close();
    throw error;
  });

  return {
    current: () => newest,
    async hold() {
      await lookForNewer();
      if (newest === null) return null;
      const generation = newest;
      held.set(generation, (held.get(generation) ?? 0) + 1);
      let released = false;
      return {
        generation,
        release() {
          if (released) return;
          released = true;
          letGo(generation);
        },
      };
    },
    refresh,
    counters: () => ({ ...counted }),
    close,
  };

  async function lookForNewer(): Promise<void> {
    if (isClosed) return;
    const stamp = stampOf(currentFile);
    if (stamp === seenStamp && switching === null) return;
    // What keeps it from opening now is tried again at the next look; what is open goes on answering.
    const opening = refresh().catch(() => {});
    if (newest === null) await opening;
    else await Promise.race([opening, after(options.switchWaitMs ?? 250)]);
  }

  function refresh(): Promise<void> {
    switching ??= openNewest().finally(() => {
      switching = null;
    });
    return switching;
  }

  async function openNewest(): Promise<void> {
    let lastTried = -1;
    while (!isClosed) {
      const stamp = stampOf(currentFile);
      const { state } = await findState(folder);
      if (state === null || state.generation === newest?.generation) {
        seenStamp = stamp;
        return;
      }
      await lease.hold([...generationsInUse(), state.generation]);
      // Tried twice, it is no writer that has gone on: the file is missing.
      const opened = await openGeneration(state, { missingIsBroken: lastTried === state.generation });
      lastTried = state.generation;
      if (opened === 'gone') continue;
      newest = opened;
      seenStamp = stamp;
      counted.switches += 1;
      closeUnused();
      await lease.hold(generationsInUse());
      return;
    }
  }

  async function openGeneration(
    state: IndexState,
    { missingIsBroken }: { missingIsBroken: boolean },
  ): Promise<OpenGeneration<Segment> | 'gone'> {
    const broken = new Set<string>();
    const openSegments: OpenSegmentEntry<Segment>[] = [];
    const openRevisions: OpenRevision[] = [];
    const openedFacts = new Map<string, OpenFacts>();
    const openedChunks = new Map<string, OpenChunks>();
    const openedScip = new Map<string, OpenScip>();
    /** Null for a file that is broken. */
    const attempt = async <T>(file: string, opening: Promise<T>, into = broken): Promise<T | null> => {
      try {
        return await opening;
      } catch (error) {
        const isMissing = (error as { code?: string }).code === 'ENOENT';
        if (isMissing && !missingIsBroken) throw gone;
        if (!isMissing && !(error instanceof PeriscopeError)) throw error;
        into.add(file);
        if (damagedFileOf(error) !== null) noteDamage(path.join(folder, file));
        return null;
      }
    };
    try {
      for (const entry of state.segments) {
        const open = segments.get(entry.file) ?? (await attempt(entry.file, openOneSegment(entry)));
        if (!open) continue;
        openSegments.push(open);
        // Texts are found without what follows: what is damaged of it takes nothing else with it.
        if (options.openFacts && entry.facts !== null) {
          const { file } = entry.facts;
          const facts = factsFiles.get(file) ?? (await attempt(file, openOneFacts(file), new Set()));
          if (facts) openedFacts.set(entry.file, facts);
        }
        if (options.openChunks && entry.chunks !== null) {
          const { file } = entry.chunks;
          const chunks = chunksFiles.get(file) ?? (await attempt(file, openOneChunks(file), new Set()));
          if (chunks) openedChunks.set(entry.file, chunks);
        }
      }
      for (const { repositoryId, commit, file } of options.openScip ? (state.scip ?? []) : []) {
        const scip = scipFiles.get(file) ?? (await attempt(file, openOneScip(file), new Set()));
        if (scip) openedScip.set(scipKey(repositoryId, commit), scip);
      }
      await inParallel(state.revisions, manifestsAtOnce, async (entry, at) => {
        const { file } = entry;
        const manifest = manifests.get(file) ?? (await attempt(file, openOneManifest(file)));
        if (manifest) openRevisions[at] = { entry, manifest };
      });
    } catch (error) {
      if (error === gone) return 'gone';
      throw error;
    }
    const places = placeBlobs(
      newest && { places: newest.places, segments: new Set(newest.segments) },
      openSegments,
      state.nextBlobId,
    );
    return {
      generation: state.generation,
      state,
      segments: openSegments,
      revisions: openRevisions.filter((revision) => revision !== undefined),
      places,
      facts: openedFacts,
      chunks: openedChunks,
      scip: openedScip,
      broken: [...broken],
    };
  }

  async function openOneSegment(entry: SegmentEntry): Promise<OpenSegmentEntry<Segment>> {
    const segment = await options.openSegment(path.join(folder, entry.file), entry);
    const slot = freeSlots.pop() ?? segments.size;
    const open = { entry, segment, slot, blobIds: segment.blobIds };
    segments.set(entry.file, open);
    counted.segmentsOpened += 1;
    return open;
  }

  async function openOneFacts(file: string): Promise<OpenFacts> {
    const facts = options.openFacts!(path.join(folder, file));
    factsFiles.set(file, facts);
    return facts;
  }

  async function openOneChunks(file: string): Promise<OpenChunks> {
    const chunks = options.openChunks!(path.join(folder, file));
    chunksFiles.set(file, chunks);
    return chunks;
  }

  async function openOneScip(file: string): Promise<OpenScip> {
    const scip = options.openScip!(path.join(folder, file));
    scipFiles.set(file, scip);
    return scip;
  }

  async function openOneManifest(file: string): Promise<Manifest> {
    const manifest = await openManifest(path.join(folder, file));
    manifests.set(file, manifest);
    counted.manifestsOpened += 1;
    return manifest;
  }

  function letGo(generation: OpenGeneration<Segment>): void {
    const left = held.get(generation)! - 1;
    if (left > 0) {
      held.set(generation, left);
      return;
    }
    held.delete(generation);
    if (generation === newest || isClosed) return;
    // What is just being opened is in no generation yet: whoever opens it closes the rest.
    if (switching === null) closeUnused();
    // A lease that says too much keeps files for ten seconds longer.
    lease.hold(generationsInUse()).catch(() => {});
  }

  function generationsInUse(): number[] {
    const used = new Set([...held.keys()].map(({ generation }) => generation));
    if (newest) used.add(newest.generation);
    return [...used];
  }

  /** Closes what no generation in use has. */
  function closeUnused(): void {
    const used = new Set([...held.keys(), ...(newest ? [newest] : [])]);
    const usedFiles = new Set<string>();
    for (const generation of used) {
      for (const { entry } of generation.segments) usedFiles.add(entry.file);
      for (const facts of generation.facts.values()) usedFiles.add(path.basename(facts.file));
      for (const chunks of generation.chunks.values()) usedFiles.add(path.basename(chunks.file));
      for (const scip of generation.scip.values()) usedFiles.add(path.basename(scip.file));
      for (const { entry } of generation.revisions) usedFiles.add(entry.file);
    }
    for (const [file, open] of segments) {
      if (usedFiles.has(file)) continue;
      segments.delete(file);
      freeSlots.push(open.slot);
      void open.segment.close();
    }
    for (const [file, facts] of factsFiles) {
      if (usedFiles.has(file)) continue;
      factsFiles.delete(file);
      facts.close();
    }
    for (const [file, chunks] of chunksFiles) {
      if (usedFiles.has(file)) continue;
      chunksFiles.delete(file);
      chunks.close();
    }
    for (const file of scipFiles.keys()) if (!usedFiles.has(file)) scipFiles.delete(file);
    for (const file of manifests.keys()) if (!usedFiles.has(file)) manifests.delete(file);
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    clearInterval(poll);
    await switching?.catch(() => {});
    for (const { segment } of segments.values()) await segment.close();
    for (const facts of factsFiles.values()) facts.close();
    for (const chunks of chunksFiles.values()) chunks.close();
    segments.clear();
    factsFiles.clear();
    chunksFiles.clear();
    scipFiles.clear();
    manifests.clear();
    await lease.close();
  }
}

const manifestsAtOnce = 16;
const gone = Symbol('a file of a generation that is no longer there');

async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lanes = Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    while (next < items.length) {
      const at = next++;
      await work(items[at]!, at);
    }
  });
  await Promise.all(lanes);
}

/** Asked before each search: a trip to the thread pool and back would cost more than many a search. */
function stampOf(file: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return 'none';
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
