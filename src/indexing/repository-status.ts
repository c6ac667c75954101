import type { RevisionEntry } from '../search/index.ts';
import type { RepositoryRecord } from './repository-records.ts';
import type { RepositoryIndexState, RepositoryIndexStatus } from './types.ts';

/** What is published of a repository, and what the writer, where it runs in this process, knows beside it. */
export function statusOf(
  repositoryId: number,
  entries: readonly RevisionEntry[],
  record: RepositoryRecord | undefined,
): RepositoryIndexStatus {
  const branches = entries.filter(({ kind }) => kind === 'branch');
  const standing = branches.find(({ isDefault }) => isDefault) ?? null;
  return {
    repositoryId,
    state: stateOf(standing, record),
    indexedCommit: standing?.head.commit ?? null,
    headCommit: record?.headCommit ?? standing?.head.commit ?? null,
    indexedMs: standing?.indexedMs ?? null,
    documents: standing?.head.documents ?? 0,
    skipped: standing?.head.skippedCounts ?? {},
    maskedSpans: standing?.head.maskedSpans ?? 0,
    branches: branches.map(({ revision, head }) => ({ branch: revision, commit: head.commit })),
    problem: record?.problem ?? null,
  };
}

function stateOf(standing: RevisionEntry | null, record: RepositoryRecord | undefined): RepositoryIndexState {
  if (record?.isBusy) return 'indexing';
  if (record?.problem) return 'failed';
  if (standing === null) return record?.isEmpty ? 'empty' : record ? 'pending' : 'never';
  const isBehind = record?.headCommit != null && record.headCommit !== standing.head.commit;
  return isBehind || record?.again ? 'pending' : 'indexed';
}
