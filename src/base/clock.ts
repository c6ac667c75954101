/** Milliseconds since the Unix epoch. Passed in, so that tests decide what time it is. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
