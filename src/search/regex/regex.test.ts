import { describe, expect, it } from 'vitest';
import { compileRegex, type RegexOptions } from './regex.ts';
import type { ScanOptions } from './text-scan.ts';

describe('ranges of a line are leftmost and preferred, in bytes', () => {
  check('b', 'abcb', '1-2 3-4');
  check('a|ab', 'ab', '0-1');
  check('ab|a', 'ab', '0-2');
  check('(a|ab)(c|bcd)', 'abcd', '0-4');
  check('(a|ab)(c|bcd)', 'abc', '0-3');
  check('a*', 'aab', '0-2 3-3');
  check('a*?', 'aa', '0-0 1-1 2-2');
  check('(|a)*', 'aa', '0-0 1-1 2-2');
  check('(|a)+', 'aa', '0-0 1-1 2-2');
  check('(?:\\B|.){2,}b.?', 'cbbb', '0-3 3-4');
  check('(?:\\b|.)*b', 'abb', '0-3');
  check('a+?b', 'aaab', '0-4');
  check('(?U)a+', 'aa', '0-1 1-2');
  check('a{2,3}', 'aaaaa', '0-3 3-5');
  check('foo.*bar', 'xfoo bar bar!', '1-12');
  check('foo.*?bar', 'xfoo bar bar!', '1-8');
  check('x*x*y', 'xxxx', '');
  check('^', 'ab', '0-0');
  check('$', 'ab', '2-2');
  check('^$', '', '0-0');
  check('a^b', 'ab', '');
  check('a$b', 'ab', '');
  check('\\bfoo\\b', 'foo foobar barfoo foo', '0-3 18-21');
  check('\\Boo', 'foo oo', '1-3');
  check('\\b', 'a b', '0-0 1-1 2-2 3-3');
  check('(?:\\b|a)+', 'aa', '0-0 1-2');
  check('.', 'aé日😀', '0-1 1-3 3-6 6-10');
  check('é', 'aé', '1-3');
  check('[^a]', 'aé', '1-3');
  check('(?i)straße', 'STRASSE Straße STRAẞE', '8-15 16-24');
  check('(?i)k', 'kK\u212a', '0-1 1-2 2-5');
  check('(?i)[^k]', 'k\u212ax', '4-5');
  check('\\p{Greek}+', 'aΣσς', '1-7');
  check('\\PL', 'a1é', '1-2');
  check('\\w+', 'naïve', '0-2 4-6');
  check('if|ifdef|if', 'ifdef', '0-2');
  check('ifdef|if', 'ifdef if', '0-5 6-8');
  check('a', '', '');
  check('', 'é', '0-0 2-2');

  function check(pattern: string, line: string, expected: string) {
    it(`${pattern} in ${line}`, () => {
      const bytes = Buffer.from(line);
      const regex = compileRegex(pattern);
      expect(shown(regex.ranges(bytes))).toBe(expected);
      expect(regex.test(bytes)).toBe(expected !== '');
    });
  }
});

describe('a byte that is no UTF-8 is read as U+FFFD and keeps its place', () => {
  check('.', [0x61, 0xff, 0x62], '0-1 1-2 2-3');
  check('\\x{FFFD}', [0xff, 0xef, 0xbf, 0xbd, 0xc3], '0-1 1-4 4-5');
  check('b', [0xe2, 0x82, 0x62], '2-3');
  check('[^a]+', [0x61, 0xed, 0xa0, 0x80, 0x61], '1-4');
  check('\\w', [0xc3, 0x61], '1-2');
  check('é', [0xc3, 0xc3, 0xa9, 0xa9], '1-3');
  check('^..$', [0xf0, 0x9f], '0-2');
  check('\\xff', [0xff], '');
  check('ÿ', [0xc3, 0xbf], '0-2');

  function check(pattern: string, line: number[], expected: string) {
    it(`${pattern} in ${line.map((byte) => byte.toString(16))}`, () => {
      const bytes = Uint8Array.from(line);
      expect(shown(compileRegex(pattern).ranges(bytes))).toBe(expected);
      const text = Buffer.concat([Buffer.from('x\n'), bytes, Buffer.from('\nx')]);
      expect(shown(compileRegex(pattern).ranges(text, 2, 2 + bytes.length))).toBe(
        shown(
          compileRegex(pattern)
            .ranges(bytes)
            .map(({ start, end }) => ({ start: start + 2, end: end + 2 })),
        ),
      );
    });
  }
});

it('a text is not changed by matching, whatever its bytes', () => {
  const text = Buffer.from('a\xff\r\nb', 'latin1');
  for (const pattern of ['a', 'a(?s).*b']) {
    const regex = compileRegex(pattern);
    regex.scan(text);
    regex.test(text);
    regex.ranges(text, 0, 3);
  }
  expect(text.toString('latin1')).toBe('a\xff\r\nb');
});

describe('options', () => {
  it('a literal has no syntax', () => {
    expect(shown(compileRegex('a.b', { literal: true }).ranges(Buffer.from('axb a.b')))).toBe('4-7');
  });
  it('ignoreCase folds as Unicode does', () => {
    const regex = compileRegex('ΑΣ', { literal: true, ignoreCase: true });
    expect(shown(regex.ranges(Buffer.from('ας')))).toBe('0-4');
  });
  it('maxStates bounds the automaton', () => {
    expect(() => compileRegex('a{100}', { maxStates: 50 })).toThrow(/too large/);
  });
  it('at most so many ranges are told', () => {
    expect(shown(compileRegex('a').ranges(Buffer.from('aaaa'), 1, 4, 2))).toBe('1-2 2-3');
  });
  it('a line may be given with its line break', () => {
    const regex = compileRegex('a$');
    expect(shown(regex.ranges(Buffer.from('a\r\n')))).toBe('0-1');
    expect(shown(regex.ranges(Buffer.from('a\n')))).toBe('0-1');
    expect(regex.test(Buffer.from('a\r'))).toBe(false);
  });
});

describe('a scan tells the matching lines of a text', () => {
  checkScan('a', '', '');
  checkScan('^', '', '');
  checkScan('^', '\n', '1:0-0[0-0]');
  checkScan('a', 'a', '1:0-1[0-1]');
  checkScan('a', 'b\na\n\nca', '2:2-3[2-3] 4:5-7[6-7]');
  checkScan('$', 'a\n\nb', '1:0-1[1-1] 2:2-2[2-2] 3:3-4[4-4]');
  checkScan('^$', 'a\n\nb\n', '2:2-2[2-2]');
  checkScan('^$', 'a\r\n\r\nb\r\n', '2:3-3[3-3]');
  checkScan('a$', 'a\r\nab\r\na', '1:0-1[0-1] 3:7-8[7-8]');
  checkScan('.*', 'a\r\nb\r\n', '1:0-1[0-1] 2:3-4[3-4]');
  checkScan('\\r', 'a\r\nb\rc\n', '2:3-6[4-5]');
  checkScan('a\\s', 'a\nb', '');
  checkScan('[^b]', 'b\n\nb', '');
  checkScan('\\Aa', 'a\na', '1:0-1[0-1]');
  checkScan('a\\z', 'a\na', '2:2-3[2-3]');
  checkScan('a\\z', 'a\na\n', '2:2-3[2-3]');
  checkScan('a\\z', 'a\r\na\r\n', '2:3-4[3-4]');
  checkScan('b', 'abb\nb', '1:0-3[1-2 2-3] 2:4-5[4-5]');
  checkScan('a|b', 'abab', '1:0-4[0-1 1-2]+', { rangesPerLine: 2 });
  checkScan('a', 'a\na\na', '1:0-1[0-1] 2:2-3[2-3] limit', { limit: 2 });
  checkScan('a', 'a\na\nb', '1:0-1[0-1] 2:2-3[2-3]', { limit: 2 });
  checkScan('a', 'a\nb\na', '1:0-1[]+ 3:4-5[]+', { rangesPerLine: 0 });
  checkScan('\\Aa', 'a\na', '', { ends: { isFirst: false, isLast: true } });
  checkScan('a\\z', 'a\na', '', { ends: { isFirst: true, isLast: false } });
  checkScan('a$', 'a\na', '1:0-1[0-1] 2:2-3[2-3]', { ends: { isFirst: false, isLast: false } });
  checkScan('é', '\xff\né\xfe\n', '2:2-5[2-4]');

  function checkScan(pattern: string, text: string, expected: string, options: ScanOptions = {}) {
    it(`${pattern} in ${JSON.stringify(text)}`, () => {
      expect(scanned(pattern, bytesOf(text), options)).toBe(expected);
    });
  }
});

describe('a scan for a pattern that spans lines tells where matches begin', () => {
  checkScan('a\\nb', 'a\nb\n', '1-2:0-1[0-1]');
  checkScan('a\\nb', 'xa\r\nb\r\n', '1-2:0-2[1-2]');
  checkScan('a\\r\\nb', 'xa\nb\n', '1-2:0-2[1-2]');
  checkScan('a\\n', 'a\na\nb', '1:0-1[0-1] 2:2-3[2-3]');
  checkScan('\\na', 'b\r\na', '1-2:0-1[1-1]');
  checkScan('\\n\\n', 'a\n\n\nb', '1-2:0-1[1-1]');
  checkScan('(?s)a.*b', 'xa\n\nbx\na\nb', '1-5:0-2[1-2]');
  checkScan('(?s)a.*?b', 'xa\n\nbx\nab\n', '1-3:0-2[1-2] 4:7-9[7-9]');
  checkScan('(?s).', 'a\r\n\r\nb', '1:0-1[0-1 1-1] 2:3-3[3-3] 3:5-6[5-6]');
  checkScan('[^a]+', 'a\nb', '2:2-3[2-3]');
  checkScan('(?s)[^a]+(?-s).', 'a\nb', '1-2:0-1[1-1]');
  checkScan('^a\\n^$', 'a\r\n\r\nb', '1:0-1[0-1]');
  checkScan('^$|\\nb', 'a\n\nb\n', '2:2-2[2-2]');
  checkScan('^|x\\n', 'a\r\nb\r\n', '1:0-1[0-0] 2:3-4[3-3]');
  checkScan('$|x\\n', 'a\r\nb\r\n', '1:0-1[1-1] 2:3-4[4-4]');
  checkScan('\\Aa\\n|b\\z', 'a\na\nb\nb', '1:0-1[0-1] 4:6-7[6-7]');
  checkScan('\\Aa\\n|b\\z', 'a\na\nb', '', { ends: { isFirst: false, isLast: false } });
  checkScan('\\bb\\n', 'ab\nb\r\n', '2:3-4[3-4]');
  checkScan('a\\n', '', '');
  checkScan('a\\n|b', 'bbb\na\n', '1:0-3[0-1]+ 2:4-5[4-5]', { rangesPerLine: 1 });
  checkScan('a\\n', 'a\na\na\n', '1:0-1[0-1] limit', { limit: 1 });
  checkScan('a\\n', 'a\nb\n', '1:0-1[0-1]', { limit: 1 });
  checkScan('é\\n\\x{FFFD}', '\xffé\r\n\xfe\n', '1-2:0-3[1-3]');

  function checkScan(pattern: string, text: string, expected: string, options: ScanOptions = {}) {
    it(`${JSON.stringify(pattern)} in ${JSON.stringify(text)} ${JSON.stringify(options)}`, () => {
      expect(scanned(pattern, bytesOf(text), options)).toBe(expected);
    });
  }

  it('test and ranges take the text as it is', () => {
    const regex = compileRegex('a\\nb');
    expect(regex.spansLines).toBe(true);
    expect(regex.test(Buffer.from('xa\r\nbx'))).toBe(true);
    expect(regex.test(Buffer.from('xa\r\nbx'), 0, 4)).toBe(false);
    expect(shown(regex.ranges(Buffer.from('xa\r\nbx'), 1))).toBe('1-5');
  });

  it('work that grows with the square of the text is cut short, and it is said', () => {
    const text = Buffer.from('a\n'.repeat(50_000));
    const outcome = compileRegex('(?s)a.*b|a').scan(text);
    expect(outcome.ended).toBe('limit');
    expect(outcome.lines.length).toBeGreaterThan(10);
    expect(outcome.work).toBeLessThan(70 * text.length);
  });

  it('a scan that runs out of time tells what it has found', () => {
    const text = Buffer.from('a\nb\n'.repeat(200_000));
    const outcome = compileRegex('a\\nb').scan(text, { rangesPerLine: 0, deadline: { expired: () => true } });
    expect(outcome.ended).toBe('deadline');
    expect(outcome.bytesRead).toBeLessThan(text.length);
    expect(outcome.lines.length).toBeGreaterThan(1000);
  });
});

/** Text in which \xfe and \xff stand for themselves, as bytes. */
function bytesOf(text: string): Buffer {
  return Buffer.concat(
    [...text].map((character) =>
      /[\xfe\xff]/.test(character) ? Buffer.from(character, 'latin1') : Buffer.from(character),
    ),
  );
}

function scanned(
  pattern: string,
  text: Uint8Array,
  scanOptions: ScanOptions = {},
  regexOptions: RegexOptions = {},
): string {
  const outcome = compileRegex(pattern, regexOptions).scan(text, scanOptions);
  const lines = outcome.lines.map(
    ({ number, lastLine, start, end, ranges, rangesComplete }) =>
      `${number}${lastLine > number ? `-${lastLine}` : ''}:${start}-${end}[${shown(ranges)}]${rangesComplete ? '' : '+'}`,
  );
  if (outcome.ended !== 'complete') lines.push(outcome.ended);
  return lines.join(' ');
}

function shown(ranges: readonly { start: number; end: number }[]): string {
  return ranges.map(({ start, end }) => `${start}-${end}`).join(' ');
}
