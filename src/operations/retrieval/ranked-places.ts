import type { Repository } from '../../catalog/index.ts';
import type { ChunkPlace, LabelledPair, RankedAnswer, RankingSettings } from '../../retrieval/index.ts';
import type { MeaningFinder } from './meaning-finder.ts';

/** Answers a labelled question as the tool would, under a ranking of the evaluation's choice. */
export async function rankedPlaces(
  { question, repositories: repo, parameters }: Omit<LabelledPair, 'wanted'>,
  { ranking, limit, visible, signal }: RankedPlacesOptions,
  finder: MeaningFinder,
): Promise<RankedAnswer> {
  const { revision } = parameters;
  const asked = {
    question,
    repo: repo ?? [],
    file: textsIn(parameters['file']),
    lang: textsIn(parameters['lang']),
    kind: textsIn(parameters['kind']),
    revision: typeof revision === 'string' ? revision : undefined,
    limit,
    ranking,
  };
  const prepared = await finder.prepare(asked, visible, signal);
  const { answer, repositories } = await finder.find(prepared, limit, signal);
  const labelled = (place: ChunkPlace) => {
    const repository = repositories.get(place.repositoryId);
    const lines = { start: place.startLine, end: place.endLine };
    return repository
      ? [{ repository: `${repository.host}/${repository.name}`, path: place.path, lines }]
      : [];
  };
  const places = answer.hits.flatMap(({ place, score, features, slices, also, similar }) =>
    labelled(place).map((one) => ({
      ...one,
      score,
      features,
      also: [...slices.map((lines) => ({ ...place, ...lines })), ...also, ...similar].flatMap(labelled),
    })),
  );
  const leftOut = answer.stages.flatMap(({ stage, state }) => (state === 'left-out' ? [stage] : []));
  return { places, leftOut };
}

export interface RankedPlacesOptions {
  ranking: RankingSettings;
  limit: number;
  visible: readonly Repository[];
  signal: AbortSignal;
}

function textsIn(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one): one is string => typeof one === 'string');
}
