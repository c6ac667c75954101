import type { Said } from './query-reading.ts';
import type { QueryNode } from './types.ts';

/** A piece of a query: what the engine gets, and how that is told. */
export interface Part {
  readonly node: QueryNode;
  readonly said: Said;
}

export const everything: Part = { node: { kind: 'everything' }, said: { kind: 'all', of: [] } };

/** All of them; what is asked twice counts once. */
export function allOf(parts: readonly Part[]): Part {
  return joined('all', parts);
}

export function anyOf(parts: readonly Part[]): Part {
  return joined('any', parts);
}

export function not(part: Part): Part {
  return { node: { kind: 'not', of: part.node }, said: { kind: 'not', of: part.said } };
}

export function filter(node: QueryNode, words: string): Part {
  return { node, said: { kind: 'filter', words } };
}

function joined(kind: 'all' | 'any', parts: readonly Part[]): Part {
  const distinct = new Map<string, Part>();
  for (const part of parts.flatMap((one) => partsOf(kind, one))) {
    const key = JSON.stringify(part.node);
    if (!distinct.has(key)) distinct.set(key, part);
  }
  const kept = [...distinct.values()];
  if (kept.length === 0) return everything;
  if (kept.length === 1) return kept[0]!;
  return {
    node: { kind, of: kept.map(({ node }) => node) },
    said: { kind, of: kept.map(({ said }) => said) },
  };
}

/** A list within a list of its kind is no list of its own. */
function partsOf(kind: 'all' | 'any', { node, said }: Part): readonly Part[] {
  if (node.kind === 'everything' && kind === 'all') return [];
  if (node.kind !== kind || said.kind !== kind || node.of.length !== said.of.length) return [{ node, said }];
  return node.of.map((child, index) => ({ node: child, said: said.of[index]! }));
}
