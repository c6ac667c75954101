import { alphanumericBytes } from './byte-classes.ts';
import type { SecretSpan } from './types.ts';

/** In order, those that overlap joined under the surer of their rules. */
export function united(spans: SecretSpan[]): SecretSpan[] {
  spans.sort((one, other) => one.start - other.start || other.end - one.end);
  const joined: SecretSpan[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last === undefined || span.start >= last.end) {
      joined.push({ ...span });
      continue;
    }
    last.end = Math.max(last.end, span.end);
    if (last.confidence === 'warn' && span.confidence === 'block') {
      last.rule = span.rule;
      last.confidence = 'block';
    }
  }
  return joined;
}

const star = 0x2a;
const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * Each byte becomes a star. In a span of several lines the line breaks stay, and so does what a further line begins with: the
 * sign of a change, an indent, the mark of a comment.
 */
export function overwrite(text: Uint8Array, { start, end }: SecretSpan): void {
  let isLineStart = false;
  for (let at = start; at < end; at++) {
    const byte = text[at]!;
    if (byte === newline || byte === carriageReturn) {
      isLineStart = true;
      continue;
    }
    if (isLineStart && alphanumericBytes[byte] === 0) continue;
    isLineStart = false;
    text[at] = star;
  }
}
