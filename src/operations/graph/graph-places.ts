import type { GraphAnswer, GraphEdge, GraphNode, GraphPlace, GraphRelation } from '../../symbols/index.ts';
import type { WantedLines } from './file-slices.ts';
import type { GraphFindings } from './graph-finder.ts';

/** Something that was found, where it stands, and how it was found. */
export interface FoundNode {
  node: GraphNode;
  /** Null for what is in no repository that is visible, or not known. */
  place: Pick<GraphPlace, 'repositoryId' | 'revision' | 'commit' | 'path'> | null;
  /** To show of the place. */
  lines: readonly number[];
  /** Absent for definitions and outlines. */
  edge: GraphEdge | null;
  /** The other end of the edge. */
  other: GraphNode | null;
}

/** Things found in one file in the same way. */
export interface FoundGroup {
  found: readonly FoundNode[];
}

/** Of these the places of use are what is asked for; of the others, what is used. */
const findsUsers: ReadonlySet<GraphRelation> = new Set<GraphRelation>([
  'references',
  'callers',
  'subtypes',
  'importers',
  'dependents',
]);

/** Lines of a definition that are shown: its head, and how it goes on. */
const DEFINITION_LINES_MAX = 8;
const BEFORE_NAME_MAX = 2;

/**
 * What an answer found, in its order, that may be shown. Edges that stand in one file, at one distance and with one reason are a
 * group; a definition, or a symbol of an outline, is one by itself.
 */
export function foundGroups(relation: GraphRelation, { answer, shown }: GraphFindings): FoundGroup[] {
  if (relation === 'definitions' || relation === 'outline')
    return answer.targets.flatMap((at) => {
      const node = answer.nodes[at]!;
      return shown[at] ? [{ found: [listed(node, relation)] }] : [];
    });
  const groups = new Map<string, FoundNode[]>();
  for (const edge of answer.edges) {
    if (!shown[edge.from] || !shown[edge.to]) continue;
    const found = ofEdge(relation, edge, answer);
    const { place } = found;
    const key = JSON.stringify([
      edge.depth,
      place && [place.repositoryId, place.revision, place.path],
      edge.confidence,
      edge.confidence === 'certain' ? '' : edge.how,
    ]);
    const group = groups.get(key);
    if (group) group.push(found);
    else groups.set(key, [found]);
  }
  return [...groups.values()].map((found) => ({ found }));
}

export function wantedLines(groups: readonly FoundGroup[]): WantedLines[] {
  return groups
    .flatMap(({ found }) => found)
    .flatMap(({ place, lines }) => (place && lines.length > 0 ? [{ ...place, lines }] : []));
}

function listed(node: GraphNode, relation: GraphRelation): FoundNode {
  const { place } = node;
  const isShown = relation === 'definitions' && node.kind === 'symbol';
  return { node, place, lines: place && isShown ? definitionLines(place) : [], edge: null, other: null };
}

function ofEdge(relation: GraphRelation, edge: GraphEdge, { nodes }: GraphAnswer): FoundNode {
  const [from, to] = [nodes[edge.from]!, nodes[edge.to]!];
  if (findsUsers.has(relation))
    return {
      node: from,
      place: from.place && { ...from.place, path: edge.path },
      lines: edge.lines,
      edge,
      other: to,
    };
  // What is used stands at its definition; where none is known, at its use.
  if (to.place && to.kind !== 'package')
    return {
      node: to,
      place: to.place,
      lines: to.kind === 'symbol' ? [to.place.line] : [],
      edge,
      other: from,
    };
  return {
    node: to,
    place: from.place && { ...from.place, path: edge.path },
    lines: edge.lines,
    edge,
    other: from,
  };
}

function definitionLines({ line, startLine, endLine }: GraphPlace): number[] {
  const first = Math.max(startLine, line - BEFORE_NAME_MAX);
  const last = Math.min(Math.max(endLine, line), first + DEFINITION_LINES_MAX - 1);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
