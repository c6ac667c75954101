import type { Chunk, KeywordHit } from '../../search/index.ts';
import type { GraphStep } from '../types.ts';

/** A chunk that some stage has found, with what the stages know of it. Figures depend on what is visible alone. */
export interface Candidate {
  /** By which it is told apart and by which equal ones come in order: the document, then the place within it. */
  readonly key: number;
  /** The view's rank of the first document that shows it and fits the filters. */
  readonly document: number;
  readonly segment: number;
  readonly blob: number;
  readonly blobId: number;
  readonly part: number;
  readonly chunk: Chunk;
  keyword: KeywordHit | null;
  /** Places in the lists that have it, from 1; 0 for none. */
  keywordPlace: number;
  meaning: MeaningPlace | null;
  graph: GraphPlaceFound | null;
  /** Cosines with its vectors; null where it has none of that kind, or nobody looked. */
  tableCosine: number | null;
  encoderCosine: number | null;
}

export interface MeaningPlace {
  place: number;
  by: 'table' | 'encoder';
  cosine: number;
}

export interface GraphPlaceFound {
  place: number;
  relation: GraphStep;
  of: string;
}

/** Chunks of a text are fewer. */
const CHUNKS_OF_A_TEXT = 2 ** 20;

export function candidateKey(document: number, part: number): number {
  return document * CHUNKS_OF_A_TEXT + part;
}
