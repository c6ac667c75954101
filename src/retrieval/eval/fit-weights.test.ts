import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { type FitQuestion, fitWeights, isHeldOut } from './fit-weights.ts';
import { metricsOf } from './metrics.ts';
import type { RankedPlace } from './types.ts';

const names = ['words', 'cosine', 'noise', 'never'] as const;

/** Wanted candidates have more of `words` and `cosine`; `noise` says nothing. */
function madeUp(count: number, seed: number): FitQuestion[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, (_, at) => {
    const wantedAt = random.below(20);
    const candidates = Array.from({ length: 20 }, (_, place): RankedPlace => {
      const more = place === wantedAt ? 0.35 : 0;
      return {
        ...{ repository: 'f/o/r', path: `file${place}.ts`, lines: { start: 1, end: 9 }, score: 0 },
        features: {
          words: random.next() * 0.6 + more,
          cosine: random.next() * 0.8 + more / 2,
          noise: random.next(),
          never: 0,
        },
      };
    });
    const wanted = [{ repository: 'f/o/r', path: `file${wantedAt}.ts`, lines: null }];
    return { pair: { question: `question ${at}`, repositories: null, parameters: {}, wanted }, candidates };
  });
}

function meanReciprocalRank(
  questions: readonly FitQuestion[],
  weights: Readonly<Record<string, number>>,
): number {
  const score = ({ features }: RankedPlace) =>
    names.reduce((sum, name) => sum + features[name]! * weights[name]!, 0);
  const each = questions.map(
    ({ candidates, pair }) =>
      metricsOf(
        [...candidates].sort((one, other) => score(other) - score(one)),
        pair.wanted,
      ).MRR,
  );
  return each.reduce((sum, one) => sum + one, 0) / each.length;
}

describe('fitted weights', () => {
  const start = { words: 0.1, cosine: 0.1, noise: 0.5, never: 0.25 };
  const train = madeUp(150, 1);
  const fitted = fitWeights(train, { start });

  it('find on questions that they have not seen what the start does not', () => {
    const heldOut = madeUp(150, 2);
    const before = meanReciprocalRank(heldOut, start);
    const after = meanReciprocalRank(heldOut, fitted.weights);
    expect(before).toBeLessThan(0.4);
    expect(after).toBeGreaterThan(before + 0.3);
    expect(fitted).toMatchObject({ questions: 150 });
    expect(fitted.lossAfter).toBeLessThan(fitted.lossBefore / 2);
  });

  it('give nothing to what says nothing, and leave alone what never stands', () => {
    const { words, noise, never } = fitted.weights;
    expect(Math.abs(noise!)).toBeLessThan(Math.abs(words!) / 8);
    expect(never).toBeCloseTo(start.never, 5);
  });

  it('are the same to the digit for the same examples in the same order, and near them in another', () => {
    expect(fitWeights(madeUp(150, 1), { start })).toEqual(fitted);
    const turned = fitWeights([...train].reverse(), { start }).weights;
    for (const name of names) expect(turned[name]).toBeCloseTo(fitted.weights[name]!, 4);
  });

  it('stay at the start when they are held to it, or when there is nothing to learn from', () => {
    const held = fitWeights(train, { start, regularisation: 1e9 }).weights;
    for (const name of names) expect(held[name]).toBeCloseTo(start[name], 3);
    const nothing = train.map(({ pair, candidates }) => ({ pair: { ...pair, wanted: [] }, candidates }));
    expect(fitWeights(nothing, { start })).toEqual({
      weights: start,
      questions: 0,
      lossBefore: 0,
      lossAfter: 0,
    });
  });

  it('a question with many pairs counts as much as one with few', () => {
    const twice = fitWeights([...train, ...train], { start }).weights;
    for (const name of names) expect(twice[name]).toBeCloseTo(fitted.weights[name]!, 4);
  });

  it('few examples of the wanted alone are no ground to leave the start far', () => {
    const { weights } = fitWeights(madeUp(1, 3), { start });
    for (const name of names) expect(Number.isFinite(weights[name])).toBe(true);
  });
});

describe('the questions that are held out', () => {
  it('are about the share that is wanted', () => {
    const held = Array.from({ length: 2000 }, (_, at) => isHeldOut(`question ${at}`)).filter(Boolean).length;
    expect(held / 2000).toBeGreaterThan(0.26);
    expect(held / 2000).toBeLessThan(0.34);
  });
  it('are the same however a question is written', () => {
    for (let at = 0; at < 50; at++)
      expect(isHeldOut(`Where is ${at} kept?`)).toBe(isHeldOut(`where is  ${at}, kept`));
  });
});
