import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../base/testing/seeded-random.ts';
import type { TestRepository } from '../search/engine/testing/small-index.ts';
import { filePattern } from '../search/index.ts';
import type { Extractor } from '../symbols/extractor/create-extractor.ts';
import { type Extraction, graphRepository, testExtractor } from '../symbols/graph/testing/graph-index.ts';
import { letterKind, letterVector, RetrievalIndex } from './testing/retrieval-index.ts';
import type { RetrievalAnswer, RetrievalFilters } from './types.ts';

let extract: Extraction;
let extractor: Extractor;
beforeAll(async () => {
  ({ extract, extractor } = await testExtractor());
});
afterAll(() => extractor.close());
const open: RetrievalIndex[] = [];
afterEach(async () => {
  for (const index of open.splice(0)) await index.close();
});

async function created(): Promise<RetrievalIndex> {
  const index = await RetrievalIndex.create(extract);
  open.push(index);
  return index;
}

const words = 'session token refresh user login expired store retry timeout payment invoice letter'.split(
  ' ',
);
const filters: readonly RetrievalFilters[] = [
  {},
  { paths: [filePattern(['src/**'])] },
  { withoutPaths: [filePattern(['*.test.ts'])] },
  { kinds: ['function'] },
];

function randomRepositories(random: SeededRandom, from: number): TestRepository[] {
  const word = () => words[random.below(words.length)]!;
  const name = () => `${word()}${word().replace(/^./, (letter) => letter.toUpperCase())}`;
  return Array.from({ length: 3 }, (_, at) => {
    const defined = Array.from({ length: 4 }, name);
    const files = Array.from({ length: 2 + random.below(4) }, (_file, file): [string, string] => {
      const functions = Array.from({ length: 1 + random.below(4) }, () => {
        const own = random.below(3) === 0 ? defined[random.below(4)]! : name();
        const calls = Array.from(
          { length: random.below(3) },
          () => `  ${defined[random.below(4)]}(${word()});`,
        );
        return `/** ${word()} of the ${word()} when ${word()}. */\nexport function ${own}(${word()}) {\n${calls.join('\n')}\n  return ${word()};\n}\n`;
      });
      const path = `${random.below(3) === 0 ? 'test' : 'src'}/${word()}${file}${random.below(3) === 0 ? '.test' : ''}.ts`;
      return [path, functions.join('\n')];
    });
    return graphRepository(from + at, `acme/${word()}-${from + at}`, Object.fromEntries(files));
  });
}

/** All that an asker gets but for when it was. */
function seen({ generation: _, stages, ...answer }: RetrievalAnswer): string {
  return JSON.stringify({ ...answer, stages: stages.map(({ ms: __, ...stage }) => stage) });
}

describe('an answer by meaning, its scores included, is the same whether a hidden repository is indexed or not', () => {
  for (const seed of [1, 2, 3, 4]) {
    it(`also after pushes and merges, with words alone and with vectors, seed ${seed}`, () =>
      compareSeed(seed));
  }
});

async function compareSeed(seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const [alone, beside] = [await created(), await created()];
  const encoder = { kind: letterKind, embedQuery: async (text: string) => letterVector(text) };
  for (let round = 0; round < 2; round++) {
    const visible = randomRepositories(random, 1);
    // Hidden ones come first in everything, and own the texts that they share with visible ones.
    const copies = visible.map((one) => ({ ...one, id: one.id + 100, name: `hidden/${one.name}` }));
    const hidden = [...copies, ...randomRepositories(random, 200)];
    await alone.publish(visible);
    await beside.publish([...hidden, ...visible]);
    if (random.below(2) === 0) await beside.merge();
    if (random.below(3) === 0) await alone.merge();
    if (round === 1) {
      const isEncoded = random.below(2) === 0 ? () => true : (path: string) => path.length % 2 === 0;
      await alone.embed(visible, isEncoded);
      await beside.embed([...hidden, ...visible], isEncoded);
    }
    for (let i = 0; i < 12; i++) {
      const asked = {
        // What tells a change goes another way.
        question: `${random.below(2) === 0 ? 'Remove the ' : ''}${Array.from({ length: 1 + random.below(4) }, () => words[random.below(words.length)]).join(' ')}`,
        scope: visible,
        filters: filters[random.below(filters.length)]!,
        limit: 1 + random.below(20),
        ranking: { scorer: random.below(3) > 0, nearDuplicates: random.below(3) > 0 },
      };
      const [first, second] = [
        await alone.ask(asked, {}, { encoder }),
        await beside.ask(asked, {}, { encoder }),
      ];
      expect(seen(second), `seed ${seed}, round ${round}: ${JSON.stringify({ ...asked, scope: 0 })}`).toBe(
        seen(first),
      );
    }
  }
}

describe('a repository that may not be read any more', () => {
  it('is gone from the next answer', async () => {
    const index = await created();
    const [one, two] = [
      graphRepository(1, 'acme/a', { 'a.ts': 'export function refreshSession() {}\n' }),
      graphRepository(2, 'acme/b', { 'b.ts': 'export function refreshSessions() {}\n' }),
    ];
    await index.publish([one, two]);
    const asked = { question: 'refresh session' };
    const both = await index.ask({ ...asked, scope: [one, two] });
    expect(new Set(both.hits.map(({ place }) => place.repositoryId))).toEqual(new Set([1, 2]));
    const left = await index.ask({ ...asked, scope: [one] });
    expect(left.hits.map(({ place }) => place.repositoryId)).toEqual([1]);
    expect(left.coverage).toMatchObject({ documents: 1, chunks: 1 });
  });
});
