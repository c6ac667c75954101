import path from 'node:path';
import { openManifest, readIndexState, type SkipReason } from '../../../src/search/index.ts';

/** What the manifests say of the files of every repository's one branch. */
export interface IndexedRows {
  repositoryId: number;
  rows: readonly { path: string; oid: string; skipped: SkipReason | null }[];
  maskedSpans: number;
}

export async function indexedRows(indexFolder: string): Promise<IndexedRows[]> {
  const state = await readIndexState(indexFolder);
  const all: IndexedRows[] = [];
  for (const { repositoryId, file, head } of state?.revisions ?? []) {
    const manifest = await openManifest(path.join(indexFolder, file));
    const rows = Array.from({ length: manifest.rows }, (_, row) => manifest.row(row));
    all.push({ repositoryId, rows, maskedSpans: head.maskedSpans });
  }
  return all;
}
