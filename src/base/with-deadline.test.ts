import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { withDeadline } from './with-deadline.ts';

const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

it('gives what the work gives and lets go of the signal', async () => {
  const { signal } = new AbortController();
  expect(await withDeadline(signal, 1000, async () => 7)).toBe(7);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('ends the work when the time is over, and tells so', async () => {
  let told = false;
  const work = withDeadline(new AbortController().signal, 5, (signal, expired) =>
    never(signal).catch((fault) => {
      told = expired();
      throw fault;
    }),
  );
  await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(told).toBe(true);
});

it('ends the work when the caller goes away, at once when it is gone already', async () => {
  const caller = new AbortController();
  let told: boolean | null = null;
  const work = withDeadline(caller.signal, 60_000, (signal, expired) =>
    never(signal).catch((fault) => {
      told = expired();
      throw fault;
    }),
  );
  caller.abort();
  await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  expect(told).toBe(false);
  await expect(withDeadline(caller.signal, 60_000, async () => 7)).rejects.toMatchObject({
    name: 'AbortError',
  });
});
