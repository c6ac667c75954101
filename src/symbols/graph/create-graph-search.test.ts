import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundleForNode } from '../../base/testing/run-typescript.ts';
import { SmallIndex } from '../../search/engine/testing/small-index.ts';
import { createCodeSearch, type IndexSearch } from '../../search/index.ts';
import { createGraphSearch } from './create-graph-search.ts';
import { graphRepository, shownEdges, testExtractor } from './testing/graph-index.ts';

let workerFile: URL;
beforeAll(async () => {
  workerFile = pathToFileURL(
    await bundleForNode(fileURLToPath(new URL('./graph-worker.ts', import.meta.url))),
  );
});
let index: SmallIndex | null = null;
let search: IndexSearch | null = null;
afterEach(async () => {
  await search?.close();
  index?.remove();
});

const alive = new AbortController().signal;
const repository = graphRepository(1, 'acme/a', {
  'a.ts': `import { b } from './b';\nexport function a() { b(); }\n`,
  'b.ts': 'export function b() {}\n',
});

describe('the threads of a search pool answer both', () => {
  it('searches and questions about the graph, over the same generation', async () => {
    const { extract, extractor } = await testExtractor();
    index = await SmallIndex.create(extract);
    await index.publish([repository]);
    extractor.close();
    search = await createCodeSearch(
      { folder: index.folder, threads: 1, pollMs: 1e6 },
      { clock: { now: () => 0 }, workerFile },
    );
    const graph = createGraphSearch(search);
    const scope = [repository];
    const common = { scope, revisions: new Map(), exact: false, after: null, budgetMs: 20_000 };
    const answer = await graph.graph(
      { ...common, relation: 'callers', start: { by: 'name', name: 'b' }, placesMax: 10 },
      alive,
    );
    expect(shownEdges(answer)).toEqual(['1:a.ts#a -call-> 1:b.ts#b import certain 2']);
    const found = await search.search(
      {
        ...common,
        query: {
          kind: 'text',
          pattern: { source: 'b()', literal: true, ignoreCase: false },
          where: 'content',
        },
        output: 'files',
        filesMax: 5,
        linesPerFileMax: 5,
        contextLines: 0,
        lineBytesMax: 100,
      },
      alive,
    );
    expect(found.generation).toBe(answer.generation);
    expect(found.files.map(({ path }) => path).sort()).toEqual(['a.ts', 'b.ts']);
  });

  it('an empty folder says that nothing is indexed yet', async () => {
    index = await SmallIndex.create();
    search = await createCodeSearch(
      { folder: index.folder, threads: 1, pollMs: 1e6 },
      { clock: { now: () => 0 }, workerFile },
    );
    const answer = await createGraphSearch(search).graph(
      {
        relation: 'definitions',
        start: { by: 'name', name: 'a' },
        scope: [repository],
        revisions: new Map(),
        placesMax: 10,
        exact: false,
        after: null,
        budgetMs: 1000,
      },
      alive,
    );
    expect(answer.coverage.unindexed).toEqual([1]);
    expect(answer.count).toEqual({ count: 0, exact: false });
  });
});
