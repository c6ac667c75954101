import type { KeywordAnswer } from '../../search/index.ts';
import type { Candidate } from '../thread/candidates.ts';
import type { ChunkGround } from '../thread/chunk-ground.ts';

/** What the words of a question find, the best first. */
export function keywordList({ hits }: KeywordAnswer, chunks: ChunkGround): Candidate[] {
  return hits.flatMap((hit) => {
    const candidate = chunks.ofDocument(hit.document, hit.part);
    if (candidate === null) return [];
    candidate.keyword = hit;
    return [candidate];
  });
}
