import type { GrammarLanguage } from '../../extractor/language-definition.ts';
import { typescript } from '../typescript/definition.ts';
import { scriptParts } from '../vue/script-parts.ts';

/** The scripts of a component of Svelte, as TypeScript. */
export const svelte: GrammarLanguage = { ...typescript, prepare: (text) => scriptParts(text) };
