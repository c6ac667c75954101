import type { GrammarLanguage } from '../../extractor/language-definition.ts';
import { ecmascript } from '../javascript/ecmascript.ts';

export const typescript: GrammarLanguage = {
  ...ecmascript,
  grammar: 'typescript',
  version: 5,
  queries: ['../javascript/shared.scm', './queries.scm', '../javascript/uses.scm'].map(
    (file) => new URL(file, import.meta.url),
  ),
};
