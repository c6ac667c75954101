import type { Repository } from '../../catalog/index.ts';
import type { RetrievalAnswer, TracedSearch } from '../../retrieval/index.ts';
import type { PreparedMeaning } from './asked-meaning.ts';

/** What of an answered question is kept to learn from: all but who asked and what the places say. */
export function tracedMeaning(
  { asked, repositories: searched }: PreparedMeaning,
  { hits, stages }: RetrievalAnswer,
  repositories: ReadonlyMap<number, Repository>,
): Omit<TracedSearch, 'asker' | 'shownTexts'> {
  const { question, repo, file, lang, kind, revision, limit } = asked;
  const isNarrowed = repo.some((one) => !/^[!-]/.test(one));
  return {
    question,
    parameters: { file, lang, kind, revision: revision ?? null, limit },
    narrowedTo: isNarrowed ? searched.map(({ id }) => id) : null,
    ranking: stages.flatMap(({ stage, state }) => (state === 'ran' ? [stage] : [])).join('+'),
    citations: hits.flatMap(({ place, score, features }) => {
      const repository = repositories.get(place.repositoryId);
      if (!repository) return [];
      const { repositoryId, commit, path, startLine, endLine } = place;
      const name = `${repository.host}/${repository.name}`;
      return [
        { repositoryId, name, commit, path, lines: { start: startLine, end: endLine }, score, features },
      ];
    }),
  };
}
