import type { PathMatcher } from './path-matcher.ts';
import { conjuncts, contains, type PlanNode, positiveTests } from './search-plan.ts';

/** What is left of the query for documents of some revisions. */
export interface QueryRest {
  readonly node: PlanNode;
  /** Parts that must hold and ask for no text: looked at first. */
  readonly filters: readonly PlanNode[];
  /** Those of them that cost so little that every candidate is asked. */
  readonly cheapFilters: readonly PlanNode[];
  readonly contents: readonly number[];
  /** Those that do not stand under a `not`: their lines are shown. */
  readonly positive: readonly number[];
  /** Places of one text may fit differently: by what no stream of paths tells, or as other revisions are asked something else. */
  readonly dependsOnPlace: boolean;
  /** The number of the one content test that the whole is, else -1. */
  readonly single: number;
}

/** `streamed`: path tests whose documents come as a stream. `isOnly`: all revisions are asked this. */
export function restOf(
  node: PlanNode,
  {
    streamed,
    paths,
    isOnly,
  }: { streamed: ReadonlySet<number>; paths: readonly PathMatcher[]; isOnly: boolean },
): QueryRest {
  const contents = new Set<number>();
  let dependsOnPlace = !isOnly;
  contains(node, (test) => {
    if (test.kind === 'content') contents.add(test.test);
    dependsOnPlace ||= test.kind === 'language' || (test.kind === 'path' && !streamed.has(test.test));
    return false;
  });
  const filters = conjuncts(node).filter((part) => !contains(part, ({ kind }) => kind === 'content'));
  return {
    node,
    filters,
    cheapFilters: filters.filter(
      (part) => part.kind === 'language' || (part.kind === 'path' && paths[part.test]!.isCheap),
    ),
    contents: [...contents],
    positive: [...positiveTests(node, 'content')],
    dependsOnPlace,
    single: node.kind === 'content' ? node.test : -1,
  };
}
