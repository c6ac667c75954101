import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textUses } from './embedding-uses.ts';
import { type FactsIndex, indexWithFacts } from './testing/index-with-facts.ts';

let index: FactsIndex;
let factsFile: string;
beforeAll(async () => {
  const caller = (name: string) =>
    `export function ${name}() {\n  same();\n  return shared();\n}\nexport function same() {}\n`;
  index = await indexWithFacts({
    app: {
      'one.ts': caller('one'),
      'two.ts': caller('two'),
      'three.ts': caller('three'),
      'four.ts': caller('four'),
      'shared.ts': 'export function shared() {\n  return 7;\n}\n',
    },
  });
  const name = readdirSync(index.indexFolder).find((file) => file.endsWith('.facts'))!;
  factsFile = path.join(index.indexFolder, name);
});
afterAll(() => index.close());

test('a text is used by those that use what it defines; what many define is nobody’s', () => {
  const uses = textUses(factsFile);
  expect(uses.length).toBe(5);
  expect([...uses].filter((count) => count > 0)).toEqual([4]);
});

test('of more names than are looked up every second, fourth and so on counts', () => {
  // four, one, same, shared, three, two: of the first, the fifth and none between them.
  expect([...textUses(factsFile, 2)].filter((count) => count > 0)).toEqual([]);
  expect([...textUses(factsFile, 6)].filter((count) => count > 0)).toEqual([4]);
});
