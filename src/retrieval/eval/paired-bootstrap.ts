import type { Difference } from './types.ts';

const DRAWS = 10_000;

/**
 * The mean of paired differences with its 95 % interval: questions are drawn again with replacement, both answers of a question
 * together (Efron's percentile interval). The same differences and seed give the same interval.
 */
export function pairedBootstrap(differences: readonly number[], seed = 1, draws = DRAWS): Difference {
  const count = differences.length;
  if (count === 0) return { mean: 0, low: 0, high: 0 };
  const next = seededDraws(seed);
  const values = Float64Array.from(differences);
  const means = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let at = 0; at < count; at++) sum += values[Math.floor(next() * count)]!;
    means[draw] = sum / count;
  }
  means.sort();
  const at = (share: number) => means[Math.min(draws - 1, Math.max(0, Math.round(share * (draws - 1))))]!;
  return { mean: values.reduce((sum, value) => sum + value, 0) / count, low: at(0.025), high: at(0.975) };
}

/** Numbers in [0, 1) by mulberry32: the same on every machine. */
function seededDraws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
