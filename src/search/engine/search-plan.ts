import type { QueryNode, TextPattern } from '../queries/types.ts';

/**
 * A query as the engine runs it: a tree over numbered tests of three prices. Place tests are decided once for a revision, path and
 * language tests by a manifest row, content tests by reading text or what is known of its structure.
 */
export type PlanNode =
  | { readonly kind: 'always' }
  | { readonly kind: 'never' }
  | { readonly kind: 'all'; readonly of: readonly PlanNode[] }
  | { readonly kind: 'any'; readonly of: readonly PlanNode[] }
  | { readonly kind: 'not'; readonly of: PlanNode }
  | { readonly kind: 'place'; readonly test: number }
  | { readonly kind: 'path'; readonly test: number }
  | { readonly kind: 'language'; readonly language: number }
  | { readonly kind: 'content'; readonly test: number };

export type PlaceTest = Extract<
  QueryNode,
  { kind: 'repository' | 'branch' | 'archived' | 'fork' | 'repository-has-file' }
>;

export interface SearchPlan {
  readonly root: PlanNode;
  readonly places: readonly PlaceTest[];
  readonly paths: readonly PathTest[];
  readonly contents: readonly ContentTest[];
}

/** Of the lines of a text, or of the names that it defines. */
export interface ContentTest {
  readonly of: 'text' | 'symbol';
  readonly pattern: TextPattern;
}

export interface PathTest {
  readonly pattern: TextPattern;
  /** Half of an `either` term: its documents are looked for in the paths, beside those that texts lead to. */
  readonly ofEither: boolean;
}

const ALWAYS: PlanNode = { kind: 'always' };
const NEVER: PlanNode = { kind: 'never' };

export function planOf(query: QueryNode): SearchPlan {
  const places: PlaceTest[] = [];
  const paths: PathTest[] = [];
  const contents: ContentTest[] = [];
  const known = new Map<string, number>();
  const root = planNode(query);
  return { root, places, paths, contents };

  function planNode(node: QueryNode): PlanNode {
    switch (node.kind) {
      case 'all':
        return allOf(node.of.map(planNode));
      case 'any':
        return anyOf(node.of.map(planNode));
      case 'not':
        return notOf(planNode(node.of));
      case 'everything':
        return ALWAYS;
      case 'text':
        return textNode(node.pattern, node.where);
      case 'symbol':
        return contentNode(node.pattern, 'symbol');
      case 'language':
        return { kind: 'language', language: node.language };
      default:
        return { kind: 'place', test: numbered(places, node, JSON.stringify(node)) };
    }
  }

  function contentNode(pattern: TextPattern, of: ContentTest['of']): PlanNode {
    return { kind: 'content', test: numbered(contents, { of, pattern }, `${of} ${keyOf(pattern)}`) };
  }

  function textNode(pattern: TextPattern, where: 'content' | 'path' | 'either'): PlanNode {
    const path = (ofEither: boolean): PlanNode => {
      return {
        kind: 'path',
        test: numbered(paths, { pattern, ofEither }, `path ${ofEither} ${keyOf(pattern)}`),
      };
    };
    if (where === 'content') return contentNode(pattern, 'text');
    return where === 'path' ? path(false) : anyOf([path(true), contentNode(pattern, 'text')]);
  }

  /** Equal tests are one. */
  function numbered<T>(list: T[], test: T, key: string): number {
    let number = known.get(key);
    if (number === undefined) {
      number = list.length;
      known.set(key, number);
      list.push(test);
    }
    return number;
  }
}

function keyOf({ source, literal, ignoreCase }: TextPattern): string {
  return JSON.stringify([source, literal, ignoreCase]);
}

export function allOf(nodes: readonly PlanNode[]): PlanNode {
  const of = nodes
    .flatMap((node) => (node.kind === 'all' ? node.of : [node]))
    .filter((node) => node.kind !== 'always');
  if (of.some((node) => node.kind === 'never')) return NEVER;
  if (of.length === 0) return ALWAYS;
  return of.length === 1 ? of[0]! : { kind: 'all', of };
}

export function anyOf(nodes: readonly PlanNode[]): PlanNode {
  const of = nodes
    .flatMap((node) => (node.kind === 'any' ? node.of : [node]))
    .filter((node) => node.kind !== 'never');
  if (of.some((node) => node.kind === 'always')) return ALWAYS;
  if (of.length === 0) return NEVER;
  return of.length === 1 ? of[0]! : { kind: 'any', of };
}

export function notOf(node: PlanNode): PlanNode {
  if (node.kind === 'always') return NEVER;
  if (node.kind === 'never') return ALWAYS;
  return node.kind === 'not' ? node.of : { kind: 'not', of: node };
}

/** The tree with some tests decided: `decide` gives null for those that stay open. */
export function decided(node: PlanNode, decide: (test: PlanNode) => boolean | null): PlanNode {
  switch (node.kind) {
    case 'always':
    case 'never':
      return node;
    case 'all':
      return allOf(node.of.map((part) => decided(part, decide)));
    case 'any':
      return anyOf(node.of.map((part) => decided(part, decide)));
    case 'not':
      return notOf(decided(node.of, decide));
    default: {
      const truth = decide(node);
      if (truth === null) return node;
      return truth ? ALWAYS : NEVER;
    }
  }
}

/** Whether any test that `fits` stands in the tree; with `positive` alone, such as do not stand under a `not`. */
export function contains(node: PlanNode, fits: (test: PlanNode) => boolean): boolean {
  switch (node.kind) {
    case 'all':
    case 'any':
      return node.of.some((part) => contains(part, fits));
    case 'not':
      return contains(node.of, fits);
    default:
      return fits(node);
  }
}

/** The parts that must all hold. */
export function conjuncts(node: PlanNode): readonly PlanNode[] {
  return node.kind === 'all' ? node.of : [node];
}

/** Numbers of the tests of a kind that do not stand under a `not`. */
export function positiveTests(
  node: PlanNode,
  kind: 'path' | 'content',
  into = new Set<number>(),
): Set<number> {
  if (node.kind === kind) into.add(node.test);
  if (node.kind === 'all' || node.kind === 'any') for (const part of node.of) positiveTests(part, kind, into);
  return into;
}
