import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ManifestRow } from '../manifests/types.ts';
import { writeManifest } from '../manifests/write-manifest.ts';
import { type IndexContent, type IndexWriter, openIndexWriter } from './index-writer.ts';
import { type OpenIndex, openIndex } from './open-index.ts';
import { openReaderLease } from './reader-leases.ts';
import type { RevisionEntry, SegmentEntry } from './types.ts';

let folder: string;
let closing: OpenIndex<FakeSegment>[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-index-'));
  closing = [];
});
afterEach(async () => {
  for (const index of closing) await index.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The folder needs to know of a segment which blobs it has: here that is all there is of it. */
interface FakeSegment {
  blobIds: Uint32Array;
  isClosed: boolean;
  close(): void;
}

async function openSegment(file: string): Promise<FakeSegment> {
  const blobIds = Uint32Array.from(JSON.parse(await readFile(file, 'utf8')) as number[]);
  const segment: FakeSegment = {
    blobIds,
    isClosed: false,
    close() {
      segment.isClosed = true;
    },
  };
  return segment;
}

async function reader(open = openSegment): Promise<OpenIndex<FakeSegment>> {
  const index = await openIndex({ folder, openSegment: open, pollMs: 1e6, switchWaitMs: 10_000 });
  closing.push(index);
  return index;
}

const writerOf = (fence: number, optionsHash = 'same') => openIndexWriter({ folder, fence, optionsHash });

async function segmentFile(writer: IndexWriter, blobIds: number[]): Promise<SegmentEntry> {
  const file = writer.newFile('seg');
  await writeFile(file, JSON.stringify(blobIds));
  return {
    file: path.basename(file),
    blobs: blobIds.length,
    textBytes: 1,
    fileBytes: 1,
    blobIdEnd: Math.max(...blobIds) + 1,
    dictionaries: null,
    visited: false,
    facts: null,
    chunks: null,
  };
}

async function revisionFile(
  writer: IndexWriter,
  repositoryId: number,
  blobIds: number[],
): Promise<RevisionEntry> {
  const rows = blobIds.map((blobId): ManifestRow => {
    const oid = String(blobId).padStart(40, '0');
    return {
      path: `${blobId}.ts`,
      oid,
      blobId,
      skipped: null,
      class: 0,
      language: 0,
      executable: false,
      maskedSpans: 0,
      interpreter: 0,
    };
  });
  const file = writer.newFile('man');
  const commit = 'c'.repeat(40);
  const head = await writeManifest(file, {
    head: { repositoryId, commit, committedMs: 1, policyKey: '', objectsBy: null, optedOut: 0 },
    rows,
  });
  const revision = { repositoryId, revision: 'main', kind: 'branch', isDefault: true } as const;
  return { ...revision, file: path.basename(file), head, indexedMs: 1, checkedMs: 1, refsStamp: null };
}

async function publishBlobs(writer: IndexWriter, blobIds: number[]): Promise<IndexContent> {
  const content: IndexContent = {
    nextBlobId: Math.max(...blobIds) + 1,
    segments: [await segmentFile(writer, blobIds)],
    revisions: [await revisionFile(writer, 1, blobIds)],
    dictionaries: null,
    dictionariesTextBytes: 0,
    sampled: null,
    retired: [],
    evicting: [],
    unfinished: null,
  };
  await writer.publish(content);
  return content;
}

const filesNow = () =>
  readdirSync(folder)
    .filter((name) => /\.(seg|man|dict|current)$/.test(name))
    .sort();
const filesNamed = (content: IndexContent) =>
  [...content.segments, ...content.revisions].map(({ file }) => file).sort();

function placed(index: OpenIndex<FakeSegment>, blobId: number): { file: string; index: number } | null {
  const generation = index.current()!;
  const slot = generation.places.table[blobId * 2]! - 1;
  const segment = generation.segments.find((candidate) => candidate.slot === slot);
  return segment ? { file: segment.entry.file, index: generation.places.table[blobId * 2 + 1]! } : null;
}

describe('readers see one whole generation after the other', () => {
  it('nothing, then what is published, then what is published next', async () => {
    const index = await reader();
    expect(await index.hold()).toBeNull();
    const writer = await writerOf(1);
    await publishBlobs(writer, [1, 2]);
    const first = (await index.hold())!;
    expect(first.generation.generation).toBe(1);
    expect(first.generation.revisions[0]?.manifest.path(1)).toBe('2.ts');
    await publishBlobs(writer, [3]);
    const second = (await index.hold())!;
    expect(second.generation.generation).toBe(2);
    expect(first.generation.revisions[0]?.manifest.rows).toBe(2);
    first.release();
    second.release();
  });

  it('files that both have are opened once', async () => {
    const writer = await writerOf(1);
    const content = await publishBlobs(writer, [1, 2]);
    const index = await reader();
    for (let more = 3; more < 6; more++) {
      content.nextBlobId = more + 1;
      content.segments = [...content.segments, await segmentFile(writer, [more])];
      await writer.publish(content);
      (await index.hold())!.release();
    }
    expect(index.counters()).toEqual({ segmentsOpened: 4, manifestsOpened: 1, switches: 4 });
  });

  it('whole, also when the last query on an older one ends while the next is being opened', async () => {
    const writer = await writerOf(1);
    await publishBlobs(writer, [1]);
    let beforeOpening: (file: string) => void = () => {};
    const index = await reader((file) => {
      beforeOpening(file);
      return openSegment(file);
    });
    const old = (await index.hold())!;
    const second = await publishBlobs(writer, [2]);
    await index.refresh();
    const segments = [await segmentFile(writer, [3]), await segmentFile(writer, [4])];
    beforeOpening = (file) => {
      // The first of them is open by now.
      if (path.basename(file) === segments[1]!.file) old.release();
    };
    await writer.publish({ ...second, nextBlobId: 5, segments });
    await index.refresh();
    const opened = index.current()!.segments;
    expect(opened.map(({ segment }) => segment.isClosed)).toEqual([false, false]);
    expect(new Set(opened.map(({ slot }) => slot)).size).toBe(2);
  });

  it('where each blob lies: the table is extended while blobs come, and made anew when they move', async () => {
    const writer = await writerOf(1);
    const content = await publishBlobs(writer, [1, 2]);
    const index = await reader();
    const { table } = index.current()!.places;
    content.nextBlobId = 4;
    content.segments = [...content.segments, await segmentFile(writer, [3])];
    await writer.publish(content);
    await index.refresh();
    expect(index.current()!.places.table).toBe(table);
    expect(placed(index, 3)).toEqual({ file: content.segments[1]!.file, index: 0 });
    content.segments = [await segmentFile(writer, [3, 1])];
    const held = (await index.hold())!;
    await writer.publish(content);
    await index.refresh();
    expect(placed(index, 1)).toEqual({ file: content.segments[0]!.file, index: 1 });
    expect(placed(index, 2)).toBeNull();
    expect(held.generation.places.table).toBe(table);
    expect(held.generation.segments[0]!.segment.isClosed).toBe(false);
    const [old] = held.generation.segments;
    held.release();
    expect(old!.segment.isClosed).toBe(true);
  });
});

describe('a file is deleted when nobody can need it', () => {
  it('not while a reader is within a query, then at the next sweep', async () => {
    const writer = await writerOf(1);
    const first = await publishBlobs(writer, [1, 2]);
    const index = await reader();
    const held = (await index.hold())!;
    const second = await publishBlobs(writer, [3]);
    await index.refresh();
    await writer.collect();
    expect(filesNow()).toEqual([...filesNamed(first), ...filesNamed(second)].sort());
    held.release();
    await index.close();
    await writer.collect();
    expect(filesNow()).toEqual(filesNamed(second));
    expect(readdirSync(folder).sort()).toEqual(
      [...filesNamed(second), 'CURRENT', 'generation-2', 'readers'].sort(),
    );
  });

  it('a reader that was not heard of for long holds nothing', async () => {
    const writer = await writerOf(1);
    await publishBlobs(writer, [1]);
    const lease = await openReaderLease(folder, { heartbeatMs: 1e6 });
    await lease.hold([1]);
    const second = await publishBlobs(writer, [2]);
    expect(await writer.collect()).toEqual({ deleted: [], held: 2 });
    const [leaseFile] = readdirSync(path.join(folder, 'readers')).filter((name) => name !== 'now');
    const longAgo = Date.now() / 1000 - 3600;
    utimesSync(path.join(folder, 'readers', leaseFile!), longAgo, longAgo);
    await writer.collect();
    expect(filesNow()).toEqual(filesNamed(second));
    await lease.close();
  });

  it('not what is published while others are being deleted', async () => {
    const writer = await writerOf(1);
    let isOver = false;
    const deleting = (async () => {
      while (!isOver) await writer.collect();
    })();
    for (let round = 0; round < 40; round++) {
      const content = await publishBlobs(writer, [round + 1]);
      expect(filesNow()).toEqual(expect.arrayContaining(filesNamed(content)));
    }
    isOver = true;
    await deleting;
  });

  it.each(['facts', 'chunks'] as const)('%s last as long as a state names them', async (kind) => {
    const writer = await writerOf(1);
    const first = await publishBlobs(writer, [1]);
    const file = writer.newFile(kind);
    writeFileSync(file, kind);
    await writer.collect();
    const beside = { file: path.basename(file), version: '1', fileBytes: 5, chunks: 0, unnamed: 0 };
    await writer.publish({
      ...first,
      segments: first.segments.map((entry) => ({ ...entry, [kind]: beside })),
    });
    await writer.collect();
    expect(readdirSync(folder)).toContain(beside.file);
    await writer.publish(first);
    await writer.collect();
    expect(readdirSync(folder)).not.toContain(beside.file);
  });

  it('what a killed writer left goes at once, what this one is writing stays, what a later one writes stays', async () => {
    const killed = await writerOf(1);
    const content = await publishBlobs(killed, [1]);
    await segmentFile(killed, [2]);
    const writer = await writerOf(2);
    const own = await segmentFile(writer, [3]);
    writeFileSync(path.join(folder, `3-${'a'.repeat(18)}.seg`), '[]');
    const half = writer.newFile('seg');
    for (const name of [path.basename(half), `1-${'b'.repeat(18)}.seg`, 'dict-0a']) {
      writeFileSync(path.join(folder, `${name}.part`), '');
    }
    expect((await writer.collect()).deleted).toHaveLength(3);
    expect(readdirSync(folder)).toContain(`${path.basename(half)}.part`);
    rmSync(`${half}.part`);
    expect(filesNow()).toEqual([...filesNamed(content), own.file, `3-${'a'.repeat(18)}.seg`].sort());
  });
});

describe('what can no longer be told is not taken for unused', () => {
  it('the state that stands, when only CURRENT tells it', async () => {
    const content = await publishBlobs(await writerOf(1), [1]);
    rmSync(path.join(folder, 'generation-1'));
    const writer = await writerOf(2);
    expect(writer.brokenStates).toEqual(['generation-1']);
    await writer.collect();
    expect(filesNow()).toEqual(filesNamed(content));
  });

  it('a state that a reader holds', async () => {
    const first = await publishBlobs(await writerOf(1), [1]);
    const lease = await openReaderLease(folder, { heartbeatMs: 1e6 });
    await lease.hold([1]);
    const second = await publishBlobs(await writerOf(2), [2]);
    rmSync(path.join(folder, 'generation-1'));
    const writer = await writerOf(3);
    expect(await writer.collect()).toEqual({ deleted: [], held: 1 });
    await lease.close();
    await writer.collect();
    expect(filesNow()).toEqual(filesNamed(second));
    expect(filesNow()).not.toEqual(filesNamed(first));
  });
});

describe('one writer after the other', () => {
  it('an earlier one can publish nothing once a later one has', async () => {
    const earlier = await writerOf(1);
    const content = await publishBlobs(earlier, [1]);
    const later = await writerOf(2);
    await later.publish(later.state());
    await expect(earlier.publish(content)).rejects.toMatchObject({ code: 'search/index-writer-replaced' });
    await expect(writerOf(1)).rejects.toMatchObject({ code: 'search/index-writer-replaced' });
    expect(await earlier.collect()).toEqual({ deleted: [], held: 0 });
  });

  it('of two that publish the same generation one wins', async () => {
    const one = await writerOf(1);
    const other = await writerOf(2);
    const outcomes = await Promise.allSettled([publishBlobs(one, [1]), publishBlobs(other, [2])]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('one that was stopped half-way through publishing brings nothing old back when it goes on', async () => {
    const earlier = await writerOf(1);
    await publishBlobs(earlier, [1]);
    const current = path.join(folder, 'CURRENT');
    const late = path.join(folder, 'late');
    await copyFile(current, late);
    const later = await writerOf(2);
    await publishBlobs(later, [2]);
    await copyFile(late, current);
    const index = await reader();
    expect(index.current()?.generation).toBe(2);
    expect((await writerOf(3)).state().generation).toBe(2);
  });

  it('other options begin an empty index, and what was there goes', async () => {
    const writer = await writerOf(1);
    await publishBlobs(writer, [1]);
    const other = await writerOf(2, 'other');
    expect(other.state()).toMatchObject({ generation: 1, nextBlobId: 2, segments: [], revisions: [] });
    const { generation } = await other.publish(other.state());
    expect(generation).toBe(2);
    await other.collect();
    expect(filesNow()).toEqual([]);
  });
});

describe('what is broken is not believed', () => {
  const damage = (name: string) => {
    const file = path.join(folder, name);
    const bytes = readFileSync(file);
    bytes[bytes.length - 3]! ^= 1;
    writeFileSync(file, bytes);
  };

  it('a state that was half written: the one before counts, and its number is given again', async () => {
    const writer = await writerOf(1);
    const content = await publishBlobs(writer, [1]);
    writeFileSync(path.join(folder, 'generation-2'), 'periscope-index 1 00');
    const index = await reader();
    expect(index.current()?.generation).toBe(1);
    const next = await writerOf(2);
    expect((await next.publish(content)).generation).toBe(2);
  });

  it('no state that can be read: an empty index whose generation goes on', async () => {
    const writer = await writerOf(1);
    await publishBlobs(writer, [1]);
    damage('CURRENT');
    damage('generation-1');
    expect((await writerOf(2)).state()).toMatchObject({ generation: 1, segments: [] });
  });

  it('a newer format is refused, by reader and writer', async () => {
    writeFileSync(path.join(folder, 'CURRENT'), 'periscope-index 2 00000000\n{}');
    await expect(reader()).rejects.toMatchObject({ code: 'search/index-file-newer' });
    await expect(writerOf(1)).rejects.toMatchObject({ code: 'search/index-file-newer' });
  });

  it('a manifest that is broken or missing is told, the others are served', async () => {
    const writer = await writerOf(1);
    const content = await publishBlobs(writer, [1]);
    const broken = await revisionFile(writer, 2, [1]);
    const missing = await revisionFile(writer, 3, [1]);
    damage(broken.file);
    rmSync(path.join(folder, missing.file));
    await writer.publish({ ...content, revisions: [...content.revisions, broken, missing] });
    const generation = (await reader()).current()!;
    expect(generation.revisions.map(({ entry }) => entry.repositoryId)).toEqual([1]);
    expect([...generation.broken].sort()).toEqual([broken.file, missing.file].sort());
  });
});
