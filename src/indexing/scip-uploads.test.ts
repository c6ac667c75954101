import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitFixture } from '../mirrors/testing/git-fixture.ts';
import { openScip, readIndexState } from '../search/index.ts';
import { indexBytes, type WrittenIndex } from '../symbols/scip/testing/write-index.ts';
import { scipUploadLimits } from './scip-uploads.ts';
import { openTestIndexing, scipWorkerFile, type TestIndexing } from './testing/open-indexing.ts';

const { signal } = new AbortController();
let test: TestIndexing;
let git: GitFixture;
let scipWorker: URL;

beforeEach(async () => {
  scipWorker = await scipWorkerFile();
  test = await openTestIndexing();
  git = test.repository('one.git');
  git.commit({ 'src/a.ts': 'export const a = 1;\n', 'src/b.ts': "import { a } from './a';\n" });
  await test.discover();
});
afterEach(() => test.close());

const head = () => git.git(['rev-parse', 'HEAD']).trim();
const open = (changes: Parameters<TestIndexing['open']>[0] = {}) =>
  test.open({ scipWorkerFile: scipWorker, ...changes });
type Indexing = ReturnType<typeof open>;

const a = 's npm p 1 src/`a.ts`/a.';
const whole: WrittenIndex = {
  documents: [
    { path: 'src/a.ts', occurrences: [`0 13 14 defines ${a}`] },
    { path: 'src/b.ts', occurrences: [`0 9 10 uses ${a}`] },
  ],
};
const onlyA: WrittenIndex = { documents: whole.documents.slice(0, 1) };

async function* inPieces(bytes: Uint8Array) {
  const length = bytes.length < 100_000 ? 50 : 65_536;
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const take = (indexing: Indexing, commit: string, index: WrittenIndex | Uint8Array = whole, root = '') =>
  indexing.takeScip(
    test.named('one'),
    { commit, root, body: inPieces(index instanceof Uint8Array ? index : indexBytes(index)) },
    { signal, budgetMs: 10_000 },
  );

const uploaded = async () => (await readIndexState(test.indexFolder))?.scip ?? [];
const scipFiles = () => readdirSync(test.indexFolder).filter((name) => name.endsWith('.scip'));
const left = () => readdirSync(path.join(test.indexFolder, 'uploads'));

describe('an upload becomes part of the index', () => {
  it('by whoever may write it: this process for itself', async () => {
    const indexing = open();
    await indexing.indexAll({ signal });
    const commit = head();
    const receipt = await take(indexing, commit);
    expect(receipt).toEqual({
      commit,
      documents: 2,
      occurrences: 2,
      symbols: 1,
      leftOut: { unknownPaths: 0, repeatedPaths: 0, outsideText: 0, unreadableSymbols: 0 },
      maskedNames: 0,
      published: true,
    });
    const [entry] = await uploaded();
    expect(entry).toMatchObject({ repositoryId: test.named('one').id, commit, documents: 2, uses: 2 });
    expect(openScip(path.join(test.indexFolder, entry!.file)).symbol(1).text).toBe(a);
    expect(left()).toEqual([]);
  });

  it('by the process that writes, where another has got the upload', async () => {
    const writer = open({ background: true });
    await until(() => writer.status(test.named('one').id).state === 'indexed');
    const reader = open({ background: true, writes: false });
    expect((await take(reader, head())).published).toBe(true);
    expect(await uploaded()).toHaveLength(1);
  });

  it('and survives a restart, and what is indexed beside it', async () => {
    await open().indexAll({ signal });
    await take(open(), head());
    test.repository('two.git').commit({ 'c.ts': 'c\n' });
    await test.discover();
    await open().indexAll({ signal });
    expect(await uploaded()).toHaveLength(1);
    expect(scipFiles()).toHaveLength(1);
  });

  it('in place of what was uploaded for the commit before', async () => {
    const indexing = open();
    await indexing.indexAll({ signal });
    await take(indexing, head());
    const [before] = await uploaded();
    await take(indexing, head(), onlyA);
    const [after, ...others] = await uploaded();
    expect([after?.documents, others]).toEqual([1, []]);
    await indexing.indexAll({ signal });
    expect(scipFiles()).toEqual([after!.file]);
    expect(after!.file).not.toBe(before!.file);
  });

  it('paths are counted from the folder where it was made', async () => {
    const indexing = open();
    await indexing.indexAll({ signal });
    const { documents, leftOut } = await take(
      indexing,
      head(),
      { documents: [{ path: 'a.ts', occurrences: [`0 13 14 defines ${a}`] }] },
      'src/',
    );
    expect([documents, leftOut.unknownPaths]).toEqual([1, 0]);
  });

  it('names that look like credentials are masked', async () => {
    const indexing = open();
    await indexing.indexAll({ signal });
    const key = `AKIA${'Q3EGRTX7LMNBVC5Z'}`;
    const { maskedNames } = await take(indexing, head(), {
      documents: [{ path: 'src/a.ts', occurrences: [`0 13 14 defines s npm p 1 ${key}.`] }],
    });
    const [file] = scipFiles();
    expect(maskedNames).toBe(1);
    expect(readFileSync(path.join(test.indexFolder, file!)).includes(key)).toBe(false);
  });
});

describe('an upload goes', () => {
  it('with its commit', async () => {
    const indexing = open();
    await indexing.indexAll({ signal });
    await take(indexing, head());
    git.commit({ 'src/c.ts': 'c\n' });
    await indexing.indexAll({ signal });
    expect(await uploaded()).toEqual([]);
    await indexing.indexAll({ signal });
    expect(scipFiles()).toEqual([]);
  });
  it('when other paths are opted out, whose names it may hold', async () => {
    const indexing = open();
    await indexing.indexAll({ signal });
    const before = head();
    await take(indexing, before);
    git.commit({ '.periscope/ignore': 'src/b.ts\n' });
    await indexing.indexAll({ signal });
    expect(await uploaded()).toEqual([]);
    const { leftOut, documents } = await take(indexing, head());
    expect([documents, leftOut.unknownPaths]).toEqual([1, 1]);
  });
  it('when there are too many of one repository, the oldest first', async () => {
    const indexing = open({ branches: ['*'], scipLimits: { ...scipUploadLimits, commitsMax: 2 } });
    const commits = [head()];
    for (const branch of ['one', 'two']) {
      commits.push(git.commit({ 'src/d.ts': `${branch}\n` }, { branch }));
    }
    await indexing.indexAll({ signal });
    for (const commit of commits) {
      await take(indexing, commit);
      await sleep(5);
    }
    expect((await uploaded()).map(({ commit }) => commit).sort()).toEqual(commits.slice(1).sort());
  });
  const check = (title: string, damage: (file: string) => void) =>
    it(`when its file is ${title}, and nothing else with it`, async () => {
      const indexing = open();
      await indexing.indexAll({ signal });
      await take(indexing, head());
      const [file] = scipFiles();
      damage(path.join(test.indexFolder, file!));
      const next = open();
      await next.indexAll({ signal });
      expect(await uploaded()).toEqual([]);
      expect(next.counters().blobsRead).toBe(0);
    });
  check('gone', (file) => rmSync(file));
  check('cut', (file) => writeFileSync(file, readFileSync(file).subarray(0, 300)));
});

describe('an upload is refused, and leaves nothing behind', () => {
  const refused = async (code: string, asked: (indexing: Indexing) => Promise<unknown>, limits = {}) => {
    const indexing = open({ scipLimits: { ...scipUploadLimits, ...limits } });
    await indexing.indexAll({ signal });
    await expect(asked(indexing)).rejects.toMatchObject({ code });
    expect(await uploaded()).toEqual([]);
    expect(readdirSync(test.indexFolder).includes('uploads') ? left() : []).toEqual([]);
  };
  it('for a commit that is not indexed', () =>
    refused('indexing/scip-commit-not-indexed', (indexing) => take(indexing, 'a'.repeat(40))));
  it('when it is too large', () =>
    refused('indexing/scip-upload-too-large', (indexing) => take(indexing, head()), { uploadBytesMax: 60 }));
  it('when what is kept of it would be too large', () =>
    refused('symbols/scip-too-much', (indexing) => take(indexing, head()), { fileBytesMax: 10 }));
  it('when it is no SCIP index', () =>
    refused('symbols/scip-unreadable', (indexing) => take(indexing, head(), Buffer.from('hello'))));
  for (const root of ['..', '/etc', 'a/../..', './a', 'a//b', 'a\\b'])
    it(`for the folder ${root}`, () =>
      refused('indexing/scip-root-invalid', (indexing) => take(indexing, head(), whole, root)));
  it('while as many are taken in as may be', () =>
    refused('indexing/scip-uploads-busy', (indexing) => take(indexing, head()), { atOnce: 0 }));
  it('when it needs more memory than there is', () => {
    const documents = Array.from({ length: 4 }, (_, document) => ({
      path: `${document}.ts`,
      occurrences: Array.from(
        { length: 50_000 },
        (_one, at) => `${at} 0 1 uses s npm p 1 ${'x'.repeat(100)}${at}.`,
      ),
    }));
    return refused('indexing/scip-not-built', (indexing) => take(indexing, head(), { documents }), {
      memoryMb: 16,
    });
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  for (let waited = 0; !isTrue(); waited++) {
    if (waited > 400) throw new Error('it did not come about');
    await sleep(50);
  }
}
