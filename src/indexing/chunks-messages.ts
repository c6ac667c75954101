import type { ChunksSummary } from '../search/index.ts';

/** What a parser thread is asked for chunks: it has the facts that texts are cut by at hand. */
export type ChunksRequest =
  | {
      kind: 'cut-begin';
      /** Tells apart what a thread builds side by side. */
      job: number;
      segment: string;
      /** File of the dictionaries of the segment. */
      dictionaries: string | null;
      facts: string;
      /** Chunks that stand already: only blobs that have none, because their facts were not known, are cut. */
      standing: string | null;
      /** Where the chunks go. */
      file: string;
      chunksVersion: string;
      /** The first blob of the segment that is in the file, as its number 0, and the end of those that are. */
      first: number;
      end: number;
    }
  /** Goes on for about so long. */
  | { kind: 'cut-work'; job: number; sliceMs: number }
  | { kind: 'cut-finish'; job: number }
  | { kind: 'cut-discard'; job: number }
  /**
   * One file of several. Pairs: position in `inputs`, number of the blob in it. Of blobs that have chunks in `standing`, whose numbers
   * are those of the new file, it takes these.
   */
  | {
      kind: 'cut-merge';
      inputs: readonly string[];
      standing: string | null;
      order: Uint32Array;
      file: string;
    };

export interface ChunksReplies {
  'cut-begin': null;
  'cut-work': { isDone: boolean; cut: number };
  'cut-finish': ChunksSummary;
  'cut-discard': null;
  'cut-merge': ChunksSummary;
}
