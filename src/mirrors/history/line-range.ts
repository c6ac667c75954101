import { linesSyntax } from '../errors.ts';

/** Git's own counters of lines end there. */
const lineMax = 2 ** 31 - 1;

/** Refuses what git would read as another range than was meant. */
export function checkLines({ start, end }: { start: number; end: number }) {
  const areLines = Number.isInteger(start) && Number.isInteger(end) && start >= 1 && end <= lineMax;
  if (!areLines || end < start) throw linesSyntax(start, end);
}
