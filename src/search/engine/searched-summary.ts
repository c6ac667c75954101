import type { SearchPlan } from './search-plan.ts';
import { couldBeAsked, type DecidedPlan, type PlaceTests, type ShownRevision } from './searched-revisions.ts';
import type { Scope, SearchAnswer } from './types.ts';

export interface SummaryOptions {
  plan: SearchPlan;
  scope: Scope;
  shown: readonly ShownRevision[];
  decided: DecidedPlan;
  tests: PlaceTests;
}

/** What was looked through, and what could not be. */
export function searchedOf({ plan, scope, shown, decided, tests }: SummaryOptions): SearchAnswer['searched'] {
  const repositories = new Set<number>();
  const indexed = new Set<number>();
  const skipped: Record<string, number> = {};
  let documents = 0;
  shown.forEach(({ repository, manifest }, revision) => {
    indexed.add(repository.id);
    if (decided.restOf[revision]! < 0) return;
    repositories.add(repository.id);
    documents += manifest.head.documents;
    for (const [reason, count] of Object.entries(manifest.head.skippedCounts)) {
      skipped[reason] = (skipped[reason] ?? 0) + count;
    }
  });
  const { pending = 0, ...reasons } = skipped;
  return {
    repositories: repositories.size,
    documents,
    unindexed: scope
      .filter((repository) => !indexed.has(repository.id) && couldBeAsked(plan, repository, tests))
      .map(({ id }) => id),
    skipped: reasons,
    pending,
  };
}
