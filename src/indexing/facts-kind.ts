import { FACTS_FORMAT, languageName } from '../search/index.ts';
import { createExtractor } from '../symbols/index.ts';

/** What the extractor of this program makes, and how it is kept. */
export interface FactsKind {
  version: string;
  hasFacts(language: number): boolean;
}

export async function factsKind(): Promise<FactsKind> {
  // Without any grammar: only what it would do is asked.
  const extractor = await createExtractor({ languages: [] });
  return {
    version: `${FACTS_FORMAT}-${extractor.factsVersion}`,
    hasFacts: (language) => extractor.versionOf(languageName(language) ?? '') !== null,
  };
}
