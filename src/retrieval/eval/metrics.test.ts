import { describe, expect, it } from 'vitest';
import { foundAt, meanOf, metricsOf, touches } from './metrics.ts';
import type { LabelledPlace, Metrics, RankedPlace } from './types.ts';

const place = (text: string): RankedPlace => {
  const [, repository, path, start, end] = /^(.+):(.+)#(\d+)-(\d+)$/.exec(text)!;
  return {
    repository: repository!,
    path: path!,
    lines: { start: Number(start), end: Number(end) },
    score: 1,
    features: {},
  };
};
const other = (at: number) => place(`f/o/x:other${at}.ts#1-9`);
const ranked = (...found: Record<number, string>[]) => {
  const all = Array.from({ length: 20 }, (_, at) => other(at));
  for (const [at, text] of found.flatMap(Object.entries<string>)) all[Number(at) - 1] = place(text);
  return all;
};
const a = place('f/o/r:a.ts#10-20');
const b = place('f/o/r:b.ts#1-5');

describe('metrics are those computed by hand', () => {
  const check = (title: string, places: RankedPlace[], wanted: LabelledPlace[], expected: Partial<Metrics>) =>
    it(title, () => {
      const metrics = metricsOf(places, wanted);
      for (const [name, value] of Object.entries(expected))
        expect(metrics[name as keyof Metrics], name).toBeCloseTo(value, 6);
    });

  check('the one wanted place first', ranked({ 1: 'f/o/r:a.ts#10-20' }), [a], {
    ...{ 'recall@1': 1, 'recall@5': 1, 'recall@10': 1, 'recall@50': 1, MRR: 1, 'NDCG@10': 1 },
  });
  check('third', ranked({ 3: 'f/o/r:a.ts#10-20' }), [a], {
    // 1 / log2(4) = 0.5
    ...{ 'recall@1': 0, 'recall@5': 1, MRR: 1 / 3, 'NDCG@10': 0.5 },
  });
  check('twelfth: beyond NDCG@10', ranked({ 12: 'f/o/r:a.ts#10-20' }), [a], {
    ...{ 'recall@10': 0, 'recall@50': 1, MRR: 1 / 12, 'NDCG@10': 0 },
  });
  check('two wanted, first and fifth', ranked({ 1: 'f/o/r:a.ts#10-20', 5: 'f/o/r:b.ts#1-5' }), [a, b], {
    // (1 + 1/log2(6)) / (1 + 1/log2(3)) = 1.386853 / 1.6309298
    ...{ 'recall@1': 0.5, 'recall@5': 1, MRR: 1, 'NDCG@10': 0.8503449 },
  });
  check(
    'a place that comes again adds nothing',
    ranked({ 1: 'f/o/r:a.ts#10-12', 2: 'f/o/r:a.ts#13-20' }),
    [a, b],
    {
      // 1 / 1.6309298
      ...{ 'recall@10': 0.5, MRR: 1, 'NDCG@10': 0.61314719 },
    },
  );
  check(
    'one ranked place that holds two wanted ones finds both, and gains once',
    ranked({ 2: 'f/o/r:a.ts#1-99' }),
    [a, place('f/o/r:a.ts#40-50')],
    {
      // 1/log2(3) = 0.63092975; / 1.6309298
      ...{ 'recall@1': 0, 'recall@5': 1, MRR: 0.5, 'NDCG@10': 0.38685281 },
    },
  );
  check('nothing found', ranked(), [a], { 'recall@50': 0, MRR: 0, 'NDCG@10': 0 });
  check('nothing ranked', [], [a], { 'recall@50': 0, MRR: 0, 'NDCG@10': 0 });
  it('twelve wanted: the best order fills ten places', () => {
    const wanted = Array.from({ length: 12 }, (_, at) => other(at));
    expect(metricsOf(ranked(), wanted)).toMatchObject({ 'recall@10': 10 / 12, 'NDCG@10': 1 });
  });
  it('the mean is over questions', () => {
    const one = metricsOf(ranked({ 1: 'f/o/r:a.ts#10-20' }), [a]);
    const none = metricsOf(ranked(), [a]);
    expect(meanOf([one, none, none, one])).toMatchObject({ MRR: 0.5, 'recall@1': 0.5 });
  });
});

describe('a ranked place is the wanted one', () => {
  const check = (title: string, wanted: LabelledPlace, expected: boolean) =>
    it(title, () => expect(touches(a, wanted)).toBe(expected));
  check('when one line is the same', place('f/o/r:a.ts#20-30'), true);
  check('not when it stands beside it', place('f/o/r:a.ts#21-30'), false);
  check('whatever its lines, when the whole file is wanted', { ...a, lines: null }, true);
  check('also when the label leaves the host out', { ...a, repository: 'o/r' }, true);
  check('not when the name only ends alike', { ...a, repository: 'xo/r' }, false);
  check('not of another file', place('f/o/r:b.ts#10-20'), false);
  it('and the first of several is where it is found', () => {
    expect(foundAt(ranked({ 4: 'f/o/r:a.ts#1-10', 2: 'f/o/r:a.ts#20-21' }), [a])).toEqual([2]);
  });
});
