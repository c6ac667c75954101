import type { GraphAnswer, GraphNode, GraphRelation } from '../../symbols/index.ts';

/** What is a subtype without a head that says so, and therefore is not among those that were found. */
export function unnamedSubtypesSaid(
  relation: GraphRelation,
  { targets, nodes, edges }: Pick<GraphAnswer, 'targets' | 'nodes' | 'edges'>,
): string[] {
  if (relation !== 'subtypes') return [];
  const types = targets.map((at) => nodes[at]!);
  const notes: string[] = [];
  if (types.some(isIn('Go', ['interface'])) && !edges.some(({ how }) => how === 'scip'))
    notes.push(
      'In Go, types that satisfy an interface without naming it are known only where a SCIP index was uploaded.',
    );
  if (types.some(isIn('Java', ['class', 'interface'])))
    notes.push('In Java, anonymous classes are not counted: references shows where they are made.');
  return notes;
}

function isIn(language: string, kinds: readonly GraphNode['symbolKind'][]): (node: GraphNode) => boolean {
  return (node) => node.language === language && kinds.includes(node.symbolKind);
}
