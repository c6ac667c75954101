import type { GrammarLanguage } from '../../extractor/language-definition.ts';
import { typescript } from '../typescript/definition.ts';
import { scriptParts } from '../vue/script-parts.ts';

/** The front matter and the scripts of a component of Astro, as TypeScript. */
export const astro: GrammarLanguage = {
  ...typescript,
  prepare: (text) => scriptParts(text, { frontMatter: true }),
};
