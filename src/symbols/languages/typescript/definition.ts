import type { GrammarLanguage } from '../../extractor/language-definition.ts';
import { ecmascript } from '../javascript/ecmascript.ts';

export const typescript: GrammarLanguage = {
  ...ecmascript,
  grammar: 'typescript',
  version: 1,
  queries: [new URL('../javascript/shared.scm', import.meta.url), new URL('./queries.scm', import.meta.url)],
};
