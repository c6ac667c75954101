import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { SegmentFile as FolderSegment } from '../index-folder/open-index.ts';
import { openDictionaries } from '../segments/dictionary-file.ts';
import { openSegment } from '../segments/open-segment.ts';
import type { DictionarySet } from '../segments/types.ts';

/** Files, tables and what is known of a segment in one thread. */
export type SegmentFile = ReturnType<typeof openSegment>;

/** A segment as the folder holds it open. */
export interface OpenedSegment extends FolderSegment {
  readonly file: SegmentFile;
}

/** Opens segments of a folder, each with the dictionaries it was compressed with. */
export function segmentOpener(folder: string): (file: string) => Promise<OpenedSegment> {
  const sets = new Map<string, DictionarySet>();
  const seen = new Set<string>();

  return async (file) => {
    await readNewDictionaries();
    const segment = openSegment(file, sets);
    return { blobIds: segment.tables.blobIds, file: segment, close: () => segment.close() };
  };

  async function readNewDictionaries(): Promise<void> {
    for (const name of await readdir(folder)) {
      if (seen.has(name) || !(name.startsWith('dict-') || name.endsWith('.dict'))) continue;
      seen.add(name);
      // One that is broken or half-written is missed by the segments that need it, and they say so.
      try {
        const set = openDictionaries(path.join(folder, name));
        sets.set(set.hash, set);
      } catch {
        seen.delete(name);
      }
    }
  }
}
