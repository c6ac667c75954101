import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChunksBuilder } from '../../chunks/chunks-builder.ts';
import { ChunksReader } from '../../chunks/chunks-reader.ts';
import { mergeChunks } from '../../chunks/merge-chunks.ts';
import { openChunks } from '../../chunks/open-chunks.ts';
import type { ChunksSummary } from '../../chunks/types.ts';
import { documentClass } from '../../documents/document-class.ts';
import { languageOf } from '../../documents/languages.ts';
import { FactsBuilder } from '../../facts/facts-builder.ts';
import { FactsReader } from '../../facts/facts-reader.ts';
import { mergeFacts } from '../../facts/merge-facts.ts';
import { openFacts } from '../../facts/open-facts.ts';
import type { FactsOutcome } from '../../facts/types.ts';
import { type IndexWriter, openIndexWriter } from '../../index-folder/index-writer.ts';
import type { ChunksEntry, FactsEntry, RevisionEntry, SegmentEntry } from '../../index-folder/types.ts';
import type { ManifestRow } from '../../manifests/types.ts';
import { writeManifest } from '../../manifests/write-manifest.ts';
import { dictionaryGroup } from '../../segments/dictionary-groups.ts';
import { type BlobReference, mergeSegments } from '../../segments/merge-segments.ts';
import { openSegment } from '../../segments/open-segment.ts';
import { SegmentBuilder } from '../../segments/segment-builder.ts';
import { SegmentReader } from '../../segments/segment-reader.ts';
import type { SegmentSummary } from '../../segments/types.ts';
import type { ScopeRepository } from '../types.ts';

export interface TestRepository extends ScopeRepository {
  branches: readonly TestBranch[];
}

export interface TestBranch {
  name: string;
  isDefault: boolean;
  /** Searched only when it is asked for. */
  isVisited?: boolean;
  committedMs: number;
  files: ReadonlyMap<string, TestFile>;
}

/** A text, or why there is none. */
export type TestFile = Buffer | 'binary' | 'pending';

/** What a text's structure says; null: the segments of an index have neither facts nor chunks. */
export type TestExtraction = (path: string, text: Buffer) => FactsOutcome;

const builder = new SegmentBuilder();
const reader = new SegmentReader({ ringBytes: 1 << 20 });

/** An index of repositories that are given as they are: real segments, manifests and generations, written in one go each. */
export class SmallIndex {
  readonly folder: string;
  readonly #writer: IndexWriter;
  readonly #extract: TestExtraction | null;
  /** By object id. */
  readonly #blobIds = new Map<string, number>();
  #nextBlobId = 1;
  #segments: SegmentEntry[] = [];
  #revisions: RevisionEntry[] = [];
  /** Texts that some revision has. */
  #wantedBlobIds = new Set<number>();

  private constructor(folder: string, writer: IndexWriter, extract: TestExtraction | null) {
    this.folder = folder;
    this.#writer = writer;
    this.#extract = extract;
  }

  static async create(extract: TestExtraction | null = null): Promise<SmallIndex> {
    const folder = mkdtempSync(path.join(tmpdir(), 'periscope-search-'));
    const writer = await openIndexWriter({ folder, fence: 1, optionsHash: 'tests' });
    return new SmallIndex(folder, writer, extract);
  }

  get segments(): readonly SegmentEntry[] {
    return this.#segments;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Makes these all that is indexed: texts that are new go into one new segment. */
  async publish(repositories: readonly TestRepository[]): Promise<void> {
    const texts = newTexts(repositories, this.#blobIds);
    const owners = [...texts].sort((a, b) => a.class - b.class || a.order - b.order);
    for (const { oid } of owners) this.#blobIds.set(oid, this.#nextBlobId++);
    if (owners.length > 0) {
      const file = this.#writer.newFile('seg');
      builder.restart({ file, dictionaries: null });
      for (const { oid, text, path: name } of owners) {
        builder.add({ blobId: this.#blobIds.get(oid)!, oid, text, group: dictionaryGroup(name) });
      }
      this.#segments.push(this.#entryOf(builder.finish(), this.#factsOf(owners), this.#chunksOf(owners)));
    }
    this.#revisions = [];
    this.#wantedBlobIds = new Set();
    for (const repository of repositories) {
      for (const branch of repository.branches)
        this.#revisions.push(await this.#revisionOf(repository, branch));
    }
    await this.#publishState();
  }

  /** What a SCIP index says of the commit of a repository's first branch: `write` makes the file, and gives its size. */
  async addScip(repositoryId: number, write: (file: string) => number): Promise<void> {
    const { head } = this.#revisions.find((entry) => entry.repositoryId === repositoryId)!;
    const file = this.#writer.newFile('scip');
    const fileBytes = write(file);
    const { commit, policyKey } = head;
    const entry = { repositoryId, commit, policyKey, fileBytes, documents: 0, uses: 0, uploadedMs: 0 };
    const state = this.#writer.state();
    await this.#writer.publish({
      ...state,
      scip: [...(state.scip ?? []), { ...entry, file: path.basename(file) }],
    });
  }

  /** Merges all segments into one, without the texts that nobody has any more. */
  async merge(): Promise<void> {
    if (this.#segments.length === 0) return;
    const wanted = this.#wantedBlobIds;
    const inputs = this.#segments.map(({ file }) => openSegment(path.join(this.folder, file), new Map()));
    const order: BlobReference[] = inputs.flatMap(({ tables }, input) =>
      [...tables.blobIds].flatMap((blobId, blob) => (wanted.has(blobId) ? [{ input, blob }] : [])),
    );
    if (order.length > 0) {
      const file = this.#writer.newFile('seg');
      const summary = mergeSegments({ inputs, order, file, dictionaries: null, builder, reader });
      this.#segments = [this.#entryOf(summary, this.#mergedFacts(order), this.#mergedChunks(order))];
    }
    for (const input of inputs) input.close();
    for (const [oid, id] of this.#blobIds) if (!wanted.has(id)) this.#blobIds.delete(oid);
    await this.#publishState();
  }

  async #publishState(): Promise<void> {
    await this.#writer.publish({
      ...this.#writer.state(),
      nextBlobId: this.#nextBlobId,
      segments: this.#segments,
      revisions: this.#revisions,
    });
  }

  #factsOf(owners: readonly OwnedText[]): FactsEntry | null {
    if (this.#extract === null) return null;
    const file = this.#writer.newFile('facts');
    const facts = new FactsBuilder({ file, factsVersion: FACTS_VERSION, blobs: owners.length });
    for (const [blob, { path: name, text }] of owners.entries())
      facts.add(blob, languageOf(name), this.#extract(name, text));
    return factsEntry(file, facts.finish().fileBytes);
  }

  #mergedFacts(order: readonly BlobReference[]): FactsEntry | null {
    if (this.#extract === null) return null;
    const file = this.#writer.newFile('facts');
    const inputs = this.#segments.map(({ facts }) => openFacts(path.join(this.folder, facts!.file)));
    const { fileBytes } = mergeFacts({ inputs, order, file, reader: new FactsReader() });
    for (const input of inputs) input.close();
    return factsEntry(file, fileBytes);
  }

  #chunksOf(owners: readonly OwnedText[]): ChunksEntry | null {
    if (this.#extract === null) return null;
    const file = this.#writer.newFile('chunks');
    const chunks = new ChunksBuilder({ file, chunksVersion: CHUNKS_VERSION, blobs: owners.length });
    for (const [blob, { path: name, text }] of owners.entries()) {
      const outcome = this.#extract(name, text);
      chunks.add(blob, text, 'facts' in outcome ? outcome.facts.symbols : []);
    }
    const summary = chunks.finish();
    return chunksEntry(file, summary);
  }

  #mergedChunks(order: readonly BlobReference[]): ChunksEntry | null {
    if (this.#extract === null) return null;
    const file = this.#writer.newFile('chunks');
    const inputs = this.#segments.map(({ chunks }) => openChunks(path.join(this.folder, chunks!.file)));
    const summary = mergeChunks({ inputs, order, file, reader: new ChunksReader() });
    for (const input of inputs) input.close();
    return chunksEntry(file, summary);
  }

  #entryOf(
    { file, blobs, textBytes, fileBytes }: SegmentSummary,
    facts: FactsEntry | null,
    chunks: ChunksEntry | null,
  ): SegmentEntry {
    return {
      file: path.basename(file),
      blobs,
      textBytes,
      fileBytes,
      blobIdEnd: this.#nextBlobId,
      dictionaries: null,
      visited: false,
      facts,
      chunks,
    };
  }

  async #revisionOf({ id }: TestRepository, branch: TestBranch): Promise<RevisionEntry> {
    const file = this.#writer.newFile('man');
    const rows = [...branch.files].map(([name, content]): ManifestRow => {
      const blobId = content instanceof Buffer ? this.#blobIds.get(oidOf(content))! : 0;
      if (blobId !== 0) this.#wantedBlobIds.add(blobId);
      return {
        path: name,
        oid: oidOf(content),
        blobId,
        skipped: typeof content === 'string' ? content : null,
        class: documentClass(name),
        language: languageOf(name),
        executable: false,
        maskedSpans: 0,
        interpreter: 0,
      };
    });
    const head = await writeManifest(file, {
      head: {
        repositoryId: id,
        commit: createHash('sha1').update(`${id} ${branch.name}`).digest('hex'),
        committedMs: branch.committedMs,
        policyKey: 'none',
        objectsBy: null,
        optedOut: 0,
      },
      rows,
    });
    const { name: revision, isDefault } = branch;
    return {
      repositoryId: id,
      revision,
      kind: branch.isVisited ? 'visited' : 'branch',
      isDefault,
      file: path.basename(file),
      head,
      indexedMs: 0,
      checkedMs: 0,
      refsStamp: null,
    };
  }
}

const FACTS_VERSION = 'tests';
const CHUNKS_VERSION = 'tests';

function chunksEntry(file: string, { fileBytes, chunks }: ChunksSummary): ChunksEntry {
  return { file: path.basename(file), version: CHUNKS_VERSION, fileBytes, chunks, unnamed: 0 };
}

function factsEntry(file: string, fileBytes: number): FactsEntry {
  return { file: path.basename(file), version: FACTS_VERSION, fileBytes, unnamed: 0 };
}

export function oidOf(content: TestFile): string {
  return createHash('sha1').update(content).digest('hex');
}

interface OwnedText {
  oid: string;
  text: Buffer;
  path: string;
  class: number;
  order: number;
}

/** Each text that is not known yet, with its best owner. */
function newTexts(repositories: readonly TestRepository[], known: ReadonlyMap<string, number>): OwnedText[] {
  const texts = new Map<string, OwnedText>();
  let order = 0;
  for (const { branches } of repositories) {
    for (const { files } of branches) {
      for (const name of [...files.keys()].sort()) {
        const text = files.get(name)!;
        if (!(text instanceof Buffer)) continue;
        const oid = oidOf(text);
        if (known.has(oid)) continue;
        const owned = { oid, text, path: name, class: documentClass(name), order: order++ };
        const before = texts.get(oid);
        if (!before || owned.class < before.class) texts.set(oid, owned);
      }
    }
  }
  return [...texts.values()];
}
