import path from 'node:path';
import {
  type DictionarySet,
  type IndexContent,
  type IndexWriter,
  type Manifest,
  type ManifestHead,
  type NewManifest,
  openDictionaries,
  openIndexWriter,
  openManifest,
  openSegment,
  type RevisionEntry,
  readBlobIds,
  type SegmentEntry,
  type SegmentSummary,
  writeManifest,
} from '../search/index.ts';
import { type BlobTable, createBlobTable } from './blob-table.ts';
import type { PlannedBlob } from './plan-types.ts';

/** The index as its one writer has it: what is published, what blobs there are, and what must not be dropped yet. */
export interface IndexSession {
  readonly writer: IndexWriter;
  readonly blobs: BlobTable;
  newBlobId(): number;
  /** One change after the other; `change` gets what is published then. */
  publish(change: (content: IndexContent) => IndexContent): Promise<void>;
  openManifest(entry: RevisionEntry): Promise<Manifest>;
  writeManifest(manifest: NewManifest): Promise<{ file: string; head: ManifestHead }>;
  /** The entry of a segment that was just written. */
  segmentEntry(
    summary: SegmentSummary,
    facts: { blobIds: Uint32Array; dictionaries: string | null; visited: boolean },
  ): SegmentEntry;
  /** blobId of each blob of a segment. */
  blobIdsOf(segment: SegmentEntry): Uint32Array;
  /** What new segments are compressed with. */
  dictionaries(): { name: string; set: DictionarySet } | null;
  /** A set of pinned blobs, kept in the index until it is released. */
  pins(): { pin(blobId: number): void; release(): void };
  /** Every blob that a manifest or a pin names, a bit for each blobId. What it does not name is dropped from `blobs` with it. */
  keepLive(inputs: readonly SegmentEntry[]): Promise<(blobId: number) => boolean>;
  /** Files that were broken and are indexed anew. */
  readonly broken: readonly string[];
}

const unfinishedRepository = 0;

export async function openIndexSession(options: {
  folder: string;
  fence: number;
  optionsHash: string;
}): Promise<IndexSession> {
  const { folder } = options;
  const writer = await openIndexWriter(options);
  const blobs = createBlobTable();
  const blobIdsByFile = new Map<string, Uint32Array>();
  const broken: string[] = [];
  const pinned = new Set<Set<number>>();
  const released: Set<number>[] = [];
  let keeping = 0;
  let nextBlobId = writer.state().nextBlobId;
  let publishing: Promise<unknown> = Promise.resolve();
  let dictionarySet: { name: string; set: DictionarySet } | null = null;

  await takeOver();

  const session: IndexSession = {
    writer,
    blobs,
    broken,
    newBlobId: () => nextBlobId++,
    publish(change) {
      const done = publishing.then(async () => {
        const before = contentOf();
        const next = change(before);
        if (next !== before) await writer.publish({ ...next, nextBlobId });
        forgetSegments();
      });
      publishing = done.catch(() => {});
      return done;
    },
    openManifest: (entry) => openManifest(path.join(folder, entry.file)),
    async writeManifest(manifest) {
      const file = writer.newFile('man');
      try {
        return { file: path.basename(file), head: await writeManifest(file, manifest) };
      } catch (error) {
        await writer.giveUp(file);
        throw error;
      }
    },
    segmentEntry(summary, { blobIds, dictionaries, visited }) {
      const file = path.basename(summary.file);
      blobIdsByFile.set(file, blobIds);
      return {
        file,
        blobs: summary.blobs,
        textBytes: summary.textBytes,
        fileBytes: summary.fileBytes,
        blobIdEnd: blobIds.reduce((end, blobId) => Math.max(end, blobId + 1), 0),
        dictionaries,
        visited,
      };
    },
    blobIdsOf: ({ file }) => blobIdsByFile.get(file)!,
    dictionaries() {
      const name = writer.state().dictionaries;
      if (name === null) return null;
      if (dictionarySet?.name !== name)
        dictionarySet = { name, set: openDictionaries(path.join(folder, name)) };
      return dictionarySet;
    },
    pins() {
      const own = new Set<number>();
      pinned.add(own);
      return {
        pin(blobId) {
          if (blobId !== 0) own.add(blobId);
        },
        release() {
          pinned.delete(own);
          // What is being counted right now may have read the manifests before this one's was published.
          if (keeping > 0) released.push(own);
        },
      };
    },
    async keepLive(inputs) {
      keeping += 1;
      try {
        const live = new Uint8Array(Math.ceil(nextBlobId / 8) + 1);
        const mark = (blobId: number) => {
          live[blobId >>> 3]! |= 1 << (blobId & 7);
        };
        const files = new Set(writer.state().revisions.map(({ file }) => file));
        const { unfinished } = writer.state();
        if (unfinished !== null) files.add(unfinished);
        for (const file of files) {
          const { blobIds } = await readBlobIds(path.join(folder, file)).catch(async (error: unknown) => {
            // Replaced since, and then its successor's blobs are pinned or published.
            if ((error as { code?: string }).code === 'ENOENT') return { blobIds: new Uint32Array() };
            throw error;
          });
          for (const blobId of blobIds) mark(blobId);
        }
        for (const pins of [...pinned, ...released]) for (const blobId of pins) mark(blobId);
        const isLive = (blobId: number) => ((live[blobId >>> 3]! >>> (blobId & 7)) & 1) === 1;
        // In the same moment: who plans from now on does not count on them.
        const dropped = new Set<number>();
        for (const input of inputs) {
          for (const blobId of blobIdsByFile.get(input.file) ?? []) if (!isLive(blobId)) dropped.add(blobId);
        }
        if (dropped.size > 0) blobs.drop((blobId) => dropped.has(blobId));
        return isLive;
      } finally {
        keeping -= 1;
        if (keeping === 0) released.length = 0;
      }
    },
  };
  return session;

  function contentOf(): IndexContent {
    const { formatVersion: _f, generation: _g, fence: _e, optionsHash: _o, ...content } = writer.state();
    return content;
  }

  function forgetSegments(): void {
    const names = new Set(writer.state().segments.map(({ file }) => file));
    for (const file of blobIdsByFile.keys()) if (!names.has(file) && isOld(file)) blobIdsByFile.delete(file);
  }

  /** Not one that is on its way to be published. */
  function isOld(file: string): boolean {
    return !writer.isUnpublished(file);
  }

  /** Learns what blobs there are; what is broken, and what counts on it, is left out and indexed anew. */
  async function takeOver(): Promise<void> {
    const state = writer.state();
    const sets = openSets(state.segments);
    const present = new Uint8Array(Math.ceil(state.nextBlobId / 8) + 1);
    const segments: SegmentEntry[] = [];
    for (const entry of state.segments) {
      try {
        const segment = openSegment(path.join(folder, entry.file), sets);
        const blobIds = Uint32Array.from(segment.tables.blobIds);
        segment.close();
        for (const blobId of blobIds) present[blobId >>> 3]! |= 1 << (blobId & 7);
        blobIdsByFile.set(entry.file, blobIds);
        segments.push(entry);
      } catch {
        broken.push(entry.file);
      }
      await turn();
    }
    const isPresent = (blobId: number) => ((present[blobId >>> 3]! >>> (blobId & 7)) & 1) === 1;
    const revisions: RevisionEntry[] = [];
    const learnt = new Map<string, boolean>();
    for (const entry of state.revisions) {
      const isWhole = learnt.get(entry.file) ?? (await learn(entry.file, isPresent));
      learnt.set(entry.file, isWhole);
      if (isWhole) revisions.push(entry);
    }
    const { unfinished } = state;
    const keepsUnfinished = unfinished !== null && (await learn(unfinished, isPresent));
    if (broken.length === 0) return;
    await writer.publish({
      ...contentOf(),
      segments,
      revisions,
      unfinished: keepsUnfinished ? unfinished : null,
    });
  }

  async function learn(file: string, isPresent: (blobId: number) => boolean): Promise<boolean> {
    await turn();
    let manifest: Manifest;
    try {
      manifest = await openManifest(path.join(folder, file));
      if (!manifest.blobIds.every((blobId) => blobId === 0 || isPresent(blobId))) throw new Error(file);
    } catch {
      broken.push(file);
      return false;
    }
    const { repositoryId, objectsBy } = manifest.head;
    const ownOrigin = objectsBy ?? `repository ${repositoryId}`;
    for (let row = 0; row < manifest.rows; row++) {
      const { path: rowPath, oid, ...facts } = manifest.row(row);
      const origin =
        repositoryId === unfinishedRepository ? rowPath.slice(0, rowPath.lastIndexOf(':')) : ownOrigin;
      blobs.add(oid, facts, origin);
    }
    return true;
  }

  function openSets(segments: readonly SegmentEntry[]): Map<string, DictionarySet> {
    const sets = new Map<string, DictionarySet>();
    for (const name of new Set(segments.map(({ dictionaries }) => dictionaries))) {
      if (name === null) continue;
      try {
        const set = openDictionaries(path.join(folder, name));
        sets.set(set.hash, set);
      } catch {
        broken.push(name);
      }
    }
    return sets;
  }
}

/** Lets the event loop turn: an installation's manifests take seconds. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Blobs that are in published segments, though no repository of theirs is whole yet, as a manifest of no repository. */
export function unfinishedManifest(blobs: readonly PlannedBlob[]): NewManifest {
  return {
    findable: false,
    head: {
      repositoryId: unfinishedRepository,
      commit: '',
      committedMs: 0,
      policyKey: '',
      objectsBy: null,
      optedOut: 0,
    },
    rows: blobs.map(({ oid, origin, facts }) => ({
      path: `${origin}:${oid}`,
      oid,
      ...facts,
      class: 0,
      language: 0,
      executable: false,
    })),
  };
}
