import type { Manifest } from '../manifests/manifest.ts';
import type { TextPattern } from '../queries/types.ts';
import type { SentRevision } from './search-messages.ts';
import { decided, type PlaceTest, type PlanNode, type SearchPlan } from './search-plan.ts';
import type { Scope, ScopeRepository } from './types.ts';

type RevisionEntry = Omit<SentRevision, 'manifest'>;

/** A revision of a visible repository that a view shows. */
export interface ShownRevision {
  readonly repository: ScopeRepository;
  readonly entry: RevisionEntry;
  readonly manifest: Manifest;
}

/** The revisions that a scope shows, in the order in which they rank: as the scope orders repositories, the default branch first. */
export function shownRevisions(
  scope: Scope,
  chosen: ReadonlyMap<number, string>,
  revisions: readonly { readonly entry: RevisionEntry; readonly manifest: Manifest }[],
): ShownRevision[] {
  const byRepository = new Map<number, { entry: RevisionEntry; manifest: Manifest }[]>();
  for (const revision of revisions) {
    const { repositoryId } = revision.entry;
    const known = byRepository.get(repositoryId);
    if (known) known.push(revision);
    else byRepository.set(repositoryId, [revision]);
  }
  return scope.flatMap((repository) => {
    const wanted = chosen.get(repository.id);
    return (byRepository.get(repository.id) ?? [])
      .filter(({ entry }) => (wanted === undefined ? entry.kind === 'branch' : entry.revision === wanted))
      .sort((a, b) => orderOf(a.entry, b.entry))
      .map(({ entry, manifest }) => ({ repository, entry, manifest }));
  });
}

function orderOf(a: RevisionEntry, b: RevisionEntry): number {
  if (a.isDefault !== b.isDefault) return a.isDefault ? -1 : 1;
  if (a.revision !== b.revision) return a.revision < b.revision ? -1 : 1;
  return a.kind < b.kind ? -1 : 1;
}

/** What is left of a query for the documents of one revision, once what can be told of the whole revision is told. */
export interface DecidedPlan {
  /** By revision: the number of what is left of the query for it, -1 where nothing of it can fit. */
  readonly restOf: Int16Array;
  readonly rests: readonly PlanNode[];
}

export interface PlaceTests {
  /** Whether a text has the pattern. */
  matches(pattern: TextPattern, text: string): boolean;
  /** Whether a revision has a file that fits; by the number of the test. */
  hasFile(test: number, revision: number): boolean;
}

export function decidePlaces(
  plan: SearchPlan,
  revisions: readonly ShownRevision[],
  tests: PlaceTests,
): DecidedPlan {
  const restOf = new Int16Array(revisions.length);
  const rests: PlanNode[] = [];
  // Most revisions answer alike: what is left is worked out once for each pattern of answers.
  const restByTruths = new Map<string, number>();
  revisions.forEach((revision, index) => {
    const truths = plan.places.map((test, number) => placeTruth(test, number, revision, index, tests));
    const key = truths.join();
    let rest = restByTruths.get(key);
    if (rest === undefined) {
      const node = decided(plan.root, (test) => (test.kind === 'place' ? truths[test.test]! : null));
      rest = node.kind === 'never' ? -1 : rests.push(node) - 1;
      restByTruths.set(key, rest);
    }
    restOf[index] = rest;
  });
  return { restOf, rests };
}

/** Whether a repository that has no searchable revision could have been among those that were asked for. */
export function couldBeAsked(plan: SearchPlan, repository: ScopeRepository, tests: PlaceTests): boolean {
  const node = decided(plan.root, (test) => {
    if (test.kind !== 'place') return null;
    const place = plan.places[test.test]!;
    if (place.kind === 'branch' || place.kind === 'repository-has-file') return null;
    return repositoryTruth(place, repository, tests);
  });
  return node.kind !== 'never';
}

function placeTruth(
  test: PlaceTest,
  number: number,
  { repository, entry }: ShownRevision,
  index: number,
  tests: PlaceTests,
): boolean {
  if (test.kind === 'repository-has-file') return tests.hasFile(number, index);
  if (test.kind !== 'branch') return repositoryTruth(test, repository, tests);
  return (
    tests.matches(test.pattern, entry.revision) || (entry.isDefault && tests.matches(test.pattern, 'HEAD'))
  );
}

function repositoryTruth(
  test: Extract<PlaceTest, { kind: 'repository' | 'archived' | 'fork' }>,
  repository: ScopeRepository,
  tests: PlaceTests,
): boolean {
  switch (test.kind) {
    case 'archived':
      return repository.archived === test.is;
    case 'fork':
      return repository.fork === test.is;
    case 'repository': {
      const { host, name } = repository;
      return tests.matches(test.pattern, name) || tests.matches(test.pattern, `${host}/${name}`);
    }
  }
}
