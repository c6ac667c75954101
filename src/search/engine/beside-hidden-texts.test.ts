import { afterEach, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { definedWordsOf } from './testing/defined-words.ts';
import { InThreadSearch } from './testing/in-thread-search.ts';
import { editedRepositories, randomQuery, randomRepositories } from './testing/random-corpus.ts';
import { SmallIndex, type TestRepository } from './testing/small-index.ts';
import type { SearchAnswer, SearchOutput, SearchRequest } from './types.ts';

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function indexed(): Promise<SmallIndex> {
  const index = await SmallIndex.create(definedWordsOf);
  cleanups.push(() => index.remove());
  return index;
}

async function searchOf(index: SmallIndex): Promise<InThreadSearch> {
  const search = await InThreadSearch.open(index.folder);
  cleanups.push(() => search.close());
  return search;
}

/** All that an asker gets but for when it was, and which documents were looked at for it. */
function seen({ generation: _, statistics, next, ...answer }: SearchAnswer): string {
  const { g: __, ...position } = next ?? {};
  const { candidates, documentsOpened } = statistics;
  return JSON.stringify({ ...answer, position, candidates, documentsOpened });
}

function asking(random: SeededRandom): Omit<SearchRequest, 'scope'> {
  return {
    query: randomQuery(random),
    revisions: new Map(),
    output: random.pick<SearchOutput>(['lines', 'lines', 'files', 'count', 'repos']),
    filesMax: random.pick([2, 30]),
    linesPerFileMax: 5,
    contextLines: 1,
    lineBytesMax: 100,
    exact: random.below(2) === 0,
    after: null,
    budgetMs: 60_000,
  };
}

/** Hidden repositories come first in everything: they own the texts that they share with visible ones. */
function hiddenBeside(random: SeededRandom, visible: readonly TestRepository[]): TestRepository[] {
  const shared = visible.map((repository) => ({
    ...repository,
    id: repository.id + 100,
    name: `hidden/${repository.name}`,
  }));
  const own = randomRepositories(random).map((repository) => ({ ...repository, id: repository.id + 200 }));
  return [...editedRepositories(random, shared), ...own];
}

describe('an answer is the same whether a hidden repository is indexed or not', () => {
  for (let from = 1; from <= 16; from += 4) {
    it(`after edits and merges, seeds ${from} to ${from + 3}`, async () => {
      for (let seed = from; seed < from + 4; seed++) await compareSeed(seed);
    });
  }
});

async function compareSeed(seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const alone = await indexed();
  const beside = await indexed();
  let visible = randomRepositories(random);
  let hidden = hiddenBeside(random, visible);
  await alone.publish(visible);
  await beside.publish([...hidden, ...visible]);
  const searchAlone = await searchOf(alone);
  const searchBeside = await searchOf(beside);
  for (let round = 0; round < 3; round++) {
    if (round > 0) {
      visible = editedRepositories(random, visible);
      hidden = hiddenBeside(random, visible);
      await alone.publish(visible);
      await beside.publish([...hidden, ...visible]);
      if (random.below(2) === 0) await alone.merge();
      if (random.below(2) === 0) await beside.merge();
      await searchAlone.refresh();
      await searchBeside.refresh();
    }
    for (let i = 0; i < 12; i++) {
      const request = { ...asking(random), scope: visible };
      const [first, second] = [searchAlone.search(request), searchBeside.search(request)];
      expect(seen(second), `seed ${seed}: ${JSON.stringify(request.query)}`).toBe(seen(first));
      if (first.next === null || second.next === null) continue;
      const more = searchAlone.search({ ...request, after: first.next });
      const moreBeside = searchBeside.search({ ...request, after: second.next });
      expect(seen(moreBeside), `seed ${seed}, next page`).toBe(seen(more));
    }
  }
}
