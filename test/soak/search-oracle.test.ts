import { describe, expect, it } from 'vitest';
import { runSearchOracle } from '../../src/search/engine/testing/search-oracle.ts';

const isSoak = process.env['PERISCOPE_SOAK_SEEDS'] !== undefined;
const seeds = isSoak ? Number(process.env['PERISCOPE_SOAK_SEEDS']) * 20 : 20;
const SEEDS_PER_TEST = 20;

describe('a search finds what a naive scan finds', () => {
  for (let first = 1; first <= seeds; first += SEEDS_PER_TEST) {
    const last = Math.min(seeds, first + SEEDS_PER_TEST - 1);
    it(`seeds ${first} to ${last}`, async () => {
      let found = 0;
      for (let seed = first; seed <= last; seed++) {
        const { disagreements, filesFound } = await runSearchOracle(seed, 8);
        expect(disagreements).toEqual([]);
        found += filesFound;
      }
      expect(found).toBeGreaterThan(0);
    });
  }
});
