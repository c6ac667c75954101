import type { LabelledPlace, MetricName, Metrics, RankedPlace } from './types.ts';
import { metricNames } from './types.ts';

/**
 * How well a ranking finds what was wanted. A wanted place is found by the first ranked place that touches its lines; further ones add
 * nothing, so that a file in many pieces is no better than a file in one. Gains are 0 or 1.
 *
 * recall@k: share of the wanted places found among the first k. MRR: 1 / place of the first that is found, 0 where none is. NDCG@10
 * (Järvelin and Kekäläinen 2002): the sum of 1 / log2(place + 1) over the ranked places that find something new, as a share of what
 * the best order of as many wanted places would give.
 */
export function metricsOf(ranked: readonly RankedPlace[], wanted: readonly LabelledPlace[]): Metrics {
  const places = foundAt(ranked, wanted);
  const recall = (k: number) => places.filter((place) => place <= k).length / Math.max(1, wanted.length);
  const gains = [...new Set(places)].filter((place) => place <= 10).map(gainAt);
  const best = wanted.slice(0, 10).map((_, at) => gainAt(at + 1));
  return {
    'recall@1': recall(1),
    'recall@5': recall(5),
    'recall@10': recall(10),
    'recall@50': recall(50),
    MRR: places.length === 0 ? 0 : 1 / Math.min(...places),
    'NDCG@10': best.length === 0 ? 0 : sum(gains) / sum(best),
  };
}

/** Of each wanted place that is found, where in the ranking, from 1. */
export function foundAt(ranked: readonly RankedPlace[], wanted: readonly LabelledPlace[]): number[] {
  const places = wanted.map((one) => ranked.findIndex((place) => touches(place, one)) + 1);
  return places.filter((place) => place > 0);
}

export function touches(place: RankedPlace, wanted: LabelledPlace): boolean {
  return [place, ...(place.also ?? [])].some((one) => isSamePlace(one, wanted));
}

function isSamePlace(place: LabelledPlace, wanted: LabelledPlace): boolean {
  if (place.path !== wanted.path || !sameRepository(place.repository, wanted.repository)) return false;
  if (place.lines === null || wanted.lines === null) return true;
  return place.lines.start <= wanted.lines.end && wanted.lines.start <= place.lines.end;
}

/** A label may leave the host out. */
function sameRepository(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

export function meanOf(all: readonly Metrics[]): Metrics {
  const mean = (name: MetricName) => all.reduce((sum, one) => sum + one[name], 0) / Math.max(1, all.length);
  return Object.fromEntries(metricNames.map((name) => [name, mean(name)])) as Record<MetricName, number>;
}

function gainAt(place: number): number {
  return 1 / Math.log2(place + 1);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
