import { expect, it } from 'vitest';
import { sharedLook } from './shared-look.ts';

it('looks of one moment are one, and a later one looks again', async () => {
  let looks = 0;
  const look = sharedLook(() => ++looks);
  const first = look();
  // So soon that the clock cannot have moved a millisecond, or else a look of its own.
  expect([first, first + 1]).toContain(look());
  await new Promise((resolve) => setTimeout(resolve, 10));
  const before = looks;
  expect(look()).toBe(before + 1);
});
