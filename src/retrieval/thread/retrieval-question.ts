import type { ChunkText, VectorHandle, VectorKind } from '../../vectors/index.ts';
import type { RankingSettings, RetrievalAnswer, RetrievalFilters, RetrievedChunk } from '../types.ts';

/** A question as it is sent to a thread, which has the scope already. */
export interface RetrievalQuestion {
  kind: 'retrieval';
  question: string;
  filters: RetrievalFilters;
  /** Chunks that come back. */
  limit: number;
  ranking: RankingSettings;
  /** The vectors as they are now; null where there are none. */
  vectors: VectorHandle | null;
  /** The question as the encoder sees it; null where nobody encoded it, and `encoderWhy` says why. */
  encoder: { kind: VectorKind; vector: Float32Array } | null;
  encoderWhy: string | null;
  /** Where the view shows more chunks, the encoder has seen none of them: hits come with what it is to read. Null: never. */
  candidatesAbove: number | null;
  /** Chunks that come back then, at least. */
  candidates: number;
  /** Bytes of each chunk's text that come back with it; 0 for none. */
  textBytesMax: number;
}

export interface RankedChunk extends RetrievedChunk {
  /** What an encoder is to read of it; null where that is not wanted. */
  candidate: { owner: number; part: number; text: ChunkText } | null;
  /** Empty where none was asked for. */
  text: string;
}

/** What a thread answers with. */
export interface RankedAnswer extends Omit<RetrievalAnswer, 'hits'> {
  hits: readonly RankedChunk[];
  /** An answer is whole: nothing goes on from it. */
  next: null;
}
