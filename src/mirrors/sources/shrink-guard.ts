import { refsVanished } from '../errors.ts';

/**
 * A proxy's maintenance page is an empty 200, and git then believes that every reference is gone. So a remote that suddenly tells
 * of none is never believed, and one that lost more than half is believed when it says the very same again, a while later.
 */
export interface ShrinkGuard {
  /** Throws `unavailable` when what the remote tells is not to be believed yet. */
  check(name: string, known: ReadonlyMap<string, string>, told: ReadonlyMap<string, string>): void;
}

const confirmedAfterMs = 30_000;

export function createShrinkGuard(clock: { now(): number }): ShrinkGuard {
  let suspect: { names: string; sinceMs: number } | null = null;

  return {
    check(name, known, told) {
      const kept = [...known.keys()].filter((ref) => told.has(ref)).length;
      if (told.size > 0 && kept * 2 >= known.size) {
        suspect = null;
        return;
      }
      if (known.size === 0) return;
      const names = [...told.keys()].join('\n');
      const isConfirmed = suspect?.names === names && clock.now() - suspect.sinceMs >= confirmedAfterMs;
      if (told.size > 0 && isConfirmed) {
        suspect = null;
        return;
      }
      if (suspect?.names !== names) suspect = { names, sinceMs: clock.now() };
      throw refsVanished(name, known.size, kept);
    },
  };
}
