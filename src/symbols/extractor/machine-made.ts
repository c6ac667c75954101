import type { OffsetText } from './text-offsets.ts';

const AVERAGE_LINE_MAX = 500;
const LINE_MAX = 50_000;
const SMALL_BYTES = 4096;

/** Minified or generated: lines that nobody wrote. Their structure tells nothing and costs the most. */
export function isMachineMade(bytes: number, { lines, longestLine }: OffsetText): boolean {
  return longestLine > LINE_MAX || (bytes > SMALL_BYTES && bytes / lines > AVERAGE_LINE_MAX);
}
