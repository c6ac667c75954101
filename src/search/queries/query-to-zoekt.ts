import { languageName } from '../documents/languages.ts';
import { notForZoekt } from './query-errors.ts';
import { escapeRegex } from './text-patterns.ts';
import type { QueryNode, TextPattern } from './types.ts';

/**
 * The query in zoekt's own syntax. Every term says how its case counts, because zoekt would guess, and stands in quotes, within which
 * zoekt takes a backslash off what follows it. Throws search/query-not-for-zoekt for what zoekt can not be asked.
 */
export function queryToZoekt(node: QueryNode): string {
  switch (node.kind) {
    case 'all':
      return group(node.of.map(queryToZoekt).join(' '));
    case 'any':
      return node.of.length === 0 ? '-( )' : group(node.of.map(queryToZoekt).join(' or '));
    case 'not':
      return `-${queryToZoekt(node.of)}`;
    case 'everything':
      return '( )';
    case 'text':
      return cased(fields[node.where], node.pattern);
    case 'symbol':
      return cased('sym', node.pattern);
    case 'repository':
      // zoekt heeds letter case in names whatever case: says.
      return `repo:${quoted((node.pattern.ignoreCase ? '(?i)' : '') + regexOf(node.pattern))}`;
    case 'branch':
      return branch(node.pattern);
    case 'language':
      return language(node.language);
    case 'archived':
    case 'fork':
      return `${node.kind}:${node.is ? 'yes' : 'no'}`;
    case 'repository-has-file': {
      const content = node.content === null ? '' : ` ${cased('content', node.content)}`;
      return group(`type:repo ${cased('file', node.path)}${content}`);
    }
  }
}

const fields = { either: 'regex', content: 'content', path: 'file' } as const;

/** Blanks within, for zoekt takes parentheses without any as part of a regex. */
function group(inside: string): string {
  return `( ${inside} )`;
}

function cased(field: string, pattern: TextPattern): string {
  return group(`case:${pattern.ignoreCase ? 'no' : 'yes'} ${field}:${quoted(regexOf(pattern))}`);
}

function regexOf({ source, literal }: TextPattern): string {
  return literal ? escapeRegex(source) : source;
}

function quoted(source: string): string {
  return `"${source.replace(/[\\"]/g, '\\$&')}"`;
}

/** Of branches zoekt knows parts of names alone. */
function branch({ source, literal, ignoreCase }: TextPattern): string {
  if (!literal || ignoreCase) throw notForZoekt('patterns over branch names');
  return `branch:${quoted(source)}`;
}

function language(index: number): string {
  const name = languageName(index);
  if (name === null) throw notForZoekt('this language');
  const names = [name, ...(apart[name] ?? [])];
  return names.length === 1
    ? `lang:${quoted(name)}`
    : group(names.map((one) => `lang:${quoted(one)}`).join(' or '));
}

/** What is one language to us and several to zoekt. */
const apart: Readonly<Record<string, readonly string[]>> = {
  TypeScript: ['TSX'],
  JSON: ['JSON5', 'JSON with Comments'],
  Handlebars: ['Mustache'],
};
