import type { Scope, SearchAnswer, SearchStatistics } from './types.ts';

export function emptyStatistics(): SearchStatistics {
  return {
    candidates: 0,
    documentsOpened: 0,
    blocksDecoded: 0,
    blocksCached: 0,
    postingLists: 0,
    postingBytes: 0,
    contentBytesRead: 0,
    textBytesScanned: 0,
    ms: {},
  };
}

/** While there is no index nothing was searched, and the answer says so. */
export function noIndexAnswer(scope: Scope): SearchAnswer {
  return {
    generation: 0,
    files: [],
    repositories: [],
    fileCount: { count: 0, exact: true },
    lineCount: { count: 0, exact: true },
    facets: { repositories: [], languages: [], folders: [] },
    searched: {
      repositories: 0,
      documents: 0,
      unindexed: scope.map(({ id }) => id),
      skipped: {},
      pending: 0,
    },
    stopped: null,
    next: null,
    problems: [],
    notes: [],
    statistics: emptyStatistics(),
  };
}
