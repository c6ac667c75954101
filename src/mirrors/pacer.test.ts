import { describe, expect, it } from 'vitest';
import { createPacer } from './pacer.ts';

describe('long work gives way', () => {
  it('however many of its parts go on at once', async () => {
    const pacer = createPacer();
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const part = async () => {
      while (pacer.isDue()) await pacer.turn();
      const endMs = performance.now() + 3;
      while (performance.now() < endMs);
    };
    await Promise.all(Array.from({ length: 40 }, part));
    isOver = true;
    expect(pacer.turns()).toBeGreaterThan(5);
    expect(turns).toBeGreaterThan(5);
  });

  it('and not while there is nothing to give way from', async () => {
    const pacer = createPacer();
    while (pacer.isDue()) await pacer.turn();
    expect(pacer.turns()).toBe(0);
  });
});
