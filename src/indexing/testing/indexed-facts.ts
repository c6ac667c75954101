import path from 'node:path';
import { type FactsOutcome, FactsReader, openFacts, readIndexState } from '../../search/index.ts';
import { openTestIndex } from './indexed-documents.ts';

export interface DocumentFacts {
  repositoryId: number;
  revision: string;
  path: string;
  /** Null while the facts of its segment are missing; documents without a text have no row. */
  outcome: FactsOutcome | null;
}

/** Facts of every document of an index that has a text. */
export async function indexedFacts(folder: string): Promise<DocumentFacts[]> {
  const index = await openTestIndex(folder);
  const reader = new FactsReader();
  try {
    const held = await index.hold();
    if (held === null) return [];
    const { segments, revisions, places, state } = held.generation;
    const entries = new Map(state.segments.map((entry) => [entry.file, entry]));
    const bySlot = new Map(
      segments.map(({ slot, entry }) => {
        const { facts } = entries.get(entry.file)!;
        return [slot, facts && openFacts(path.join(folder, facts.file))];
      }),
    );
    const documents = revisions.flatMap(({ entry, manifest }) =>
      Array.from({ length: manifest.rows }, (_, row) => {
        const blobId = manifest.blobIds[row]!;
        if (blobId === 0) return [];
        const facts = bySlot.get(places.table[blobId * 2]! - 1);
        const blob = places.table[blobId * 2 + 1]!;
        const outcome = facts ? reader.file(facts, blob) : null;
        const { repositoryId, revision } = entry;
        return [{ repositoryId, revision, path: manifest.path(row), outcome }];
      }).flat(),
    );
    for (const facts of bySlot.values()) facts?.close();
    held.release();
    return documents;
  } finally {
    await index.close();
  }
}

/** Every string that any facts file of the index holds, decoded. */
export async function factsStrings(folder: string): Promise<Set<string>> {
  const state = await readIndexState(folder);
  const reader = new FactsReader();
  const strings = new Set<string>();
  for (const { facts } of state?.segments ?? []) {
    if (facts === null) continue;
    const open = openFacts(path.join(folder, facts.file));
    for (let blob = 0; blob < open.blobs; blob++) {
      for (const text of JSON.stringify(reader.file(open, blob)).matchAll(/"((?:[^"\\]|\\.)*)"/g))
        strings.add(text[1]!);
    }
    for (const { name } of reader.namesWithPrefix(open, '', { limit: 1e9 })) strings.add(name);
    for (const { module } of reader.modulesWithPrefix(open, '', { limit: 1e9 })) strings.add(module);
    open.close();
  }
  return strings;
}
