import { describe, expect, it } from 'vitest';
import { descriptorsOf, symbolKey, symbolParts } from './scip-symbol.ts';

describe('a symbol is taken apart', () => {
  const check = (symbol: string, wanted: string[] | null) =>
    it(symbol, () => {
      const parts = symbolParts(symbol);
      const told = parts && [
        parts.scheme,
        parts.manager,
        parts.packageName,
        parts.version,
        parts.descriptors,
      ];
      expect(told).toEqual(wanted);
    });
  check('scip-typescript npm @acme/money 1.2.0 src/`a.ts`/add().', [
    'scip-typescript',
    'npm',
    '@acme/money',
    '1.2.0',
    'src/`a.ts`/add().',
  ]);
  check('scip-go gomod github.com/a/b . `github.com/a/b`/', [
    'scip-go',
    'gomod',
    'github.com/a/b',
    '',
    '`github.com/a/b`/',
  ]);
  check('a  b m p v x#', ['a b', 'm', 'p', 'v', 'x#']);
  check('local 12', null);
  check('scip-typescript npm', null);
  check('s m p v ', null);
  check('', null);
});

describe('names lead to a symbol', () => {
  const check = (text: string, wanted: string[]) =>
    it(text, () => expect(descriptorsOf(text).map(({ name, kind }) => `${kind} ${name}`)).toEqual(wanted));
  check('src/`a b.ts`/Foo#bar().(x)', [
    'namespace src',
    'namespace a b.ts',
    'type Foo',
    'method bar',
    'parameter x',
  ]);
  check('Foo#`<constructor>`(+1).', ['type Foo', 'method <constructor>']);
  check('`a``b`.', ['term a`b']);
  check('List#[T]m!x:', ['type List', 'type-parameter T', 'macro m', 'meta x']);
  check('Foo#bar', []);
  check('`open', []);
  check('a(', []);
  check('日本/', []);
});

it('the key of a symbol is the same in all versions, and empty without a package', () => {
  expect(symbolKey('s npm p 1.0.0 x.')).toBe(symbolKey('s npm p 2.0.0 x.'));
  expect(symbolKey('s npm . . x.')).toBe('');
  expect(symbolKey('local 1')).toBe('');
});
