/**
 * Evaluation: questions whose wanted places are known, replayed against two ways of ranking. What answers is handed in: an evaluation
 * knows no index and no asker.
 */
export interface LabelledPlace {
  /** `host/owner/name`, or `owner/name`. */
  repository: string;
  path: string;
  /** Counted from 1, both inclusive; null for the whole file. */
  lines: { start: number; end: number } | null;
}

/** A question with the places that were wanted. */
export interface LabelledPair {
  question: string;
  /** Repositories that it was narrowed to; null for all. */
  repositories: readonly string[] | null;
  /** Further parameters of the search, as the tool takes them. */
  parameters: Readonly<Record<string, unknown>>;
  wanted: readonly LabelledPlace[];
}

export interface RankedPlace extends LabelledPlace {
  lines: { start: number; end: number };
  score: number;
  features: Readonly<Record<string, number>>;
  /** Other places that it stands for: copies, and what says nearly the same. */
  also?: readonly LabelledPlace[];
}

export interface RankedAnswer {
  /** Best first. */
  places: readonly RankedPlace[];
  /** Stages that were wanted and could not run, by name. */
  leftOut: readonly string[];
}

/** Whatever answers a question under a configuration. */
export type Answerer<Configuration> = (
  pair: Pick<LabelledPair, 'question' | 'repositories' | 'parameters'>,
  configuration: Configuration,
  options: { limit: number; signal: AbortSignal },
) => Promise<RankedAnswer>;

export const metricNames = ['recall@1', 'recall@5', 'recall@10', 'recall@50', 'MRR', 'NDCG@10'] as const;
export type MetricName = (typeof metricNames)[number];
export type Metrics = Readonly<Record<MetricName, number>>;

/** A difference in means over the same questions. `low` to `high` is the 95 % interval of a paired bootstrap. */
export interface Difference {
  mean: number;
  low: number;
  high: number;
}

export interface Compared {
  questions: number;
  /** Questions that one of the two could not answer at all; counted as nothing found. */
  failed: number;
  first: Metrics;
  second: Metrics;
  /** Stages of the second that could not run, with the number of questions: what they would add is not measured. */
  leftOut: Readonly<Record<string, number>>;
  /** Second minus first. */
  difference: Readonly<Record<MetricName, Difference>>;
}
