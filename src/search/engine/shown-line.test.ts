import { describe, expect, it } from 'vitest';
import { mergedRanges, shownLine } from './shown-line.ts';

describe('a long line is cut around its first match', () => {
  function check(line: string, match: string, bytesMax: number, expected: string) {
    it(`${match} in ${line}`, () => {
      const bytes = Buffer.from(line);
      const start = bytes.indexOf(match);
      const shown = shownLine({
        number: 1,
        line: bytes,
        ranges: [{ start, end: start + Buffer.byteLength(match) }],
        matched: true,
        bytesMax,
      });
      const [range] = shown.ranges;
      const text = Buffer.from(shown.text);
      const marked = `${text.subarray(0, range!.start)}[${text.subarray(range!.start, range!.end)}]${text.subarray(range!.end)}`;
      expect(marked).toBe(expected);
    });
  }
  check('abcdefgh', 'cd', 8, 'ab[cd]efgh');
  check('abcdefghijkl', 'ghi', 4, 'f[ghi]');
  check('abcdefghijkl', 'ab', 4, '[ab]cd');
  check('abcdefghijkl', 'kl', 4, 'ij[kl]');
  check('abcdefghijkl', 'defghi', 4, 'c[def]');
  check('ääääx', 'x', 4, 'ä[x]');
});

describe('ranges of several terms are merged', () => {
  it('where they touch or overlap into one, in order', () => {
    const ranges = [
      { start: 5, end: 8 },
      { start: 0, end: 2 },
      { start: 6, end: 10 },
      { start: 2, end: 2 },
      { start: 12, end: 12 },
    ];
    expect(mergedRanges(ranges)).toEqual([
      { start: 0, end: 2 },
      { start: 5, end: 10 },
      { start: 12, end: 12 },
    ]);
  });
});
