import type { Repository } from '../../catalog/index.ts';
import type { Content } from '../../content/index.ts';
import type { FoundFile, FoundPlace } from '../../search/index.ts';
import { maskedFile } from './masked-lines.ts';
import { type PolicyDeps, placePolicies, uncheckedNotes } from './place-policies.ts';
import { countSaid } from './search-words.ts';

export interface DoorDeps extends PolicyDeps {
  content: Content;
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
  const places = found.flatMap(({ also, ...own }): FoundPlace[] => [own, ...also]);
  const { mayShow, shownPlace, unchecked } = await placePolicies(places, repositories, deps);
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
  const notes = uncheckedNotes(unchecked);
  const unread = checked.filter((file, index) => file === null && mayShow(found[index]!)).length;
  if (unread > 0) {
    const left = countSaid({ count: unread, exact: true }, 'file');
    notes.push(`Left out, because not readable from git, where credentials are masked: ${left}.`);
  }
  return { files, indexes, notes };
}
