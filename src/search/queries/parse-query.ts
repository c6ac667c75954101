import { checkAt } from './field-parts.ts';
import { filterParts } from './filter-parts.ts';
import { directiveWords, readDirectives } from './query-directives.ts';
import { queryEmpty, queryTooLong } from './query-errors.ts';
import { allOf, type Part } from './query-part.ts';
import { readingOf } from './query-reading.ts';
import { QueryResolver } from './query-resolver.ts';
import { type CaseMode, parseSyntax } from './query-syntax.ts';
import type { ParsedQuery, ParseQueryOptions, QueryFilters, QueryNode, QueryTarget } from './types.ts';
import { type WholeText, wholeText } from './whole-text.ts';

export const QUERY_LENGTH_MAX = 100_000;
const NOTES_MAX = 6;

/**
 * What a query means. In mode `auto` nothing is an error that can be taken as text; what is written as syntax must be right. Throws
 * invalid-request: search/query-syntax with a caret under the place, or what a regex is faulty with (search/regex-*). Work is linear
 * in the length of the query.
 */
export function parseQuery(
  text: string,
  options: ParseQueryOptions,
  filters: QueryFilters = {},
): ParsedQuery {
  if (text.length > QUERY_LENGTH_MAX) throw queryTooLong(text.length, QUERY_LENGTH_MAX);
  const whole = wholeText(text, options.mode);
  const syntax = whole?.syntax ?? parseSyntax(text);
  const directives = readDirectives(text, syntax.directives, options.nowMs);
  const resolver = new QueryResolver(text, options, directives);
  const written = [resolver.part(syntax.root, options.case)];
  if (whole !== null && whole.text !== '') {
    const inner = syntax.root.kind === 'list' ? syntax.root.case : null;
    written.push(wholePart(whole, resolver, inner ?? options.case));
  }
  const given = filterParts(filters);
  const root = allOf([...written, ...given]);
  const revisions = [
    ...resolver.revisions,
    ...directives.revisions.map((revision) => ({ repository: anyName, revision })),
  ];
  if (root.node.kind === 'everything' && text.trim() === '') throw queryEmpty();
  const target = targetOf(directives.target, root.node);
  const { select, count, author, sinceMs, untilMs } = directives;
  return {
    root: root.node,
    leavesOutAlone:
      leavesOutAlone(root.node) && !syntax.directives.some(({ field }) => field.name === 'type'),
    target,
    revisions,
    repositories: resolver.repositories,
    select,
    count,
    author,
    sinceMs,
    untilMs,
    reading: readingOf(root.said, listed[target], directiveWords(directives)),
    notes: shortList([...syntax.notes, ...resolver.notes]),
  };
}

/** Fits every name. */
const anyName = { source: '', literal: true, ignoreCase: true };

const listed: Readonly<Record<QueryTarget, string | null>> = {
  content: null,
  file: 'files',
  repo: 'repositories',
  commit: 'commits',
  diff: 'changes',
};

/** Without anything that lines could be found by, what fits is listed. */
function targetOf(target: QueryTarget, root: QueryNode): QueryTarget {
  if (target !== 'content' || hasTerm(root)) return target;
  return root.kind === 'everything' || isAboutRepositories(root) ? 'repo' : 'file';
}

function hasTerm(node: QueryNode): boolean {
  if (node.kind === 'all' || node.kind === 'any') return node.of.some(hasTerm);
  return node.kind === 'symbol' || (node.kind === 'text' && node.where !== 'path');
}

/** `-foo`, with no filter beside it. */
function leavesOutAlone(node: QueryNode): boolean {
  if (node.kind === 'all') return node.of.every(leavesOutAlone);
  return node.kind === 'not' && hasTerm(node.of);
}

function isAboutRepositories(node: QueryNode): boolean {
  if (node.kind === 'all' || node.kind === 'any') return node.of.every(isAboutRepositories);
  if (node.kind === 'not') return isAboutRepositories(node.of);
  return ['repository', 'archived', 'fork', 'repository-has-file'].includes(node.kind);
}

/** The one text or regex of a query, whose filters are read already. */
function wholePart(whole: WholeText, resolver: QueryResolver, caseMode: CaseMode): Part {
  const term = { source: whole.text, isRegex: whole.isRegex, at: Math.max(0, whole.at) };
  if (!whole.isRegex) return resolver.term(term, 'either', caseMode);
  // Put together from around filters it stands nowhere in the query: the fault is shown in the regex alone.
  if (whole.at === -1) checkAt(whole.text, 0, whole.text);
  return resolver.regex(term, 'either', caseMode);
}

/** What is said of one word in full is said of others of its kind in short. */
function shortList(notes: readonly string[]): string[] {
  const byKind = new Map<string, string[]>();
  for (const note of new Set(notes)) {
    const kind = note.replace(/"[^"]*"|\/.*\/|\w+:/g, '');
    const those = byKind.get(kind);
    if (those) those.push(note);
    else byKind.set(kind, [note]);
  }
  return [...byKind.values()].slice(0, NOTES_MAX).map(([first = '', ...others]) => {
    if (others.length === 0) return first;
    return `${first} (${others.length} more ${others.length === 1 ? 'part was' : 'parts were'} read likewise)`;
  });
}
