import { PeriscopeError } from '../../base/errors.ts';
import type { Repository } from '../../catalog/index.ts';
import type { Content, ContentPolicy } from '../../content/index.ts';
import type { Mirror } from '../../mirrors/index.ts';
import type { FoundFile, FoundPlace } from '../../search/index.ts';
import { maskedFile } from './masked-lines.ts';
import { countSaid } from './search-words.ts';

export interface DoorDeps {
  content: Content;
  mirrorOf(repository: Repository): Mirror;
  /** What may be shown of a repository now: younger than what the index was made by. */
  policyOf(mirror: Mirror, commit: string): Promise<ContentPolicy> | ContentPolicy;
  lineBytesMax: number;
}

export interface ShownFiles {
  files: readonly FoundFile[];
  /** Where each stood among those found. */
  indexes: readonly number[];
  notes: readonly string[];
}

/**
 * Of the files found those that the content door lets out now: who has just opted a path out must not find it in an answer, and
 * what an engine without masking found is read anew. What cannot be checked is left out.
 */
export async function shownFiles(
  found: readonly FoundFile[],
  repositories: ReadonlyMap<number, Repository>,
  deps: DoorDeps,
  signal: AbortSignal,
): Promise<ShownFiles> {
  const { mayShow, shownPlace, unchecked } = await readPolicies(found, repositories, deps);
  const checked = await Promise.all(
    found.map((file) => {
      if (!mayShow(file)) return null;
      if (!file.unmasked) return file;
      const mirror = deps.mirrorOf(repositories.get(file.repositoryId)!);
      return maskedFile(file, { ...deps, mirror }, { signal });
    }),
  );
  const files: FoundFile[] = [];
  const indexes: number[] = [];
  for (const [index, file] of checked.entries()) {
    if (!file) continue;
    const also = file.also.filter(mayShow).map(shownPlace);
    files.push({ ...shownPlace(file), also, alsoCount: file.alsoCount - (file.also.length - also.length) });
    indexes.push(index);
  }
  const notes: string[] = [];
  if (unchecked > 0) {
    const from = countSaid({ count: unchecked, exact: true }, 'repository', 'repositories');
    notes.push(`Files of ${from} are left out: what is opted out there cannot be read right now.`);
  }
  const unread = checked.filter((file, index) => file === null && mayShow(found[index]!)).length;
  if (unread > 0) {
    const left = countSaid({ count: unread, exact: true }, 'file');
    notes.push(`Left out, because not readable from git, where credentials are masked: ${left}.`);
  }
  return { files, indexes, notes };
}

async function readPolicies(
  found: readonly FoundFile[],
  repositories: ReadonlyMap<number, Repository>,
  { mirrorOf, policyOf }: DoorDeps,
) {
  const places = found.flatMap(({ also, ...own }): FoundPlace[] => [own, ...also]);
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
  const mayShow = ({ repositoryId, path }: FoundPlace): boolean => {
    const policy = policies.get(repositoryId);
    return policy !== undefined && (policy.hidesNothing === true || !policy.optedOut(path));
  };
  /** Our own index has no paths that hold a credential; another engine's may. */
  const shownPlace = <P extends FoundPlace>(place: P): P => {
    const path = Buffer.from(place.path);
    const spans = policies.get(place.repositoryId)?.mask(path) ?? 0;
    return spans === 0 ? place : { ...place, path: path.toString('utf8') };
  };
  return { mayShow, shownPlace, unchecked };
}
