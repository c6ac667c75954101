import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExtractor, type Extractor } from '../extractor/create-extractor.ts';
import { languageDefinitions } from './language-list.ts';

/**
 * bench/quality/definitions.md in small: the golden sources, with the definitions of each kind counted by hand in the source, as ctags
 * would count them. Golden facts change at a glance and are taken over with -u; these totals are not.
 */
const rows: readonly [source: string, totals: string][] = [
  [
    'go/golden/service.go',
    'constant 4, field 5, function 1, interface 1, method 3, package 1, struct 2, type 2, variable 3',
  ],
  [
    'java/golden/Service.java',
    'annotation 1, class 2, constant 2, constructor 2, enum 1, enum-member 2, field 5, interface 1, method 5, package 1',
  ],
  [
    'python/golden/service.py',
    'class 1, constant 1, constructor 1, field 5, function 3, method 2, type 1, variable 7',
  ],
  [
    'ruby/golden/shop.rb',
    'class 3, constant 2, constructor 1, field 1, function 1, method 8, module 1, property 3',
  ],
  [
    'rust/golden/lib.rs',
    'constant 3, enum 1, enum-member 3, field 4, function 2, implementation 2, macro 1, method 4, module 3, struct 2, trait 1, type 3, variable 1',
  ],
  [
    'typescript/golden/shop.ts',
    'class 1, constant 6, constructor 1, enum 1, enum-member 2, field 5, function 8, interface 2, method 6, namespace 2, property 2, type 2, variable 1',
  ],
  [
    'php/golden/Item.php',
    'class 1, constant 4, constructor 1, enum 1, enum-member 2, field 5, function 1, interface 1, method 5, trait 1, variable 1',
  ],
  [
    'c/golden/store.c',
    'constant 1, enum 1, enum-member 3, field 13, function 4, macro 2, struct 3, type 6, variable 4',
  ],
  [
    'csharp/golden/Shop.cs',
    'class 3, constant 2, constructor 1, enum 1, enum-member 2, field 3, function 1, interface 1, method 7, namespace 1, property 5, struct 1, type 1',
  ],
  [
    'kotlin/golden/Shop.kt',
    'annotation 1, class 2, constant 3, constructor 1, enum 1, enum-member 2, function 3, interface 1, method 6, object 2, property 8, type 1, variable 1',
  ],
];

describe('as many definitions of each kind are found as were counted in the source', () => {
  let extractor: Extractor;
  beforeAll(async () => {
    extractor = await createExtractor();
  });
  afterAll(() => extractor.close());

  for (const [source, totals] of rows) {
    it(source, () => {
      const [folder = ''] = source.split('/');
      const { language } = languageDefinitions.get(folder)!;
      const text = readFileSync(path.join(import.meta.dirname, `${source}.txt`));
      const outcome = extractor.extract({ language, path: path.basename(source), text });
      expect('facts' in outcome && totalsOf(outcome.facts.symbols)).toBe(totals);
    });
  }
});

function totalsOf(symbols: readonly { kind: string }[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of symbols) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');
}
