import type { AskedGround } from '../../search/index.ts';
import type { AnswerNodes } from './answer-nodes.ts';
import type { FoundFilter } from './found-filter.ts';
import type { GraphView } from './graph-view.ts';
import type { GraphWork } from './graph-work.ts';
import type { GraphAnswer, GraphEdge, GraphRequest } from './types.ts';

/** What a relation is answered with. */
export interface GraphGround {
  request: Omit<GraphRequest, 'scope' | 'revisions'>;
  view: GraphView;
  nodes: AnswerNodes;
  filter: FoundFilter;
  work: GraphWork;
  pathHas: AskedGround['pathHas'];
  position: Position;
}

/** What a relation found. */
export interface Found {
  edges: readonly GraphEdge[];
  /** Nodes that are the answer where there are no edges. */
  listed?: readonly number[];
  count: GraphAnswer['count'];
  stopped: GraphAnswer['stopped'];
  next: Position | null;
}

/** Where an answer ended: `from` is a place in the order of what is looked at, `to` where that wave ended (0: by itself). */
export interface Position {
  from: number;
  to: number;
  /** Of the wave that were handed out. */
  offset: number;
  /** Handed out in earlier waves. */
  before: number;
}

export const firstPosition: Position = { from: 0, to: 0, offset: 0, before: 0 };

/** A page of what was found whole. */
export function pageOf<T>(
  all: readonly T[],
  { request, position }: Pick<GraphGround, 'request' | 'position'>,
): { page: readonly T[]; next: Position | null } {
  const end = position.offset + request.placesMax;
  return {
    page: all.slice(position.offset, end),
    next: end < all.length ? { ...position, offset: end } : null,
  };
}
