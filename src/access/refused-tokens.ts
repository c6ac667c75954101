import type { Audit } from './types.ts';

const windowMs = 60_000;
const entriesPerWindow = 10;

/** Tells the audit of refused tokens: the first ones of each minute one by one, the others as a number once the minute is over. */
export function createRefusedTokens(audit: Audit) {
  let sinceMs = Number.NEGATIVE_INFINITY;
  let entries = 0;
  let counted = 0;

  const record = (detail: Record<string, unknown>) =>
    audit.record({
      subject: 'unknown',
      onBehalfOf: null,
      operation: 'authenticate',
      repositories: [],
      outcome: 'unauthenticated',
      detail,
    });

  /** Asked at every token, a good one too, so that a flood that ended is told without waiting for the next. */
  const tellCounted = (nowMs: number) => {
    if (counted === 0 || nowMs - sinceMs < windowMs) return;
    record({ refused: counted, sinceMs });
    counted = 0;
  };

  return {
    tellCounted,
    add(nowMs: number): void {
      tellCounted(nowMs);
      if (nowMs - sinceMs >= windowMs) {
        sinceMs = nowMs;
        entries = 0;
      }
      if (entries < entriesPerWindow) {
        entries += 1;
        record({ refused: 1 });
      } else counted += 1;
    },
  };
}
