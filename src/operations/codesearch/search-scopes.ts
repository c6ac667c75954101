import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Repository } from '../../catalog/index.ts';
import type { CodeSearch, IndexedRevision, Scope } from '../../search/index.ts';

/** What is looked into, as it stands now: digests of what is visible alone. */
export interface SearchState {
  repositories: string;
  /** Of the commits that are indexed. */
  indexed: string;
  generation: number;
}

export interface OrderedScope {
  /** In the order in which their documents rank. */
  repositories: readonly Repository[];
  scope: Scope;
}

export interface SearchScopes {
  /** The same object for the same repositories of the same visible list: what the engine keeps for a scope is found again. */
  of(repositories: readonly Repository[], visible: readonly Repository[]): OrderedScope;
  stateOf(scope: Scope): SearchState;
}

/** For one visible list. */
const SCOPES_MAX = 100;

export function createSearchScopes(search: CodeSearch): SearchScopes {
  const kept = new WeakMap<readonly Repository[], LRUCache<string, OrderedScope>>();
  const states = new WeakMap<Scope, SearchState>();
  return {
    of(repositories, visible) {
      let scopes = kept.get(visible);
      if (!scopes) {
        scopes = new LRUCache({ max: SCOPES_MAX });
        kept.set(visible, scopes);
      }
      const isAll = repositories.length === visible.length;
      const key = isAll ? 'all' : digestOf(repositories.map(({ id }) => id));
      let found = scopes.get(key);
      if (!found) {
        found = orderedScope(repositories);
        scopes.set(key, found);
      }
      return found;
    },
    stateOf(scope) {
      const generation = search.generation();
      let state = states.get(scope);
      if (state?.generation !== generation) {
        state = { ...digestsOf(scope, search.revisions()), generation };
        states.set(scope, state);
      }
      return state;
    },
  };
}

export function digestOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 12);
}

/** Equal to no digest, and as long: the length of a cursor must not tell that something changed elsewhere meanwhile. */
export const noDigest = '-'.repeat(12);

function orderedScope(repositories: readonly Repository[]): OrderedScope {
  const ordered = [...repositories].sort(byWorth);
  const scope = ordered.map(({ id, host, name, archived, fork }) => ({ id, host, name, archived, fork }));
  return { repositories: ordered, scope };
}

/** Originals in use first; then by name, which no other repository's coming or going changes. */
function byWorth(left: Repository, right: Repository): number {
  const rank = ({ archived, fork }: Repository) => (archived ? 2 : 0) + (fork ? 1 : 0);
  return rank(left) - rank(right) || compare(left.name, right.name) || compare(left.host, right.host);
}

/** A revision that somebody has visited is searched by who asks for it alone, and is left out of account. */
function digestsOf(scope: Scope, revisions: readonly IndexedRevision[]) {
  const byRepository = new Map<number, IndexedRevision[]>();
  for (const one of revisions.filter(({ kind }) => kind === 'branch')) {
    const those = byRepository.get(one.repositoryId);
    if (those) those.push(one);
    else byRepository.set(one.repositoryId, [one]);
  }
  const indexed = scope.map(({ id }) =>
    (byRepository.get(id) ?? [])
      .map(({ revision, commit, documents, policyKey }) => [revision, commit, documents, policyKey] as const)
      .sort((left, right) => compare(left[0], right[0])),
  );
  return {
    repositories: digestOf(scope.map(({ host, name }) => [host, name])),
    indexed: digestOf(indexed),
  };
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
