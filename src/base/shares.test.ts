import { expect, it } from 'vitest';
import { createShares } from './shares.ts';

it('one key has at most its share, and the others go on', () => {
  const shares = createShares(10);
  const leave = Array.from({ length: 10 }, () => shares.enter('ada'));
  expect(shares.enter('ada')).toBeNull();
  shares.enter('bob')!();
  leave[0]!();
  expect(shares.enter('ada')).not.toBeNull();
});
