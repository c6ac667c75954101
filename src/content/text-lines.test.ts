import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../base/testing/seeded-random.ts';
import { TextLines } from './text-lines.ts';

const noLimit = 1 << 30;

describe('a line ends at \\n, and a \\r before it is not part of it', () => {
  check('an empty text has none', '', []);
  check('one line without a line break', 'a', ['a']);
  check('one line with a line break', 'a\n', ['a']);
  check('an empty line', '\n', ['']);
  check('empty lines at the end', 'a\n\n\n', ['a', '', '']);
  check('CRLF', 'a\r\nb\r\n', ['a', 'b']);
  check('CRLF and LF mixed', 'a\r\nb\nc', ['a', 'b', 'c']);
  check('a lone \\r stays', 'a\rb\nc', ['a\rb', 'c']);
  check('of \\r\\r\\n one stays', 'a\r\r\nb', ['a\r', 'b']);
  check('a \\r at the very end stays', 'a\nb\r', ['a', 'b\r']);
  check('only CRLF', '\r\n\r\n', ['', '']);
  check('other line separators are text', 'a\u2028b\u0085c\vd\fe\n', ['a\u2028b\u0085c\vd\fe']);

  function check(title: string, text: string, lines: string[]) {
    it(title, () => {
      const table = new TextLines(Buffer.from(text));
      expect(table.count).toBe(lines.length);
      expect(table.slice(1, 100, noLimit).lines).toEqual(lines);
    });
  }
});

describe('a slice says where it is and whether the text goes on', () => {
  const table = new TextLines(Buffer.from('one\ntwo\nthree\n'));
  check('from the start', 1, 2, ['one', 'two'], false);
  check('to the end', 2, 2, ['two', 'three'], true);
  check('more than there is', 3, 50, ['three'], true);
  check('after the end', 4, 10, [], true);
  check('far after the end', 4_000_000_000, 10, [], true);
  check('no lines', 2, 0, [], false);

  function check(title: string, first: number, count: number, lines: string[], atEnd: boolean) {
    it(title, () => {
      expect(table.slice(first, count, noLimit)).toEqual({ first, lines, atEnd, cutLines: new Map() });
    });
  }
});

describe('a long line is cut within the limit, never inside a character', () => {
  check('at the limit', 'abcdef', 3, 'abc', 6);
  check('one byte too long', 'abcd', 3, 'abc', 4);
  check('two bytes', 'aüb', 2, 'a', 4);
  check('three bytes', 'ab日', 4, 'ab', 5);
  check('four bytes', 'a🙂', 4, 'a', 5);
  check('the first character alone is too long', '🙂🙂', 3, '', 8);
  check('not longer than the limit', 'abc', 3, 'abc', null);
  check('its \\r\\n does not count', 'abc\r\nd', 3, 'abc', null);
  check('a limit of nothing', 'abc', 0, '', 3);

  function check(title: string, text: string, limit: number, shown: string, cutFrom: number | null) {
    it(title, () => {
      const slice = new TextLines(Buffer.from(text)).slice(1, 1, limit);
      expect(slice.lines).toEqual([shown]);
      expect(slice.cutLines.get(1) ?? null).toBe(cutFrom);
    });
  }
});

it('gives what a naive split gives, for 4000 seeded random texts and slices', () => {
  const random = new SeededRandom(11);
  const alphabet = ['a', 'b', '\n', '\n', '\r', '\r\n', 'ü', '日', '🙂', '\0', ' '];
  for (let round = 0; round < 4000; round++) {
    const text = Array.from({ length: random.below(40) }, () => random.pick(alphabet)).join('');
    const first = 1 + random.below(12);
    const count = random.below(12);
    const limit = random.below(20);
    const naive = naiveLines(text);
    const slice = new TextLines(Buffer.from(text)).slice(first, count, limit);
    const wanted = naive.slice(first - 1, first - 1 + count);
    expect(slice.lines, `seed 11, round ${round}`).toEqual(wanted.map((line) => cutTo(line, limit)));
    expect([...slice.cutLines.keys()]).toEqual(
      wanted.flatMap((line, index) => (Buffer.byteLength(line) > limit ? [first + index] : [])),
    );
    expect(slice.atEnd).toBe(first - 1 + count >= naive.length);
  }
});

function naiveLines(text: string): string[] {
  const pieces = text.split('\n');
  const last = pieces.pop()!;
  return [...pieces.map((piece) => piece.replace(/\r$/, '')), ...(last === '' ? [] : [last])];
}

function cutTo(line: string, limit: number): string {
  let shown = '';
  for (const character of line) {
    if (Buffer.byteLength(shown + character) > limit) break;
    shown += character;
  }
  return shown;
}
