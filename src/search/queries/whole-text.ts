import { PeriscopeError } from '../../base/errors.ts';
import { type FieldToken, QueryScanner } from './query-scanner.ts';
import { type CaseMode, caseOf, isDirective, type ParsedSyntax, type QuerySyntax } from './query-syntax.ts';
import type { ParseQueryOptions } from './types.ts';

/** What a query means whose filters stand beside one single text or regex, blanks and all. */
export interface WholeText {
  text: string;
  isRegex: boolean;
  /** Where `text` begins in the query, -1 when it was put together from around filters. */
  at: number;
  /** The filters. */
  syntax: ParsedSyntax;
}

/** Null when every word counts for itself: mode `auto` without a `patterntype:` that says otherwise. */
export function wholeText(query: string, mode: ParseQueryOptions['mode']): WholeText | null {
  if (mode === 'literal') {
    const nothing: QuerySyntax = { kind: 'list', options: [[]], case: null };
    const text = query.replace(/[\r\n]+$/, '');
    return { text, isRegex: false, at: 0, syntax: { root: nothing, directives: [], notes: [] } };
  }
  if (mode === 'auto' && !/(?:^|\s)patterntype:(?:literal|regexp?)(?:\s|$)/i.test(query)) return null;
  const found = separateFields(query);
  const wanted = found.directives
    .filter(({ field }) => field.name === 'patterntype')
    .at(-1)
    ?.value.text.toLowerCase();
  const isRegex = wanted === undefined ? mode === 'regex' : wanted !== 'literal';
  const [first, ...others] = found.rest.filter(({ text }) => text !== '');
  return {
    text: [first, ...others].map((piece) => piece?.text ?? '').join(' '),
    isRegex,
    at: others.length > 0 ? -1 : (first?.at ?? 0),
    syntax: {
      root: { kind: 'list', options: [found.filters], case: found.case },
      directives: found.directives,
      notes: [],
    },
  };
}

interface Separated {
  filters: QuerySyntax[];
  directives: FieldToken[];
  case: CaseMode | null;
  /** What stands between the fields, without the blanks that part it from them. */
  rest: { text: string; at: number }[];
}

/** Fields that are words of their own. zoekt's names of one letter are left to the text. */
function separateFields(query: string): Separated {
  const scanner = new QueryScanner(query);
  const separated: Separated = { filters: [], directives: [], case: null, rest: [] };
  let restFrom = 0;
  for (const { index } of query.matchAll(/(?<!\S)-?[A-Za-z]{2,}[A-Za-z.]*:(?=\S)/g)) {
    if (index < restFrom) continue;
    const isNegated = query[index] === '-';
    const field = fieldAt(scanner, isNegated ? index + 1 : index);
    if (!field || (isNegated && (isDirective(field) || field.field.name === 'case'))) continue;
    const caseWanted = field.field.name === 'case' ? caseOf(field.value.text) : undefined;
    if (field.field.name === 'case' && caseWanted === undefined) continue;
    if (caseWanted !== undefined) separated.case = caseWanted;
    else if (isDirective(field)) separated.directives.push(field);
    else {
      const leaf: QuerySyntax = { kind: 'leaf', token: field };
      separated.filters.push(isNegated ? { kind: 'not', of: leaf } : leaf);
    }
    separated.rest.push(withoutSeparators(query, restFrom, index));
    restFrom = field.end;
  }
  separated.rest.push(withoutSeparators(query, restFrom, query.length));
  return separated;
}

function fieldAt(scanner: QueryScanner, at: number): FieldToken | undefined {
  try {
    const field = scanner.field(at, scanner.text.length);
    return field && isBalanced(field.value.text) ? field : undefined;
  } catch (error) {
    if (error instanceof PeriscopeError) return undefined;
    throw error;
  }
}

/** The last word of `(a file:b)` is part of the regex around it. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [character] of text.matchAll(/\\.|[()]/gs)) {
    if (character === '(') depth++;
    else if (character === ')' && --depth < 0) return false;
  }
  return depth === 0;
}

/** Blanks beside a filter part it from the text; those at the ends of the query belong to the text. */
function withoutSeparators(query: string, from: number, to: number): { text: string; at: number } {
  const isLast = to === query.length;
  const piece = isLast ? query.slice(from, to).replace(/[\r\n]+$/, '') : query.slice(from, to).trimEnd();
  const text = from === 0 ? piece : piece.trimStart();
  return { text: text.trim() === '' ? '' : text, at: from + piece.length - text.length };
}
