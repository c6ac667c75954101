import { PeriscopeError } from '../../base/errors.ts';
import type { Repository } from '../../catalog/index.ts';
import type { ContentPolicy } from '../../content/index.ts';
import type { Mirror } from '../../mirrors/index.ts';
import type { FoundPlace } from '../../search/index.ts';
import { countSaid } from './search-words.ts';

export interface PolicyDeps {
  mirrorOf(repository: Repository): Mirror;
  /** What may be shown of a repository now: younger than what the index was made by. */
  policyOf(mirror: Mirror, commit: string): Promise<ContentPolicy> | ContentPolicy;
}

type Place = Pick<FoundPlace, 'repositoryId' | 'commit' | 'path'>;

export interface PlacePolicies {
  mayShow(place: Place): boolean;
  shownPlace<P extends Place>(place: P): P;
  /** Repositories whose policy cannot be read right now. */
  unchecked: number;
}

/** Asks, once for each repository that places lie in, what may be shown of it now. */
export async function placePolicies(
  places: readonly Place[],
  repositories: ReadonlyMap<number, Repository>,
  { mirrorOf, policyOf }: PolicyDeps,
): Promise<PlacePolicies> {
  const commits = new Map(places.map(({ repositoryId, commit }) => [repositoryId, commit]));
  const policies = new Map<number, ContentPolicy>();
  let unchecked = 0;
  const read = async (id: number, commit: string) => {
    const repository = repositories.get(id);
    if (!repository) return;
    try {
      policies.set(id, await policyOf(mirrorOf(repository), commit));
    } catch (fault) {
      // One that cannot be understood hides everything; who looks into the repository is told.
      if (!(fault instanceof PeriscopeError) || fault.kind !== 'blocked-by-policy') unchecked++;
    }
  };
  await Promise.all([...commits].map(([id, commit]) => read(id, commit)));
  const mayShow = ({ repositoryId, path }: Place): boolean => {
    const policy = policies.get(repositoryId);
    return policy !== undefined && (policy.hidesNothing === true || !policy.optedOut(path));
  };
  /** Our own index has no paths that hold a credential; another engine's may. */
  const shownPlace = <P extends Place>(place: P): P => {
    const path = Buffer.from(place.path);
    const spans = policies.get(place.repositoryId)?.mask(path) ?? 0;
    return spans === 0 ? place : { ...place, path: path.toString('utf8') };
  };
  return { mayShow, shownPlace, unchecked };
}

export function uncheckedNotes(unchecked: number): string[] {
  if (unchecked === 0) return [];
  const from = countSaid({ count: unchecked, exact: true }, 'repository', 'repositories');
  return [`Files of ${from} are left out: what is opted out there cannot be read right now.`];
}
