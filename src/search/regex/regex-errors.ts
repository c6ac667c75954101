import { invalidRequest, type PeriscopeError } from '../../base/errors.ts';

/** Where in a pattern a fault lies, in UTF-16 units of the JavaScript string. */
export interface PatternSpan {
  offset: number;
  length: number;
}

export function badSyntax(source: string, span: PatternSpan, what: string, next: string): PeriscopeError {
  return invalidRequest('search/regex-syntax', pointedAt(source, span, what), next, { ...span });
}

/** Well-formed in other engines, but absent here, because it cannot be matched in linear time or within one line. */
export function unsupported(source: string, span: PatternSpan, what: string, next: string): PeriscopeError {
  return invalidRequest('search/regex-unsupported', pointedAt(source, span, what), next, { ...span });
}

export function tooLarge(what: string): PeriscopeError {
  return invalidRequest(
    'search/regex-too-large',
    `The pattern is too large: ${what}.`,
    'Use smaller repeat counts or fewer alternatives, or split the pattern over several calls.',
  );
}

const EXCERPT_MAX = 60;

/** The message with the pattern below it and a caret under the fault; of a long pattern only what surrounds the fault. */
function pointedAt(source: string, { offset, length }: PatternSpan, what: string): string {
  const from = offset <= EXCERPT_MAX / 2 ? 0 : offset - EXCERPT_MAX / 2;
  const to = Math.min(source.length, from + EXCERPT_MAX);
  const head = from > 0 ? '...' : '';
  const tail = to < source.length ? '...' : '';
  // One visible column for each unit, so that the caret stands where it should.
  const excerpt = source.slice(from, to).replace(/[\x00-\x1f\x7f]/g, '\u00b7');
  const carets = '^'.repeat(Math.max(1, Math.min(length, to - offset)));
  return `${what}, at offset ${offset}:\n  ${head}${excerpt}${tail}\n  ${' '.repeat(head.length + offset - from)}${carets}`;
}
