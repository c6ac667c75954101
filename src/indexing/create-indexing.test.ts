import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitFixture } from '../mirrors/testing/git-fixture.ts';
import { mergeLimits } from './merge-choice.ts';
import { indexedDocuments } from './testing/indexed-documents.ts';
import { openTestIndexing, type TestIndexing } from './testing/open-indexing.ts';

const { signal } = new AbortController();
let test: TestIndexing;
let one: GitFixture;
let two: GitFixture;

beforeEach(async () => {
  test = await openTestIndexing();
  one = test.repository('one.git');
  two = test.repository('two.git');
  one.commit({
    'src/a.ts': 'export const a = 1;\n',
    'src/a.test.ts': 'test(a);\n',
    'README.md': '# One\n',
    'empty.txt': '',
    'bin/run': '#!/usr/bin/env python3\nprint(1)\n',
    'image.png': Buffer.from([0x89, 0x50, 0, 0, 1, 2, 3]),
    'large.txt': 'x\n'.repeat(600_000),
  });
  two.commit({ 'src/a.ts': 'export const a = 1;\n', 'src/b.ts': 'export const b = 2;\n' });
  await test.discover();
});
afterEach(() => test.close());

/** Shown paths of what the index has now, with their texts. */
async function indexed(): Promise<Record<string, string>> {
  const documents = await indexedDocuments(test.indexFolder);
  const names = new Map(test.catalog.repositories().map(({ id, name }) => [id, name]));
  return Object.fromEntries(
    documents.map(({ repositoryId, revision, path, text, skipped }) => [
      `${names.get(repositoryId) ?? repositoryId}@${revision.slice(0, 8)}:${path}`,
      text ?? `(${skipped})`,
    ]),
  );
}

const filesOf = () => readdirSync(test.indexFolder).filter((name) => name !== 'readers');

describe('everything is indexed once', () => {
  it('each file of each default branch with its text, or the reason why it has none', async () => {
    const indexing = test.open();
    const progress = await indexing.indexAll({ signal });
    expect(progress).toMatchObject({ repositoriesDone: 2, repositoriesTotal: 2, remainingMs: 0 });
    expect(await indexed()).toEqual({
      'one@main:src/a.ts': 'export const a = 1;\n',
      'one@main:src/a.test.ts': 'test(a);\n',
      'one@main:README.md': '# One\n',
      'one@main:empty.txt': '',
      'one@main:bin/run': '#!/usr/bin/env python3\nprint(1)\n',
      'one@main:image.png': '(binary)',
      'one@main:large.txt': '(too-large)',
      'two@main:src/a.ts': 'export const a = 1;\n',
      'two@main:src/b.ts': 'export const b = 2;\n',
    });
  });

  it('a second time costs nothing but a look', async () => {
    const indexing = test.open();
    await indexing.indexAll({ signal });
    const before = indexing.counters();
    const files = filesOf();
    await indexing.indexAll({ signal });
    expect(indexing.counters()).toMatchObject({
      blobsRead: before.blobsRead,
      manifestsWritten: before.manifestsWritten,
      publications: before.publications,
    });
    expect(filesOf()).toEqual(files);
  });

  it('a push costs its new blobs alone', async () => {
    const indexing = test.open();
    await indexing.indexAll({ signal });
    const before = indexing.counters();
    two.commit({ 'src/b.ts': 'export const b = 3;\n', 'src/c.ts': 'export const a = 1;\n' });
    await indexing.indexAll({ signal });
    expect(indexing.counters().blobsRead - before.blobsRead).toBe(1);
    expect(await indexed()).toMatchObject({
      'two@main:src/b.ts': 'export const b = 3;\n',
      'two@main:src/c.ts': 'export const a = 1;\n',
    });
  });

  it('a fork of the same owner reads nothing', async () => {
    const indexing = test.open();
    await indexing.indexAll({ signal });
    const before = { ...indexing.counters(), ...test.mirrors.counters() };
    const fork = test.repository('fork.git');
    fork.git(['fetch', '-q', two.gitDir, 'main:main']);
    await test.discover();
    await indexing.indexAll({ signal });
    const { blobsRead, manifestsCopied } = indexing.counters();
    expect({ blobsRead, manifestsCopied }).toEqual({ blobsRead: before.blobsRead, manifestsCopied: 1 });
    // Its root, for the opt-out.
    expect(test.mirrors.counters().treesRead - before.treesRead).toBe(1);
    expect(await indexed()).toMatchObject({
      'fork@main:src/a.ts': 'export const a = 1;\n',
      'fork@main:src/b.ts': 'export const b = 2;\n',
    });
  });

  it('a fork has all of its files, though the original hides some of them now and cannot be indexed anew', async () => {
    const indexing = test.open();
    await indexing.indexAll({ signal });
    const before = two.git(['rev-parse', 'main']).trim();
    two.commit({ '.periscope/ignore': 'src/b.ts\n', 'broken/c.ts': 'c\n' });
    const tree = two.git(['rev-parse', 'main:broken']).trim();
    rmSync(path.join(two.gitDir, 'objects', tree.slice(0, 2), tree.slice(2)));
    await indexing.indexAll({ signal });
    expect(await indexed()).not.toHaveProperty('two@main:src/b.ts');
    const fork = test.repository('fork.git');
    fork.git(['fetch', '-q', two.gitDir, `${before}:refs/heads/main`]);
    await test.discover();
    await indexing.indexAll({ signal });
    expect(await indexed()).toMatchObject({
      'fork@main:src/a.ts': 'export const a = 1;\n',
      'fork@main:src/b.ts': 'export const b = 2;\n',
    });
  });

  it('a fork is listed as any repository where it lacks a file of its own', async () => {
    const indexing = test.open();
    await indexing.indexAll({ signal });
    const fork = test.repository('fork.git');
    fork.git(['fetch', '-q', two.gitDir, 'main:main']);
    const oid = fork.git(['rev-parse', 'main:src/b.ts']).trim();
    rmSync(path.join(fork.gitDir, 'objects', oid.slice(0, 2), oid.slice(2)));
    await test.discover();
    await indexing.indexAll({ signal });
    expect(indexing.counters().manifestsCopied).toBe(0);
    expect(await indexed()).toMatchObject({
      'fork@main:src/a.ts': 'export const a = 1;\n',
      'fork@main:src/b.ts': '(missing)',
    });
  });

  it('many pushes leave few segments, and what nothing shows any more goes', async () => {
    const indexing = test.open({ mergeLimits: { ...mergeLimits, deltasMax: 2 } });
    for (let push = 0; push < 6; push++) {
      two.commit({ 'src/b.ts': `export const b = ${push};\n`, [`src/${push}.ts`]: `push ${push}\n` });
      await indexing.indexAll({ signal });
    }
    expect(filesOf().filter((name) => name.endsWith('.seg')).length).toBeLessThanOrEqual(2);
    expect(indexing.counters().merges).toBeGreaterThan(1);
    expect(Object.keys(await indexed())).toHaveLength(7 + 2 + 6);
  });
});

describe('what goes from the catalog or from a repository goes from the index', () => {
  it('a repository that is gone', async () => {
    const indexing = test.open();
    await indexing.indexAll({ signal });
    rmSync(one.folder, { recursive: true });
    await test.discover();
    await indexing.indexAll({ signal });
    expect(Object.keys(await indexed()).sort()).toEqual(['two@main:src/a.ts', 'two@main:src/b.ts']);
  });

  it('a branch that is no longer wanted, and one that is wanted anew', async () => {
    two.commit({ 'x.ts': 'x' }, { branch: 'release/1', from: null });
    await test.open({ branches: ['release/*'] }).indexAll({ signal });
    expect(await indexed()).toMatchObject({ 'two@release/:x.ts': 'x' });
    two.git(['branch', '-D', 'release/1']);
    await test.open({ branches: ['release/*'] }).indexAll({ signal });
    expect(await indexed()).not.toHaveProperty('two@release/:x.ts');
  });
});

describe('an opt-out hides at once and leaves no text behind', () => {
  it('in its own repository, while another one goes on showing the same text', async () => {
    const indexing = test.open();
    await indexing.indexAll({ signal });
    const evicted = one.blob('test(a);\n');
    expect(oidsOnDisk()).toContain(evicted);
    one.commit({ '.periscope/ignore': 'src/\n' });
    await indexing.indexAll({ signal });
    const documents = await indexed();
    expect(documents).not.toHaveProperty('one@main:src/a.ts');
    expect(documents).toMatchObject({ 'two@main:src/a.ts': 'export const a = 1;\n' });
    expect(oidsOnDisk()).not.toContain(evicted);
    expect(oidsOnDisk()).toContain(two.blob('export const a = 1;\n'));
    one.commit({ '.periscope/ignore': null });
    await indexing.indexAll({ signal });
    expect(await indexed()).toMatchObject({ 'one@main:src/a.test.ts': 'test(a);\n' });
  });

  it('one that cannot be read hides the whole repository', async () => {
    const indexing = test.open();
    await indexing.indexAll({ signal });
    one.commit({ '.periscope/ignore': Buffer.from([0, 1, 2]) });
    await indexing.indexAll({ signal });
    expect(Object.keys(await indexed()).sort()).toEqual(['two@main:src/a.ts', 'two@main:src/b.ts']);
    expect(indexing.status(test.named('one').id)).toMatchObject({ state: 'failed' });
  });

  it('dictionaries that were trained on it go with it', async () => {
    const words = Array.from({ length: 300 }, (_, index) => `const common${index} = ${index};\n`).join('');
    const planted = 'planted-marker-planted-marker';
    const files = Array.from({ length: 900 }, (_, index) => [
      `lib/${index}.ts`,
      `${words}// ${planted} ${index}\n`,
    ]);
    two.commit(Object.fromEntries(files));
    const indexing = test.open();
    await indexing.indexAll({ signal });
    expect(bytesOnDisk('dict-')).toContain(planted);
    two.commit({ '.periscope/ignore': 'lib/\n' });
    await indexing.indexAll({ signal });
    expect(indexing.counters().dictionariesTrained).toBeGreaterThan(0);
    expect(bytesOnDisk('')).not.toContain(planted);
  });

  function bytesOnDisk(prefix: string): string {
    return filesOf()
      .filter((name) => name.startsWith(prefix))
      .map((name) => readFileSync(path.join(test.indexFolder, name), 'latin1'))
      .join('\n');
  }

  /** Segments name the ids of what they hold. */
  function oidsOnDisk(): string {
    return filesOf()
      .filter((name) => name.endsWith('.seg'))
      .map((name) => readFileSync(path.join(test.indexFolder, name)).toString('hex'))
      .join('\n');
  }
});

describe('a tree may name what its repository does not hold', () => {
  it('a blob of another repository is missing there, though the index has it', async () => {
    const indexing = test.open();
    await indexing.indexAll({ signal });
    const oid = one.blob('test(a);\n');
    const tree = two.rawTree([{ mode: '100644', name: 'stolen.ts', oid }]);
    two.commitTree(tree, { branch: 'main' });
    await indexing.indexAll({ signal });
    expect(await indexed()).toMatchObject({ 'two@main:stolen.ts': '(missing)' });
  });
});

describe('what is in the index is shown for a repository that holds it', () => {
  const secret = 'a text of one repository\n';

  it('not for a folder that has an object of that name with other bytes in it', async () => {
    const oid = one.commit({ 'secret.txt': secret }) && one.blob(secret);
    await test.open().indexAll({ signal });
    // Whoever owns the folder writes the name of what he wants to see over something of his own.
    const own = two.blob('whatever');
    mkdirSync(path.join(two.gitDir, 'objects', oid.slice(0, 2)), { recursive: true });
    copyFileSync(objectFile(two, own), objectFile(two, oid));
    chmodSync(path.join(two.gitDir, 'objects'), 0o775);
    two.commitTree(two.rawTree([{ mode: '100644', name: 'forged.txt', oid }]), { branch: 'main' });
    await test.open().indexAll({ signal });
    expect(await indexed()).toMatchObject({
      'one@main:secret.txt': secret,
      'two@main:forged.txt': '(unreadable)',
    });
  });

  it('a forged object that comes first does not take the place of the real one', async () => {
    const oid = one.blob(secret);
    const own = two.blob('whatever');
    mkdirSync(path.join(two.gitDir, 'objects', oid.slice(0, 2)), { recursive: true });
    copyFileSync(objectFile(two, own), objectFile(two, oid));
    two.commitTree(two.rawTree([{ mode: '100644', name: 'forged.txt', oid }]), { branch: 'main' });
    await test.open().indexAll({ signal });
    one.commit({ 'secret.txt': secret });
    await test.open().indexAll({ signal });
    expect(await indexed()).toMatchObject({
      'one@main:secret.txt': secret,
      'two@main:forged.txt': '(unreadable)',
    });
  });

  it('where others can write it is read once to be sure, and kept once', async () => {
    chmodSync(path.join(two.gitDir, 'objects'), 0o777);
    const indexing = test.open();
    await indexing.indexAll({ signal });
    const before = indexing.counters();
    two.commit({ 'copy.ts': 'test(a);\n' });
    chmodSync(path.join(two.gitDir, 'objects'), 0o777);
    await indexing.indexAll({ signal });
    expect(indexing.counters().blobsRead - before.blobsRead).toBe(1);
    expect(indexing.counters().segmentsBuilt).toBe(before.segmentsBuilt);
    expect(await indexed()).toMatchObject({ 'two@main:copy.ts': 'test(a);\n' });
  });

  const objectFile = (fixture: GitFixture, oid: string) =>
    path.join(fixture.gitDir, 'objects', oid.slice(0, 2), oid.slice(2));
});

describe('revisions that are asked for', () => {
  it('what is indexed of them is searchable at once, and the rest soon after', async () => {
    const old = two.commit({ 'src/old.ts': 'old\n' });
    two.commit({ 'src/old.ts': null });
    const indexing = test.open({ background: true });
    await until(() => indexing.status(test.named('two').id).state === 'indexed');
    const asked = await indexing.ensureRevision(test.named('two'), old, { signal, budgetMs: 20_000 });
    expect(asked).toEqual({ revision: old, pending: 1 });
    await until(async () => `two@${old.slice(0, 8)}:src/old.ts` in (await indexed()));
    await until(async () => (await indexed())[`two@${old.slice(0, 8)}:src/old.ts`] === 'old\n');
    const again = () => indexing.ensureRevision(test.named('two'), old, { signal, budgetMs: 20_000 });
    await until(async () => (await again()).pending === 0);
  });
});

describe('an opt-out that is taken back', () => {
  it('shows all files again, also of a revision that was asked for before', async () => {
    const old = two.git(['rev-parse', 'main']).trim();
    two.commit({ 'src/c.ts': 'c\n' });
    const indexing = test.open({ background: true });
    await until(() => indexing.status(test.named('two').id).state === 'indexed');
    const asked = () => indexing.ensureRevision(test.named('two'), old, { signal, budgetMs: 20_000 });
    const shown = async () => `two@${old.slice(0, 8)}:src/b.ts` in (await indexed());
    await asked();
    await until(shown);
    const open = two.git(['rev-parse', 'main']).trim();
    two.commit({ '.periscope/ignore': 'src/b.ts\n' });
    await until(async () => !(await shown()));
    two.git(['update-ref', 'refs/heads/main', open]);
    await until(async () => 'two@main:src/b.ts' in (await indexed()));
    await asked();
    await until(shown);
  });
});

describe('a change is seen without being told', () => {
  it('a push into a watched folder', async () => {
    const indexing = test.open({ background: true });
    await until(() => indexing.status(test.named('two').id).state === 'indexed');
    two.commit({ 'src/new.ts': 'new\n' });
    await until(async () => 'two@main:src/new.ts' in (await indexed()));
  });
});

describe('one writer', () => {
  it('a second one is told that it is busy', async () => {
    const first = test.open({ background: true });
    await until(() => first.status(test.named('two').id).state === 'indexed');
    await expect(test.open().indexAll({ signal })).rejects.toMatchObject({ code: 'indexing/busy' });
  });
});

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isTrue()); waited++) {
    if (waited > 500) throw new Error('it did not come about');
    await sleep(20);
  }
}
