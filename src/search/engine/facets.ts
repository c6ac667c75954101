import { languageName } from '../documents/languages.ts';
import type { FoundDocument } from './document-search.ts';
import type { ScopeView } from './thread-search.ts';
import type { Facets } from './types.ts';

/** Of each kind, the largest. */
const FACETS_MAX = 100;
const SLASH = 0x2f;

/** How the files that were found spread over repositories, languages and first folders. */
export function facetsOf(found: readonly FoundDocument[], { shown, manifests }: ScopeView): Facets {
  const repositories = new Map<number, number>();
  const languages = new Map<number, number>();
  const folders = new Map<string, { repositoryId: number; folder: string; files: number }>();
  for (const { manifest: number, row } of found) {
    const { repository } = shown[number]!;
    const manifest = manifests[number]!;
    repositories.set(repository.id, (repositories.get(repository.id) ?? 0) + 1);
    const language = manifest.languages[row]!;
    if (language !== 0) languages.set(language, (languages.get(language) ?? 0) + 1);
    const from = manifest.pathStarts[row]!;
    const slash = manifest.pathBytes.subarray(from, manifest.pathStarts[row + 1]).indexOf(SLASH);
    if (slash < 0) continue;
    const folder = Buffer.from(manifest.pathBytes.subarray(from, from + slash)).toString('utf8');
    const key = `${repository.id} ${folder}`;
    const counted = folders.get(key);
    if (counted) counted.files++;
    else folders.set(key, { repositoryId: repository.id, folder, files: 1 });
  }
  return {
    repositories: largest([...repositories].map(([repositoryId, files]) => ({ repositoryId, files }))),
    languages: largest(
      [...languages].flatMap(([language, files]) => {
        const name = languageName(language);
        return name === null ? [] : [{ language: name, files }];
      }),
    ),
    folders: largest([...folders.values()]),
  };
}

/** Of equals the one that was met first stays first: documents are met by rank. */
function largest<T extends { files: number }>(counted: T[]): T[] {
  return counted.sort((a, b) => b.files - a.files).slice(0, FACETS_MAX);
}
