import path from 'node:path';
import {
  type OpenGeneration,
  openDictionaries,
  openIndex,
  openSegment,
  SegmentReader,
} from '../../search/index.ts';

export interface IndexedDocument {
  repositoryId: number;
  revision: string;
  path: string;
  /** Null when it is skipped. */
  text: string | null;
  skipped: string | null;
}

/** Every document of an index with its text, read as an engine does: manifests, then segments. */
export async function indexedDocuments(folder: string): Promise<IndexedDocument[]> {
  const index = await openTestIndex(folder);
  try {
    const held = await index.hold();
    if (held === null) return [];
    const documents = documentsOf(held.generation);
    held.release();
    return documents;
  } finally {
    await index.close();
  }
}

export function openTestIndex(folder: string) {
  return openIndex({
    folder,
    pollMs: 1_000_000,
    async openSegment(file, entry) {
      const sets = new Map();
      if (entry.dictionaries !== null) {
        const set = openDictionaries(path.join(folder, entry.dictionaries));
        sets.set(set.hash, set);
      }
      const segment = openSegment(file, sets);
      return { blobIds: segment.tables.blobIds, file: segment, close: () => segment.close() };
    },
  });
}

type TestGeneration = OpenGeneration<{ file: ReturnType<typeof openSegment> }>;

export function documentsOf(generation: TestGeneration): IndexedDocument[] {
  if (generation.broken.length > 0) throw new Error(`broken: ${generation.broken.join(', ')}`);
  const reader = new SegmentReader({ ringBytes: 1 << 20 });
  const bySlot = new Map(generation.segments.map((open) => [open.slot, open.segment.file]));
  return generation.revisions.flatMap(({ entry, manifest }) =>
    Array.from({ length: manifest.rows }, (_, row) => {
      const blobId = manifest.blobIds[row]!;
      const { repositoryId, revision } = entry;
      const shown = { repositoryId, revision, path: manifest.path(row), skipped: manifest.skipped(row) };
      if (blobId === 0) return { ...shown, text: null };
      const slot = generation.places.table[blobId * 2]! - 1;
      const segment = bySlot.get(slot);
      if (!segment) throw new Error(`blob ${blobId} of ${shown.path} is in no segment`);
      const blob = generation.places.table[blobId * 2 + 1]!;
      if (segment.oid(blob) !== manifest.oid(row))
        throw new Error(`another blob lies at ${shown.path}'s place`);
      return { ...shown, text: Buffer.from(reader.blobText(segment, blob)).toString('utf8') };
    }),
  );
}
