import type { Manifest } from '../manifests/manifest.ts';

const known = new WeakMap<Manifest, ReadonlySet<number>>();

/** Whether any document of a manifest is of a language. */
export function hasLanguage(manifest: Manifest, language: number): boolean {
  let languages = known.get(manifest);
  if (!languages) {
    languages = new Set(manifest.languages);
    known.set(manifest, languages);
  }
  return languages.has(language);
}
