import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../base/testing/seeded-random.ts';
import { globMatcher } from './glob.ts';

describe('a glob covers the names that are meant and no other', () => {
  const check = (glob: string, covered: string[], others: string[]) =>
    it(JSON.stringify(glob), () => {
      const matches = globMatcher(glob);
      expect([...covered, ...others].filter(matches)).toEqual(covered);
    });

  check('payments', ['payments'], ['Payments', 'payments-api', 'acme/payments', 'payments/']);
  check('acme/*', ['acme/a', 'acme/.hidden', 'acme/a b'], ['acme', 'acme/a/b', 'acme2/a']);
  check('*', ['a', '.a', 'a\nb'], ['a/b']);
  check('**', ['a', 'a/b', '.a/.b/c', 'a/b\nc/d'], []);
  check('acme/**', ['acme/a', 'acme/a/b', 'acme/.x'], ['acme', 'acme2/a', 'x/acme/a']);
  check('**/api', ['api', 'a/api', 'a/b/api'], ['a/apis', 'xapi']);
  check('a/**/z', ['a/z', 'a/b/z', 'a/b/c/z'], ['az', 'b/a/z']);
  check('team-?/x', ['team-1/x', 'team-./x'], ['team-/x', 'team-12/x', 'team-//x']);
  check('{acme,labs}/web-*', ['acme/web-a', 'labs/web-'], ['other/web-a', '{acme,labs}/web-']);
  check('a,b', ['a,b'], ['a', 'b']);
  check('we[ir]d/x', ['we[ir]d/x'], ['weid/x', 'werd/x']);
  check('we(ir|d)+/x', ['we(ir|d)+/x'], ['weir/x', 'wed/x']);
  check('!a', ['!a'], ['b', 'a']);
  check('+(a)', ['+(a)'], ['a', 'aa']);
  check('a.b/$^', ['a.b/$^'], ['axb/$^']);
  check('./a', ['./a'], ['a']);
  check('"a"', ['"a"'], ['a']);
  check('{1..3}', ['1..3', '{1..3}'], ['1', '2']);
  check('{a,{b,c}/x}-?', ['a-1', 'b/x-1', 'c/x-é'], ['b-1', 'a-']);
  check('?', ['a', '😀'], ['/', '', 'ab']);
  check('a/{b,**/c}', ['a/b', 'a/c', 'a/x/c'], ['a/x/b']);
  check('two words/*', ['two words/x'], ['two  words/x']);
  check('line\nbreak/*', ['line\nbreak/x'], ['line break/x']);
  check('a\\*', ['a*', 'a\\*'], ['ab']);
  check('a\\{b,c\\}', ['a{b,c}', 'a\\{b,c\\}'], ['ab', 'ac']);
  check('a\\d', ['ad', 'a\\d'], ['a1']);
  check('shown\\x0aname', ['shown\\x0aname', 'shownx0aname'], ['shown\nname']);
  check('a\\', ['a\\'], ['a']);
  check('{a', ['{a'], ['a']);
  check('süß/日本*', ['süß/日本語'], ['suss/日本']);
  check('😀/*', ['😀/x'], ['x/x']);
});

it('agrees with a plain backtracking matcher on 20 000 random globs and names', () => {
  const seed = 11;
  const random = new SeededRandom(seed);
  const text = (alphabet: readonly string[], length: number) =>
    Array.from({ length: random.below(length) }, () => random.pick(alphabet)).join('');
  for (let round = 0; round < 20_000; round++) {
    const glob = text(['a', 'b', '/', '*', '**', '?', '**/'], 7);
    const name = text(['a', 'b', '/'], 7);
    expect([seed, glob, name, globMatcher(glob)(name)]).toEqual([seed, glob, name, naive(glob, name)]);
  }
});

it('a name made to slow the matcher down is answered at once', () => {
  const matches = globMatcher(`${'*a'.repeat(50)}b`);
  expect(matches('a'.repeat(500))).toBe(false);
});

function naive(glob: string, name: string): boolean {
  if (glob === '') return name === '';
  const stars = /^\*+/.exec(glob)?.[0].length ?? 0;
  if (stars >= 2) {
    const rest = glob.slice(stars);
    const ends = Array.from({ length: name.length + 1 }, (_, at) => at);
    if (!rest.startsWith('/')) return ends.some((at) => naive(rest, name.slice(at)));
    return ends.some((at) => (at === 0 || name[at - 1] === '/') && naive(rest.slice(1), name.slice(at)));
  }
  if (stars === 1) {
    const segment = name.split('/')[0]!;
    const ends = Array.from({ length: segment.length + 1 }, (_, at) => at);
    return ends.some((at) => naive(glob.slice(1), name.slice(at)));
  }
  if (name === '') return false;
  return (glob[0] === '?' ? name[0] !== '/' : glob[0] === name[0]) && naive(glob.slice(1), name.slice(1));
}
