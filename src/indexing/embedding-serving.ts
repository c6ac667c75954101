import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { PeriscopeError } from '../base/errors.ts';
import {
  ChunksReader,
  type DictionarySet,
  damagedFileOf,
  type OpenChunks,
  openChunks,
  openDictionaries,
  openSegment,
  SegmentReader,
} from '../search/index.ts';
import {
  isSameKind,
  isTableKind,
  loadStaticEmbedder,
  openVectorWriter,
  quantize,
  type StaticEmbedder,
  type VectorKind,
  type VectorRow,
  type VectorWriter,
} from '../vectors/index.ts';
import { chunkTextOf } from './embedding-chunk-text.ts';
import type {
  EmbeddedSegment,
  EmbeddingReplies,
  EmbeddingRequest,
  EncoderBatch,
  VectorCounts,
} from './embedding-messages.ts';
import { OwnerRows } from './embedding-owner-rows.ts';
import { textUses } from './embedding-uses.ts';

export interface EmbeddingServingOptions {
  /** Vectors of the table that are kept together: what is lost when the process is killed. Default 16 384. */
  rowsMax?: number;
  /** Segments that are open for the encoder. Default 8. */
  openMax?: number;
}

interface OpenPair {
  segment: ReturnType<typeof openSegment>;
  chunks: OpenChunks;
}

interface TableJob extends OpenPair {
  nextBlob: number;
  rows: VectorRow[];
  embedded: number;
}

interface Plan {
  segments: readonly EmbeddedSegment[];
  order: Uint32Array;
  encoder: VectorKind;
  at: number;
}

/** The file that lists the others. */
const listName = 'CURRENT';
const ringBytes = 2 << 20;
const pageBytes = 2 << 20;

/** The one writer of the vectors, with the table: reads texts and chunks, embeds, and keeps what it or the encoder has made. */
export function createEmbeddingServing({ rowsMax = 16_384, openMax = 8 }: EmbeddingServingOptions = {}) {
  const texts = new SegmentReader({ ringBytes });
  const reader = new ChunksReader({ pageBytes });
  let writer: VectorWriter | null = null;
  let table: StaticEmbedder | null = null;
  let edition = '';
  /** Texts that have vectors by chunks of another edition. */
  let outdated = new Set<number>();
  let rows = new OwnerRows();
  const passedOver = new Set<number>();
  let present: { bits: Uint8Array; ownersEnd: number } = { bits: new Uint8Array(), ownersEnd: 0 };
  let job: TableJob | null = null;
  let plan: Plan | null = null;
  const open = new Map<number, OpenPair>();

  return function answer(request: EmbeddingRequest): EmbeddingReplies[keyof EmbeddingReplies] {
    switch (request.kind) {
      case 'open':
        return openStore(request);
      case 'present':
        return keepPresent(request);
      case 'embed-begin':
        return begin(request.segment);
      case 'embed-work':
        return work(request.sliceMs);
      case 'embed-finish': {
        flush();
        const embedded = takeEmbedded();
        endJob();
        return { embedded, ...counts() };
      }
      case 'embed-discard':
        endJob();
        return null;
      case 'uses':
        return usesIn(request.facts);
      case 'plan':
        closePlan();
        plan = { segments: request.segments, order: request.order, encoder: request.encoder, at: 0 };
        return null;
      case 'next':
        return next(request.limit);
      case 'append':
        return append(request);
      case 'pass-over':
        for (const owner of request.owners) passedOver.add(owner);
        return null;
      case 'keep':
        return keep(request.encoders);
      case 'tidy':
        return { isChanged: tidy() };
    }
  };

  function openStore({
    folder,
    fence,
    edition: wanted,
    ownersEnd,
  }: Extract<EmbeddingRequest, { kind: 'open' }>) {
    endJob();
    closePlan();
    passedOver.clear();
    table ??= loadStaticEmbedder();
    edition = wanted;
    const first = opened(folder, fence);
    ({ writer } = first);
    const broken = [...first.broken, ...writer.dropBroken()];
    learn(writer);
    if (rows.highest >= ownersEnd) {
      rmSync(folder, { recursive: true, force: true });
      ({ writer } = opened(folder, fence));
      learn(writer);
    }
    return { broken, ...counts() };
  }

  function opened(folder: string, fence: number): { writer: VectorWriter; broken: string[] } {
    try {
      const isListLost = hasPartsAlone(folder);
      return { writer: openVectorWriter({ folder, fence }), broken: isListLost ? [listName] : [] };
    } catch (fault) {
      if (!/^vectors\/file-/.test(String((fault as { code?: unknown }).code))) throw fault;
      // Nothing tells any more what is in there: all of it can be made anew.
      rmSync(folder, { recursive: true, force: true });
      const { code, data } = fault as PeriscopeError;
      // Of another version is not damaged.
      const broken = code === 'vectors/file-broken' ? [path.basename(String(data['file']))] : [];
      return { writer: openVectorWriter({ folder, fence }), broken };
    }
  }

  /** Learns what is kept. Parts of a text are embedded in their order, so a count says which come next. */
  function learn(from: VectorWriter): void {
    rows = new OwnerRows();
    outdated = new Set();
    for (const stored of from.rows()) {
      if (stored.edition === edition) rows.learn(stored);
      else for (const owner of stored.owners) outdated.add(owner);
      for (const owner of stored.owners) rows.has(owner);
    }
    for (const { kind, owners } of rows.withGaps()) from.deleteOwners(owners, { kind });
  }

  function keepPresent({
    bits,
    ownersEnd,
    purge,
  }: Extract<EmbeddingRequest, { kind: 'present' }>): EmbeddingReplies['present'] {
    present = { bits, ownersEnd };
    const gone = rows.owners().filter((owner) => !isPresent(owner));
    const deleted = writer!.deleteOwners(gone);
    rows.forget(gone);
    for (const owner of gone) outdated.delete(owner);
    if (purge) writer!.purge();
    return { deleted, ...counts() };
  }

  /** Later texts are not known to be gone. */
  function isPresent(owner: number): boolean {
    return owner >= present.ownersEnd || ((present.bits[owner >>> 3]! >>> (owner & 7)) & 1) === 1;
  }

  /* ---- the table ---- */

  function begin(files: EmbeddedSegment): null {
    endJob();
    const pair = openPair(files);
    const stale = pair.segment.tables.blobIds.filter((owner) => outdated.has(owner));
    writer!.deleteOwners(stale, { notEdition: edition });
    for (const owner of stale) outdated.delete(owner);
    job = { ...pair, nextBlob: 0, rows: [], embedded: 0 };
    return null;
  }

  function work(sliceMs: number): EmbeddingReplies['embed-work'] {
    const { segment, chunks } = job!;
    const { chunkStarts } = chunks.tables;
    const { blobIds } = segment.tables;
    const untilMs = performance.now() + sliceMs;
    while (job!.nextBlob < chunks.blobs && performance.now() < untilMs) {
      const blob = job!.nextBlob++;
      const owner = blobIds[blob]!;
      const wanted = chunkStarts[blob + 1]! - chunkStarts[blob]!;
      const from = rows.of(table!.kind, owner);
      if (from >= wanted) continue;
      const text = texts.blobText(segment, blob);
      for (const [at, chunk] of reader.chunksOf(chunks, blob).entries()) {
        if (at < from) continue;
        job!.rows.push({ owner, part: at, vector: table!.embedDocument(chunkTextOf(chunk, text)) });
      }
      if (job!.rows.length >= rowsMax) flush();
    }
    return { isDone: job!.nextBlob === chunks.blobs, embedded: takeEmbedded(), ...counts() };
  }

  function takeEmbedded(): number {
    const { embedded } = job!;
    job!.embedded = 0;
    return embedded;
  }

  function flush(): void {
    const kept = job!.rows.filter(({ owner }) => isPresent(owner));
    job!.rows = [];
    writer!.append(table!.kind, kept, edition);
    rows.add(table!.kind, kept);
    job!.embedded += kept.length;
  }

  function endJob(): void {
    job?.segment.close();
    job?.chunks.close();
    job = null;
  }

  /* ---- the encoder ---- */

  function next(limit: number): EmbeddingReplies['next'] {
    const batch = {
      owners: [] as number[],
      parts: [] as number[],
      texts: [] as EncoderBatch['texts'][number][],
    };
    const { order, encoder } = plan!;
    try {
      // What is given and not kept is given again: it stays at the first text that is not done.
      let first = true;
      for (let at = plan!.at; at < order.length && batch.texts.length < limit; at += 3) {
        const isDone = !isPresent(order[at]!) || !gather(order.subarray(at, at + 3), encoder, limit, batch);
        if (isDone && first) plan!.at = at + 3;
        else first = false;
      }
    } catch (fault) {
      if ((fault as { code?: string }).code !== 'ENOENT') throw fault;
      return 'gone';
    }
    if (batch.texts.length === 0) return null;
    return {
      owners: Uint32Array.from(batch.owners),
      parts: Uint32Array.from(batch.parts),
      texts: batch.texts,
    };
  }

  /** False where the text has all of its vectors. */
  function gather(
    [owner, number, blob]: Uint32Array,
    encoder: VectorKind,
    limit: number,
    batch: { owners: number[]; parts: number[]; texts: EncoderBatch['texts'][number][] },
  ): boolean {
    // Numbered by other chunks until the table's turn has come.
    if (outdated.has(owner!) || passedOver.has(owner!)) return false;
    const { segment, chunks } = pairOf(number!);
    const { chunkStarts } = chunks.tables;
    const wanted = chunkStarts[blob! + 1]! - chunkStarts[blob!]!;
    const from = rows.of(encoder, owner!);
    if (from >= wanted) return false;
    const text = texts.blobText(segment, blob!);
    for (const [part, chunk] of reader.chunksOf(chunks, blob!).entries()) {
      if (part < from || batch.texts.length >= limit) continue;
      batch.owners.push(owner!);
      batch.parts.push(part);
      batch.texts.push(chunkTextOf(chunk, text));
    }
    return true;
  }

  function append({
    encoder,
    owners,
    parts,
    vectors,
  }: Extract<EmbeddingRequest, { kind: 'append' }>): VectorCounts {
    const { dimensions } = encoder;
    const made = Array.from(owners, (owner, i): VectorRow => {
      const vector = quantize(vectors.subarray(i * dimensions, (i + 1) * dimensions));
      return { owner, part: parts[i]!, vector };
    });
    // Gone since their texts were given.
    const kept = made.filter(({ owner }) => isPresent(owner) && !outdated.has(owner));
    writer!.append(encoder, kept, edition);
    rows.add(encoder, kept);
    return counts();
  }

  function pairOf(number: number): OpenPair {
    const known = open.get(number);
    if (known !== undefined) return known;
    const pair = openPair(plan!.segments[number]!);
    open.set(number, pair);
    const [oldest] = open.keys();
    if (open.size > openMax && oldest !== undefined) {
      closePair(open.get(oldest)!);
      open.delete(oldest);
    }
    return pair;
  }

  function closePlan(): void {
    for (const pair of open.values()) closePair(pair);
    open.clear();
    plan = null;
  }

  /* ---- both ---- */

  function openPair(files: EmbeddedSegment): OpenPair {
    const sets = new Map<string, DictionarySet>();
    if (files.dictionaries !== null) {
      const set = openDictionaries(files.dictionaries);
      sets.set(set.hash, set);
    }
    const segment = openSegment(files.segment, sets);
    try {
      return { segment, chunks: openChunks(files.chunks) };
    } catch (fault) {
      segment.close();
      throw fault;
    }
  }

  function keep(encoders: 'all' | readonly VectorKind[]): VectorCounts {
    const isKept = (kind: VectorKind) =>
      isTableKind(kind)
        ? isSameKind(kind, table!.kind)
        : encoders === 'all' || encoders.some((encoder) => isSameKind(kind, encoder));
    const kinds = writer!.counts().map(({ kind }) => kind);
    writer!.keepKinds(kinds.filter(isKept));
    for (const kind of kinds) if (!isKept(kind)) rows.drop(kind);
    return counts();
  }

  function tidy(): boolean {
    if (writer!.merge()) return true;
    writer!.removeOldFiles();
    return false;
  }

  function counts(): VectorCounts {
    const all = writer!.counts();
    const encoders = all.filter(({ kind }) => !isTableKind(kind));
    return {
      table: all.find(({ kind }) => isSameKind(kind, table!.kind))?.rows ?? 0,
      encoders: encoders.map(({ kind, rows: count }) => ({ kind, rows: count })),
    };
  }
}

function usesIn(facts: string): Uint32Array | null {
  try {
    return textUses(facts);
  } catch (fault) {
    // Damage is mended by whoever needs the facts themselves.
    if ((fault as { code?: string }).code !== 'ENOENT' && damagedFileOf(fault) === null) throw fault;
    return null;
  }
}

function hasPartsAlone(folder: string): boolean {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return !names.includes(listName) && names.some((name) => /^vectors-[\d-]+$/.test(name));
}

function closePair({ segment, chunks }: OpenPair): void {
  segment.close();
  chunks.close();
}
