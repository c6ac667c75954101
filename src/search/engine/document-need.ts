import { anyOf, EVERYTHING, type LiteralQuery } from '../regex/literal-query.ts';
import type { GramNeed } from '../segments/types.ts';

/**
 * What must stand somewhere in a document for a pattern to match in it: of literals that need not lie in one block only the longest
 * is asked for.
 */
export function documentNeed({ text, shapes }: GramNeed): GramNeed {
  const longest = longestOf(text);
  return { text: longest, shapes: longest.kind === 'everything' ? longestOf(shapes) : EVERYTHING };
}

function longestOf(query: LiteralQuery): LiteralQuery {
  if (query.kind === 'any') return anyOf(query.of.map(longestOf));
  if (query.kind !== 'all') return query;
  let best: LiteralQuery = EVERYTHING;
  for (const part of query.of.map(longestOf)) if (shortestIn(part) > shortestIn(best)) best = part;
  return best;
}

/** Bytes of the shortest literal of which one is asked for. */
function shortestIn(query: LiteralQuery): number {
  switch (query.kind) {
    case 'literal':
      return query.bytes.length;
    case 'nothing':
      return Number.POSITIVE_INFINITY;
    case 'any':
      return Math.min(...query.of.map(shortestIn));
    default:
      return 0;
  }
}
