import { describe, expect, it } from 'vitest';
import type { HeldGeneration } from '../index-folder/open-index.ts';
import { KeptGenerations } from './kept-generations.ts';

function held(generation: number, released: number[]): HeldGeneration<never> {
  return {
    generation: { generation } as HeldGeneration<never>['generation'],
    release: () => void released.push(generation),
  };
}

describe('an older generation is kept for those who page on', () => {
  it('for so long, and the one used longest ago goes first', () => {
    const released: number[] = [];
    const kept = new KeptGenerations<never>({ max: 2, keepMs: 100 });
    for (const generation of [1, 2, 3]) kept.keep(held(generation, released), 0);
    expect(released).toEqual([1]);
    kept.drop(100);
    expect(released).toEqual([1, 2, 3]);
  });

  it('and for a search that goes on in it until that has ended', () => {
    const released: number[] = [];
    const kept = new KeptGenerations<never>({ max: 2, keepMs: 100 });
    kept.keep(held(1, released), 0);
    const [one, other] = [kept.borrow(1)!, kept.borrow(1)!];
    kept.drop(100);
    expect(kept.borrow(1)).toBeNull();
    one.release();
    expect(released).toEqual([]);
    other.release();
    expect(released).toEqual([1]);
  });

  it('never one of an index that is gone', () => {
    const released: number[] = [];
    const kept = new KeptGenerations<never>({ max: 2, keepMs: 100 });
    kept.keep(held(7, released), 0);
    kept.drop(0, { from: 0, to: 3 });
    expect(released).toEqual([7]);
  });
});
