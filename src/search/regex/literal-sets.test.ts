import { describe, expect, it } from 'vitest';
import { exactLiterals, type ScanLiteral, scanLiterals } from './literal-sets.ts';
import { compileRegex } from './regex.ts';
import { readRecordedAnswers } from './testing/recorded-answers.ts';

describe('a pattern that is nothing but literals', () => {
  check('abc', 'abc');
  check('abc|de', 'abc de');
  check('a(b|c)d', 'abd acd');
  check('(abc){2}', 'abcabc');
  check('a[bc]', 'ab ac');
  check('é', '\xc3\xa9');
  check('(?i)abc', 'abc/i');
  check('(?i)content-type', 'content-type/i');
  check('(?i)bar|qux-1', 'bar/i qux-1/i');
  check('(?i)1-2', '1-2');
  check('[Aa]b', 'Ab ab');
  check('(?i)task', null);
  check('(?i)é', '\xc3\x89 \xc3\xa9');
  check('^abc', null);
  check('abc\\b', null);
  check('abc*', null);
  check('', null);
  check('a|', null);
  check('a.c', null);
  check('a\\nb', null);
  check('\\x{FFFD}a', null);
  check('one|two|three|four|five|six|seven|eight|nine', null);

  function check(pattern: string, expected: string | null) {
    it(pattern || '(empty)', () => expect(shown(exactLiterals(compileRegex(pattern)))).toBe(expected));
  }
});

describe('literals to scan for', () => {
  check('abc', 'abc');
  check('func \\w+\\(ctx', 'func ');
  check('\\b[A-Z]\\w+Exception\\b', 'Exception');
  check('(foo|bar).*needle', 'needle');
  check('(?i)content-type:.*json', 'content-type:/i');
  check('(?i)task', 'task/i \xc5\xbf/i \xe2\x84\xaa/i');
  check('TODO|FIXME', 'TODO FIXME');
  check('^import .* from', 'import ');
  check('e.', null);
  check('\\d+', null);
  check('^$', null);
  check('foo_bar\\nbaz_qux', 'baz_qux');

  function check(pattern: string, expected: string | null) {
    it(pattern, () => expect(sorted(shown(scanLiterals(compileRegex(pattern))))).toBe(sorted(expected)));
  }
});

it('Go agrees that exact literals are the pattern, and that scanned ones are in every matching line', () => {
  let exactCount = 0;
  let scannedCount = 0;
  for (const { pattern, lines, go } of readRecordedAnswers()) {
    if (!go.ok) continue;
    const regex = compileRegex(pattern);
    const exact = exactLiterals(regex);
    const scanned = scanLiterals(regex);
    for (const [index, bytes] of lines.entries()) {
      const line = bytes.toString('latin1');
      const matches = go.r![index]!.length > 0;
      if (exact)
        expect({ pattern, line, matches: holdsOne(line, exact) }).toEqual({ pattern, line, matches });
      if (scanned && matches)
        expect({ pattern, line, found: holdsOne(line, scanned) }).toMatchObject({ found: true });
      if (exact) exactCount++;
      if (scanned) scannedCount++;
    }
  }
  expect(exactCount).toBeGreaterThan(100);
  expect(scannedCount).toBeGreaterThan(500);
});

function holdsOne(line: string, literals: readonly ScanLiteral[]): boolean {
  const lowered = line.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return literals.some(({ bytes, ignoreCase }) => (ignoreCase ? lowered : line).includes(bytes));
}

function shown(literals: readonly ScanLiteral[] | null): string | null {
  return literals?.map(({ bytes, ignoreCase }) => bytes + (ignoreCase ? '/i' : '')).join(' ') ?? null;
}

/** The order of what is scanned for says nothing. */
function sorted(text: string | null): string | null {
  return text?.split(' ').sort().join(' ') ?? null;
}
