import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../base/errors.ts';
import { parseInput } from '../input.ts';
import { visibleRepository } from '../testing/visible-repository.ts';
import { graph } from '../tools/graph.ts';
import { type GivenWords, type StartWords, startWords } from './graph-words.ts';
import { kindNamed, towards } from './relation-words.ts';

const visible = [visibleRepository('acme/payments'), visibleRepository('acme/shop')];

describe('what a question starts from is read out of what people and models write', () => {
  const check = (name: string, given: GivenWords, expected: Partial<StartWords>) =>
    it(name, () => expect(startWords(given, visible)).toMatchObject(expected));
  check('a name', { name: 'Session.refresh' }, { name: 'Session.refresh', repo: [], path: null });
  check('its repository behind', { name: 'Session@acme/shop' }, { name: 'Session', repo: ['acme/shop'] });
  check('its repository in front', { name: '@shop Session' }, { name: 'Session', repo: ['shop'] });
  check('a scoped package', { name: '@acme/retry' }, { name: '@acme/retry', repo: [] });
  check('a version', { name: '@acme/retry@^2.0.0' }, { name: '@acme/retry', repo: [] });
  check('a call', { name: '`refresh(token, "a")`' }, { name: 'refresh' });
  check('a keyword in front', { name: 'class Session<T>' }, { name: 'Session' });
  check('C++ and Rust', { name: 'retry::Policy' }, { name: 'retry::Policy', path: null });
  check('a cited hit', { name: 'acme/shop/src/a.ts:12' }, { name: null, path: 'acme/shop/src/a.ts:12' });
  check('a browse URL', { name: 'https://git.example/acme/shop/blob/main/a.ts#L3' }, { name: null });
  check('a Go method', { name: '(c *Command) Find' }, { name: 'Command.Find' });
  check('a Go method of a generic type', { name: 'func (s *Set[K, V]) Add(key K)' }, { name: 'Set.Add' });
  check('a pointer', { name: '*Command.Find' }, { name: 'Command.Find' });
  check('a decorator', { name: '@click.command' }, { name: 'click.command' });
  check(
    'a relation of it',
    { name: 'callers of Command.Find' },
    { name: 'Command.Find', relation: 'callers' },
  );
  check(
    'a relation without a word between',
    { name: 'callers Find()' },
    { name: 'Find', relation: 'callers' },
  );
  check('a question', { name: 'who calls (c *Command) Find' }, { name: 'Command.Find', relation: 'callers' });
  check('many words', { name: 'find all usages of Find' }, { name: 'Find', relation: 'references' });
  check('a keyword that is no relation', { name: 'def outline' }, { name: 'outline', relation: null });
  check('a path given as filter', { file: ['src/a.ts'], line: 3 }, { path: 'src/a.ts', file: [], line: 3 });
  check(
    'a filter beside a name',
    { name: 'a', file: ['src/**'] },
    { name: 'a', path: null, file: ['src/**'] },
  );

  it('a repository behind a name that is hidden or never was is not found', () => {
    const fault = () => startWords({ name: 'Session@acme/vault' }, visible);
    expect(fault).toThrow(PeriscopeError);
    expect(fault).toThrow('There is no repository "acme/vault" that you can read.');
  });
});

describe('a relation has many words', () => {
  const check = (written: string, expected: string) =>
    it(written, () =>
      expect(parseInput(graph, { name: 'x', relation: written }).input['relation']).toBe(expected),
    );
  check('callers', 'callers');
  check('Who calls', 'callers');
  check('called-by', 'callers');
  check('calls', 'callees');
  check('used by', 'references');
  check('usages', 'references');
  check('extends', 'supertypes');
  check('implementations', 'subtypes');
  check('imported_by', 'importers');
  check('depends on', 'dependencies');
  check('reverse dependencies', 'dependents');

  it.each([
    ['callees', 'in', 'callers'],
    ['callers', 'out', 'callees'],
    ['imports', 'in', 'importers'],
    ['subtypes', 'out', 'supertypes'],
    ['outline', 'in', 'outline'],
  ] as const)('%s, turned %s, is %s', (relation, direction, expected) =>
    expect(towards(relation, direction)).toBe(expected),
  );
});

it.each([
  ['func', 'function'],
  ['Classes', 'class'],
  ['type_alias', 'type'],
  ['enum member', 'enum-member'],
  ['properties', 'property'],
  ['klass', null],
])('the kind %s is %s', (written, expected) => expect(kindNamed(written)).toBe(expected));
