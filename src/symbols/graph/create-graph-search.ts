import type { IndexSearch, Scope } from '../../search/index.ts';
import type { GraphQuestion } from './run-graph.ts';
import type { GraphAnswer, GraphSearch } from './types.ts';

/** What the threads of a search pool run that are to answer questions about the graph, too. */
export const graphWorkerFile = new URL('./graph-worker.js', import.meta.url);

/** Asks the graph of an index, in the threads that search it: they must run `graphWorkerFile`. */
export function createGraphSearch(index: Pick<IndexSearch, 'ask'>): GraphSearch {
  return {
    async graph({ scope, revisions, ...request }, signal) {
      const question: GraphQuestion = request;
      const { budgetMs, after } = request;
      const generation = after === null ? null : (after['g'] ?? 0);
      const answer = await index.ask<GraphAnswer>(
        { scope, revisions, budgetMs, generation, question },
        signal,
      );
      return answer ?? noIndexAnswer(scope);
    },
  };
}

/** While there is no index nothing was looked at, and the answer says so. */
function noIndexAnswer(scope: Scope): GraphAnswer {
  return {
    generation: 0,
    nodes: [],
    targets: [],
    ambiguous: null,
    near: [],
    edges: [],
    count: { count: 0, exact: scope.length === 0 },
    coverage: {
      documents: 0,
      withFacts: 0,
      withoutLanguage: 0,
      skipped: {},
      pending: 0,
      unindexed: scope.map(({ id }) => id),
      start: null,
    },
    stopped: null,
    next: null,
    problems: [],
    statistics: { files: 0, uses: 0, lists: 0, listBytes: 0, records: 0, fileReads: 0, ms: 0 },
  };
}
