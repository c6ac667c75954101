import { describe, expect, it } from 'vitest';
import { fulfils, type LiteralQuery } from './literal-query.ts';
import { compileRegex } from './regex.ts';
import { type RequiredLiteralsOptions, requiredLiterals, requiredShapes } from './required-literals.ts';
import { readRecordedAnswers } from './testing/recorded-answers.ts';

describe('literals that a matching line must contain', () => {
  check('abc', 'abc');
  check('ab', '*');
  check('ab', 'ab', { shortest: 2 });
  check('abc.*def', '(abc & def)');
  check('abc|def', '(abc | def)');
  check('abc|de', '*');
  check('(abc|def)ghi', '(abcghi | defghi)');
  check('ab[cd]e', '(abce | abde)');
  check('abc\\w+def', '(abc & def)');
  check('max_?retries', '(max_retries | maxretries)');
  check('(abc)?def', 'def');
  check('(abc)*def', 'def');
  check('(abc)+', 'abc');
  check('(abc){2}', 'abcabc');
  check('^abc$', 'abc');
  check('\\babc\\b', 'abc');
  check('abc|abcd', 'abc');
  check('.*', '*');
  check('[^\\x00-\\x{10FFFF}]', 'nothing');
  check('(?i)abc', '(ABC | ABc | AbC | Abc | aBC | aBc | abC | abc)');
  check('(?i)abc', 'abc', { foldAscii: true });
  check('ABCé', 'abcÃ©', { foldAscii: true });
  check('(?i)kit', '(kit | â\x84ª)', { foldAscii: true });
  check('abc\\x{FFFD}def', '(abc & def)');
  check('(abc|d.f)xyz', '(abcxyz | fxyz)');

  function check(pattern: string, expected: string, options: RequiredLiteralsOptions = {}) {
    it(`${pattern} ${JSON.stringify(options)}`, () => {
      expect(shown(requiredLiterals(compileRegex(pattern), options))).toBe(expected);
    });
  }
});

it('no line that Go says matches is ruled out', () => {
  let ruledOut = 0;
  for (const { pattern, lines, go } of [...readRecordedAnswers(), ...readRecordedAnswers('texts')]) {
    if (!go.ok) continue;
    const regex = compileRegex(pattern);
    for (const shortest of [1, 3]) {
      const plain = requiredLiterals(regex, { shortest });
      const folded = requiredLiterals(regex, { shortest, foldAscii: true });
      const shaped = requiredShapes(regex);
      for (const [index, bytes] of lines.entries()) {
        const line = bytes.toString('latin1');
        const isPossible =
          fulfils(line, plain) && fulfils(lowered(line), folded) && fulfils(shapeOf(line), shaped);
        if (!isPossible) ruledOut++;
        if (go.r![index]!.length > 0)
          expect({ pattern, line, isPossible }).toMatchObject({ isPossible: true });
      }
    }
  }
  expect(ruledOut).toBeGreaterThan(1000);
});

describe('shapes that a matching line must contain', () => {
  check('[0-9]{4}', '0000');
  check('\\d{4}-\\d{2}', '0000-00');
  check('\\d{1,3}(\\.\\d{1,3}){3}', '0.0');
  check('\\b[A-Z]\\w+Exception\\b', '(0Aaaaaaaaa | AAaaaaaaaa | _Aaaaaaaaa | aAaaaaaaaa)');
  check('foo\\tbar', 'aaa aaa');
  check('[a-z]{40,}', 'aaaaaaaa');
  check('[a-f0-9]{3}', '(000 | 00a | 0a0 | 0aa | a00 | a0a | aa0 | aaa)');
  check('x = é', 'a = \x80\x80');
  check(
    '(?i)kit',
    '(AAA | AAa | AaA | Aaa | aAA | aAa | aaA | aaa | \x80\x80\x80AA | \x80\x80\x80Aa | \x80\x80\x80aA | \x80\x80\x80aa)',
  );
  check('\\w', '*');
  check('.*', '*');
  check('foo\\nBAR', '(AAA & aaa)');

  function check(pattern: string, expected: string) {
    it(pattern, () => expect(shown(requiredShapes(compileRegex(pattern)))).toBe(expected));
  }
});

it('a line break is in no literal, since it may be two bytes', () => {
  expect(shown(requiredLiterals(compileRegex('abc\\ndef')))).toBe('(abc & def)');
  expect(shown(requiredLiterals(compileRegex('abc[\\n,]def')))).toBe('(abc & def)');
});

it('a huge pattern is given up in bounded time, and soundly', () => {
  const pattern = Array.from({ length: 3000 }, (_, index) => `(x${index}|[a-p]{3}y)`).join('');
  const query = requiredLiterals(compileRegex(pattern));
  expect(JSON.stringify(query).length).toBeLessThan(2_000_000);
});

function shapeOf(line: string): string {
  return line
    .replace(/[0-9]/g, '0')
    .replace(/[A-Z]/g, 'A')
    .replace(/[a-z]/g, 'a')
    .replace(/[\x80-\xff]/g, '\x80')
    .replace(/\t/g, ' ');
}

function lowered(line: string): string {
  return line.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function shown(query: LiteralQuery): string {
  switch (query.kind) {
    case 'everything':
      return '*';
    case 'nothing':
      return 'nothing';
    case 'literal':
      return query.bytes;
    case 'all':
      return `(${query.of.map(shown).sort().join(' & ')})`;
    case 'any':
      return `(${query.of.map(shown).sort().join(' | ')})`;
  }
}
