import { PeriscopeError } from '../../base/errors.ts';
import type { Repository } from '../../catalog/index.ts';
import type { CodeSearch, SearchAnswer } from '../../search/index.ts';
import type { DoorDeps } from './shown-files.ts';

/**
 * Of the repositories that an answer tells of, in files, counts or facets, those that have opted out of something since they were
 * indexed: what is told of them may come from hidden files.
 */
export async function optOutsBehind(
  { files, repositories: counted, facets }: SearchAnswer,
  repositories: ReadonlyMap<number, Repository>,
  deps: Pick<DoorDeps, 'mirrorOf' | 'policyOf'> & { search: CodeSearch },
): Promise<Repository[]> {
  const told = [...files, ...files.flatMap(({ also }) => also), ...counted, ...facets.repositories];
  const ids = [...new Set(told.map(({ repositoryId }) => repositoryId))];
  const behind = await Promise.all(
    ids.map(async (id) => {
      const repository = repositories.get(id);
      return repository && (await isBehind(repository, deps)) ? [repository] : [];
    }),
  );
  return behind.flat();
}

async function isBehind(
  repository: Repository,
  { mirrorOf, policyOf, search }: Pick<DoorDeps, 'mirrorOf' | 'policyOf'> & { search: CodeSearch },
): Promise<boolean> {
  const revisions = search.revisions(repository.id);
  try {
    const { key } = await policyOf(mirrorOf(repository), revisions[0]?.commit ?? '');
    return key !== undefined && revisions.some(({ policyKey }) => policyKey !== key);
  } catch (fault) {
    // One that cannot be understood hides everything. Any other fault is told beside the files.
    return fault instanceof PeriscopeError && fault.kind === 'blocked-by-policy';
  }
}
