import type { GraphAnswer, GraphEdge, GraphNode } from '../../symbols/index.ts';
import type { Position, Row } from '../types.ts';
import type { GraphFindings } from './graph-finder.ts';
import { type GraphRowOptions, nodeValue } from './graph-rows.ts';
import { nodeSaid } from './graph-said.ts';

export interface DrawnGraph {
  rowsName: 'edges' | 'nodes';
  rows: Row[];
  facts: Record<string, unknown>;
}

/** The answer as nodes and edges that a page can draw; without edges the nodes are the rows. */
export function drawnGraph(
  { answer, shown }: GraphFindings,
  options: Pick<GraphRowOptions, 'nameOf'> & {
    positionAt(index: number): Position;
    /** Of the rows that are shown. */
    from: number;
  },
): DrawnGraph {
  const { positionAt, from } = options;
  const ids = answer.nodes.map((node) => idOf(node, options));
  const targets = answer.targets.filter((at) => shown[at]).map((at) => ids[at]!);
  if (answer.edges.length === 0) {
    const rows = answer.targets.flatMap((at, index): Row[] =>
      shown[at] && index >= from ? [nodeRow(answer.nodes[at]!, ids[at]!, positionAt(index), options)] : [],
    );
    return { rowsName: 'nodes', rows, facts: { targets, edges: [] } };
  }
  const used = new Set(answer.targets);
  const rows = answer.edges.flatMap((edge, index): Row[] => {
    if (!shown[edge.from] || !shown[edge.to] || index < from) return [];
    used.add(edge.from).add(edge.to);
    return [edgeRow(edge, ids, answer, positionAt(index))];
  });
  const nodes = [...used]
    .filter((at) => shown[at])
    .map((at) => ({ id: ids[at]!, ...nodeValue(answer.nodes[at]!, options) }));
  return { rowsName: 'edges', rows, facts: { targets, nodes } };
}

/** The same for the same place on every page. */
function idOf(node: GraphNode, { nameOf }: Pick<GraphRowOptions, 'nameOf'>): string {
  const { place, kind, ecosystem, container } = node;
  if (!place) return `${kind}:${ecosystem ?? ''}:${container}`;
  const file = `${nameOf(place.repositoryId)}@${place.revision}:${place.path}`;
  return kind === 'symbol' ? `${file}#${container}:${place.line}` : `${kind}:${file}`;
}

function nodeRow(
  node: GraphNode,
  id: string,
  position: Position,
  options: Pick<GraphRowOptions, 'nameOf'>,
): Row {
  return {
    text: `${nodeSaid(node)}  ${id}`,
    value: { id, ...nodeValue(node, options) },
    position,
    place: `graph:${id}`,
  };
}

function edgeRow(edge: GraphEdge, ids: readonly string[], { nodes }: GraphAnswer, position: Position): Row {
  const { from, to, confidence, depth, kind, lines, path, uses, how, version, scope } = edge;
  const said = [`${nodeSaid(nodes[from]!)} -> ${nodeSaid(nodes[to]!)}`, kind, `${path}:${lines[0] ?? 1}`];
  if (confidence !== 'certain') said.push(confidence);
  return {
    text: said.join('  '),
    value: {
      from: ids[from]!,
      to: ids[to]!,
      kind,
      path,
      lines,
      uses,
      how,
      confidence,
      depth,
      version: version ?? null,
      scope: scope ?? null,
    },
    position,
    place: `graph:${ids[from]}:${ids[to]}:${kind}`,
  };
}
