import { languageName } from '../documents/languages.ts';
import type { FoundDocument } from './document-search.ts';
import type { ScopeView } from './thread-search.ts';
import type { Facets } from './types.ts';
import { RankCursor } from './view.ts';

/** Of each kind, the largest. */
const FACETS_MAX = 100;
const SLASH = 0x2f;

/** Places that are looked at in all; documents beyond them count once. */
const PLACES_MAX = 100_000;

/**
 * How what was found spreads over repositories, languages and first folders. Every place of a content counts, wherever it lies; a
 * path that several branches have is one place. `placesOf` gives the ranks of a document's places.
 */
export function facetsOf(
  found: readonly FoundDocument[],
  { shown, manifests, view }: ScopeView,
  placesOf: (found: FoundDocument) => readonly number[],
): Facets {
  const repositories = new Map<number, number>();
  const languages = new Map<number, number>();
  const folders = new Map<string, { repositoryId: number; folder: string; files: number }>();
  const cursor = new RankCursor(view);
  let placesLeft = PLACES_MAX;
  for (const document of found) {
    const ranks = placesLeft > 0 ? placesOf(document) : [document.rank];
    placesLeft -= ranks.length;
    // Paths are read only where there is something to tell apart.
    const seen = ranks.length > 1 ? new Set<string>() : null;
    for (const rank of ranks) {
      cursor.seek(rank);
      const { manifest, row } = cursor;
      const place = seen && `${shown[manifest]!.repository.id} ${manifests[manifest]!.path(row)}`;
      if (place !== null && seen!.has(place)) continue;
      if (place !== null) seen!.add(place);
      count(manifest, row);
    }
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

  function count(number: number, row: number): void {
    const { repository } = shown[number]!;
    const manifest = manifests[number]!;
    repositories.set(repository.id, (repositories.get(repository.id) ?? 0) + 1);
    const language = manifest.languages[row]!;
    if (language !== 0) languages.set(language, (languages.get(language) ?? 0) + 1);
    const from = manifest.pathStarts[row]!;
    const slash = manifest.pathBytes.subarray(from, manifest.pathStarts[row + 1]).indexOf(SLASH);
    if (slash < 0) return;
    const folder = Buffer.from(manifest.pathBytes.subarray(from, from + slash)).toString('utf8');
    const key = `${repository.id} ${folder}`;
    const counted = folders.get(key);
    if (counted) counted.files++;
    else folders.set(key, { repositoryId: repository.id, folder, files: 1 });
  }
}

/** Of equals the one that was met first stays first: documents are met by rank. */
function largest<T extends { files: number }>(counted: T[]): T[] {
  return counted.sort((a, b) => b.files - a.files).slice(0, FACETS_MAX);
}
