import { PeriscopeError } from '../../base/errors.ts';
import type { Repository } from '../../catalog/index.ts';
import type { CodeSearch } from '../../search/index.ts';
import type { PolicyDeps } from './place-policies.ts';

/**
 * Of the repositories that an answer tells of, those that have opted out of something since they were indexed: what is told of them
 * may come from hidden files.
 */
export async function optOutsBehind(
  told: Iterable<number>,
  repositories: ReadonlyMap<number, Repository>,
  deps: PolicyDeps & { search: CodeSearch },
): Promise<Repository[]> {
  const behind = await Promise.all(
    [...new Set(told)].map(async (id) => {
      const repository = repositories.get(id);
      return repository && (await isBehind(repository, deps)) ? [repository] : [];
    }),
  );
  return behind.flat();
}

async function isBehind(
  repository: Repository,
  { mirrorOf, policyOf, search }: PolicyDeps & { search: CodeSearch },
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

export function leftForOptOut(count: number): string {
  const left = count === 1 ? '1 repository is' : `${count} repositories are`;
  return `${left} left out for a few seconds: what they opt out of has just changed, and the index follows.`;
}
