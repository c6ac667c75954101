import { parseDate } from './query-dates.ts';
import { badQuery } from './query-errors.ts';
import { cut } from './query-reading.ts';
import type { FieldToken } from './query-scanner.ts';
import type { ParsedQuery, QueryTarget } from './types.ts';

/** What a query says about itself as a whole. */
export interface Directives extends Pick<ParsedQuery, 'select' | 'count' | 'author' | 'sinceMs' | 'untilMs'> {
  target: QueryTarget;
  /** Terms without a field are about these. */
  terms: 'either' | 'path' | 'symbol';
  revisions: readonly string[];
  pattern: 'auto' | 'literal' | 'regex' | null;
}

const noDirectives: Directives = {
  target: 'content',
  terms: 'either',
  select: null,
  count: null,
  author: null,
  sinceMs: null,
  untilMs: null,
  revisions: [],
  pattern: null,
};

/** The last of several of one kind holds. */
export function readDirectives(query: string, tokens: readonly FieldToken[], nowMs: number): Directives {
  const read = { ...noDirectives };
  for (const token of tokens) Object.assign(read, directiveOf(query, token, nowMs));
  return read;
}

const COUNT_MAX = 1_000_000;

function directiveOf(query: string, token: FieldToken, nowMs: number): Partial<Directives> {
  const { text } = token.value;
  const value = text.toLowerCase();
  switch (token.field.name) {
    case 'type':
      return known(query, token, types, value);
    case 'select':
      return known(query, token, selects, value);
    case 'patterntype':
      return known(query, token, patternTypes, value);
    case 'count':
      return { count: countOf(query, token) };
    case 'author':
      return { author: text };
    case 'after':
      return { sinceMs: dateOf(query, token, nowMs) };
    case 'before':
      return { untilMs: dateOf(query, token, nowMs) };
    case 'rev':
      return { revisions: text.split(':').filter((revision) => revision !== '') };
    default:
      return {};
  }
}

const asFile: Partial<Directives> = { target: 'file' };
const types = new Map<string, Partial<Directives>>([
  ['content', { target: 'content' }],
  ['code', { target: 'content' }],
  ['filematch', { target: 'content' }],
  ['file', asFile],
  ['filename', asFile],
  ['path', { target: 'file', terms: 'path' }],
  ['repo', { target: 'repo' }],
  ['repository', { target: 'repo' }],
  ['commit', { target: 'commit' }],
  ['diff', { target: 'diff' }],
  ['symbol', { target: 'content', terms: 'symbol' }],
]);
const selects = new Map<string, Partial<Directives>>([
  ['repo', { select: 'repo' }],
  ['repository', { select: 'repo' }],
  ['file', { select: 'file' }],
  ['path', { select: 'file' }],
  ['file.path', { select: 'file' }],
  ['content', { select: 'content' }],
  ['symbol', { select: 'symbol', terms: 'symbol' }],
]);
const patternTypes = new Map<string, Partial<Directives>>([
  ['standard', { pattern: 'auto' }],
  ['keyword', { pattern: 'auto' }],
  ['literal', { pattern: 'literal' }],
  ['regexp', { pattern: 'regex' }],
  ['regex', { pattern: 'regex' }],
]);

/** zoekt's one letter before a value that its field does not know is code: `t:string`. */
export function isTypeName(value: string): boolean {
  return types.has(value.toLowerCase());
}

/** What the reading says of them. */
export function directiveWords({ author, sinceMs, untilMs, revisions, count }: Directives): string[] {
  return [
    ...(author === null ? [] : [`by ${cut(author)}`]),
    ...(sinceMs === null ? [] : [`since ${dateWords(sinceMs)}`]),
    ...(untilMs === null ? [] : [`until ${dateWords(untilMs)}`]),
    ...(revisions.length === 0 ? [] : [`at ${cut(revisions.join(', '))}`]),
    ...(count === 'all' ? ['all counted'] : []),
  ];
}

function dateWords(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T00:00', '').replace('T', ' ')}`;
}

function known(
  query: string,
  token: FieldToken,
  values: ReadonlyMap<string, Partial<Directives>>,
  value: string,
): Partial<Directives> {
  const found = values.get(value);
  if (found) return found;
  throw badQuery(
    query,
    token.value,
    `${token.written}: knows no "${value.slice(0, 40)}"`,
    `Write one of ${[...values.keys()].join(', ')}; for the text put all of it in quotes.`,
  );
}

function countOf(query: string, token: FieldToken): number | 'all' {
  const value = token.value.text.toLowerCase();
  if (value === 'all') return 'all';
  const count = /^\d{1,7}$/.test(value) ? Number(value) : 0;
  if (count >= 1 && count <= COUNT_MAX) return count;
  throw badQuery(
    query,
    token.value,
    `count: is a number from 1 to ${COUNT_MAX}, or all`,
    'Write count:100 or count:all, or all of it in quotes for the text.',
  );
}

function dateOf(query: string, token: FieldToken, nowMs: number): number {
  const date = parseDate(token.value.text, nowMs);
  if (date !== null) return date;
  throw badQuery(
    query,
    token.value,
    `${token.written}: is a date`,
    `Write ${token.written}:2024-01-31, ${token.written}:yesterday or ${token.written}:"2 weeks ago".`,
  );
}
