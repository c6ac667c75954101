/** What a file must hold, as all that search for it are asked. */
export interface Term {
  /** RE2 source, or the text itself. */
  source: string;
  literal: boolean;
  ignoreCase: boolean;
  /** Also files whose path has it. */
  orPath?: boolean;
}

export type Asked =
  | { kind: 'term'; term: Term }
  | { kind: 'all' | 'any'; of: readonly Asked[] }
  | { kind: 'not'; of: Asked }
  /** The same twice: as people write it, and what it means. */
  | { kind: 'path'; glob: string; means: RegExp }
  | { kind: 'language'; name: string; extension: string }
  | { kind: 'repository'; name: string };

export interface AskedQuery {
  /** For the report: what kind of query this is. */
  kind: string;
  asked: Asked;
}

export const term = (source: string, options: Partial<Term> = {}): Asked => ({
  kind: 'term',
  term: { source, literal: true, ignoreCase: false, ...options },
});
export const regex = (source: string, options: Partial<Term> = {}): Asked =>
  term(source, { literal: false, ...options });
export const all = (...of: Asked[]): Asked => ({ kind: 'all', of });
export const any = (...of: Asked[]): Asked => ({ kind: 'any', of });
export const not = (of: Asked): Asked => ({ kind: 'not', of });

/** In the words of the query language. */
export function written(asked: Asked): string {
  switch (asked.kind) {
    case 'term':
      return writtenTerm(asked.term);
    case 'all':
      return `(${asked.of.map(written).join(' ')})`;
    case 'any':
      return `(${asked.of.map(written).join(' or ')})`;
    case 'not':
      return `-${written(asked.of)}`;
    case 'path':
      return `file:"${asked.glob}"`;
    case 'language':
      return `lang:${asked.name}`;
    case 'repository':
      return `repo:${asked.name}`;
  }
}

function writtenTerm({ source, literal, ignoreCase, orPath }: Term): string {
  const text = literal ? `"${source.replace(/["\\]/g, '\\$&')}"` : `/${source.replaceAll('/', '\\/')}/`;
  return `(case:${ignoreCase ? 'no' : 'yes'} ${orPath ? '' : 'content:'}${text})`;
}

export function termsOf(asked: Asked): Term[] {
  if (asked.kind === 'term') return [asked.term];
  if (asked.kind === 'not') return termsOf(asked.of);
  return asked.kind === 'all' || asked.kind === 'any' ? asked.of.flatMap(termsOf) : [];
}

/** Matches may go on over several lines: named as the documentation of the query language has it. */
export function spansLines({ source, literal }: Term): boolean {
  return !literal && (/(^|[^\\])(\\\\)*\\n/.test(source) || /\(\?\w*s/.test(source));
}
