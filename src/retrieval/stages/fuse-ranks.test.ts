import { describe, expect, it } from 'vitest';
import { fuseRanks } from './fuse-ranks.ts';

describe('lists are fused by the places in them', () => {
  it('what several lists have comes before what one has first', () => {
    const fused = fuseRanks(
      [
        { keys: [1, 2, 3], weight: 1 },
        { keys: [4, 2], weight: 1 },
      ],
      10,
    );
    expect([...fused.keys()]).toEqual([2, 1, 4, 3]);
    expect(fused.get(2)).toBeCloseTo(2 / 12);
  });

  it('a list of half the weight counts half', () => {
    const fused = fuseRanks(
      [
        { keys: [1], weight: 0.5 },
        { keys: [2], weight: 1 },
      ],
      10,
    );
    expect([...fused]).toEqual([
      [2, 1 / 11],
      [1, 0.5 / 11],
    ]);
  });

  it('equal ones come by their keys, and no list gives nothing', () => {
    expect([
      ...fuseRanks(
        [
          { keys: [9], weight: 1 },
          { keys: [3], weight: 1 },
        ],
        10,
      ).keys(),
    ]).toEqual([3, 9]);
    expect(fuseRanks([], 10).size).toBe(0);
  });
});
