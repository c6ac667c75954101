import path from 'node:path';
import {
  type CopiedHead,
  copyManifest,
  type DictionarySet,
  diskFault,
  type IndexContent,
  type IndexState,
  type IndexWriter,
  type Manifest,
  type ManifestHead,
  type NewManifest,
  openChunks,
  openDictionaries,
  openFacts,
  openIndexWriter,
  openManifest,
  openScip,
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
  /** One with the rows of another. */
  copyManifest(of: Manifest, head: CopiedHead): Promise<{ file: string; head: ManifestHead }>;
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
  /** Files that were found damaged or gone: what they held is indexed anew. */
  readonly broken: ReadonlySet<string>;
}

export interface IndexSessionOptions {
  folder: string;
  fence: number;
  optionsHash: string;
  /** Files that are known to be damaged, whatever they look like. Default none. */
  damaged?: ReadonlySet<string>;
  /** What this process has published last. Default null. */
  published?: IndexState | null;
}

const unfinishedRepository = 0;

/** Takes over what is in the folder. What of it is damaged is left out, and what counts on that is marked as still to be indexed. */
export async function openIndexSession(options: IndexSessionOptions): Promise<IndexSession> {
  const { folder, damaged = new Set() } = options;
  const writer = await openIndexWriter(options);
  const blobs = createBlobTable();
  const blobIdsByFile = new Map<string, Uint32Array>();
  const broken = new Set([...writer.brokenStates, ...[...damaged].filter(writer.needs)]);
  const pinned = new Set<Set<number>>();
  const released: Set<number>[] = [];
  let keeping = 0;
  let nextBlobId = writer.state().nextBlobId;
  let publishing: Promise<unknown> = Promise.resolve();
  let dictionarySet: { name: string; set: DictionarySet } | null = null;

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
    writeManifest: (manifest) => newManifest((file) => writeManifest(file, manifest)),
    copyManifest: (of, head) => newManifest((file) => copyManifest(file, of, head)),
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
        facts: null,
        chunks: null,
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
  await takeOver();
  return session;

  async function newManifest(write: (file: string) => Promise<ManifestHead>) {
    const file = writer.newFile('man');
    try {
      return { file: path.basename(file), head: await write(file) };
    } catch (error) {
      await writer.giveUp(file);
      throw diskFault(error);
    }
  }

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

  /** Learns what blobs there are. */
  async function takeOver(): Promise<void> {
    const state = writer.state();
    const sets = openSets(state);
    const segments: SegmentEntry[] = [];
    const present = new Uint8Array(Math.ceil(state.nextBlobId / 8) + 1);
    for (const entry of state.segments) {
      const blobIds = openBlobIds(entry, sets);
      if (blobIds === null) broken.add(entry.file);
      else {
        for (const blobId of blobIds) present[blobId >>> 3]! |= 1 << (blobId & 7);
        blobIdsByFile.set(entry.file, blobIds);
        const facts = usable(entry.facts, entry, openFacts);
        segments.push({ ...entry, facts, chunks: usable(entry.chunks, entry, openChunks) });
      }
      await turn();
    }
    const isPresent = (blobId: number) => ((present[blobId >>> 3]! >>> (blobId & 7)) & 1) === 1;
    const revisions: RevisionEntry[] = [];
    /** By file: the manifest that takes its place, which may be the same one; null where it is broken. */
    const taken = new Map<string, Pick<RevisionEntry, 'file' | 'head'> | null>();
    for (const entry of state.revisions) {
      let by = taken.get(entry.file);
      if (by === undefined) {
        by = await takeManifest(entry, isPresent);
        taken.set(entry.file, by);
      }
      if (by !== null) revisions.push({ ...entry, ...by });
    }
    // Looked at again, whatever its references look like: one of its branches is missing.
    const incomplete = new Set(
      state.revisions.filter(({ file }) => taken.get(file) === null).map(({ repositoryId }) => repositoryId),
    );
    const scip = state.scip?.filter(({ file }) => isWholeScip(file));
    const { unfinished } = state;
    const keepsUnfinished = unfinished !== null && (await learnUnfinished(unfinished, isPresent));
    if (broken.size === 0) return;
    const content = contentOf();
    await writer.publish({
      ...content,
      ...(isBroken(content.dictionaries)
        ? { dictionaries: null, dictionariesTextBytes: 0, sampled: null }
        : {}),
      retired: content.retired.filter((name) => !isBroken(name)),
      segments,
      revisions: revisions.map((entry) =>
        incomplete.has(entry.repositoryId) ? { ...entry, refsStamp: null } : entry,
      ),
      ...(scip === undefined ? {} : { scip }),
      unfinished: keepsUnfinished ? unfinished : null,
    });
  }

  function isBroken(name: string | null): boolean {
    return name !== null && broken.has(name);
  }

  /** Null when the segment cannot be used. */
  function openBlobIds({ file }: SegmentEntry, sets: ReadonlyMap<string, DictionarySet>): Uint32Array | null {
    if (damaged.has(file)) return null;
    try {
      const segment = openSegment(path.join(folder, file), sets);
      const blobIds = Uint32Array.from(segment.tables.blobIds);
      segment.close();
      return blobIds;
    } catch {
      return null;
    }
  }

  /** What is not whole is dropped: it comes with the next upload. */
  function isWholeScip(file: string): boolean {
    try {
      if (!damaged.has(file)) {
        openScip(path.join(folder, file));
        return true;
      }
    } catch {
      // It is told by its name, as all that is broken.
    }
    broken.add(file);
    return false;
  }

  /** What lies beside a segment; null where it is to be made anew. */
  function usable<Entry extends { file: string }>(
    entry: Entry | null,
    segment: SegmentEntry,
    openFile: (file: string) => { readonly blobs: number; close(): void },
  ): Entry | null {
    if (entry === null) return null;
    try {
      if (damaged.has(entry.file)) throw new Error(entry.file);
      const open = openFile(path.join(folder, entry.file));
      open.close();
      if (open.blobs === segment.blobs) return entry;
    } catch {
      // It is told by its name, as all that is broken.
    }
    broken.add(entry.file);
    return null;
  }

  /** The manifest as it is, or without the texts that are no longer there; null when it cannot be read itself. */
  async function takeManifest(
    { file, head }: RevisionEntry,
    isPresent: (blobId: number) => boolean,
  ): Promise<Pick<RevisionEntry, 'file' | 'head'> | null> {
    const manifest = await openWhole(file);
    if (manifest === null) return null;
    const isMissing = (blobId: number) => blobId !== 0 && !isPresent(blobId);
    learn(manifest, isMissing);
    if (!manifest.blobIds.some(isMissing)) return { file, head };
    const rows = Array.from({ length: manifest.rows }, (_, at) => {
      const row = manifest.row(at);
      if (!isMissing(row.blobId)) return row;
      return { ...row, blobId: 0, skipped: 'pending' as const, maskedSpans: 0, interpreter: 0 };
    });
    const { skippedCounts, documents: _d, maskedSpans: _m, ...kept } = head;
    const optedOut = skippedCounts['opted-out'] ?? 0;
    const credentialNames = skippedCounts['credential-in-name'] ?? 0;
    return session.writeManifest({ head: { ...kept, optedOut, credentialNames }, rows });
  }

  async function learnUnfinished(file: string, isPresent: (blobId: number) => boolean): Promise<boolean> {
    const manifest = await openWhole(file);
    if (manifest === null || !manifest.blobIds.every((blobId) => blobId === 0 || isPresent(blobId)))
      return false;
    learn(manifest, () => false);
    return true;
  }

  async function openWhole(file: string): Promise<Manifest | null> {
    await turn();
    try {
      if (!damaged.has(file)) return await openManifest(path.join(folder, file));
    } catch {
      // It is told by its name, as all that is broken.
    }
    broken.add(file);
    return null;
  }

  function learn(manifest: Manifest, isMissing: (blobId: number) => boolean): void {
    const { repositoryId, objectsBy } = manifest.head;
    const ownOrigin = objectsBy ?? `repository ${repositoryId}`;
    for (let row = 0; row < manifest.rows; row++) {
      const { path: rowPath, oid, ...facts } = manifest.row(row);
      if (isMissing(facts.blobId)) continue;
      const origin =
        repositoryId === unfinishedRepository ? rowPath.slice(0, rowPath.lastIndexOf(':')) : ownOrigin;
      blobs.add(oid, facts, origin);
    }
  }

  function openSets(state: IndexState): Map<string, DictionarySet> {
    const sets = new Map<string, DictionarySet>();
    const names = new Set([...state.segments.map(({ dictionaries }) => dictionaries), state.dictionaries]);
    for (const name of names) {
      if (name === null) continue;
      try {
        if (damaged.has(name)) throw new Error(name);
        const set = openDictionaries(path.join(folder, name));
        sets.set(set.hash, set);
      } catch {
        broken.add(name);
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
