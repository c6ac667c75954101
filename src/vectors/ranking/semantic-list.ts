import type { VectorAnswer, VectorHit } from '../store/store-types.ts';

export interface SemanticHit {
  owner: number;
  part: number;
  /** How many deviations above the mean of its model's scores for this question. */
  score: number;
  /** The cosine that it comes from. */
  cosine: number;
  by: 'encoder' | 'table';
}

export interface SemanticListInput {
  /** What the encoder's vectors find, of all that have one. */
  encoder: VectorAnswer;
  /** What the static table's vectors find, of everything. */
  table: VectorAnswer;
  /** Whether what a hit of the table stands for has a vector of the encoder. */
  isEncoded(hit: VectorHit): boolean;
}

/**
 * One list in which each chunk stands with the best vector that it has, while the encoder has seen some of them: scores of the two
 * models are made comparable by the mean and deviation of each over everything that it scored. Two lists fused by rank would rank
 * what has no encoder vector yet behind everything else, and that falls below keywords alone.
 */
export function semanticList(
  { encoder, table, isEncoded }: SemanticListInput,
  limit: number,
): readonly SemanticHit[] {
  const ofEncoder = encoder.hits.map((hit) => normalised(hit, encoder, 'encoder'));
  // A chunk that the encoder has seen and does not list is worse than all that it lists.
  const ofTable = table.hits.filter((hit) => !isEncoded(hit)).map((hit) => normalised(hit, table, 'table'));
  return [...ofEncoder, ...ofTable]
    .sort((a, b) => b.score - a.score || a.owner - b.owner || a.part - b.part)
    .slice(0, limit);
}

function normalised(
  { owner, part, score: cosine }: VectorHit,
  { mean, deviation }: VectorAnswer,
  by: SemanticHit['by'],
): SemanticHit {
  return { owner, part, score: deviation > 0 ? (cosine - mean) / deviation : 0, cosine, by };
}
