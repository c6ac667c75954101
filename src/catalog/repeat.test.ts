import { expect, it } from 'vitest';
import { repeat } from './repeat.ts';

it('goes on after a fault, and waits for what runs when it is stopped', async () => {
  const faults: unknown[] = [];
  let begun = 0;
  let ended = 0;
  const timer = repeat(
    1,
    async () => {
      begun += 1;
      await new Promise((resolve) => setTimeout(resolve, 2));
      ended += 1;
      throw new Error(`fault ${begun}`);
    },
    (fault) => faults.push(fault),
  );
  while (begun < 3) await new Promise((resolve) => setTimeout(resolve, 1));
  await timer.stop();
  expect(ended).toBe(begun);
  expect(faults).toHaveLength(ended);
});

it('with an interval of 0 never runs', async () => {
  let begun = 0;
  const timer = repeat(
    0,
    async () => {
      begun += 1;
    },
    () => {},
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  await timer.stop();
  expect(begun).toBe(0);
});
