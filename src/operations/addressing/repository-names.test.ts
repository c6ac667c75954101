import { describe, expect, it } from 'vitest';
import { editDistance } from '../../base/edit-distance.ts';
import { visibleRepository } from '../testing/visible-repository.ts';
import { namesOf } from './repository-names.ts';

const visible = [
  visibleRepository('acme/payments'),
  visibleRepository('acme/billing', { aliases: ['acme/invoices'] }),
  visibleRepository('labs/payments-api'),
  visibleRepository('tools/lint'),
  visibleRepository('infra/lint'),
];

describe('a repository is found by what people and models call it', () => {
  const check = (asked: string, expected: string) =>
    it(`${asked} → ${expected}`, () => {
      const found = namesOf(visible).find(asked);
      expect(
        found.kind === 'one'
          ? `${found.how} ${found.repository.name}`
          : found.kind === 'several'
            ? `several ${found.repositories.map(({ name }) => name).join(' ')}`
            : 'none',
      ).toBe(expected);
    });
  check('acme/payments', 'exact acme/payments');
  check('git.example/acme/payments', 'exact acme/payments');
  check('payments', 'part acme/payments');
  check('acme/invoices', 'former acme/billing');
  check('ACME/Payments', 'letter-case acme/payments');
  check('lint', 'several tools/lint infra/lint');
  check('payment', 'none');
  check('ments', 'none');
});

describe('a slip of the keyboard leads to the one near name and to nothing when two are near', () => {
  const check = (asked: string, expected: string | null) =>
    it(`${asked} → ${expected}`, () => expect(namesOf(visible).nearest(asked)?.name ?? null).toBe(expected));
  check('paymets', 'acme/payments');
  check('acme/biling', 'acme/billing');
  check('lnit', null);
  check('xyz', null);
});

it('the longest repository name at the front of an address wins', () => {
  const found = namesOf(visible).longestPrefix('acme/payments/src/a.ts');
  expect([found?.repository.name, found?.rest]).toEqual(['acme/payments', '/src/a.ts']);
  expect(namesOf(visible).longestPrefix('paymentsx/src')).toBeNull();
});

describe('the distance counts insert, delete, replace and swap as one slip each', () => {
  for (const [left, right, distance] of [
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['abc', 'abcd', 1],
    ['kitten', 'sitting', 3],
    ['', 'ab', 2],
  ] as const) {
    it(`${left} ${right}`, () => expect(editDistance(left, right, 5)).toBe(distance));
  }
  it('stops beyond its bound', () => expect(editDistance('kitten', 'sitting', 1)).toBe(2));
});
