import type { RevisionEntry } from '../search/index.ts';
import type { RepositoryRecord } from './repository-records.ts';
import type { RepositoryIndexState, RepositoryIndexStatus } from './types.ts';

/**
 * What is published of a repository, and what is known beside it: by the writer, where it runs in this process, and by a look at where
 * the repository stands (null without a commit).
 */
export function statusOf(
  repositoryId: number,
  entries: readonly RevisionEntry[],
  { record, seenHead }: { record: RepositoryRecord | undefined; seenHead: string | null | undefined },
): RepositoryIndexStatus {
  const branches = entries.filter(({ kind }) => kind === 'branch');
  const standing = branches.find(({ isDefault }) => isDefault) ?? null;
  return {
    repositoryId,
    state: stateOf(standing, record, seenHead),
    indexedCommit: standing?.head.commit ?? null,
    headCommit: record?.headCommit ?? seenHead ?? standing?.head.commit ?? null,
    indexedMs: standing?.indexedMs ?? null,
    documents: standing?.head.documents ?? 0,
    skipped: standing?.head.skippedCounts ?? {},
    maskedSpans: standing?.head.maskedSpans ?? 0,
    branches: branches.map(({ revision, head }) => ({ branch: revision, commit: head.commit })),
    problem: record?.problem ?? null,
  };
}

function stateOf(
  standing: RevisionEntry | null,
  record: RepositoryRecord | undefined,
  seenHead: string | null | undefined,
): RepositoryIndexState {
  if (record?.isBusy) return 'indexing';
  if (record?.problem) return 'failed';
  if (standing === null) {
    if (record?.isEmpty || seenHead === null) return 'empty';
    return record ? 'pending' : 'never';
  }
  if ((standing.head.skippedCounts.pending ?? 0) > 0) return 'pending';
  const isBehind = record?.headCommit != null && record.headCommit !== standing.head.commit;
  return isBehind || record?.again ? 'pending' : 'indexed';
}
