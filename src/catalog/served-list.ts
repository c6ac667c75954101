import type { Host } from '../hosts/index.ts';
import type { StoredList } from './stored-repositories.ts';
import type { Repository } from './types.ts';

/** The array that everyone reads. What did not change stays the same object, and so does the array when nothing in it changed. */
export function createServedList(hosts: ReadonlyMap<string, Host>) {
  let repositories: readonly Repository[] = [];
  let byId = new Map<number, { text: string; repository: Repository }>();
  let generation = 0;
  let storedGeneration = -1;

  return {
    repositories: () => repositories,
    generation: () => generation,
    storedGeneration: () => storedGeneration,
    replace(stored: StoredList): void {
      // Of two loads that overlap the older may end last.
      if (stored.generation < storedGeneration) return;
      storedGeneration = stored.generation;
      const kept = stored.repositories.filter(isServed).map((repository) => {
        const text = JSON.stringify(repository);
        const known = byId.get(repository.id);
        return known?.text === text ? known : { text, repository };
      });
      const next = kept.map((one) => one.repository);
      const isChanged =
        next.length !== repositories.length || next.some((one, index) => one !== repositories[index]);
      generation = Math.max(stored.generation, isChanged ? generation + 1 : generation);
      if (!isChanged) return;
      byId = new Map(kept.map((one) => [one.repository.id, one]));
      repositories = next;
    },
  };

  function isServed({ host, location }: Repository): boolean {
    return hosts.get(host)?.serves?.(location) ?? true;
  }
}
