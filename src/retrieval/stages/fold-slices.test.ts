import { describe, expect, it } from 'vitest';
import { foldSlices, symbolKey } from './fold-slices.ts';

const chunks = [-1, -1, 0, 0, 0, -1, 3].map((symbol) => ({ symbol, name: '' }));

describe('what a chunk is a slice of', () => {
  const key = (part: number, blobId = 1) => symbolKey({ blobId, part, chunks });

  it('its symbol, and without one the run of pieces that follow each other', () => {
    expect([key(2), key(4), key(6)]).toEqual(['1 0', '1 0', '1 3']);
    expect([key(0), key(1), key(5)]).toEqual(['1 from 0', '1 from 0', '1 from 5']);
    expect(key(2, 9)).not.toBe(key(2));
  });
});

describe('slices of one symbol take one place', () => {
  function check(title: string, groups: string[][], expected: unknown): void {
    it(title, () =>
      expect(
        foldSlices(groups, (slice) => slice[0]!).map(({ best, slices, similar }) => [best, slices, similar]),
      ).toEqual(expected),
    );
  }

  check(
    'that of the best, and others move up',
    [['a2'], ['a1'], ['b1'], ['a3']],
    [
      ['a2', ['a1', 'a3'], []],
      ['b1', [], []],
    ],
  );
  check(
    'a copy of it is named once, whichever slices it has',
    [
      ['a2', 'c2'],
      ['a1', 'c1'],
    ],
    [['a2', ['a1'], ['c2']]],
  );
});
