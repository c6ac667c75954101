import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Extractor } from '../extractor/create-extractor.ts';
import { money, shop } from '../scip/testing/indexed-projects.ts';
import type { WrittenIndex } from '../scip/testing/write-index.ts';
import {
  type Extraction,
  GraphIndex,
  graphRepository,
  shownEdges,
  shownTargets,
  testExtractor,
} from './testing/graph-index.ts';
import type { GraphRelation, GraphStart } from './types.ts';

let extract: Extraction;
let extractor: Extractor;
let index: GraphIndex | null = null;
beforeAll(async () => {
  ({ extract, extractor } = await testExtractor());
});
afterAll(() => extractor.close());
afterEach(async () => {
  await index?.close();
  index = null;
});

const moneyRepository = graphRepository(1, 'acme/money', money.files);
const shopRepository = graphRepository(2, 'acme/shop', shop.files);
const both = [moneyRepository, shopRepository];

interface Uploads {
  money?: WrittenIndex;
  shop?: WrittenIndex;
}

async function indexWith(uploads: Uploads, repositories = both): Promise<GraphIndex> {
  index = await GraphIndex.create(extract);
  await index.publish(repositories);
  if (uploads.money) await index.upload(moneyRepository, uploads.money);
  if (uploads.shop) await index.upload(shopRepository, uploads.shop);
  return index;
}

const name = (written: string): GraphStart => ({ by: 'name', name: written });
const asked = async (graph: GraphIndex, relation: GraphRelation, start: GraphStart, scope = both) =>
  shownEdges(await graph.ask({ relation, start, scope }));
const everything = { money: money.index, shop: shop.index };

describe('what an index knows goes before every guess', () => {
  it('a call through a value of which the text tells no type', async () => {
    const graph = await indexWith(everything);
    expect(await asked(graph, 'callees', name('total'))).toEqual([
      '2:src/basket.ts#total -call-> 2:src/basket.ts#items scip certain 17',
      '2:src/basket.ts#total -member-call-> 1:src/money.ts#Money.price scip certain 17',
    ]);
    expect(await asked(graph, 'callees', name('tags'))).toEqual([
      '2:src/basket.ts#tags -new-> 2:src/basket.ts#Tag scip certain 22',
      '2:src/basket.ts#tags -member-call-> 2:src/basket.ts#Tag.price scip certain 23',
    ]);
  });
  it('which guessing does not know', async () => {
    const graph = await indexWith({});
    expect((await asked(graph, 'callees', name('total'))).filter((edge) => edge.includes('certain'))).toEqual(
      ['2:src/basket.ts#total -call-> 2:src/basket.ts#items same-file certain 17'],
    );
  });
  it('uses across repositories, also by the name that a file gives to a default export', async () => {
    const graph = await indexWith(everything);
    expect(await asked(graph, 'references', name('parse'))).toEqual([
      '2:src/basket.ts#items -call-> 1:src/money.ts#parse scip certain 10',
    ]);
    expect(await asked(graph, 'callers', name('Money'))).toEqual([
      '1:src/money.ts#Money.add -new-> 1:src/money.ts#Money scip certain 10',
      '1:src/money.ts#parse -new-> 1:src/money.ts#Money scip certain 15',
      '2:src/basket.ts#items -new-> 1:src/money.ts#Money scip certain 10',
    ]);
    expect(await asked(graph, 'callers', name('Money.price'))).toEqual([
      '2:src/basket.ts#total -member-call-> 1:src/money.ts#Money.price scip certain 17',
    ]);
  });
  it('not where they are imported, over several lines or under another name', async () => {
    const files = {
      ...shop.files,
      'src/basket.ts': shop.files['src/basket.ts']!.replace(
        'read, { Money as Amount }',
        '{\n  parse,\n  Money as Amount,\n}',
      ).replace("read('1')", "parse('1')"),
    };
    const [document] = shop.index.documents;
    const occurrences = document!.occurrences
      .filter((line) => !line.startsWith('0 ') || line.startsWith('0 0 '))
      .map((line) => line.replace(/^\d+/, (number) => String(number === '0' ? 0 : Number(number) + 3)))
      .map((line) => line.replace(/^12 10 14/, '12 10 15').replace(/^12 25 31/, '12 26 32'));
    const of = 'scip-typescript npm @acme/money 1.2.0 src/`money.ts`/';
    const imports = [`1 2 7 uses ${of}parse().`, `2 2 7 uses ${of}Money#`, `2 11 17 uses ${of}Money#`];
    const written = { documents: [{ ...document!, occurrences: [...occurrences, ...imports] }] };
    const other = graphRepository(2, 'acme/shop', files);
    index = await GraphIndex.create(extract);
    await index.publish([moneyRepository, other]);
    await index.upload(moneyRepository, money.index);
    await index.upload(other, written);
    const scope = [moneyRepository, other];
    expect(await asked(index, 'references', name('parse'), scope)).toEqual([
      '2:src/basket.ts#items -call-> 1:src/money.ts#parse scip certain 13',
    ]);
    expect(
      (await asked(index, 'references', name('Money'), scope)).filter((edge) => edge.startsWith('2:')),
    ).toEqual(['2:src/basket.ts#items -new-> 1:src/money.ts#Money scip certain 13']);
  });
  it('what stands at a place', async () => {
    const graph = await indexWith(everything);
    const start: GraphStart = {
      by: 'place',
      repositoryId: 2,
      path: 'src/basket.ts',
      line: 17,
      name: 'price',
    };
    expect(shownTargets(await graph.ask({ relation: 'definitions', start, scope: both }))).toEqual([
      '1:src/money.ts#Money.price',
    ]);
  });
  it('implementations', async () => {
    const graph = await indexWith(everything);
    expect(await asked(graph, 'subtypes', name('Priced'))).toEqual([
      '1:src/money.ts#Money -implements-> 1:src/priced.ts#Priced scip certain 4',
    ]);
    expect(await asked(graph, 'supertypes', name('Money'))).toEqual([
      '1:src/money.ts#Money -implements-> 1:src/priced.ts#Priced scip certain 4',
    ]);
  });
  it('implementations that no head names', async () => {
    const tag = shop.index.documents[0]!;
    const symbol = 'scip-typescript npm shop 0.3.0 src/`basket.ts`/Tag#';
    const priced = 'scip-typescript npm @acme/money 1.2.0 src/`priced.ts`/Priced#';
    const implementing = { documents: [{ ...tag, implementations: [[symbol, priced]] }] };
    const graph = await indexWith({ ...everything, shop: implementing });
    const edge = '2:src/basket.ts#Tag -implements-> 1:src/priced.ts#Priced scip certain 3';
    expect(await asked(graph, 'subtypes', name('Priced'))).toContain(edge);
    expect(await asked(graph, 'supertypes', name('Tag'))).toEqual([edge]);
  });
});

describe('definitions of another package', () => {
  const at = async (uploads: Uploads) =>
    (await asked(await indexWith(uploads), 'callees', name('items'))).sort();
  const withVersion = (version: string): WrittenIndex =>
    JSON.parse(JSON.stringify(money.index).replaceAll('@acme/money 1.2.0', `@acme/money ${version}`));
  it('in the very version are certain', async () =>
    expect(await at(everything)).toEqual([
      '2:src/basket.ts#items -call-> 1:src/money.ts#parse scip certain 10',
      '2:src/basket.ts#items -new-> 1:src/money.ts#Money scip certain 10',
    ]));
  it('in another version are likely', async () =>
    expect(await at({ ...everything, money: withVersion('2.0.0') })).toEqual([
      '2:src/basket.ts#items -call-> 1:src/money.ts#parse scip likely 10',
      '2:src/basket.ts#items -new-> 1:src/money.ts#Money scip likely 10',
    ]));
  it('without an index of it are those of its sources by name', async () =>
    expect(await at({ shop: shop.index })).toEqual([
      '2:src/basket.ts#items -call-> 1:src/money.ts#parse scip likely 10',
      '2:src/basket.ts#items -new-> 1:src/money.ts#Money scip likely 10',
    ]));
});

describe('what is not visible changes nothing', () => {
  const relations: readonly (readonly [GraphRelation, GraphStart])[] = [
    ['callees', name('total')],
    ['callees', name('items')],
    ['references', name('price')],
    ['definitions', { by: 'place', repositoryId: 2, path: 'src/basket.ts', line: 17, name: 'price' }],
  ];
  const answers = async (graph: GraphIndex) => {
    const scope = [shopRepository];
    return JSON.stringify(
      await Promise.all(
        relations.map(async ([relation, start]) => {
          const { statistics, ...answer } = await graph.ask({ relation, start, scope });
          return { ...answer, generation: 0, files: statistics.files, uses: statistics.uses };
        }),
      ),
    );
  };
  it('whether a hidden repository has an index, has none, or is not there', async () => {
    const whole = await answers(await indexWith(everything));
    expect(await answers(await indexWith({ shop: shop.index }))).toBe(whole);
    expect(await answers(await indexWith({ shop: shop.index }, [shopRepository]))).toBe(whole);
    expect(whole).not.toContain('money.ts');
  });
});

it('without an index, or with one of other files, answers are the same to the byte', async () => {
  const other: WrittenIndex = {
    documents: [{ path: 'src/gone.ts', occurrences: ['0 0 1 uses s npm p 1 x.'] }],
  };
  const told: string[] = [];
  for (const uploads of [{}, { shop: other }]) {
    const graph = await indexWith(uploads);
    told.push(
      JSON.stringify([
        await asked(graph, 'callees', name('total')),
        await asked(graph, 'callers', name('price')),
      ]),
    );
  }
  expect(told[1]).toBe(told[0]);
});

it('a damaged index counts as none, and is noted for the writer', async () => {
  const graph = await indexWith(everything);
  await asked(graph, 'callees', name('items'));
  await graph.close();
  const again = await indexWith({ shop: shop.index });
  const folder = again.index.folder;
  const [file] = readdirSync(folder).filter((one) => one.endsWith('.scip'));
  const bytes = readFileSync(path.join(folder, file!));
  // Within the first record.
  bytes[270]! ^= 0xff;
  writeFileSync(path.join(folder, file!), bytes);
  expect(await asked(again, 'callees', name('total'))).toContain(
    '2:src/basket.ts#total -call-> 2:src/basket.ts#items same-file certain 17',
  );
  expect(readdirSync(path.join(folder, 'damaged'))).toEqual([file]);
});
