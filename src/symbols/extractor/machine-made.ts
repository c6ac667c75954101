import type { OffsetText } from './text-offsets.ts';

const AVERAGE_LINE_MAX = 500;
const LINE_MAX = 50_000;
const SMALL_BYTES = 4096;

/** Minified or generated: lines that nobody wrote. Their structure tells nothing and costs the most. */
export function isMachineMade(bytes: number, { lines, longestLine }: OffsetText): boolean {
  return longestLine > LINE_MAX || (bytes > SMALL_BYTES && bytes / lines > AVERAGE_LINE_MAX);
}

/**
 * Of eighty thousand real sources the deepest comes to 426, by brackets in its strings. Parsers call themselves as deep as brackets lie that
 * may be read in two ways, and overran their stack at a thousand.
 */
const NESTING_MAX = 500;

/** Whether more brackets are open at once than anybody writes. What stands in comments and strings counts as well. */
export function isNestedTooDeep(text: Uint8Array): boolean {
  let depth = 0;
  for (const byte of text) {
    if (byte === 0x28 || byte === 0x5b || byte === 0x7b) {
      if (++depth > NESTING_MAX) return true;
    } else if ((byte === 0x29 || byte === 0x5d || byte === 0x7d) && depth > 0) depth--;
  }
  return false;
}
