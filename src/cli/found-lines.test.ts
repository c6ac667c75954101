import { describe, expect, it } from 'vitest';
import { type FoundFileJson, grepLines, plainPaint, readableLines, vimgrepLines } from './found-lines.ts';

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
