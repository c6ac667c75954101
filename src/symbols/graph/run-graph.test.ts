import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestRepository } from '../../search/engine/testing/small-index.ts';
import { damageNotes } from '../../search/index.ts';
import type { Extractor } from '../extractor/create-extractor.ts';
import {
  type Extraction,
  GraphIndex,
  graphRepository,
  shownEdges,
  shownNode,
  shownTargets,
  testExtractor,
} from './testing/graph-index.ts';
import { type GraphAnswer, type GraphRequest, graphRelations } from './types.ts';

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

async function indexOf(repositories: readonly TestRepository[]): Promise<GraphIndex> {
  const index = await GraphIndex.create(extract);
  open.push(index);
  await index.publish(repositories);
  return index;
}

const shop = graphRepository(1, 'acme/shop', {
  'package.json':
    '{"name": "@acme/shop", "version": "1.2.0", "dependencies": {"@acme/money": "^2.0.0", "left-pad": "1.0.0"}}',
  'src/cart.ts': `import { price, Money } from '@acme/money';
/** Holds things. */
export class Cart extends Base implements Countable {
  total(): Money {
    return this.count() * price(1);
  }
  count(): number {
    return 1;
  }
}
export interface Countable {}
export class Base {}
`,
  'src/index.ts': `export * from './cart';\n`,
  'src/app.ts': `import { Cart } from '.';\nexport function checkout() {\n  const cart = new Cart();\n  cart.total();\n  return cart;\n}\nexport function main() {\n  checkout();\n}\n`,
  'test/app.test.ts': `import { checkout } from '../src/app';\ncheckout();\n`,
  'docs/cart.md': '# Cart\n',
});
const money = graphRepository(2, 'acme/money', {
  'package.json': '{"name": "@acme/money", "version": "2.0.1", "main": "dist/index.js"}',
  'src/index.ts': `export function price(amount: number): Money {\n  return new Money(amount);\n}\nexport class Money {}\n`,
});
const tools = graphRepository(3, 'acme/tools', {
  'go.mod': 'module example.com/tools\n\nrequire example.com/log v1.0.0\n',
  'main.go':
    'package main\n\nimport "example.com/log"\n\nfunc main() {\n\tlog.Print()\n\tprice()\n}\n\nfunc price() {}\n',
});
const log = graphRepository(4, 'acme/log', {
  'go.mod': 'module example.com/log\n',
  'print.go': 'package log\n\n// Print prints.\nfunc Print() { write() }\n',
  'write.go': 'package log\n\nfunc write() {}\n',
});
const all = [shop, money, tools, log];

async function asked(
  request: Pick<GraphRequest, 'relation' | 'start'> & Partial<GraphRequest>,
): Promise<GraphAnswer> {
  const index = await indexOf(all);
  return index.ask({ scope: all, ...request });
}

describe('definitions', () => {
  it('are found by name, with what stands around them, their signature and place', async () => {
    const answer = await asked({ relation: 'definitions', start: { by: 'name', name: 'Cart.total' } });
    expect(shownTargets(answer)).toEqual(['1:src/cart.ts#Cart.total']);
    expect(answer.nodes[answer.targets[0]!]).toMatchObject({
      symbolKind: 'method',
      exported: true,
      signature: 'total(): Money',
      language: 'TypeScript',
      place: { repositoryId: 1, revision: 'main', line: 4, startLine: 4, endLine: 6, alsoCount: 0 },
    });
    expect(answer.count).toEqual({ count: 1, exact: true });
    expect(answer.coverage).toMatchObject({ pending: 0, unindexed: [], start: null });
  });
  it('of unrelated places are candidates, code before data', async () => {
    const answer = await asked({ relation: 'definitions', start: { by: 'name', name: 'price' } });
    expect(answer.ambiguous?.count).toEqual({ count: 2, exact: true });
    expect(shownTargets(answer).sort()).toEqual(['2:src/index.ts#price', '3:main.go#price']);
    const narrowed = await asked({
      relation: 'definitions',
      start: { by: 'name', name: 'price', repositories: [3] },
    });
    expect(shownTargets(narrowed)).toEqual(['3:main.go#price']);
    expect(narrowed.ambiguous).toBeNull();
  });
  it('lie where they are asked for, though another repository has the same file', async () => {
    const fork = graphRepository(0, 'a-fork/shop', {
      'src/cart.ts': `export class Cart {}\n`,
      'lib/use.ts': `import { Cart } from '../src/cart';\nnew Cart();\n`,
    });
    const original = { ...fork, id: 7, name: 'acme/original' };
    const index = await indexOf([fork, original]);
    const scope = [fork, original];
    const start = { by: 'name', name: 'Cart' } as const;
    const placesOf = async (request: Partial<GraphRequest>) =>
      shownTargets(await index.ask({ relation: 'definitions', start, scope, ...request }));
    expect(await placesOf({})).toEqual(['0:src/cart.ts#Cart']);
    expect(await placesOf({ start: { ...start, repositories: [7] } })).toEqual(['7:src/cart.ts#Cart']);
    expect(await placesOf({ filters: { repositories: [7] } })).toEqual(['7:src/cart.ts#Cart']);
    const uses = await index.ask({ relation: 'references', start, scope, filters: { repositories: [7] } });
    expect(shownEdges(uses).map((edge) => edge.split(' ')[0])).toContain('7:lib/use.ts');
  });
  it('are what a place means: a definition, a use, what is around', async () => {
    const at = (line: number, more: { name?: string; column?: number } = {}) =>
      asked({
        relation: 'definitions',
        start: { by: 'place', repositoryId: 1, path: 'src/app.ts', line, ...more },
      }).then(shownTargets);
    expect(await at(2)).toEqual(['1:src/app.ts#checkout']);
    expect(await at(3, { name: 'Cart' })).toEqual(['1:src/cart.ts#Cart']);
    expect(await at(4, { column: 8 })).toEqual(['1:src/cart.ts#Cart.total']);
    expect(await at(5)).toEqual(['1:src/app.ts#checkout']);
  });
});

describe('what means nothing has near names, of what is visible alone, and never the very same', () => {
  const check = (start: GraphRequest['start'], relation: GraphRequest['relation'], near: string[]) =>
    it(JSON.stringify(start), async () => {
      const answer = await asked({ relation, start });
      expect(answer.targets).toEqual([]);
      expect(answer.near).toEqual(near);
    });
  check({ by: 'name', name: 'Countabel' }, 'references', ['Countable']);
  check({ by: 'name', name: 'chekout' }, 'callers', ['checkout']);
  check({ by: 'name', name: 'print' }, 'callers', ['Print']);
  check({ by: 'name', name: 'Kart.total' }, 'callers', ['Cart.total']);
  check({ by: 'name', name: 'Cart.totel' }, 'callers', ['Cart.total']);
  check({ by: 'name', name: 'checkuot', repositories: [2] }, 'callers', []);
  check({ by: 'name', name: 'price', repositories: [1] }, 'callers', []);
  check({ by: 'package', name: 'leftpad' }, 'importers', ['left-pad']);
  check({ by: 'package', name: 'money' }, 'importers', ['@acme/money']);
  it('of hidden ones there are none', async () => {
    const index = await indexOf(all);
    const start = { by: 'name', name: 'chekout' } as const;
    const answer = await index.ask({ relation: 'callers', start, scope: [money, tools] });
    expect(answer.near).toEqual([]);
  });
});

describe('uses', () => {
  it('of a function in other repositories, by the package that they import', async () => {
    const answer = await asked({
      relation: 'references',
      start: { by: 'name', name: 'price', repositories: [2] },
    });
    expect(shownEdges(answer)).toEqual([
      '1:src/cart.ts#Cart.total -call-> 2:src/index.ts#price import certain 5',
    ]);
    expect(answer.count).toEqual({ count: 1, exact: true });
  });
  it('of a Go function by its package', async () => {
    const answer = await asked({ relation: 'callers', start: { by: 'name', name: 'log.Print' } });
    expect(shownEdges(answer)).toEqual([
      '3:main.go#main -member-call-> 4:print.go#Print namespace certain 6',
    ]);
  });
  it('of a class through a barrel: what makes it, what calls its methods', async () => {
    const cart = await asked({ relation: 'callers', start: { by: 'name', name: 'Cart', kinds: ['class'] } });
    expect(shownEdges(cart)).toEqual(['1:src/app.ts#checkout -new-> 1:src/cart.ts#Cart re-export certain 3']);
    const total = await asked({ relation: 'callers', start: { by: 'name', name: 'total' } });
    expect(shownEdges(total)).toEqual([
      '1:src/app.ts#checkout -member-call-> 1:src/cart.ts#Cart.total receiver-type likely 4',
    ]);
  });
  it('of those that use it, step by step', async () => {
    const answer = await asked({ relation: 'callers', start: { by: 'name', name: 'total' }, depth: 2 });
    expect(shownEdges(answer)).toEqual([
      '1:src/app.ts#checkout -member-call-> 1:src/cart.ts#Cart.total receiver-type likely 4',
      '1:src/app.ts#main -call-> 1:src/app.ts#checkout same-file certain 8 depth 2',
      '1:test/app.test.ts -call-> 1:src/app.ts#checkout import certain 2 depth 2',
    ]);
  });
  it('are filtered by repository', async () => {
    const answer = await asked({
      relation: 'references',
      start: { by: 'name', name: 'price', repositories: [2] },
      filters: { repositories: [2] },
    });
    expect(answer.edges).toEqual([]);
  });
});

describe('files that are not wanted', () => {
  it('are left out of what is found', async () => {
    const answer = await asked({
      relation: 'callers',
      start: { by: 'name', name: 'total' },
      depth: 2,
      filters: { notPath: { source: '^test/', literal: false, ignoreCase: false } },
    });
    expect(shownEdges(answer)).toEqual([
      '1:src/app.ts#checkout -member-call-> 1:src/cart.ts#Cart.total receiver-type likely 4',
      '1:src/app.ts#main -call-> 1:src/app.ts#checkout same-file certain 8 depth 2',
    ]);
  });
});

describe('what a definition calls and inherits', () => {
  it('calls, over repositories and steps', async () => {
    const answer = await asked({
      relation: 'callees',
      start: { by: 'name', name: 'Cart.total' },
      depth: 2,
    });
    expect(shownEdges(answer)).toEqual([
      '1:src/cart.ts#Cart.total -member-call-> 1:src/cart.ts#Cart.count same-file certain 5',
      '1:src/cart.ts#Cart.total -call-> 2:src/index.ts#price import certain 5',
      '2:src/index.ts#price -new-> 2:src/index.ts#Money same-file certain 2 depth 2',
    ]);
  });
  it('supertypes and subtypes', async () => {
    const up = await asked({ relation: 'supertypes', start: { by: 'name', name: 'Cart', kinds: ['class'] } });
    expect(shownEdges(up)).toEqual([
      '1:src/cart.ts#Cart -extends-> 1:src/cart.ts#Base same-file certain 3',
      '1:src/cart.ts#Cart -implements-> 1:src/cart.ts#Countable same-file certain 3',
    ]);
    const down = await asked({ relation: 'subtypes', start: { by: 'name', name: 'Countable' } });
    expect(shownEdges(down)).toEqual([
      '1:src/cart.ts#Cart -implements-> 1:src/cart.ts#Countable same-file certain 3',
    ]);
  });
});

describe('files and packages', () => {
  const cart = { by: 'file', repositoryId: 1, path: 'src/cart.ts' } as const;
  it('imports, importers, outline', async () => {
    expect(shownEdges(await asked({ relation: 'imports', start: cart }))).toEqual([
      '1:src/cart.ts -import-> 2:src/index.ts import certain 1',
    ]);
    expect(shownEdges(await asked({ relation: 'importers', start: cart, depth: 2 }))).toEqual([
      '1:src/index.ts -import-> 1:src/cart.ts import certain 1',
      '1:src/app.ts -import-> 1:src/index.ts import certain 1 depth 2',
    ]);
    const entry = { by: 'file', repositoryId: 2, path: 'src/index.ts' } as const;
    expect(shownEdges(await asked({ relation: 'importers', start: entry }))).toEqual([
      '1:src/cart.ts -import-> 2:src/index.ts import certain 1',
    ]);
    const outline = await asked({ relation: 'outline', start: cart });
    expect(outline.targets.map((node) => shownNode(outline.nodes[node]!))).toEqual([
      '1:src/cart.ts#Cart',
      '1:src/cart.ts#Cart.total',
      '1:src/cart.ts#Cart.count',
      '1:src/cart.ts#Countable',
      '1:src/cart.ts#Base',
    ]);
  });
  it('dependents and dependencies, with versions', async () => {
    const up = await asked({ relation: 'dependents', start: { by: 'package', name: '@acme/money' } });
    expect(shownEdges(up)).toEqual([
      '1:package.json[@acme/shop] -dependency-> 2:package.json[@acme/money] manifest certain 1 ^2.0.0 run',
    ]);
    const unknown = await asked({ relation: 'dependents', start: { by: 'package', name: 'left-pad' } });
    expect(shownEdges(unknown)).toEqual([
      '1:package.json[@acme/shop] -dependency-> ?[left-pad] manifest certain 1 1.0.0 run',
    ]);
    const down = await asked({ relation: 'dependencies', start: { by: 'repository', repositoryId: 1 } });
    expect(shownEdges(down)).toEqual([
      '1:package.json[@acme/shop] -dependency-> 2:package.json[@acme/money] manifest certain 1 ^2.0.0 run',
      '1:package.json[@acme/shop] -dependency-> ?[left-pad] manifest certain 1 1.0.0 run',
    ]);
    const importing = await asked({ relation: 'importers', start: { by: 'package', name: '@acme/money' } });
    expect(shownEdges(importing)).toEqual([
      '1:src/cart.ts -import-> 2:package.json[@acme/money] import likely 1',
    ]);
  });
});

describe('an answer says what it could not look at', () => {
  it('a file whose language has no structure, a path that is not there, repositories without an index', async () => {
    const index = await indexOf([
      graphRepository(1, 'acme/a', { 'x.unknown': 'hm\n', 'a.ts': 'export function a() {}\n' }),
    ]);
    const scope = [graphRepository(1, 'acme/a', {}), graphRepository(9, 'acme/new', {})];
    const answer = await index.ask({
      relation: 'outline',
      start: { by: 'file', repositoryId: 1, path: 'x.unknown' },
      scope,
    });
    expect(answer.coverage).toEqual({
      documents: 2,
      withFacts: 1,
      withoutLanguage: 1,
      skipped: {},
      pending: 0,
      unindexed: [9],
      start: 'no-language',
    });
    const gone = await index.ask({
      relation: 'outline',
      start: { by: 'file', repositoryId: 1, path: 'no' },
      scope,
    });
    expect(gone.coverage.start).toBe('no-file');
  });

  it('why a file that is there has no text in the index', async () => {
    const [branch] = money.branches;
    const files = new Map([...branch!.files, ['late.ts', 'pending' as const], ['a.wasm', 'binary' as const]]);
    const index = await indexOf([{ ...money, branches: [{ ...branch!, files }] }]);
    const missingOf = async (path: string) => {
      const start = { by: 'file', repositoryId: 2, path } as const;
      return (await index.ask({ relation: 'outline', start, scope: [money] })).coverage.start;
    };
    expect(await missingOf('late.ts')).toBe('pending');
    expect(await missingOf('a.wasm')).toBe('binary');
  });

  it('nothing is counted as all while texts are not read yet, but for the outline of one that is', async () => {
    const [branch] = money.branches;
    const files = new Map([...branch!.files, ['src/late.ts', 'pending' as const]]);
    const late = { ...money, branches: [{ ...branch!, files }] };
    const index = await indexOf([late]);
    const exactOf = async (request: Pick<GraphRequest, 'relation' | 'start'>) => {
      const { count, coverage } = await index.ask({ ...request, scope: [late] });
      expect(coverage.pending).toBe(1);
      return count.exact;
    };
    for (const relation of graphRelations.filter((one) => one !== 'outline'))
      expect(await exactOf({ relation, start: { by: 'name', name: 'nobody' } }), relation).toBe(false);
    const outlineOf = (path: string) =>
      exactOf({ relation: 'outline', start: { by: 'file', repositoryId: 2, path } });
    expect(await outlineOf('src/index.ts')).toBe(true);
    expect(await outlineOf('src/late.ts')).toBe(false);
  });

  it('nor are the definitions that a name may mean', async () => {
    const files = {
      'a.ts': 'export function twice() {}\n',
      'b.ts': 'export class B { twice() {} }\nexport function twice() {}\n',
    };
    const first = graphRepository(1, 'acme/first', files);
    const second = graphRepository(2, 'acme/second', files);
    const [branch] = second.branches;
    const late = {
      ...second,
      branches: [
        {
          ...branch!,
          files: new Map([
            ...branch!.files,
            ['late.ts', 'pending' as const],
            ['c.ts', Buffer.from('export function twice() {}\n//')],
          ]),
        },
      ],
    };
    const index = await indexOf([first, late]);
    const start = { by: 'name', name: 'twice' } as const;
    const part = await index.ask({ relation: 'callers', start, scope: [first, late] });
    expect(part.ambiguous?.count.exact).toBe(false);
  });
});

describe('pages', () => {
  it('hold each edge once, and together all that one large answer has', async () => {
    const users = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `src/u${i}.ts`,
        `import { target } from './target';\nexport function user${i}() { target(); }\nexport function again${i}() { target(); }\n`,
      ]),
    );
    const repositories = [
      graphRepository(1, 'acme/a', { 'src/target.ts': 'export function target() {}\n', ...users }),
    ];
    const index = await indexOf(repositories);
    const request = {
      relation: 'references',
      start: { by: 'name', name: 'target' },
      scope: repositories,
    } as const;
    const whole = await index.ask({ ...request, exact: true });
    expect(whole.count).toEqual({ count: 24, exact: true });
    const edges: string[] = [];
    let after: GraphAnswer['next'] = null;
    do {
      const answer: GraphAnswer = await index.ask({ ...request, placesMax: 5, after });
      expect(answer.edges.length).toBeLessThanOrEqual(5);
      edges.push(...shownEdges(answer));
      after = answer.next;
    } while (after !== null);
    expect(new Set(edges).size).toBe(24);
    expect([...edges].sort()).toEqual(shownEdges(whole).sort());
  });
});

describe('damage', () => {
  it('of a facts file costs its own texts alone, and is told', async () => {
    const index = await indexOf([money]);
    await index.publish([money, log]);
    const file = index.index.segments[0]!.facts!.file;
    const bytes = readFileSync(path.join(index.index.folder, file));
    // The body alone: what is read at opening stays whole.
    bytes.fill(0x5a, 256, 400);
    writeFileSync(path.join(index.index.folder, file), bytes);
    const scope = [money, log];
    const broken = await index.ask({ relation: 'definitions', start: { by: 'name', name: 'price' }, scope });
    expect(broken.edges).toEqual([]);
    const outline = await index.ask({
      relation: 'outline',
      start: { by: 'file', repositoryId: 2, path: 'src/index.ts' },
      scope,
    });
    expect(outline.problems).toEqual([
      'The structure of 2 files lies in a damaged part of the index. Nothing needs a hand: it is made anew.',
    ]);
    expect(outline.coverage).toMatchObject({ pending: 2, start: 'pending' });
    const whole = await index.ask({ relation: 'callers', start: { by: 'name', name: 'write' }, scope });
    expect(shownEdges(whole)).toEqual(['4:print.go#Print -call-> 4:write.go#write package certain 4']);
    expect(await damageNotes(index.index.folder)).toEqual([file]);
  });

  it('of any part of a facts file is told with the first question, whatever it asks', async () => {
    let met = 0;
    // Of several pages: what stands in one may be read before another is found damaged.
    const filling = Array.from({ length: 20 }, (_, file) => {
      const functions = Array.from(
        { length: 250 },
        (_, at) => `export function f${file}x${at}() { price(${at}); }`,
      );
      return [`src/f${file}.ts`, `import { price } from './money';\n${functions.join('\n')}\n`];
    });
    const large = graphRepository(1, 'acme/large', {
      'src/money.ts':
        'export class Money {}\nexport function price(of: number): Money { return make(of); }\nfunction make(of: number): Money { return new Money(); }\n',
      ...Object.fromEntries(filling),
    });
    for (const part of [0.02, 0.1, 0.3, 0.45, 0.6]) {
      for (const relation of ['references', 'callees'] as const) {
        const index = await indexOf([large]);
        await index.publish([large, log]);
        const file = path.join(index.index.folder, index.index.segments[0]!.facts!.file);
        const bytes = readFileSync(file);
        const at = 256 + Math.floor(part * bytes.length);
        bytes.fill(0x5a, at, at + 40);
        writeFileSync(file, bytes);
        const scope = [large, log];
        const start = { by: 'name', name: 'price' } as const;
        const answer = await index.ask({ relation, start, scope, exact: true });
        if (answer.problems.length > 0) expect(answer.edges).toEqual([]);
        met += answer.problems.length;
        const whole = await index.ask({ relation: 'callers', start: { by: 'name', name: 'write' }, scope });
        expect(shownEdges(whole)).toHaveLength(1);
      }
    }
    expect(met).toBeGreaterThan(4);
  });
});
