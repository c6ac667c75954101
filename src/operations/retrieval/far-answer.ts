import type { RetrievalAnswer, RetrievedChunk } from '../../retrieval/index.ts';

/**
 * A hit of meaning from here on is near also where no word of the question stands anywhere. Measured by the best cosine of each question:
 * - the default encoder over all of a web framework (328 pieces of 30 lines): 10 questions about it 0.50 to 0.66, 13 about other
 *   programs 0.21 to 0.44, 7 in other human languages 0.13 to 0.22, 10 without any sense 0.13 to 0.29. Other models may call all texts
 *   nearer than that: with these the note is not made, which is the lesser fault.
 * - the table over six programs (15 137 pieces): 8 questions about them 0.38 to 0.82, other languages up to 0.57, without any sense up
 *   to 0.48. It tells little by itself, so what decides there is that no word was found.
 */
const NEAR = { table: 0.6, encoder: 0.45 };

/**
 * Whether nothing that was found is near the question: no word of it stands in anything that was searched, and no vector is close.
 * Vectors always have a nearest one, also of a question in a language that the models do not know.
 */
export function isFar({
  stages,
  hits,
}: Pick<RetrievalAnswer, 'stages'> & { hits: readonly Pick<RetrievedChunk, 'because'>[] }): boolean {
  const words = stages.find(({ stage }) => stage === 'keywords');
  if (words?.state !== 'ran' || words.count > 0) return false;
  return !hits.some(({ because }) =>
    because.some(
      (reason) => (reason.by === 'table' || reason.by === 'encoder') && reason.cosine >= NEAR[reason.by],
    ),
  );
}

export const FAR =
  'Nothing is near this question: none of its words stands in what was searched, and what follows is only what resembles it most. English words work best, such as the code itself would have them.';
