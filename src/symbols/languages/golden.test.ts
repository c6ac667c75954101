import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExtractor, type Extractor } from '../extractor/create-extractor.ts';
import { factsText } from '../testing/facts-text.ts';
import { languageDefinitions } from './language-list.ts';

/**
 * Each language's golden/ holds sources (`NAME.EXTENSION.txt`, so that no compiler takes them for ours) and their facts beside them
 * (`.facts`). After a change: `npx vitest run src/symbols/languages/golden.test.ts -u`, then read the differences.
 */
describe('each language gives the facts that were checked by eye', () => {
  let extractor: Extractor;
  beforeAll(async () => {
    extractor = await createExtractor();
  });
  afterAll(() => extractor.close());

  for (const [folder, { language }] of languageDefinitions) {
    const golden = path.join(import.meta.dirname, folder, 'golden');
    const sources = readdirSync(golden).filter((name) => name.endsWith('.txt'));
    it(`${folder} has a golden source`, () => expect(sources.length).toBeGreaterThan(0));
    for (const source of sources) {
      it(`${folder}: ${source}`, async () => {
        const text = readFileSync(path.join(golden, source));
        const outcome = extractor.extract({ language, path: source.slice(0, -'.txt'.length), text });
        await expect(factsText(outcome, text)).toMatchFileSnapshot(
          path.join(golden, source.replace(/\.txt$/, '.facts')),
        );
      });
    }
  }
});
