import { expect, test } from 'vitest';
import type { VectorAnswer, VectorHit } from '../store/store-types.ts';
import { semanticList } from './semantic-list.ts';

const answer = (mean: number, deviation: number, ...scores: [number, number][]): VectorAnswer => ({
  hits: scores.map(([owner, score]): VectorHit => ({ owner, part: 0, score })),
  mean,
  deviation,
  rows: { allowed: 100, scored: 100, sketched: 0, damaged: 0 },
});

test('each chunk stands once, with its encoder vector where it has one, by deviations above the mean', () => {
  const encoder = answer(0.1, 0.1, [1, 0.6], [2, 0.3]);
  const table = answer(0, 0.2, [3, 0.7], [1, 0.9], [4, 0.5], [5, 0.2]);
  const list = semanticList({ encoder, table, isEncoded: ({ owner }) => [1, 2, 4].includes(owner) }, 10);
  expect(list.map(({ owner, by, score }) => [owner, by, Number(score.toFixed(6))])).toEqual([
    [1, 'encoder', 5],
    [3, 'table', 3.5],
    [2, 'encoder', 2],
    [5, 'table', 1],
  ]);
});

test('a model that scores everything alike decides nothing', () => {
  const list = semanticList(
    { encoder: answer(0.5, 0, [1, 0.5]), table: answer(0, 0.1, [2, 0.1]), isEncoded: () => false },
    1,
  );
  expect(list.map(({ owner }) => owner)).toEqual([2]);
});
