import type { FileFacts } from '../../../search/index.ts';
import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { draftFacts } from '../../scanning/facts-draft.ts';
import { tokenize } from '../../scanning/tokens.ts';
import { readStatement } from './statements.ts';

export const sql: ScannedLanguage = { version: 1, scan };

/** Statement by statement, in what dialects have in common: PostgreSQL, MySQL, SQLite, SQL Server, Oracle. */
function scan(text: string): FileFacts {
  const draft = draftFacts(text);
  const tokens = tokenize(
    text,
    {
      lineComments: ['--', '#!'],
      blockComments: true,
      quotes: `'"\``,
      multiLine: `'"\``,
      doubledQuotes: true,
      wordCharacters: '$@#',
    },
    draft.comments,
  );
  for (let at = 0; at < tokens.count; ) at = readStatement(tokens, at, draft);
  return draft.finish();
}
