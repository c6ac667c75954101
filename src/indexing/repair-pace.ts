import type { Clock } from '../base/clock.ts';

/** A disk that goes bad damages the index again and again: each repair waits for longer, until it has been well for a while. */
export interface RepairPace {
  begun(): void;
  isDue(): boolean;
  waitMs(): number;
}

const firstMs = 2000;
const mostMs = 600_000;
const wellMs = 1_200_000;

export function createRepairPace(clock: Clock): RepairPace {
  let begunMs = Number.NEGATIVE_INFINITY;
  let pauseMs = 0;
  const waitMs = () => Math.max(0, begunMs + pauseMs - clock.now());

  return {
    begun() {
      const isWell = clock.now() - begunMs > wellMs;
      pauseMs = isWell ? firstMs : Math.min(mostMs, pauseMs * 2);
      begunMs = clock.now();
    },
    isDue: () => waitMs() === 0,
    waitMs,
  };
}
