import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import type { TestRepository } from '../../search/engine/testing/small-index.ts';
import type { Extractor } from '../extractor/create-extractor.ts';
import { type Extraction, GraphIndex, testExtractor } from './testing/graph-index.ts';
import { randomGraphRepositories, randomGraphRequest } from './testing/random-graph.ts';
import type { GraphAnswer } from './types.ts';

let extract: Extraction;
let extractor: Extractor;
beforeAll(async () => {
  ({ extract, extractor } = await testExtractor());
});
afterAll(() => extractor.close());
const open: GraphIndex[] = [];
afterEach(async () => {
  for (const index of open.splice(0)) await index.close();
});

async function created(): Promise<GraphIndex> {
  const index = await GraphIndex.create(extract);
  open.push(index);
  return index;
}

/** All that an asker gets but for when it was, and what was looked at for it. */
function seen({ generation: _, statistics: { files, uses }, next, ...answer }: GraphAnswer): string {
  const { g: __, ...position } = next ?? {};
  return JSON.stringify({ ...answer, position, files, uses });
}

describe('an answer about the graph is the same whether a hidden repository is indexed or not', () => {
  for (let from = 1; from <= 9; from += 3) {
    it(`also after pushes and merges, seeds ${from} to ${from + 2}`, async () => {
      for (let seed = from; seed < from + 3; seed++) await compareSeed(seed);
    });
  }
});

async function compareSeed(seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const [alone, beside] = [await created(), await created()];
  let hidden: readonly TestRepository[] = [];
  for (let round = 0; round < 2; round++) {
    const visible = randomGraphRepositories(random, 1);
    // Hidden ones come first in everything, and own the texts that they share with visible ones.
    const copies = visible.map((one) => ({ ...one, id: one.id + 100, name: `hidden/${one.name}` }));
    hidden = [...copies, ...randomGraphRepositories(random, 200)];
    await alone.publish(visible);
    await beside.publish([...hidden, ...visible]);
    if (random.below(2) === 0) await beside.index.merge();
    if (random.below(3) === 0) await alone.index.merge();
    await alone.refresh();
    await beside.refresh();
    for (let i = 0; i < 25; i++) {
      const request = randomGraphRequest(random, visible);
      let [first, second] = [await alone.ask(request), await beside.ask(request)];
      const question = `seed ${seed}: ${JSON.stringify({ ...request, scope: undefined })}`;
      expect(seen(second), question).toBe(seen(first));
      for (let page = 0; page < 3 && first.next !== null; page++) {
        [first, second] = [
          await alone.ask({ ...request, after: first.next }),
          await beside.ask({ ...request, after: second.next }),
        ];
        expect(seen(second), `${question}, page ${page}`).toBe(seen(first));
      }
    }
  }
}
