import { rm } from 'node:fs/promises';
import { dictionaryGroup, type SegmentEntry } from '../search/index.ts';
import { readInOrder } from './blob-reading.ts';
import type { BuildItem, BuildReplies } from './build-messages.ts';
import type { BuildThread, BuildThreads, Lane } from './build-threads.ts';
import type { IndexCounters } from './counters.ts';
import type { IndexSession } from './index-session.ts';
import type { PlannedBlob } from './plan-types.ts';

export interface BuildOptions {
  lane: Lane;
  visited: boolean;
  /** A segment ends when it has this much text, or when building it takes this much memory. */
  textBytesMax: number;
  memoryBytesMax: number;
  trigramsMax: number;
  signal: AbortSignal;
}

export interface BuildHooks {
  /** A segment was written, and every blob given so far that is `read` is in it or in none. */
  segmentDone(entry: SegmentEntry | null): Promise<void>;
  bytesRead(bytes: number): void;
  /** A repository cannot be read: its blobs stay planned. */
  failed(repositoryId: number, fault: unknown): void;
}

interface Batch {
  buffer: ArrayBuffer;
  used: number;
  items: BuildItem[];
  blobs: PlannedBlob[];
}

const bufferBytes = 1024 * 1024;
/** Batches on their way: one that is worked on, one that waits. */
const batchesAhead = 2;

/** Reads blobs in their order and builds segments of them, in one thread. */
export async function buildSegments(
  blobs: readonly PlannedBlob[],
  options: BuildOptions,
  hooks: BuildHooks,
  deps: { threads: BuildThreads; session: IndexSession; counters: IndexCounters },
): Promise<void> {
  const { session, counters } = deps;
  const { signal, lane } = options;
  let file: string | null = null;
  try {
    await deps.threads.use(lane, signal, work);
  } catch (error) {
    if (file !== null) {
      await rm(`${file}.part`, { force: true });
      await session.writer.giveUp(file);
    }
    throw error;
  }

  async function work(thread: BuildThread): Promise<void> {
    const dictionaries = session.dictionaries();
    const spare: ArrayBuffer[] = [];
    const onTheirWay: Promise<void>[] = [];
    let added: number[] = [];
    let isFull = false;
    let batch = newBatch();

    for await (const { blob, bytes } of readInOrder(blobs, { signal, failed: hooks.failed })) {
      counters.blobsRead += 1;
      if (bytes === null) {
        blob.facts.blobId = 0;
        blob.facts.skipped = 'unreadable';
        blob.state = 'read';
        continue;
      }
      hooks.bytesRead(bytes.length);
      if (batch.items.length > 0 && batch.used + bytes.length > batch.buffer.byteLength) await send();
      if (bytes.length > batch.buffer.byteLength) batch.buffer = new ArrayBuffer(bytes.length);
      put(blob, bytes);
    }
    if (batch.items.length > 0) await send();
    await finish();

    function newBatch(): Batch {
      return { buffer: spare.pop() ?? new ArrayBuffer(bufferBytes), used: 0, items: [], blobs: [] };
    }

    function put(blob: PlannedBlob, bytes: Buffer): void {
      new Uint8Array(batch.buffer).set(bytes, batch.used);
      batch.items.push({
        oid: blob.oid,
        blobId: blob.known === null ? blob.facts.blobId : 0,
        group: dictionaryGroup(blob.path),
        verify: blob.verify,
        offset: batch.used,
        length: bytes.length,
      });
      batch.blobs.push(blob);
      batch.used += bytes.length;
    }

    async function send(): Promise<void> {
      if (isFull) await finish();
      if (file === null) {
        file = session.writer.newFile('seg');
        const { trigramsMax } = options;
        await thread.ask<'begin'>({
          kind: 'begin',
          file,
          dictionaries: dictionaries?.set ?? null,
          trigramsMax,
        });
      }
      const { buffer, items, blobs: sent } = batch;
      const answered = thread.ask<'texts'>({ kind: 'texts', buffer, items }, [buffer]).then((reply) => {
        take(sent, reply);
      });
      answered.catch(() => {});
      onTheirWay.push(answered);
      if (onTheirWay.length > batchesAhead) await onTheirWay.shift();
      batch = newBatch();
    }

    function take(sent: readonly PlannedBlob[], reply: BuildReplies['texts']): void {
      if (reply.buffer.byteLength === bufferBytes) spare.push(reply.buffer);
      reply.outcomes.forEach((outcome, index) => {
        const blob = sent[index]!;
        const { facts, known } = blob;
        if (known === null || outcome.skipped !== null) Object.assign(facts, outcome);
        if (outcome.skipped !== null) facts.blobId = 0;
        else if (known === null) added.push(facts.blobId);
        if (known === null) counters.blobsDecoded += 1;
        blob.state = 'read';
      });
      isFull = reply.textBytes >= options.textBytesMax || reply.memoryBytes >= options.memoryBytesMax;
    }

    async function finish(): Promise<void> {
      await Promise.all(onTheirWay.splice(0));
      isFull = false;
      if (file === null) {
        await hooks.segmentDone(null);
        return;
      }
      const summary = await thread.ask<'finish'>({ kind: 'finish' });
      const written = file;
      const blobIds = Uint32Array.from(added);
      added = [];
      file = null;
      if (summary === null) {
        await session.writer.giveUp(written);
        await hooks.segmentDone(null);
        return;
      }
      counters.segmentsBuilt += 1;
      counters.textBytesBuilt += summary.textBytes;
      const { visited } = options;
      const name = dictionaries?.name ?? null;
      await hooks.segmentDone(session.segmentEntry(summary, { blobIds, dictionaries: name, visited }));
    }
  }
}
