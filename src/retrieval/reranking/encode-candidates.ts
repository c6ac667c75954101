import type { CandidateEncoder } from '../../vectors/index.ts';
import { linearScore } from '../scorer/linear-scorer.ts';
import type { RankedChunk } from '../thread/retrieval-question.ts';
import type { ScorerWeights } from '../types.ts';

/**
 * Scores hits anew with the encoder's cosines, where there are too many chunks to embed in advance: the first of a list are embedded
 * for the question, and what was embedded once is remembered. Hits without a text to embed stay as they are.
 */
export async function encodeCandidates(
  question: string,
  hits: readonly RankedChunk[],
  { encoder, weights }: { encoder: Pick<CandidateEncoder, 'cosines'>; weights: ScorerWeights },
  signal: AbortSignal,
): Promise<readonly RankedChunk[]> {
  const read = hits.filter(({ candidate }) => candidate !== null);
  const cosines = await encoder.cosines(
    question,
    read.map(({ candidate }) => candidate!),
    signal,
  );
  const scored = read.map((hit, at) => {
    const features = { ...hit.features, cosine: cosines[at]! };
    // What its file added stays.
    const added = hit.score - linearScore(hit.features, weights);
    return { hit: { ...hit, features, score: linearScore(features, weights) + added }, at };
  });
  scored.sort((a, b) => b.hit.score - a.hit.score || a.at - b.at);
  return [...scored.map(({ hit }) => hit), ...hits.filter(({ candidate }) => candidate === null)];
}
