/**
 * What every matching line must contain. Literals are bytes, one to a UTF-16 unit (latin1), so that they can be compared with
 * text of any encoding. `everything` says nothing: any line may match; `nothing` says that no line matches.
 */
export type LiteralQuery =
  | { readonly kind: 'everything' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'literal'; readonly bytes: string }
  | { readonly kind: 'all'; readonly of: readonly LiteralQuery[] }
  | { readonly kind: 'any'; readonly of: readonly LiteralQuery[] };

export const EVERYTHING: LiteralQuery = { kind: 'everything' };
export const NOTHING: LiteralQuery = { kind: 'nothing' };

/** Up to here alternatives are compared with each other, which costs the square. */
const COMPARED_MAX = 64;

export function literal(bytes: string): LiteralQuery {
  return { kind: 'literal', bytes };
}

/** Whether a line, its bytes as latin1, fulfils a query. */
export function fulfils(line: string, query: LiteralQuery): boolean {
  switch (query.kind) {
    case 'everything':
      return true;
    case 'nothing':
      return false;
    case 'literal':
      return line.includes(query.bytes);
    case 'all':
      return query.of.every((part) => fulfils(line, part));
    case 'any':
      return query.of.some((part) => fulfils(line, part));
  }
}

/** What a first `all` has is known to say nothing twice: only what comes behind is compared, or a long pattern would cost its cube. */
export function allOf([first, ...rest]: readonly LiteralQuery[]): LiteralQuery {
  let kept: LiteralQuery[] = first?.kind === 'all' ? [...first.of] : [];
  const others = first === undefined || first.kind === 'all' ? rest : [first, ...rest];
  for (const query of others.flatMap((part) => (part.kind === 'all' ? part.of : [part]))) {
    if (query.kind === 'nothing') return NOTHING;
    if (query.kind === 'everything' || kept.some((other) => implies(other, query))) continue;
    kept = kept.filter((other) => !implies(query, other));
    kept.push(query);
  }
  if (kept.length === 0) return EVERYTHING;
  return kept.length === 1 ? kept[0]! : { kind: 'all', of: kept };
}

export function anyOf(queries: readonly LiteralQuery[]): LiteralQuery {
  const kept = new Map<string, LiteralQuery>();
  for (const query of queries.flatMap((part) => (part.kind === 'any' ? part.of : [part]))) {
    if (query.kind === 'everything') return EVERYTHING;
    if (query.kind !== 'nothing') kept.set(keyOf(query), query);
  }
  let parts = [...kept.values()];
  if (parts.length <= COMPARED_MAX) {
    parts = parts.filter((part) => !parts.some((other) => other !== part && implies(part, other)));
  }
  if (parts.length === 0) return NOTHING;
  return parts.length === 1 ? parts[0]! : { kind: 'any', of: parts };
}

/** The same query where a letter may stand as its rare writing (`rare`: letter to writing): then that alone is told of a literal. */
export function orRare(query: LiteralQuery, rare: ReadonlyMap<string, string>): LiteralQuery {
  if (rare.size === 0) return query;
  switch (query.kind) {
    case 'literal': {
      const writings = [...rare].filter(([letter]) => query.bytes.includes(letter));
      return anyOf([query, ...writings.map(([, writing]) => literal(writing))]);
    }
    case 'all':
      return allOf(query.of.map((part) => orRare(part, rare)));
    case 'any':
      return anyOf(query.of.map((part) => orRare(part, rare)));
    default:
      return query;
  }
}

/** Whether what fulfils `query` surely fulfils `other`; only told for literals and equal queries. */
function implies(query: LiteralQuery, other: LiteralQuery): boolean {
  if (query.kind === 'literal' && other.kind === 'literal') return query.bytes.includes(other.bytes);
  return query.kind === other.kind && keyOf(query) === keyOf(other);
}

/** With more literals in it a query is left as it is: comparing costs the square. */
const STRENGTHENED_MAX = 512;

/** The same query without what another part of it already demands. */
export function withoutImplied(query: LiteralQuery): LiteralQuery {
  if (query.kind !== 'all' || literalCount(query) > STRENGTHENED_MAX) return query;
  const kept = query.of.filter(
    (part, index) =>
      !query.of.some(
        (other, at) => at !== index && demands(other, part) && (at < index || !demands(part, other)),
      ),
  );
  return kept.length === 1 ? kept[0]! : { kind: 'all', of: kept };
}

/** Whether what fulfils `query` surely fulfils `other`, looking into alternatives. */
function demands(query: LiteralQuery, other: LiteralQuery): boolean {
  if (query.kind === 'any') return query.of.every((part) => demands(part, other));
  if (query.kind === 'all') return query.of.some((part) => demands(part, other));
  if (other.kind === 'any') return other.of.some((part) => demands(query, part));
  return implies(query, other);
}

function literalCount(query: LiteralQuery): number {
  if (query.kind !== 'all' && query.kind !== 'any') return 1;
  return query.of.reduce((total, part) => total + literalCount(part), 0);
}

/** Queries are compared with many others, and never change. */
const keys = new WeakMap<LiteralQuery, string>();

function keyOf(query: LiteralQuery): string {
  if (query.kind === 'literal') return `"${query.bytes}`;
  let key = keys.get(query);
  if (key === undefined) {
    key = JSON.stringify(query);
    keys.set(query, key);
  }
  return key;
}
