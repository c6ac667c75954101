import type { FactsSkip, FactsSummary } from '../search/index.ts';
import type { BuildFault } from './build-messages.ts';
import type { ChunksReplies, ChunksRequest } from './chunks-messages.ts';

/** Number that stands for the language of a blob which no document shows: whatever it is, nobody knows it yet. */
export const UNNAMED_LANGUAGE = 0xffff;

export type FactsRequest =
  | ChunksRequest
  | {
      kind: 'begin';
      /** Tells apart what a thread builds side by side. */
      job: number;
      segment: string;
      /** File of the dictionaries of the segment. */
      dictionaries: string | null;
      /** Where the facts go. */
      file: string;
      factsVersion: string;
      /** The first blob of the segment that is in the file, as its number 0. */
      first: number;
      /** For each blob from there on: by which language it is read, and by which path. */
      languages: Uint16Array;
      paths: readonly string[];
      /** Blobs of the segment that have ended a thread. */
      skips: ReadonlyMap<number, FactsSkip>;
    }
  /** Goes on for about so long. */
  | { kind: 'work'; job: number; sliceMs: number }
  | { kind: 'finish'; job: number }
  | { kind: 'discard'; job: number }
  /** One file of several. Pairs: position in `inputs`, number of the blob in it. */
  | { kind: 'merge'; inputs: readonly string[]; order: Uint32Array; file: string };

export interface FactsReplies extends ChunksReplies {
  begin: null;
  work: { isDone: boolean; extracted: number; textBytes: number };
  finish: FactsSummary;
  discard: null;
  merge: FactsSummary;
}

export type FactsReply =
  | { ok: true; value: FactsReplies[keyof FactsReplies] }
  | { ok: false; fault: BuildFault };

export interface FactsWorkerData {
  /** What the thread is at: job, blob and a count that grows with each blob; the blob is -1 between blobs. */
  at: SharedArrayBuffer;
}
