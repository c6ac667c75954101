import type { Indexing } from '../../indexing/index.ts';
import type { CodeSearch, IndexedRevision, Scope } from '../../search/index.ts';

/** What of a scope the index does not show as it stands now. */
export interface IndexGaps {
  /** Indexed at an older commit than the one that the repository was seen at. */
  behind: readonly { id: number; commit: string }[];
  /** Texts are missing, because a part of the index was damaged and is made anew. */
  incomplete: readonly number[];
  /** Why it cannot follow; null when nothing hinders it. */
  problem: string | null;
}

export const noGaps: IndexGaps = { behind: [], incomplete: [], problem: null };

type IndexFacts = Pick<Indexing, 'isBehind' | 'headsVersion' | 'problem'>;

/** Tells the gaps of a scope. What is worked out for one is kept until the index or a repository goes on. */
export function createIndexGaps(search: CodeSearch, indexing: IndexFacts): (scope: Scope) => IndexGaps {
  const known = new WeakMap<Scope, FoundGaps & { generation: number; version: number }>();
  return (scope) => {
    const generation = search.generation();
    const version = indexing.headsVersion();
    let gaps = known.get(scope);
    if (gaps?.generation !== generation || gaps.version !== version) {
      gaps = { ...gapsOf(scope, search.revisions(), indexing), generation, version };
      known.set(scope, gaps);
    }
    const { behind, incomplete } = gaps;
    return { behind, incomplete, problem: indexing.problem() };
  };
}

type FoundGaps = Omit<IndexGaps, 'problem'>;

function gapsOf(scope: Scope, revisions: readonly IndexedRevision[], indexing: IndexFacts): FoundGaps {
  const ids = new Set(scope.map(({ id }) => id));
  const branches = revisions.filter(({ repositoryId, kind }) => kind === 'branch' && ids.has(repositoryId));
  const behind = branches
    .filter(({ repositoryId, isDefault, commit }) => isDefault && indexing.isBehind(repositoryId, commit))
    .map(({ repositoryId, commit }) => ({ id: repositoryId, commit }));
  const incomplete = branches
    .filter(({ skipped }) => (skipped['pending'] ?? 0) > 0)
    .map(({ repositoryId }) => repositoryId);
  const place = new Map(scope.map(({ id }, at) => [id, at]));
  const inOrder = (left: number, right: number) => place.get(left)! - place.get(right)!;
  return {
    behind: behind.sort((left, right) => inOrder(left.id, right.id)),
    incomplete: [...new Set(incomplete)].sort(inOrder),
  };
}

const NAMED_MAX = 5;

/** In words. `isLacking`: repositories that were asked for were not searched at all, which is told beside it. */
export function indexGapNotes(
  { behind, incomplete, problem }: IndexGaps,
  { nameOf, isLacking }: { nameOf(id: number): string; isLacking: boolean },
): string[] {
  const notes: string[] = [];
  if (behind.length > 0) {
    const named = firstOf(behind.map(({ id, commit }) => `${nameOf(id)} (at ${commit.slice(0, 10)})`));
    notes.push(
      behind.length === 1
        ? `1 repository has changed since it was indexed, and was searched as it was: ${named}.`
        : `${behind.length} repositories have changed since they were indexed, and were searched as they were: ${named}.`,
    );
  }
  if (incomplete.length > 0)
    notes.push(
      `A part of the index was damaged and is made anew; until then files are missing of ${firstOf(incomplete.map(nameOf))}.`,
    );
  if (problem !== null && (notes.length > 0 || isLacking))
    notes.push(`The index cannot follow what changes: ${problem}`);
  return notes;
}

function firstOf(texts: readonly string[]): string {
  const more = texts.length - NAMED_MAX;
  return `${texts.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
