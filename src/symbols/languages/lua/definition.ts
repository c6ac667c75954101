import type { FileFacts } from '../../../search/index.ts';
import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { draftFacts } from '../../scanning/facts-draft.ts';
import { tokenize } from '../../scanning/tokens.ts';
import { createLuaReader } from './lua-reader.ts';

/** Scanned: the grammar knows no Lua 5.5, takes the rest of such a file for a string, and reads under 2 MB a second. */
export const lua: ScannedLanguage = { version: 1, scan };

function scan(text: string): FileFacts {
  const draft = draftFacts(text);
  const tokens = tokenize(
    text,
    { lineComments: ['--', '#!'], quotes: `"'`, longBrackets: true },
    draft.comments,
  );
  createLuaReader(tokens, draft).read();
  return draft.finish();
}
