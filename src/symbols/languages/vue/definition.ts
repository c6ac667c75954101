import type { GrammarLanguage } from '../../extractor/language-definition.ts';
import { typescript } from '../typescript/definition.ts';
import { scriptParts } from './script-parts.ts';

/** The scripts of a component, as TypeScript: it reads JavaScript as well. */
export const vue: GrammarLanguage = { ...typescript, prepare: (text) => scriptParts(text) };
