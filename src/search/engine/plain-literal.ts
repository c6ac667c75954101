import type { TextPattern } from '../queries/types.ts';

/** Longer texts are left to the automaton. */
const BYTES_MAX = 256;
/** Line breaks, what also stands for bad bytes, and halves of characters. */
const NOT_PLAIN = /[\r\n\ufffd\ud800-\udfff]/u;

/** The bytes of a pattern that is plain text in its own case, within one line; null for any other. */
export function plainLiteral({ source, literal, ignoreCase }: TextPattern): Buffer | null {
  if (!literal || ignoreCase || source === '' || NOT_PLAIN.test(source)) return null;
  const bytes = Buffer.from(source);
  return bytes.length <= BYTES_MAX ? bytes : null;
}

/** As grams have it: ASCII capitals lowered. */
export function foldedLatin1(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Where a text lies in a line, without overlap. */
export function rangesOfLiteral(
  line: Buffer,
  literal: Buffer,
  max: number,
): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (let at = line.indexOf(literal); at >= 0 && ranges.length < max; ) {
    ranges.push({ start: at, end: at + literal.length });
    at = line.indexOf(literal, at + literal.length);
  }
  return ranges;
}
