import { describe, expect, it } from 'vitest';
import { fromZoektQuery } from './zoekt-api-query.ts';

describe('a query of zoekt is written in our language', () => {
  check('retry limit', '"retry" "limit"');
  check('foo.*bar', '/foo.*bar/');
  check('a/b\\.go', '/a\\/b\\.go/');
  check('"retry limit"', '"retry limit"');
  check('"a \\"b\\""', '"a \\"b\\""');
  check('f:\\.go$ -f:_test', 'file:/\\.go$/ -file:/_test/');
  check('file:"a b"', 'file:/a b/');
  check('r:acme/ b:main', 'repo:/acme\\// branch:"main"');
  check('repo:^github\\.com/acme/pay$', 'repo:/^github\\.com\\/acme\\/pay$/');
  check('c:x sym:Foo regex:a+', 'content:/x/ sym:/Foo/ /a+/');
  check('a or b', '"a" or "b"');
  check('(a or b) c', '( "a" or "b" ) "c"');
  check('(a|b)c', '/(a|b)c/');
  check('-(a b)', '-( "a" "b" )');
  check('-content:x', '-content:/x/');
  check('case:yes Foo', 'case:yes "Foo"');
  check('type:repo x', 'type:repo "x"');
  check('t:filename x', 'type:file "x"');
  check('lang:go archived:no fork:yes public:yes', 'lang:"go" archived:no fork:yes');
  check('a"b c"d', '"ab cd"');
  check('"or"', '"or"');
  check('http://x', '"http://x"');
  check('foo:bar', '"foo:bar"');
  check('', '');
  check('   ', '');

  function check(query: string, expected: string) {
    it(query || '(empty)', () => expect(fromZoektQuery(query)).toBe(expected));
  }
});

describe('what cannot be read is refused', () => {
  check('"a', 'a quote is not closed');
  check('a\\', 'lone backslash');
  check('type:commit', 'no type "commit"');
  check('f:', 'no value');
  check('meta.team:x', 'meta.team is not known');

  function check(query: string, said: string) {
    it(query, () => {
      const fault = { code: 'http/zoekt-query', message: expect.stringContaining(said) };
      expect(() => fromZoektQuery(query)).toThrow(expect.objectContaining(fault));
    });
  }
});
