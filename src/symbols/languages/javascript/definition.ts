import type { GrammarLanguage } from '../../extractor/language-definition.ts';
import { ecmascript } from './ecmascript.ts';

/** JSX is read in every file: it is no fault elsewhere. */
export const javascript: GrammarLanguage = {
  ...ecmascript,
  grammar: 'javascript',
  version: 4,
  queries: ['./jsx.scm', './shared.scm', './queries.scm', './uses.scm'].map(
    (file) => new URL(file, import.meta.url),
  ),
};
