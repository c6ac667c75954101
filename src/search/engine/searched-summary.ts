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

/** By what a scope shows: most queries filter no revision, and all of those look through the same. */
const ofAllRevisions = new WeakMap<readonly ShownRevision[], SearchAnswer['searched']>();

/** What was looked through, and what could not be. */
export function searchedOf(options: SummaryOptions): SearchAnswer['searched'] {
  const { plan, shown } = options;
  if (plan.places.length > 0 || plan.root.kind === 'never') return summaryOf(options);
  const summary = ofAllRevisions.get(shown) ?? summaryOf(options);
  ofAllRevisions.set(shown, summary);
  return summary;
}

function summaryOf({ plan, scope, shown, decided, tests }: SummaryOptions): SearchAnswer['searched'] {
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
      documents -= count;
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
