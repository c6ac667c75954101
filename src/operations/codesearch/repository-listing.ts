import type { CodeSearch, IndexedRevision, SearchAnswer, SearchRequest } from '../../search/index.ts';
import { repositoryFilter } from './repository-filter.ts';

/** The repositories that a query over nothing but repositories fits, with what the index says of each: no document is looked at. */
export async function listedRepositories(
  request: SearchRequest,
  search: CodeSearch,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  // Over nothing: what an answer says beside what was found.
  const nothing = await search.search({ ...request, scope: [] }, signal);
  const listed = request.scope
    .filter(repositoryFilter(request.query))
    .map(({ id }) => ({ id, branches: search.revisions(id).filter(({ kind }) => kind === 'branch') }));
  const indexed = listed.filter(({ branches }) => branches.length > 0);
  const repositories = indexed
    .map(({ id, branches }) => ({ repositoryId: id, files: mostDocuments(branches), lines: 0 }))
    .sort((left, right) => right.files - left.files);
  const { pending = 0, ...skipped } = skippedOf(indexed.flatMap(({ branches }) => branches));
  const fileCount = {
    count: repositories.reduce((sum, { files }) => sum + files, 0),
    // Branches have most of their files in common, and how many no count tells.
    exact: indexed.every(({ branches }) => branches.length === 1),
  };
  return {
    ...nothing,
    repositories,
    fileCount,
    facets: { ...nothing.facets, repositories: repositories.map(({ lines: _, ...one }) => one) },
    searched: {
      repositories: indexed.length,
      documents: fileCount.count,
      unindexed: listed.filter(({ branches }) => branches.length === 0).map(({ id }) => id),
      skipped,
      pending,
    },
  };
}

function mostDocuments(branches: readonly IndexedRevision[]): number {
  return Math.max(...branches.map(({ documents }) => documents));
}

function skippedOf(branches: readonly IndexedRevision[]): Record<string, number> {
  const skipped: Record<string, number> = {};
  for (const branch of branches)
    for (const [reason, count] of Object.entries(branch.skipped))
      skipped[reason] = (skipped[reason] ?? 0) + count;
  return skipped;
}
