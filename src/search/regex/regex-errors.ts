import { invalidRequest, type PeriscopeError } from '../../base/errors.ts';
import { pointedAt, type TextSpan } from '../../base/pointed-at.ts';

export function badSyntax(source: string, span: TextSpan, what: string, next: string): PeriscopeError {
  return invalidRequest('search/regex-syntax', pointedAt(source, span, what), next, { ...span });
}

/** Well-formed in other engines, but absent here, because it cannot be matched in linear time or within one line. */
export function unsupported(source: string, span: TextSpan, what: string, next: string): PeriscopeError {
  return invalidRequest('search/regex-unsupported', pointedAt(source, span, what), next, { ...span });
}

export function tooLarge(what: string): PeriscopeError {
  return invalidRequest(
    'search/regex-too-large',
    `The pattern is too large: ${what}.`,
    'Use smaller repeat counts or fewer alternatives, or split the pattern over several calls.',
  );
}
