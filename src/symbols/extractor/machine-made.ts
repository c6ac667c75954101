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
  // By place: going through the bytes of an array by `of` takes ten times as long.
  for (let at = 0; at < text.length; at++) {
    const step = brackets[text[at]!]!;
    if (step === 0) continue;
    if (step > 0) {
      if (++depth > NESTING_MAX) return true;
    } else if (depth > 0) depth--;
  }
  return false;
}

const brackets = new Int8Array(256);
for (const opening of '([{') brackets[opening.charCodeAt(0)] = 1;
for (const closing of ')]}') brackets[closing.charCodeAt(0)] = -1;
