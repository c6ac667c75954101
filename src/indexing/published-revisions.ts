import type { IndexState, RevisionEntry } from '../search/index.ts';

/** The revisions of a state by repository, sorted out once for each generation. */
export class PublishedRevisions {
  #state: IndexState | null = null;
  #byRepository = new Map<number, RevisionEntry[]>();

  of(state: IndexState | null, repositoryId: number): readonly RevisionEntry[] {
    return this.all(state).get(repositoryId) ?? [];
  }

  all(state: IndexState | null): ReadonlyMap<number, readonly RevisionEntry[]> {
    if (state === this.#state) return this.#byRepository;
    this.#state = state;
    this.#byRepository = new Map();
    for (const entry of state?.revisions ?? []) {
      const own = this.#byRepository.get(entry.repositoryId);
      if (own) own.push(entry);
      else this.#byRepository.set(entry.repositoryId, [entry]);
    }
    return this.#byRepository;
  }
}
