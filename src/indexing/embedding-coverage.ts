import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import {
  type DictionarySet,
  type IndexState,
  openChunks,
  openDictionaries,
  openSegment,
  type RevisionEntry,
  readBlobIds,
  type SegmentEntry,
} from '../search/index.ts';
import { isTableKind, readOwnerCounts } from '../vectors/index.ts';
import type { EmbeddingCoverage } from './types.ts';

/** How many of a repository's chunks have vectors, told from what is published, in whatever process. */
export interface EmbeddingCoverageReader {
  of(state: IndexState, entry: RevisionEntry): Promise<EmbeddingCoverage>;
}

/** What is kept changes with every batch: it is read again after this long. */
const RENEW_MS = 10_000;

export function createEmbeddingCoverage(
  folder: string,
  vectorFolder: string,
  clock: Clock,
): EmbeddingCoverageReader {
  let chunks = new Uint16Array(1024);
  let knownGeneration = -1;
  /** Chunks file by segment, as far as `chunks` knows. */
  let known = new Map<string, string | null>();
  let vectors: ReturnType<typeof readVectors> & { atMs: number } = {
    table: new Uint16Array(),
    encoded: new Uint16Array(),
    atMs: Number.NEGATIVE_INFINITY,
  };
  let working: Promise<unknown> = Promise.resolve();

  return {
    of(state, entry) {
      const answer = working.then(async () => {
        if (state.generation > knownGeneration) follow(state);
        if (clock.now() - vectors.atMs >= RENEW_MS) vectors = { ...readVectors(), atMs: clock.now() };
        return count(entry);
      });
      working = answer.catch(() => {});
      return answer;
    },
  };

  function follow(state: IndexState): void {
    if (chunks.length < state.nextBlobId) {
      const larger = new Uint16Array(Math.ceil(state.nextBlobId * 1.25));
      larger.set(chunks);
      chunks = larger;
    }
    const now = new Map<string, string | null>();
    for (const segment of state.segments) {
      const file = segment.chunks?.file ?? null;
      // Gone while it was read: the next generation has another one in its place.
      if (known.get(segment.file) === file || learn(segment)) now.set(segment.file, file);
    }
    known = now;
    knownGeneration = state.generation;
  }

  function learn({ file, dictionaries, chunks: entry }: SegmentEntry): boolean {
    try {
      const sets = new Map<string, DictionarySet>();
      if (dictionaries !== null) {
        const set = openDictionaries(path.join(folder, dictionaries));
        sets.set(set.hash, set);
      }
      const segment = openSegment(path.join(folder, file), sets);
      segment.close();
      const open = entry && openChunks(path.join(folder, entry.file));
      open?.close();
      segment.tables.blobIds.forEach((blobId, blob) => {
        const starts = open?.tables.chunkStarts;
        chunks[blobId] = starts ? starts[blob + 1]! - starts[blob]! : 0;
      });
      return true;
    } catch {
      return false;
    }
  }

  function readVectors() {
    const counts = readOwnerCounts(vectorFolder);
    const table = counts.find(({ kind }) => isTableKind(kind))?.owners ?? new Uint16Array();
    // Of several encoders the one that has seen most is the one that questions are encoded by.
    const [encoder] = counts.filter(({ kind }) => !isTableKind(kind)).sort((a, b) => b.rows - a.rows);
    return { table, encoded: encoder?.owners ?? new Uint16Array() };
  }

  async function count({ file }: RevisionEntry): Promise<EmbeddingCoverage> {
    const { blobIds } = await readBlobIds(path.join(folder, file));
    const coverage = { chunks: 0, inTable: 0, encoded: 0 };
    for (const blobId of new Set(blobIds)) {
      if (blobId === 0) continue;
      const wanted = chunks[blobId] ?? 0;
      coverage.chunks += wanted;
      coverage.inTable += Math.min(wanted, vectors.table[blobId] ?? 0);
      coverage.encoded += Math.min(wanted, vectors.encoded[blobId] ?? 0);
    }
    return coverage;
  }
}
