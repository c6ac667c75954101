import type { LiteralQuery } from '../regex/literal-query.ts';

/** The literals of which every text has one, such that the shortest is as long as can be; null when there are more than `max`. */
export function bestLiterals(query: LiteralQuery, max: number): readonly string[] | null {
  if (query.kind === 'literal') return [query.bytes];
  if (query.kind === 'any') {
    const literals: string[] = [];
    for (const part of query.of) {
      const more = bestLiterals(part, max);
      if (more === null || literals.length + more.length > max) return null;
      literals.push(...more);
    }
    return literals.length > 0 ? literals : null;
  }
  if (query.kind !== 'all') return null;
  let best: readonly string[] | null = null;
  for (const part of query.of) {
    const literals = bestLiterals(part, max);
    if (literals !== null && shortestOf(literals) > shortestOf(best ?? [''])) best = literals;
  }
  return best;
}

export function shortestOf(literals: readonly string[]): number {
  return Math.min(...literals.map(({ length }) => length));
}
