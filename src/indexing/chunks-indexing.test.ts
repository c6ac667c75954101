import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitFixture } from '../mirrors/testing/git-fixture.ts';
import { readIndexState } from '../search/index.ts';
import { mergeLimits } from './merge-choice.ts';
import { chunksFit, indexedChunks } from './testing/indexed-chunks.ts';
import {
  factsWorkerFile,
  mortalFactsWorkerFile,
  openTestIndexing,
  type TestIndexing,
} from './testing/open-indexing.ts';

const { signal } = new AbortController();
let test: TestIndexing;
let one: GitFixture;
let two: GitFixture;

beforeEach(async () => {
  test = await openTestIndexing({ factsWorkerFile: await factsWorkerFile() });
  one = test.repository('one.git');
  two = test.repository('two.git');
  one.commit({
    'src/a.ts': '/** Says how many there are. */\nexport function first(): number {\n  return second();\n}\n',
    LICENSE: 'Do what you like.\n',
  });
  two.commit({ 'src/b.ts': 'export class Second {}\n' });
  await test.discover();
});
afterEach(() => test.close());

const open = (changes: Parameters<TestIndexing['open']>[0] = {}) => test.open({ symbols: true, ...changes });

/** Names of the chunks of each document. */
async function named(): Promise<Record<string, string>> {
  const names = new Map(test.catalog.repositories().map(({ id, name }) => [String(id), name]));
  const entries = [...(await indexedChunks(test.indexFolder))].map(([key, chunks]): [string, string] => {
    const [id, revision, ...path] = key.split(' ');
    const said = chunks?.map(({ name, kind }) => `${kind ?? 'text'} ${name}`.trim()).join(', ');
    return [`${names.get(id!)}@${revision!.slice(0, 8)}:${path.join(' ')}`, said ?? '(pending)'];
  });
  return Object.fromEntries(entries);
}

/** Texts that were cut so far. */
const cut = (indexing: ReturnType<typeof open>) => indexing.counters().chunksCut;

const filesOf = (ending: string) => readdirSync(test.indexFolder).filter((name) => name.endsWith(ending));

describe('chunks come behind facts', () => {
  it('of every text, whether its language has facts or not', async () => {
    const indexing = open();
    await indexing.indexAll({ signal });
    expect(await named()).toEqual({
      'one@main:LICENSE': 'text',
      'one@main:src/a.ts': 'function first',
      'two@main:src/b.ts': 'class Second',
    });
    expect(await chunksFit(test.indexFolder)).toBe(true);
  });

  it('not in a run for texts alone: they come with the next one', async () => {
    const indexing = open();
    await indexing.indexAll({ signal, textOnly: true });
    expect(await named()).toMatchObject({ 'two@main:src/b.ts': '(pending)' });
    await indexing.indexAll({ signal });
    expect(await named()).toMatchObject({ 'two@main:src/b.ts': 'class Second' });
  });
});

describe('no text is cut twice', () => {
  it('a push costs its new texts alone', async () => {
    const indexing = open();
    await indexing.indexAll({ signal });
    expect(cut(indexing)).toBe(3);
    two.commit({ 'src/c.ts': 'export class Third {}\n', 'src/copy.ts': 'export class Second {}\n' });
    await indexing.indexAll({ signal });
    expect(cut(indexing)).toBe(4);
    expect(await named()).toMatchObject({
      'two@main:src/c.ts': 'class Third',
      'two@main:src/copy.ts': 'class Second',
    });
  });

  it('a fork, another branch, another run and a restart cost nothing', async () => {
    const first = open();
    await first.indexAll({ signal });
    await first.close();
    const fork = test.repository('fork.git');
    fork.git(['fetch', '-q', two.gitDir, 'main:main']);
    two.git(['branch', 'release', 'main']);
    await test.discover();
    const second = open({ branches: ['release'] });
    await second.indexAll({ signal });
    await second.indexAll({ signal });
    expect(cut(second)).toBe(0);
    expect(await named()).toMatchObject({ 'fork@main:src/b.ts': 'class Second' });
  });

  it('merges of segments take them along', async () => {
    const indexing = open({ mergeLimits: { ...mergeLimits, deltasMax: 2 } });
    await indexing.indexAll({ signal });
    const before = cut(indexing);
    for (let push = 0; push < 4; push++) {
      two.commit({ [`src/${push}.ts`]: `export class Pushed${push} {}\n` });
      await indexing.indexAll({ signal });
    }
    const { merges, chunksMerged } = indexing.counters();
    expect(merges).toBeGreaterThan(1);
    expect(chunksMerged).toBe(merges);
    expect(cut(indexing) - before).toBe(4);
    expect(filesOf('.chunks')).toHaveLength(filesOf('.seg').length);
    expect(await named()).toMatchObject({
      'one@main:src/a.ts': 'function first',
      'two@main:src/0.ts': 'class Pushed0',
      'two@main:src/3.ts': 'class Pushed3',
    });
  });

  it('a text that no document showed for a while is cut when one does again, and no other is', async () => {
    const before = two.git(['rev-parse', 'main']).trim();
    two.commit({ 'src/gone.ts': 'export class Gone {}\n' });
    const after = two.git(['rev-parse', 'main']).trim();
    const indexing = open({ mergeLimits: { ...mergeLimits, deadShareMax: 1 } });
    await indexing.indexAll({ signal, textOnly: true });
    two.git(['update-ref', 'refs/heads/main', before]);
    await indexing.indexAll({ signal, textOnly: true });
    await indexing.indexAll({ signal });
    const unnamed = (await readIndexState(test.indexFolder))!.segments.map(({ chunks }) => chunks!.unnamed);
    expect(unnamed.reduce((sum, blobs) => sum + blobs, 0)).toBe(1);
    const done = cut(indexing);
    two.git(['update-ref', 'refs/heads/main', after]);
    await indexing.indexAll({ signal });
    expect(await named()).toMatchObject({
      'two@main:src/gone.ts': 'class Gone',
      'two@main:src/b.ts': 'class Second',
    });
    expect(cut(indexing) - done).toBe(1);
  });
});

describe('what goes from the texts goes from the chunks', () => {
  it('names of files that are opted out are in no chunks file any more', async () => {
    one.commit({ 'private/plan.ts': 'export function veryHiddenName() { anotherHiddenName(); }\n' });
    const indexing = open();
    await indexing.indexAll({ signal });
    const holdsHidden = () =>
      filesOf('.chunks').some((name) =>
        readFileSync(path.join(test.indexFolder, name)).includes('veryHiddenName'),
      );
    expect(holdsHidden()).toBe(true);
    one.commit({ '.periscope/ignore': 'private/\n' });
    await indexing.indexAll({ signal });
    expect(filesOf('.chunks')).not.toEqual([]);
    expect(holdsHidden()).toBe(false);
  });
});

describe('nothing is lost', () => {
  it('where a parser ends the thread that cuts', async () => {
    two.commit({
      'src/c.ts': 'export class Ends {} // ends the thread\n',
      'src/d.ts': 'export class Spoils {} // spoils the parser\n',
    });
    const indexing = open({ factsWorkerFile: await mortalFactsWorkerFile() });
    await indexing.indexAll({ signal });
    expect(await named()).toMatchObject({
      'two@main:src/b.ts': 'class Second',
      'two@main:src/c.ts': 'text',
      'two@main:src/d.ts': 'text',
    });
  });

  it('where indexing is stopped before it has cut all: what is half-written is cleared away, and the next run cuts it', async () => {
    const first = open();
    await first.indexAll({ signal, textOnly: true });
    const ending = new AbortController();
    const running = first.indexAll({ signal: ending.signal });
    ending.abort();
    await running.catch(() => {});
    await first.close();
    writeFileSync(path.join(test.indexFolder, `1-${'0'.repeat(18)}.chunks.part`), 'half');
    const second = open();
    await second.indexAll({ signal });
    expect(await named()).toMatchObject({
      'one@main:src/a.ts': 'function first',
      'two@main:src/b.ts': 'class Second',
    });
    expect(filesOf('.part')).toEqual([]);
  });

  it('where a chunks file is gone or cut: it is made anew, and texts and facts are not', async () => {
    const first = open();
    await first.indexAll({ signal });
    await first.close();
    const files = filesOf('.chunks');
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) writeFileSync(path.join(test.indexFolder, file), 'no chunks');
    const second = open();
    await second.indexAll({ signal });
    expect(second.counters()).toMatchObject({ blobsRead: 0, factsExtracted: 0, chunksCut: 3 });
    expect(await named()).toMatchObject({ 'two@main:src/b.ts': 'class Second' });
  });
});
