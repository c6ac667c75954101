import path from 'node:path';
import { isTableKind, openVectorWriter } from '../../vectors/index.ts';
import { indexedChunks } from './indexed-chunks.ts';
import { openTestIndex } from './indexed-documents.ts';

export interface KeptVectors {
  /** Chunks of all texts that some document shows, each text counted once. */
  chunks: number;
  /** Of them, those with a vector of the table, and by encoder. */
  inTable: number;
  encoded: Readonly<Record<string, number>>;
  /** Vectors of texts that are not in the index, or of parts that they do not have. */
  strays: number;
  /** Vectors that are there twice. */
  twice: number;
}

/** What an index has of vectors, counted by looking at every one of them. */
export async function keptVectors(indexFolder: string): Promise<KeptVectors> {
  const wanted = await partsByOwner(indexFolder);
  const kept: KeptVectors & { encoded: Record<string, number> } = {
    chunks: [...wanted.values()].reduce((sum, parts) => sum + parts, 0),
    inTable: 0,
    encoded: {},
    strays: 0,
    twice: 0,
  };
  const seen = new Set<string>();
  for (const { kind, owners, parts } of openVectorWriter({
    folder: path.join(indexFolder, 'vectors'),
  }).rows()) {
    owners.forEach((owner, row) => {
      const part = parts[row]!;
      const key = `${kind.model} ${owner} ${part}`;
      if (seen.has(key)) kept.twice += 1;
      else if (part >= (wanted.get(owner) ?? 0)) kept.strays += 1;
      else if (isTableKind(kind)) kept.inTable += 1;
      else kept.encoded[kind.model] = (kept.encoded[kind.model] ?? 0) + 1;
      seen.add(key);
    });
  }
  return kept;
}

/** Chunks of each text that a document shows, by its number. */
async function partsByOwner(indexFolder: string): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  const index = await openTestIndex(indexFolder);
  try {
    const held = await index.hold();
    if (held === null) return found;
    const chunks = await indexedChunks(indexFolder);
    for (const { entry, manifest } of held.generation.revisions) {
      for (let row = 0; row < manifest.rows; row++) {
        const key = `${entry.repositoryId} ${entry.revision} ${manifest.path(row)}`;
        if (manifest.blobIds[row] !== 0) found.set(manifest.blobIds[row]!, chunks.get(key)?.length ?? 0);
      }
    }
    held.release();
    return found;
  } finally {
    await index.close();
  }
}
