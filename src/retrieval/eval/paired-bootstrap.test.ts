import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { pairedBootstrap } from './paired-bootstrap.ts';

describe('a paired bootstrap', () => {
  it('is the same for the same seed, and nearly the same for another', () => {
    const random = new SeededRandom(5);
    const differences = Array.from({ length: 200 }, () => random.next() - 0.45);
    const one = pairedBootstrap(differences, 1);
    expect(pairedBootstrap(differences, 1)).toEqual(one);
    const other = pairedBootstrap(differences, 2);
    expect(other).not.toEqual(one);
    expect(Math.abs(other.low - one.low)).toBeLessThan(0.003);
  });

  it('comes near the interval of the normal law where that holds', () => {
    // Uniform over [-0.5, 0.5) moved by 0.1: standard error sqrt(1/12/400) = 0.01443.
    const random = new SeededRandom(9);
    const differences = Array.from({ length: 400 }, () => random.next() - 0.4);
    const { mean, low, high } = pairedBootstrap(differences);
    expect(low).toBeCloseTo(mean - 1.96 * 0.01443, 2);
    expect(high).toBeCloseTo(mean + 1.96 * 0.01443, 2);
  });

  it('holds the true mean in about 95 of 100 draws of the questions', () => {
    let held = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const random = new SeededRandom(seed);
      const { low, high } = pairedBootstrap(
        Array.from({ length: 60 }, () => random.next() - 0.5),
        1,
        1000,
      );
      if (low <= 0 && 0 <= high) held++;
    }
    expect(held).toBeGreaterThanOrEqual(183);
    expect(held).toBeLessThanOrEqual(198);
  });

  it('knows no chance where every question says the same', () => {
    expect(pairedBootstrap([0.25, 0.25, 0.25])).toEqual({ mean: 0.25, low: 0.25, high: 0.25 });
    expect(pairedBootstrap([])).toEqual({ mean: 0, low: 0, high: 0 });
  });

  it('one lucky question of many proves nothing', () => {
    const { mean, low } = pairedBootstrap([1, ...Array.from({ length: 19 }, () => 0)]);
    expect(mean).toBeCloseTo(0.05);
    expect(low).toBe(0);
  });
});
