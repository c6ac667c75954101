import type { Host } from '../hosts/index.ts';
import type { Mirror, MirrorSource, Mirrors } from '../mirrors/index.ts';
import { notConfigured } from './errors.ts';
import type { Repository } from './types.ts';

/** One Mirror for each repository, the same one until its name or its location changes. */
export function createMirrorShelf(hosts: ReadonlyMap<string, Host>, mirrors: Pick<Mirrors, 'open'>) {
  // By the object first: it is asked on every call, and an unchanged repository stays the same object.
  const byRepository = new WeakMap<Repository, Mirror>();
  const byId = new Map<number, { key: string; mirror: Mirror }>();

  return {
    mirror(repository: Repository): Mirror {
      const known = byRepository.get(repository);
      if (known) return known;
      const key = JSON.stringify([repository.name, repository.location]);
      const shelved = byId.get(repository.id);
      const mirror =
        shelved?.key === key
          ? shelved.mirror
          : mirrors.open({
              id: repository.id,
              name: repository.name,
              source: sourceOf(repository),
            });
      byId.set(repository.id, { key, mirror });
      byRepository.set(repository, mirror);
      return mirror;
    },
    /** Drops the mirrors of all others. */
    keep(repositories: readonly Repository[]): void {
      const live = new Set(repositories.map(({ id }) => id));
      for (const id of byId.keys()) if (!live.has(id)) byId.delete(id);
    },
  };

  function sourceOf({ host, name, location }: Repository): MirrorSource {
    if (location.kind === 'folder') return location;
    const access = hosts.get(host)?.remoteAccess(location);
    if (!access) throw notConfigured(name);
    return { kind: 'remote', url: location.url, access };
  }
}
