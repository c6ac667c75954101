import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundleForNode } from '../base/testing/run-typescript.ts';
import { createCodeSearch, type IndexSearch } from '../search/index.ts';
import type { Extractor } from '../symbols/extractor/create-extractor.ts';
import {
  type Extraction,
  graphRepository,
  shownEdges,
  testExtractor,
} from '../symbols/graph/testing/graph-index.ts';
import { createGraphSearch } from '../symbols/index.ts';
import { createRetrieval } from './create-retrieval.ts';
import { everyStage, letterKind, letterVector, RetrievalIndex } from './testing/retrieval-index.ts';
import type { Retrieval, RetrievalAnswer } from './types.ts';
import { createVectorShelf } from './vector-shelf.ts';

let workerFile: URL;
let extract: Extraction;
let extractor: Extractor;
beforeAll(async () => {
  ({ extract, extractor } = await testExtractor());
  const worker = fileURLToPath(new URL('./thread/retrieval-worker.ts', import.meta.url));
  workerFile = pathToFileURL(await bundleForNode(worker));
});
afterAll(() => extractor.close());
let index: RetrievalIndex | null = null;
let search: IndexSearch | null = null;
let retrieval: Retrieval | null = null;
afterEach(async () => {
  await retrieval?.close();
  await search?.close();
  await index?.close();
});

const alive = new AbortController().signal;
const one = graphRepository(1, 'acme/a', {
  'a.ts': `import { store } from './b';\n/** Keeps a session. */\nexport function keepSession() { store(); }\n`,
  'b.ts': '/** Writes to the disk. */\nexport function store() {}\n',
});
const more = graphRepository(2, 'acme/b', {
  'c.ts': '/** Forgets a session. */\nexport function forget() {}\n',
});
const encoder = { kind: letterKind, embedQuery: async (text: string) => letterVector(text) };

function untimed({ stages, generation: _, ...answer }: RetrievalAnswer): unknown {
  return { ...answer, stages: stages.map(({ ms: __, ...stage }) => stage) };
}

describe('the threads of a search pool answer by meaning, too', () => {
  it('with the vectors as they are at each question, and as one thread alone would', async () => {
    index = await RetrievalIndex.create(extract);
    await index.publish([one]);
    await index.embed([one], () => true);
    let nowMs = 0;
    search = await createCodeSearch(
      { folder: index.index.folder, threads: 2, pollMs: 1e6 },
      { clock: { now: () => nowMs }, workerFile },
    );
    const vectors = createVectorShelf({ folder: index.vectorFolder }, { clock: { now: () => nowMs } });
    retrieval = createRetrieval(
      { ranking: everyStage },
      { index: search, vectors, encoder, crossEncoder: null },
    );
    const ask = (question: string, scope = [one]) =>
      retrieval!.retrieve(
        { question, scope, revisions: new Map(), filters: {}, limit: 5, budgetMs: 20_000 },
        alive,
      );
    const questions = ['keep a session', 'write to disk', 'keep a session', 'where is it stored'];
    const answers = await Promise.all(questions.map((question) => ask(question)));
    for (const [at, answer] of answers.entries()) {
      const alone = await index.ask({ question: questions[at]!, scope: [one], limit: 5 }, {}, { encoder });
      expect(untimed(answer)).toEqual(untimed(alone));
      expect(answer.coverage).toMatchObject({ chunks: 2, inTable: 2, encoded: 2 });
    }

    await index.publish([one, more]);
    await index.embed([one, more]);
    nowMs += 5000;
    const scope = [one, more];
    // A newer index is waited for no longer than a moment.
    await expect.poll(async () => (await ask('x', scope)).coverage.chunks, { timeout: 20_000 }).toBe(3);
    const later = await Promise.all(
      ['forget a session', 'write to disk'].map((question) => ask(question, scope)),
    );
    for (const { coverage, hits } of later) {
      expect(coverage).toMatchObject({ chunks: 3, inTable: 3, encoded: 2 });
      expect(hits.length).toBeGreaterThan(0);
    }
    expect(later[0]!.hits[0]!.name).toBe('forget');

    const callers = await createGraphSearch(search).graph(
      {
        relation: 'callers',
        start: { by: 'name', name: 'store' },
        scope: [one],
        revisions: new Map(),
        placesMax: 5,
        exact: false,
        after: null,
        budgetMs: 20_000,
      },
      alive,
    );
    expect(shownEdges(callers)).toEqual(['1:a.ts#keepSession -call-> 1:b.ts#store import certain 3']);
  });
});
