import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitFixture } from '../mirrors/testing/git-fixture.ts';
import { readIndexState } from '../search/index.ts';
import { mergeLimits } from './merge-choice.ts';
import { factsStrings, indexedFacts } from './testing/indexed-facts.ts';
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
    'src/a.ts': 'export function first(): number {\n  return second();\n}\n',
    'src/view.tsx': 'export const View = () => <p>hello</p>;\n',
    LICENSE: 'Do what you like.\n',
    'package.json': '{ "name": "one", "dependencies": { "two": "1" } }\n',
  });
  two.commit({ 'src/b.ts': 'export class Second {}\n' });
  await test.discover();
});
afterEach(() => test.close());

const open = (changes: Parameters<TestIndexing['open']>[0] = {}) => test.open({ symbols: true, ...changes });

/** Names defined in each document, or why there are none. */
async function defined(): Promise<Record<string, string>> {
  const names = new Map(test.catalog.repositories().map(({ id, name }) => [id, name]));
  return Object.fromEntries(
    (await indexedFacts(test.indexFolder)).map(({ repositoryId, revision, path, outcome }) => {
      const said =
        outcome === null
          ? '(pending)'
          : 'skipped' in outcome
            ? `(${outcome.skipped})`
            : outcome.facts.symbols.map(({ name }) => name).join(' ');
      return [`${names.get(repositoryId)}@${revision.slice(0, 8)}:${path}`, said];
    }),
  );
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const untilMs = Date.now() + 45_000;
  while (!(await isSo())) {
    if (Date.now() > untilMs) throw new Error('it did not come to be');
    await sleep(20);
  }
}

function goneAsNone(error: { code?: string }): Record<string, string> {
  if (error.code === 'ENOENT') return {};
  throw error;
}

/** Texts that went through the extractor so far. */
const extracted = (indexing: ReturnType<typeof open>) => indexing.counters().factsExtracted;

const filesOf = (ending: string) => readdirSync(test.indexFolder).filter((name) => name.endsWith(ending));

describe('facts come behind texts', () => {
  it('each text of a language that has an extractor gets its own, others the reason why not', async () => {
    const indexing = open();
    const { symbols } = await indexing.indexAll({ signal });
    expect(symbols!.bytesDone).toBe(symbols!.bytesTotal);
    expect(await defined()).toMatchObject({
      'one@main:src/a.ts': 'first',
      'one@main:src/view.tsx': 'View',
      'one@main:LICENSE': '(no-language)',
      'two@main:src/b.ts': 'Second',
    });
    expect(await indexing.symbolCoverage(test.named('two').id)).toEqual({
      withSymbols: 1,
      pending: 0,
      skipped: {},
    });
    expect(await indexing.symbolCoverage(test.named('one').id)).toMatchObject({
      pending: 0,
      skipped: { 'no-language': 1 },
    });
  });

  it('not in a run for texts alone: they count as pending, and come with the next one', async () => {
    const indexing = open();
    await indexing.indexAll({ signal, textOnly: true });
    expect(await defined()).toMatchObject({ 'two@main:src/b.ts': '(pending)' });
    expect(await indexing.symbolCoverage(test.named('two').id)).toMatchObject({ withSymbols: 0, pending: 1 });
    await indexing.indexAll({ signal });
    expect(await defined()).toMatchObject({ 'two@main:src/b.ts': 'Second' });
    expect(await indexing.symbolCoverage(test.named('two').id)).toMatchObject({ withSymbols: 1, pending: 0 });
  });

  it('a revision that was asked for has them too', async () => {
    const old = two.commit({ 'src/old.ts': 'export class Old {}\n' });
    two.commit({ 'src/old.ts': 'export class New {}\n' });
    const indexing = open({ background: true });
    await until(() => indexing.status(test.named('two').id).state === 'indexed');
    await indexing.ensureRevision(test.named('two'), old, { signal, budgetMs: 20_000 });
    // Each has a segment of its own, in whichever order facts come; what is read meanwhile may be replaced.
    const found = [`two@${old.slice(0, 8)}:src/old.ts`, 'two@main:src/old.ts'];
    await until(async () => {
      const said = await defined().catch(goneAsNone);
      return found.map((path) => said[path]).join(' ') === 'Old New';
    });
  });
});

describe('no text is extracted twice', () => {
  it('a push costs its new texts alone', async () => {
    const indexing = open();
    await indexing.indexAll({ signal });
    const before = extracted(indexing);
    two.commit({ 'src/c.ts': 'export class Third {}\n', 'src/copy.ts': 'export class Second {}\n' });
    await indexing.indexAll({ signal });
    expect(extracted(indexing) - before).toBe(1);
    expect(await defined()).toMatchObject({
      'two@main:src/c.ts': 'Third',
      'two@main:src/copy.ts': 'Second',
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
    expect(extracted(second)).toBe(0);
    expect(await defined()).toMatchObject({
      'fork@main:src/b.ts': 'Second',
      'two@release:src/b.ts': 'Second',
    });
  });

  it('merges of segments take them along', async () => {
    const indexing = open({ mergeLimits: { ...mergeLimits, deltasMax: 2 } });
    await indexing.indexAll({ signal });
    const before = extracted(indexing);
    for (let push = 0; push < 4; push++) {
      two.commit({ [`src/${push}.ts`]: `export class Pushed${push} {}\n` });
      await indexing.indexAll({ signal });
    }
    const { merges, factsMerged } = indexing.counters();
    expect(merges).toBeGreaterThan(1);
    expect(factsMerged).toBe(merges);
    expect(extracted(indexing) - before).toBe(4);
    expect(filesOf('.facts')).toHaveLength(filesOf('.seg').length);
    expect(await defined()).toMatchObject({ 'two@main:src/0.ts': 'Pushed0', 'two@main:src/3.ts': 'Pushed3' });
  });

  it('a text that no document showed for a while gets them when one does again', async () => {
    const before = two.git(['rev-parse', 'main']).trim();
    two.commit({ 'src/gone.ts': 'export class Gone {}\n' });
    const after = two.git(['rev-parse', 'main']).trim();
    const indexing = open({ mergeLimits: { ...mergeLimits, deadShareMax: 1 } });
    await indexing.indexAll({ signal, textOnly: true });
    two.git(['update-ref', 'refs/heads/main', before]);
    await indexing.indexAll({ signal, textOnly: true });
    await indexing.indexAll({ signal });
    expect((await readIndexState(test.indexFolder))!.segments.some(({ facts }) => facts!.unnamed > 0)).toBe(
      true,
    );
    const done = extracted(indexing);
    two.git(['update-ref', 'refs/heads/main', after]);
    await indexing.indexAll({ signal });
    expect(await defined()).toMatchObject({ 'two@main:src/gone.ts': 'Gone' });
    expect(extracted(indexing) - done).toBe(1);
  });
});

describe('what goes from the texts goes from the facts', () => {
  it('names of files that are opted out are in no facts file any more', async () => {
    one.commit({ 'private/plan.ts': 'export function veryHiddenName() { anotherHiddenName(); }\n' });
    const indexing = open();
    await indexing.indexAll({ signal });
    expect(await factsStrings(test.indexFolder)).toContain('veryHiddenName');
    one.commit({ '.periscope/ignore': 'private/\n' });
    await indexing.indexAll({ signal });
    const strings = await factsStrings(test.indexFolder);
    expect(strings).toContain('first');
    expect([...strings].filter((text) => text.includes('HiddenName'))).toEqual([]);
    for (const name of readdirSync(test.indexFolder).filter((file) => file.includes('.facts')))
      expect(readFileSync(path.join(test.indexFolder, name)).includes('HiddenName')).toBe(false);
  });

  it('also where facts were missing when the texts had to go', async () => {
    one.commit({ 'private/plan.ts': 'export function veryHiddenName() {}\n' });
    const indexing = open();
    await indexing.indexAll({ signal, textOnly: true });
    one.commit({ '.periscope/ignore': 'private/\n' });
    await indexing.indexAll({ signal });
    expect(await factsStrings(test.indexFolder)).not.toContain('veryHiddenName');
    expect(await defined()).toMatchObject({ 'one@main:src/a.ts': 'first' });
  });
});

describe('a text that ends its parser', () => {
  it('is passed over with its reason, and costs the others nothing', async () => {
    two.commit({
      'src/c.ts': 'export class Ends {} // ends the thread\n',
      'src/d.ts': 'export class Spoils {} // spoils the parser\n',
      'src/e.ts': 'export class Stays {} // never comes back\n',
      'src/f.ts': 'export class Last {}\n',
    });
    const indexing = open({ factsWorkerFile: await mortalFactsWorkerFile(), parserOverrunMs: 3000 });
    await indexing.indexAll({ signal });
    expect(await defined()).toMatchObject({
      'one@main:src/a.ts': 'first',
      'two@main:src/b.ts': 'Second',
      'two@main:src/c.ts': '(failed)',
      'two@main:src/d.ts': '(failed)',
      'two@main:src/e.ts': '(too-slow)',
      'two@main:src/f.ts': 'Last',
    });
    expect(indexing.counters().parsersReplaced).toBe(3);
    expect(await indexing.symbolCoverage(test.named('two').id)).toMatchObject({
      withSymbols: 2,
      pending: 0,
      skipped: { failed: 2, 'too-slow': 1 },
    });
  });
});

describe('damage is made good', () => {
  it('a facts file that is gone or cut is made anew, and texts are not read again', async () => {
    const first = open();
    await first.indexAll({ signal });
    const { blobsRead } = first.counters();
    await first.close();
    const files = filesOf('.facts');
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) writeFileSync(path.join(test.indexFolder, file), 'no facts');
    const second = open();
    await second.indexAll({ signal });
    expect(blobsRead).toBeGreaterThan(0);
    expect(second.counters().blobsRead).toBe(0);
    expect(filesOf('.facts')).not.toEqual(files);
    expect(await defined()).toMatchObject({ 'two@main:src/b.ts': 'Second' });
  });
});
