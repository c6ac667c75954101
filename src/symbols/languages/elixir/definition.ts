import type { FileFacts } from '../../../search/index.ts';
import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { draftFacts } from '../../scanning/facts-draft.ts';
import { createElixirReader } from './elixir-reader.ts';
import { tokenizeElixir } from './elixir-tokens.ts';

/** Scanned: its grammar alone takes more time than there is for all (2.6 MB a second, before a query is asked). */
export const elixir: ScannedLanguage = { version: 1, scan };

function scan(text: string): FileFacts {
  const draft = draftFacts(text);
  createElixirReader(tokenizeElixir(text, draft.comments), draft).read();
  return draft.finish();
}
