import { describe, expect, it } from 'vitest';
import { parseQuery } from './parse-query.ts';
import { queryToZoekt } from './query-to-zoekt.ts';

// zoekt's own parser (c4d8f3537f7a) was given each of these and answered the tree that is meant.
describe('queries in the syntax of zoekt', () => {
  check('foo', '( case:no regex:"foo" )');
  check('Foo bar', '( ( case:yes regex:"Foo" ) ( case:no regex:"bar" ) )');
  check('a or b', '( ( case:no regex:"a" ) or ( case:no regex:"b" ) )');
  check('"say \\"hi\\""', '( case:no regex:"say \\"hi\\"" )');
  check('x(y) -z', '( ( case:no regex:"x\\\\(y\\\\)" ) -( case:no regex:"z" ) )');
  check('-(a b) c', '( -( ( case:no regex:"a" ) ( case:no regex:"b" ) ) ( case:no regex:"c" ) )');
  check('file:*.go x', '( ( case:no file:"(?:^|/)[^/]*\\\\.go$" ) ( case:no regex:"x" ) )');
  check('repo:^a/b$ content:x', '( repo:"(?i)^a/b$" ( case:no content:"x" ) )');
  check('lang:go sym:Foo', '( lang:"Go" ( case:yes sym:"Foo" ) )');
  check('lang:ts', '( lang:"TypeScript" or lang:"TSX" )');
  check(
    'branch:main archived:no fork:only x',
    '( branch:"main" archived:no fork:yes ( case:no regex:"x" ) )',
  );
  check('repo.has.file:go.mod x', '( ( type:repo ( case:no file:"go\\\\.mod" ) ) ( case:no regex:"x" ) )');

  it('everything and nothing', () => {
    expect(queryToZoekt({ kind: 'everything' })).toBe('( )');
    expect(queryToZoekt({ kind: 'any', of: [] })).toBe('-( )');
  });

  function check(query: string, expected: string) {
    it(query, () => {
      const options = { mode: 'auto', case: 'auto', nowMs: 0, repositorySets: {} } as const;
      expect(queryToZoekt(parseQuery(query, options).root)).toBe(expected);
    });
  }
});

it('what zoekt can not be asked is refused, never left out', () => {
  const pattern = { source: '^release/', literal: false, ignoreCase: false };
  expect(() => queryToZoekt({ kind: 'branch', pattern })).toThrow(
    'zoekt, which searches here, does not know patterns over branch names.',
  );
  expect(() => queryToZoekt({ kind: 'language', language: 9999 })).toThrow('zoekt');
});

it('any text comes out of the rules of zoekt as it went in', () => {
  const characters = [...'()[]{}"\'\\-|or :.*+?^$/ab\t', 'case:no', '\u00e9', '\n'];
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  for (let round = 0; round < 5000; round++) {
    const text = Array.from({ length: 1 + random(8) }, () => characters[random(characters.length)]!).join('');
    const query = queryToZoekt({
      kind: 'text',
      where: 'content',
      pattern: { source: text, literal: true, ignoreCase: false },
    });
    expect(new RegExp(`^${zoektValue(query)}$`, 'u').test(text), query).toBe(true);
  }
});

/** The value of a cased term, by the rules of zoekt's tokens: within quotes a backslash gives what follows it. */
function zoektValue(query: string): string {
  const quoted = /^\( case:yes content:"((?:[^"\\]|\\.)*)" \)$/s.exec(query)!;
  return quoted[1]!.replace(/\\(.)/gs, '$1');
}
