import type { FileFacts } from '../../../search/index.ts';
import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { draftFacts } from '../../scanning/facts-draft.ts';
import { readShell } from './read-shell.ts';
import { createShellFacts } from './shell-facts.ts';

/** Scanned: the grammar of bash reads 1.3 MB a second and loses functions in scripts that it does not understand whole. */
export const bash: ScannedLanguage = { version: 1, scan };

function scan(text: string): FileFacts {
  const draft = draftFacts(text);
  const facts = createShellFacts(draft);
  readShell(text, facts);
  facts.finish();
  return draft.finish();
}
