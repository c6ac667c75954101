import { expect, it } from 'vitest';
import { createShares } from './share-of-asker.ts';

const ada = { kind: 'token', token: 'a' } as const;
const bob = { kind: 'token', token: 'b' } as const;

it('one asker has at most a quarter of the requests in work, and the others go on', () => {
  const shares = createShares(40);
  const leave = Array.from({ length: 10 }, () => shares.enter(ada));
  expect(() => shares.enter(ada)).toThrowError(/of yours/);
  shares.enter(bob)();
  leave[0]!();
  expect(() => shares.enter(ada)()).not.toThrow();
});
