import { PeriscopeError } from '../../base/errors.ts';
import { meanOf, metricsOf } from './metrics.ts';
import { pairedBootstrap } from './paired-bootstrap.ts';
import {
  type Answerer,
  type Compared,
  type Difference,
  type LabelledPair,
  type MetricName,
  type Metrics,
  metricNames,
} from './types.ts';

/** Places looked at of each answer: what recall@50 needs. */
export const RANKED_MAX = 50;

export interface CompareOptions {
  /** Of the bootstrap. Default 1. */
  seed?: number;
  /** Questions asked at the same time. Default 2. */
  concurrency?: number;
  signal: AbortSignal;
  onQuestion?: (done: number, total: number) => void;
}

/** What one configuration finds of each pair; null where it could not answer. */
export interface Replayed {
  metrics: readonly (Metrics | null)[];
  /** Stages that could not run, with the number of questions. */
  leftOut: Readonly<Record<string, number>>;
}

/** Asks every question once. A question that fails counts as nothing found; one that is cancelled ends the run. */
export async function replay<Configuration>(
  pairs: readonly LabelledPair[],
  configuration: Configuration,
  answer: Answerer<Configuration>,
  { concurrency = 2, signal, onQuestion }: CompareOptions,
): Promise<Replayed> {
  const metrics: (Metrics | null)[] = pairs.map(() => null);
  const leftOut: Record<string, number> = {};
  let next = 0;
  let done = 0;
  const work = async () => {
    for (let at = next++; at < pairs.length; at = next++) {
      const pair = pairs[at]!;
      try {
        const ranked = await answer(pair, configuration, { limit: RANKED_MAX, signal });
        metrics[at] = metricsOf(ranked.places, pair.wanted);
        for (const stage of ranked.leftOut) leftOut[stage] = (leftOut[stage] ?? 0) + 1;
      } catch (fault) {
        // A repository that is gone, a filter that is refused: the other questions still tell something.
        if (signal.aborted || !(fault instanceof PeriscopeError)) throw fault;
      }
      onQuestion?.(++done, pairs.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { metrics, leftOut };
}

export function compared(first: Replayed, second: Replayed, seed = 1): Compared {
  const pairs = first.metrics.map((one, at) => [one, second.metrics[at] ?? null] as const);
  const firsts = pairs.map(([one]) => one ?? nothingFound);
  const seconds = pairs.map(([, other]) => other ?? nothingFound);
  const difference = (name: MetricName): Difference =>
    pairedBootstrap(
      firsts.map((one, at) => seconds[at]![name] - one[name]),
      seed,
    );
  return {
    questions: pairs.length,
    failed: pairs.filter(([one, other]) => one === null || other === null).length,
    first: meanOf(firsts),
    second: meanOf(seconds),
    leftOut: second.leftOut,
    difference: Object.fromEntries(metricNames.map((name) => [name, difference(name)])) as Record<
      MetricName,
      Difference
    >,
  };
}

const nothingFound = Object.fromEntries(metricNames.map((name) => [name, 0])) as Metrics;
