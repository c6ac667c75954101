import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../base/errors.ts';
import { parse } from './parser.ts';
import type { Syntax } from './syntax-tree.ts';

describe('patterns are read as RE2 reads them', () => {
  check('', 'empty');
  check('abc', 'a b c');
  check('a|b|', 'a | b | empty');
  check('a*b+?c?', 'a{0,} b{1,}? c{0,1}');
  check('a{2}b{2,}c{2,3}', 'a{2,2} b{2,} c{2,3}');
  check('(?U)a*b*?', 'a{0,}? b{0,}');
  check('(a|b)*', '(a | b){0,}');
  check('^a$', 'line-start a line-end');
  check('(?-m)^a$', 'text-start a text-end');
  check('\\Aa\\z\\b\\B', 'text-start a text-end word-edge no-word-edge');
  check('(?i)k', '[Kk\u212a]');
  check('(?i:a)b', '[Aa] b');
  check('(?i)a(?-i)b', '[Aa] b');
  check('((?i)a)b', '[Aa] b');
  check('(?P<name>a)(?<other>b)', 'a b');
  check('[a-c]', '[a-c]');
  check('[]a]', '[]a]');
  check('[a-]', '[-a]');
  check('[^\\x00-\\x60b-\\x{10FFFF}]', 'a');
  check('[[:digit:]a]', '[0-9a]');
  check('\\d', '[0-9]');
  check('\\.\\*\\\\\\-', '. * \\ -');
  check('\\x41\\x{e9}\\101\\07', 'A é A \x07');
  check('\\Qa.b\\Ec.', 'a . b c [\x00-\x09\x0b-\u{10ffff}]');
  check('\\Qa.b', 'a . b');
  check('a{', 'a {');
  check('a{,2}', 'a { , 2 }');
  check('a{02}', 'a { 0 2 }');
  check('\\pN{0}', '[...]{0,0}');
  check('é+', 'é{1,}');

  function check(source: string, expected: string) {
    it(source || '(empty)', () => {
      expect(shown(parsed(source))).toBe(expected);
    });
  }
});

it('a literal pattern has no syntax', () => {
  expect(shown(parse('a.(*', { ignoreCase: false, literal: true }).syntax)).toBe('a . ( *');
  expect(shown(parse('a.', { ignoreCase: true, literal: true }).syntax)).toBe('[Aa] .');
});

describe('faults are shown where they are', () => {
  checkFault('a)b', 'This ) closes nothing, at offset 1:\n  a)b\n   ^');
  checkFault('a(b', 'This ( is never closed, at offset 1:\n  a(b\n   ^');
  checkFault('*a', 'There is nothing to repeat, at offset 0:\n  *a\n  ^');
  checkFault('a|*', 'There is nothing to repeat, at offset 2:\n  a|*\n    ^');
  checkFault('a**', 'A repetition is repeated, at offset 2:\n  a**\n    ^');
  checkFault('a{3,2}', 'The repeat count is not valid, at offset 1:\n  a{3,2}\n   ^^^^^');
  checkFault('a{1001}', 'The repeat count is not valid, at offset 1:\n  a{1001}\n   ^^^^^^');
  checkFault(
    '(a{50}){50}',
    'The nested repeat counts multiply to more than 1000, at offset 7:\n  (a{50}){50}\n         ^^^^',
  );
  checkFault('x[a', 'The class has no closing ], at offset 1:\n  x[a\n   ^^');
  checkFault('[z-a]', 'The range is out of order, at offset 1:\n  [z-a]\n   ^^^');
  checkFault('[[:foo:]]', 'There is no class [:foo:], at offset 1:\n  [[:foo:]]\n   ^^^^^^^');
  checkFault('\\pX', 'There is no Unicode class named "X", at offset 0:\n  \\pX\n  ^^^');
  checkFault('\\p{Klingon', 'The class has no closing }, at offset 0:\n  \\p{Klingon\n  ^^^^^^^^^^');
  checkFault('ab\\', 'The pattern ends in a lone backslash, at offset 2:\n  ab\\\n    ^');
  checkFault('\\xg', 'The hexadecimal escape is not valid, at offset 0:\n  \\xg\n  ^^');
  checkFault('\\x{110000}', 'The hexadecimal escape is not valid, at offset 0:\n  \\x{110000}\n  ^^^^^^^^^^');
  checkFault('\\y', 'There is no escape \\y, at offset 0:\n  \\y\n  ^^');
  checkFault('(?z)', 'The group does not begin in a known way, at offset 0:\n  (?z)\n  ^^^^');
  checkFault('(?P<1+>a)', 'The group has no valid name, at offset 0:\n  (?P<1+>a)\n  ^^^^^^^');
  checkFault('\ta)', 'This ) closes nothing, at offset 2:\n  \u00b7a)\n    ^');
  checkFault(
    `${'a'.repeat(100)})${'b'.repeat(100)}`,
    `This ) closes nothing, at offset 100:
  ...${'a'.repeat(30)})${'b'.repeat(29)}...
${' '.repeat(35)}^`,
  );

  function checkFault(source: string, message: string) {
    it(JSON.stringify(source.slice(0, 20)), () => {
      const error = refusal(source);
      expect(error.message).toBe(message);
      expect([error.kind, error.code]).toEqual(['invalid-request', 'search/regex-syntax']);
      expect(error.next).not.toBe('');
    });
  }
});

describe('what no linear engine has is refused by name, with what to write instead', () => {
  checkRefused('a(?=b)', 'Lookaround', 'filter the lines');
  checkRefused('(?<!a)b', 'Lookaround', 'filter the lines');
  checkRefused('(a)\\1', 'Backreferences', 'write out');
  checkRefused('(?P<n>a)(?P=n)', 'Backreferences', 'write out');
  checkRefused('(?<n>a)\\k<n>', 'Backreferences', 'write out');
  checkRefused('a++b', 'Possessive', 'Leave the second + out');
  checkRefused('(?>a|b)c', 'Atomic', '(?:...)');
  checkRefused('(?(1)a|b)', 'Conditional', '(?:...|...)');
  checkRefused('(?R)', 'Recursion', 'Write out');
  checkRefused('(?#x)a', 'Comments', 'Leave');
  checkRefused('(?x)a b', 'flag x', 'without extra blanks');
  checkRefused('a\\Z', '\\Z', '\\z');
  checkRefused('\\h+', '\\h', '[ \\t]');
  checkRefused('\\u00e9', '\\u', '\\x{00E9}');

  function checkRefused(source: string, what: string, next: string) {
    it(source, () => {
      const error = refusal(source);
      expect(error.code).toBe('search/regex-unsupported');
      expect(error.message).toContain(what);
      expect(error.next).toContain(next);
    });
  }
});

describe('a pattern spans lines if it names the line break', () => {
  check('a\\nb', 'a \n b');
  check('a\\x0ab', 'a \n b');
  check('a\nb', 'a \n b');
  check('a[,\\n]b', 'a [\n,] b');
  check('a[^\\x00-\\x09\\x0b-\\x{10FFFF}]b', 'a \n b');
  check('(?s)a.b', 'a [\x00-\u{10ffff}] b');
  check('(?s:a.)b.', 'a [\x00-\u{10ffff}] b [\x00-\t\x0b-\u{10ffff}]');
  check('a[\\s\\S]b', 'a [\x00-\u{10ffff}] b');
  check('a\\s\\n', 'a [\t-\n\f-\r ] \n');
  check('a\\r\\nb', 'a \n b');
  check('a\\r?\\nb', 'a \r{0,1} \n b');
  check('a\\Q\nb\\E', 'a \n b');
  check('a\\s', null);
  check('a[^b]', null);
  check('a[^\\n]*b', null);
  check('a\\Wb', null);
  check('a[\\x00-\\x7f]b', null);
  check('(?s)a$', null);
  check('(?-s)a.b', null);

  function check(source: string, expected: string | null) {
    it(JSON.stringify(source), () => {
      const { syntax, spansLines } = parse(source, { ignoreCase: false, literal: false });
      expect(spansLines).toBe(expected !== null);
      if (expected !== null) expect(shown(syntax)).toBe(expected);
    });
  }

  it('a literal with a line break', () => {
    const { syntax, spansLines } = parse('a.\r\nb', { ignoreCase: false, literal: true });
    expect([spansLines, shown(syntax)]).toEqual([true, 'a . \n b']);
  });
});

describe('a pattern that ends in what would take a line break is told', () => {
  check('a\\s', true);
  check('a\\s+', true);
  check('a\\s+$', true);
  check('(a|b\\s)', true);
  check('a[^b]', true);
  check('a\\W', true);
  check('a', false);
  check('a.', false);
  check('a\\s*', false);
  check('a\\sb', false);
  check('a\\s\\n\\s', false);

  function check(source: string, expected: boolean) {
    it(source, () => {
      expect(parse(source, { ignoreCase: false, literal: false }).endsInSpace).toBe(expected);
    });
  }
});

describe('the size of a pattern is bounded', () => {
  it('nesting', () =>
    expect(refusal(`${'('.repeat(300)}a${')'.repeat(300)}`).code).toBe('search/regex-too-large'));
  it('parts', () => expect(refusal('a'.repeat(600_000)).code).toBe('search/regex-too-large'));
});

function parsed(source: string): Syntax {
  return parse(source, { ignoreCase: false, literal: false }).syntax;
}

function refusal(source: string): PeriscopeError {
  try {
    parse(source, { ignoreCase: false, literal: false });
  } catch (error) {
    if (error instanceof PeriscopeError) return error;
    throw error;
  }
  throw new Error(`${source} was accepted`);
}

/** A compact form: sequences by blanks, sets as a character or a class. */
function shown(syntax: Syntax): string {
  switch (syntax.kind) {
    case 'empty':
      return 'empty';
    case 'assertion':
      return syntax.assertion;
    case 'set': {
      const ranges: string[] = [];
      // Large tables follow Node's Unicode version, so no test spells them out.
      if (syntax.set.length > 40) return '[...]';
      for (let i = 0; i < syntax.set.length; i += 2) {
        const [low, high] = [syntax.set[i]!, syntax.set[i + 1]!].map((codePoint) =>
          String.fromCodePoint(codePoint),
        );
        ranges.push(low === high ? low! : `${low}-${high}`);
      }
      return ranges.length === 1 && ranges[0]!.length === 1 ? ranges[0]! : `[${ranges.join('')}]`;
    }
    case 'sequence':
      return syntax.items.map(shown).join(' ');
    case 'choice':
      return syntax.options.map(shown).join(' | ');
    case 'repeat': {
      const item =
        syntax.item.kind === 'sequence' || syntax.item.kind === 'choice'
          ? `(${shown(syntax.item)})`
          : shown(syntax.item);
      const max = syntax.max === Number.POSITIVE_INFINITY ? '' : syntax.max;
      return `${item}{${syntax.min},${max}}${syntax.lazy ? '?' : ''}`;
    }
  }
}
