import { describe, expect, it } from 'vitest';
import {
  type FoundFileJson,
  grepLines,
  linesWithin,
  otherPlaces,
  placesOf,
  plainPaint,
  readableLines,
  vimgrepLines,
} from './found-lines.ts';

const line = (number: number, text: string, ...ranges: [number, number][]) => ({
  line: number,
  text,
  matched: ranges.length > 0,
  ranges: ranges.map(([start, end]) => ({ start, end })),
});
const file: FoundFileJson = {
  repository: 'acme/payments',
  path: 'src/a.ts',
  lineCount: 2,
  // The best block comes first.
  blocks: [{ lines: [line(9, 'tëxt a a', [6, 7], [8, 9])] }, { lines: [line(2, 'a', [0, 1]), line(3, 'b')] }],
  also: [],
  alsoCount: 0,
};

describe('found lines are written as other programs and people read them', () => {
  const check = (name: string, lines: string[], expected: string[]) =>
    it(name, () => expect(lines).toEqual(expected));
  check('for editors, once for each match, columns in bytes', vimgrepLines(file), [
    'acme/payments/src/a.ts:2:1:a',
    'acme/payments/src/a.ts:9:7:tëxt a a',
    'acme/payments/src/a.ts:9:9:tëxt a a',
  ]);
  check('as grep writes them', grepLines(file), [
    'acme/payments/src/a.ts:2:a',
    'acme/payments/src/a.ts-3-b',
    'acme/payments/src/a.ts:9:tëxt a a',
  ]);
  check(
    'for people, with the matches marked',
    readableLines(file, { ...plainPaint, match: (text) => `[${text}]` }),
    ['acme/payments/src/a.ts', '2:[a]', '3-b', '--', '9:tëxt [a] [a]'],
  );
  check(
    'a file found by its path alone',
    [...vimgrepLines({ ...file, blocks: [] }), ...grepLines({ ...file, blocks: [] })],
    ['acme/payments/src/a.ts:1:1:', 'acme/payments/src/a.ts'],
  );
  check(
    'no content steers a terminal',
    readableLines({ ...file, blocks: [{ lines: [line(1, '\x1b[2Jx\x07', [4, 5])] }] }, plainPaint),
    ['acme/payments/src/a.ts', '1:·[2Jx·'],
  );
});

describe('a file that lies at several places is told at each', () => {
  const also = ['src/b.ts', 'src/a.ts', 'src/c.ts', 'src/d.ts', 'src/e.ts'].map((path) => ({
    repository: 'acme/billing',
    path,
  }));
  const copied = {
    ...file,
    also: [{ repository: 'acme/payments', path: 'src/a.ts' }, ...also],
    alsoCount: 17,
  };
  it('once, whatever branches have it', () =>
    expect(placesOf(copied)).toEqual([
      'acme/payments/src/a.ts',
      ...also.map(({ path }) => `acme/billing/${path}`),
    ]));
  it('for editors, each with its lines', () => {
    expect(vimgrepLines(copied)).toHaveLength(18);
    expect(vimgrepLines(copied)[3]).toBe('acme/billing/src/b.ts:2:1:a');
  });
  const others =
    'same content: acme/billing/src/b.ts, acme/billing/src/a.ts, acme/billing/src/c.ts and 13 more (-l lists them)';
  it('for people some by name', () => {
    expect(otherPlaces(copied)).toBe(others);
    expect(readableLines(copied, plainPaint).slice(0, 2)).toEqual(['acme/payments/src/a.ts', `  ${others}`]);
    expect(otherPlaces(file)).toBeNull();
  });
});

it('lines end with the tokens that were asked for', () => {
  expect(linesWithin(['abc', 'abcd', 'x'], 3)).toEqual(['abc', 'abcd']);
  expect(linesWithin(['abc'], 100)).toEqual(['abc']);
});
