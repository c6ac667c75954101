import type { GrammarLanguage } from '../../extractor/language-definition.ts';
import { ecmascript } from '../javascript/ecmascript.ts';

export const tsx: GrammarLanguage = {
  ...ecmascript,
  grammar: 'tsx',
  version: 5,
  queries: [
    new URL('../javascript/jsx.scm', import.meta.url),
    new URL('../javascript/shared.scm', import.meta.url),
    new URL('../typescript/queries.scm', import.meta.url),
    new URL('../javascript/uses.scm', import.meta.url),
  ],
};
