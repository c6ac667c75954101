import { cancelled } from '../../base/errors.ts';
import type { VectorStore } from './store-types.ts';
import { createVectorReader, type VectorGeneration, type VectorReaderOptions } from './vector-reader.ts';
import { createVectorScanner, type VectorScannerOptions } from './vector-scanner.ts';
import { openVectorWriter, type VectorWriterOptions } from './vector-writer.ts';

export interface FolderStoreOptions extends VectorReaderOptions, VectorWriterOptions, VectorScannerOptions {}

/** Writer, reader and scanner of one folder in one thread. Where searches run in threads of their own, these take the handle of a generation. */
export function openFolderStore(options: FolderStoreOptions): VectorStore {
  const writer = openVectorWriter(options);
  const reader = createVectorReader(options);
  const scanner = createVectorScanner(options);
  let generation: VectorGeneration = reader.open();
  const renew = () => {
    const before = generation;
    generation = reader.open();
    before.close();
  };
  return {
    async append(kind, rows) {
      writer.append(kind, rows);
      renew();
    },
    async deleteOwners(owners) {
      const deleted = writer.deleteOwners(owners);
      if (deleted > 0) renew();
      return deleted;
    },
    async keepKinds(kinds) {
      writer.keepKinds(kinds);
      renew();
    },
    async search(query, signal) {
      if (signal.aborted) throw cancelled(signal.reason);
      return scanner.search(generation.handle, query);
    },
    scoresOf: async (query, places) => scanner.scoresOf(generation.handle, query, places),
    ownersOf: async (kind) => scanner.ownersOf(generation.handle, kind),
    counts: async () => writer.counts(),
    async tidy(signal) {
      let isChanged = false;
      while (!signal.aborted && writer.merge()) isChanged = true;
      if (isChanged) renew();
      writer.removeOldFiles();
      return isChanged;
    },
    async close() {
      generation.close();
    },
  };
}
