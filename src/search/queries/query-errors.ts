import { invalidRequest, PeriscopeError } from '../../base/errors.ts';
import { pointedAt } from '../../base/pointed-at.ts';

const VALUE_SHOWN_MAX = 60;

/** A part of the query text, in UTF-16 units. */
export interface Span {
  readonly at: number;
  readonly end: number;
}

/** The query can not be read: says what, shows where, and gives the one thing to write instead. */
export function badQuery(query: string, span: Span, what: string, next: string): PeriscopeError {
  const spanned = { offset: span.at, length: span.end - span.at };
  return invalidRequest('search/query-syntax', pointedAt(query, spanned, what), next, spanned);
}

/** A fault of a regex that begins at `at` of the query: the matcher's own words, with the caret where it stands in the whole query. */
export function badRegex(query: string, at: number, fault: unknown): unknown {
  if (!(fault instanceof PeriscopeError)) return fault;
  const { offset, length } = fault.data;
  if (typeof offset !== 'number' || typeof length !== 'number') return fault;
  const span = { offset: at + offset, length };
  const [what = ''] = fault.message.split(', at offset ');
  return new PeriscopeError(fault.kind, fault.code, pointedAt(query, span, what), fault.next, {
    data: span,
  });
}

/** A filter that came as a parameter of its own. */
export function badFilter(parameter: string, value: string, what: string, next: string): PeriscopeError {
  return invalidRequest(
    'search/query-syntax',
    `${parameter} "${value.slice(0, VALUE_SHOWN_MAX)}": ${what}.`,
    next,
  );
}

export function queryTooLong(length: number, lengthMax: number): PeriscopeError {
  return invalidRequest(
    'search/query-syntax',
    `The query has ${length} characters; ${lengthMax} is the most.`,
    'Search for a shorter piece: one line, a name or a regex.',
  );
}

export function queryEmpty(): PeriscopeError {
  return invalidRequest(
    'search/query-syntax',
    'The query is empty.',
    'Give a text to find, such as retryLimit, or a filter, such as file:*.proto.',
  );
}

export function notForZoekt(what: string): PeriscopeError {
  return invalidRequest(
    'search/query-not-for-zoekt',
    `zoekt, which searches here, does not know ${what}.`,
    'Search again without it.',
  );
}
