import path from 'node:path';
import { type IndexContent, readBlobIds, type SegmentEntry } from '../search/index.ts';
import type { BuildThreads } from './build-threads.ts';
import { chunksEntry } from './chunks-cutting.ts';
import type { IndexCounters } from './counters.ts';
import { factsEntry } from './facts-entry.ts';
import type { IndexSession } from './index-session.ts';

export interface MergeDeps {
  session: IndexSession;
  threads: BuildThreads;
  counters: IndexCounters;
  /** Place of a repository in the order in which documents rank. */
  placeOf(repositoryId: number): number;
}

/** Writes the live texts of some segments into one, in the order in which documents rank, and publishes it in their place. */
export async function mergeInto(
  inputs: readonly SegmentEntry[],
  { session, threads, counters, placeOf }: MergeDeps,
  signal: AbortSignal,
): Promise<void> {
  const { writer } = session;
  const isLive = await session.keepLive(inputs);
  const order = await mergeOrder(inputs, isLive, { session, placeOf });
  if (order.length === 0) {
    await session.publish((content) => replaced(content, inputs, null));
    return;
  }
  const file = writer.newFile('seg');
  const factsFile = haveAlike(inputs, 'facts') ? writer.newFile('facts') : null;
  const chunksFile = haveAlike(inputs, 'chunks') ? writer.newFile('chunks') : null;
  const dictionaries = session.dictionaries();
  try {
    const {
      segment: summary,
      facts,
      chunks,
    } = await threads.use('bulk', signal, (thread) =>
      thread.ask<'merge'>({
        kind: 'merge',
        inputs: inputs.map((input) => path.join(writer.folder, input.file)),
        order,
        file,
        folder: writer.folder,
        inputDictionaries: [...new Set(inputs.flatMap((input) => input.dictionaries ?? []))],
        dictionaries: dictionaries?.name ?? null,
        facts: beside('facts', factsFile),
        chunks: beside('chunks', chunksFile),
      }),
    );
    const blobIds = new Uint32Array(order.length / 2);
    for (let at = 0; at < blobIds.length; at++) {
      blobIds[at] = session.blobIdsOf(inputs[order[at * 2]!]!)[order[at * 2 + 1]!]!;
    }
    const visited = inputs.every((input) => input.visited);
    const name = dictionaries?.name ?? null;
    const entry = {
      ...session.segmentEntry(summary, { blobIds, dictionaries: name, visited }),
      facts: facts && factsEntry(facts),
      chunks: chunks && chunksEntry(chunks),
    };
    await session.publish((content) => replaced(content, inputs, entry));
    if (facts !== null) counters.factsMerged += 1;
    if (chunks !== null) counters.chunksMerged += 1;
    counters.merges += 1;
    counters.textBytesMerged += summary.textBytes;
  } catch (error) {
    for (const written of [file, factsFile, chunksFile].filter((name) => name !== null)) {
      await writer.giveUp(`${written}.part`);
      await writer.giveUp(written);
    }
    throw error;
  }

  function beside(kind: 'facts' | 'chunks', file: string | null) {
    if (file === null) return null;
    return { inputs: inputs.map((input) => path.join(writer.folder, input[kind]!.file)), file };
  }
}

/** Whether all have them of one version. Where some have none, those of the others are lost with a forced merge, and come again. */
function haveAlike(inputs: readonly SegmentEntry[], kind: 'facts' | 'chunks'): boolean {
  const versions = new Set(inputs.map((input) => input[kind]?.version ?? null));
  return versions.size === 1 && !versions.has(null);
}

function replaced(
  content: IndexContent,
  inputs: readonly SegmentEntry[],
  by: SegmentEntry | null,
): IndexContent {
  const gone = new Set(inputs.map(({ file }) => file));
  const segments = content.segments.filter(({ file }) => !gone.has(file));
  return { ...content, segments: by === null ? segments : [...segments, by] };
}

/** Pairs of input and blob: by class, then repository, then path of the first document that shows the blob. */
async function mergeOrder(
  inputs: readonly SegmentEntry[],
  isLive: (blobId: number) => boolean,
  { session, placeOf }: Pick<MergeDeps, 'session' | 'placeOf'>,
): Promise<Uint32Array> {
  const { folder } = session.writer;
  const places = new Map<number, readonly [number, number]>();
  inputs.forEach((input, number) => {
    session.blobIdsOf(input).forEach((blobId, blob) => {
      if (isLive(blobId)) places.set(blobId, [number, blob]);
    });
  });
  const order = new Uint32Array(places.size * 2);
  let end = 0;
  const take = (blobId: number) => {
    const place = places.get(blobId);
    if (!place) return;
    order.set(place, end);
    end += 2;
    places.delete(blobId);
  };
  const { revisions } = session.writer.state();
  const sorted = [...revisions].sort(
    (a, b) => placeOf(a.repositoryId) - placeOf(b.repositoryId) || Number(b.isDefault) - Number(a.isDefault),
  );
  const files = [...new Set(sorted.map(({ file }) => file))];
  const columns = [];
  for (const file of files) columns.push(await readBlobIds(path.join(folder, file)));
  for (let classNumber = 0; classNumber < 4; classNumber++) {
    for (const { blobIds, classStarts } of columns) {
      for (let row = classStarts[classNumber]!; row < classStarts[classNumber + 1]!; row++)
        take(blobIds[row]!);
    }
  }
  // What no published document shows yet, but will: it is pinned.
  for (const blobId of [...places.keys()]) take(blobId);
  return order;
}
