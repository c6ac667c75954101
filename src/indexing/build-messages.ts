import type {
  ChunksSummary,
  DictionarySample,
  DictionarySet,
  FactsSummary,
  SegmentSummary,
  SkipReason,
} from '../search/index.ts';

/** One text on its way into a segment. */
export interface BuildItem {
  oid: string;
  /** 0: only that the repository holds what the id says is to be proved. */
  blobId: number;
  /** Of the dictionaries. */
  group: number;
  /** Whether the bytes are compared with the id: git does not when it reads. */
  verify: boolean;
  offset: number;
  length: number;
}

export type BuildRequest =
  | { kind: 'begin'; file: string; dictionaries: DictionarySet | null; trigramsMax: number }
  /** Texts in their order, all in one buffer, which comes back with the answer. */
  | { kind: 'texts'; buffer: ArrayBuffer; items: readonly BuildItem[] }
  | { kind: 'finish' }
  | { kind: 'discard' }
  /** Decoded and masked samples of texts, then the set trained from all of them. */
  | { kind: 'samples'; buffer: ArrayBuffer; items: readonly BuildItem[] }
  | { kind: 'train'; folder: string }
  | {
      kind: 'merge';
      inputs: readonly string[];
      /** Pairs: position in `inputs`, number of the blob in it. */
      order: Uint32Array;
      file: string;
      folder: string;
      inputDictionaries: readonly string[];
      dictionaries: string | null;
      /** The facts of the inputs go the same way. */
      facts: { inputs: readonly string[]; file: string } | null;
      /** And their chunks. */
      chunks: { inputs: readonly string[]; file: string } | null;
    };

export interface TextOutcome {
  skipped: SkipReason | null;
  maskedSpans: number;
  interpreter: number;
}

export interface BuildReplies {
  begin: null;
  texts: {
    buffer: ArrayBuffer;
    outcomes: readonly TextOutcome[];
    textBytes: number;
    memoryBytes: number;
  };
  finish: SegmentSummary | null;
  discard: null;
  samples: { buffer: ArrayBuffer };
  train: { name: string; set: DictionarySet } | null;
  merge: { segment: SegmentSummary; facts: FactsSummary | null; chunks: ChunksSummary | null };
}

export interface BuildFault {
  code: string | null;
  message: string;
  /** Of the index, that it was about. */
  damagedFile: string | null;
}

export type BuildReply =
  | { ok: true; value: BuildReplies[keyof BuildReplies] }
  | { ok: false; fault: BuildFault };

export type { DictionarySample };
