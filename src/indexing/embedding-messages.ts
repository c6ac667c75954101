import type { ChunkText, VectorKind } from '../vectors/index.ts';
import type { BuildFault } from './build-messages.ts';

/** A segment with its chunks, as files. */
export interface EmbeddedSegment {
  segment: string;
  /** File of the dictionaries of the segment. */
  dictionaries: string | null;
  chunks: string;
}

/** What the one thread that writes vectors is asked. */
export type EmbeddingRequest =
  | {
      kind: 'open';
      folder: string;
      fence: number;
      /** Of the chunks that parts are numbered by. */
      edition: string;
      /** Texts have smaller numbers: vectors of larger ones are of an index that is gone. */
      ownersEnd: number;
    }
  /** Vectors of texts that are not there any more go. `purge`: from the disk as well, at once. */
  | { kind: 'present'; bits: Uint8Array; ownersEnd: number; purge: boolean }
  /** The table's vectors for one segment, a slice at a time; one segment at once. */
  | { kind: 'embed-begin'; segment: EmbeddedSegment }
  | { kind: 'embed-work'; sliceMs: number }
  | { kind: 'embed-finish' }
  | { kind: 'embed-discard' }
  /** How much the texts of a segment are used, by its facts. */
  | { kind: 'uses'; facts: string }
  /** What the encoder is to see, in this order: number of the text, of its segment among these, of its blob there; three by three. */
  | { kind: 'plan'; segments: readonly EmbeddedSegment[]; order: Uint32Array; encoder: VectorKind }
  | { kind: 'next'; limit: number }
  /** The encoder's vectors, one behind the other, of chunks that `next` gave. */
  | {
      kind: 'append';
      encoder: VectorKind;
      owners: Uint32Array;
      parts: Uint32Array;
      vectors: Float32Array;
    }
  /** Texts that the encoder cannot take: passed over until the store is opened anew. */
  | { kind: 'pass-over'; owners: Uint32Array }
  /** Vectors of other kinds go. */
  | { kind: 'keep'; encoders: 'all' | readonly VectorKind[] }
  | { kind: 'tidy' };

export interface EncoderBatch {
  owners: Uint32Array;
  parts: Uint32Array;
  texts: readonly ChunkText[];
}

export interface EmbeddingReplies {
  open: {
    /** Damaged or missing files, whose vectors are to be made anew. */ broken: readonly string[];
  } & VectorCounts;
  present: { deleted: number } & VectorCounts;
  'embed-begin': null;
  'embed-work': { isDone: boolean /** Kept since the last slice. */; embedded: number } & VectorCounts;
  'embed-finish': { embedded: number } & VectorCounts;
  'embed-discard': null;
  /** By blob. Null: the file is not there any more, or damaged. */
  uses: Uint32Array | null;
  plan: null;
  /** `gone`: a file of the plan is not there any more. Null: there is nothing left. */
  next: EncoderBatch | 'gone' | null;
  append: VectorCounts;
  'pass-over': null;
  keep: VectorCounts;
  tidy: { isChanged: boolean };
}

/** Vectors that are kept: of the table, and of each encoder. */
export interface VectorCounts {
  table: number;
  encoders: readonly { kind: VectorKind; rows: number }[];
}

export type EmbeddingReply =
  | { ok: true; value: EmbeddingReplies[keyof EmbeddingReplies] }
  | { ok: false; fault: BuildFault };
