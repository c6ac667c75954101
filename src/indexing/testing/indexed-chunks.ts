import path from 'node:path';
import { type Chunk, ChunksReader, openChunks, openSegment, readIndexState } from '../../search/index.ts';
import { openTestIndex } from './indexed-documents.ts';

/** Chunks of every document of an index that has a text, by `repositoryId revision path`; null while its segment has none. */
export async function indexedChunks(folder: string): Promise<Map<string, readonly Chunk[] | null>> {
  const index = await openTestIndex(folder);
  const reader = new ChunksReader();
  const found = new Map<string, readonly Chunk[] | null>();
  try {
    const held = await index.hold();
    if (held === null) return found;
    const { segments, revisions, places, state } = held.generation;
    const entries = new Map(state.segments.map((entry) => [entry.file, entry]));
    const bySlot = new Map(
      segments.map(({ slot, entry }) => {
        const { chunks } = entries.get(entry.file)!;
        return [slot, chunks && openChunks(path.join(folder, chunks.file))];
      }),
    );
    for (const { entry, manifest } of revisions) {
      for (let row = 0; row < manifest.rows; row++) {
        const blobId = manifest.blobIds[row]!;
        if (blobId === 0) continue;
        const chunks = bySlot.get(places.table[blobId * 2]! - 1) ?? null;
        const key = `${entry.repositoryId} ${entry.revision} ${manifest.path(row)}`;
        found.set(key, chunks && reader.chunksOf(chunks, places.table[blobId * 2 + 1]!));
      }
    }
    for (const chunks of bySlot.values()) chunks?.close();
    held.release();
    return found;
  } finally {
    await index.close();
  }
}

/** Whether the chunks files fit the segments that they lie beside: as many blobs, in the same order. */
export async function chunksFit(folder: string): Promise<boolean> {
  const state = await readIndexState(folder);
  return state!.segments.every(({ file, chunks, dictionaries }) => {
    if (chunks === null || dictionaries !== null) return false;
    const segment = openSegment(path.join(folder, file), new Map());
    const open = openChunks(path.join(folder, chunks.file));
    segment.close();
    open.close();
    return segment.blobs === open.blobs;
  });
}
