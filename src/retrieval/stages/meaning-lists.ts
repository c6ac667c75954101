import {
  isSameKind,
  semanticList,
  type VectorAnswer,
  type VectorHandle,
  type VectorKind,
  type VectorScanner,
} from '../../vectors/index.ts';
import type { Candidate, MeaningPlace } from '../thread/candidates.ts';
import type { ChunkGround } from '../thread/chunk-ground.ts';
import type { LeftOut } from '../thread/stage-runs.ts';

/** A question as one model sees it. */
export interface SeenQuestion {
  kind: VectorKind;
  vector: Float32Array;
}

export interface MeaningGround {
  scanner: VectorScanner;
  handle: VectorHandle;
  /** By the number of a text. */
  bits: Uint8Array;
  chunks: ChunkGround;
  limit: number;
  accepts(candidate: Candidate): boolean;
  isCancelled(): boolean;
}

/** Of the chunks that may be found. */
export const NO_VECTOR = 'no chunk has such a vector yet';

/** What the vectors of one kind find. */
export function nearest(seen: SeenQuestion, ground: MeaningGround): VectorAnswer | LeftOut {
  const { scanner, handle, bits, limit, isCancelled } = ground;
  if (!handle.segments.some(({ head }) => isSameKind(head.kind, seen.kind))) return { why: NO_VECTOR };
  // Nothing in the question means anything to the model.
  if (seen.vector.every((value) => value === 0))
    return { why: 'the question has no word that the model knows' };
  const query = { ...seen, limit, allowed: { form: 'bitmap', bits } as const };
  const answer = scanner.search(handle, query, isCancelled);
  // As if nothing were there at all: what is hidden may have some.
  return answer.rows.allowed === 0 ? { why: NO_VECTOR } : withoutCutTies(answer, limit);
}

/** Which of equally good ones came last of a full list depends on their numbers, and these on what is hidden. */
function withoutCutTies(answer: VectorAnswer, limit: number): VectorAnswer {
  const { hits } = answer;
  if (hits.length < limit) return answer;
  const last = hits.at(-1)!.score;
  return { ...answer, hits: hits.filter(({ score }) => score > last) };
}

export interface MeaningList {
  candidates: readonly Candidate[];
  weight: number;
}

const TABLE_WEIGHT_BESIDE = 0.5;

/**
 * The lists of meaning that are fused: one for each model once the encoder has seen every chunk, and until then one in which each chunk
 * stands with the best vector that it has. Marks where each candidate stands.
 */
export function meaningLists(
  table: VectorAnswer | null,
  encoder: { answer: VectorAnswer; seen: SeenQuestion } | null,
  chunksInAll: number,
  ground: MeaningGround,
): MeaningList[] {
  const { scanner, handle } = ground;
  if (encoder === null)
    return table === null ? [] : [{ candidates: listed(hitsOf(table, 'table'), ground), weight: 1 }];
  const { answer, seen } = encoder;
  const ofEncoder = hitsOf(answer, 'encoder');
  if (table === null) return [{ candidates: listed(ofEncoder, ground), weight: 1 }];
  if (answer.rows.allowed >= chunksInAll) {
    return [
      { candidates: listed(ofEncoder, ground), weight: 1 },
      { candidates: listed(hitsOf(table, 'table'), ground), weight: TABLE_WEIGHT_BESIDE },
    ];
  }
  const cosines = scanner.scoresOf(handle, seen, table.hits);
  const encoded = new Set(table.hits.filter((_, at) => cosines[at] !== null));
  const hits = semanticList({ encoder: answer, table, isEncoded: (hit) => encoded.has(hit) }, ground.limit);
  return [{ candidates: listed(hits, ground), weight: 1 }];
}

interface MeaningHit {
  owner: number;
  part: number;
  score: number;
  cosine: number;
  by: MeaningPlace['by'];
}

function hitsOf({ hits }: VectorAnswer, by: MeaningPlace['by']): MeaningHit[] {
  return hits.map(({ owner, part, score }) => ({ owner, part, score, cosine: score, by }));
}

/** Equal ones in the order of documents: their numbers say nothing. A place that is taken already is kept. */
function listed(hits: readonly MeaningHit[], { chunks, accepts }: MeaningGround): Candidate[] {
  const found = hits.flatMap((hit) => {
    const candidate = chunks.ofOwner(hit.owner, hit.part);
    return candidate !== null && accepts(candidate) ? [{ candidate, hit }] : [];
  });
  found.sort((a, b) => b.hit.score - a.hit.score || a.candidate.key - b.candidate.key);
  for (const [at, { candidate, hit }] of found.entries())
    candidate.meaning ??= { place: at + 1, by: hit.by, cosine: hit.cosine };
  return found.map(({ candidate }) => candidate);
}
