import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleForNode } from '../../base/testing/run-typescript.ts';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import type { QueryNode } from '../queries/types.ts';
import { createCodeSearch } from './create-code-search.ts';
import { SmallIndex, type TestRepository } from './testing/small-index.ts';
import type { CodeSearch, SearchRequest } from './types.ts';

let workerFile: URL;
beforeAll(async () => {
  workerFile = pathToFileURL(
    await bundleForNode(fileURLToPath(new URL('./search-worker.ts', import.meta.url))),
  );
});

let index: SmallIndex;
const open: CodeSearch[] = [];
beforeEach(async () => {
  index = await SmallIndex.create();
});
afterEach(async () => {
  for (const search of open.splice(0)) await search.close();
  index.remove();
});

async function openSearch(options: { threads?: number; waitingMax?: number; graceMs?: number } = {}) {
  const search = await createCodeSearch(
    { folder: index.folder, threads: 1, pollMs: 1e6, ...options },
    { clock: { now: () => 0 }, workerFile },
  );
  open.push(search);
  return search;
}

function repository(id: number, files: Record<string, string>): TestRepository {
  return {
    id,
    host: 'git.example',
    name: `acme/r${id}`,
    archived: false,
    fork: false,
    branches: [
      {
        name: 'main',
        isDefault: true,
        committedMs: id,
        files: new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
      },
    ],
  };
}

const text = (source: string): QueryNode => ({
  kind: 'text',
  pattern: { source, literal: true, ignoreCase: false },
  where: 'content',
});
const regex = (source: string): QueryNode => ({
  kind: 'text',
  pattern: { source, literal: false, ignoreCase: false },
  where: 'content',
});

function asking(query: QueryNode, more: Partial<SearchRequest>): SearchRequest {
  return {
    query,
    scope: [],
    revisions: new Map(),
    output: 'lines',
    filesMax: 30,
    linesPerFileMax: 10,
    contextLines: 0,
    lineBytesMax: 300,
    exact: false,
    after: null,
    budgetMs: 20_000,
    ...more,
  };
}

const alive = new AbortController().signal;
const pathsOf = ({ files }: { files: readonly { path: string }[] }) => files.map(({ path }) => path);

describe('an index folder is searched in threads', () => {
  it('a scope is told once, an answer comes from its repositories alone', async () => {
    const repositories = [repository(1, { 'a.ts': 'needle\n' }), repository(2, { 'b.ts': 'needle\n// b\n' })];
    await index.publish(repositories);
    const search = await openSearch();
    const scope = [repositories[1]!];
    for (let again = 0; again < 3; again++) {
      expect(pathsOf(await search.search(asking(text('needle'), { scope }), alive))).toEqual(['b.ts']);
    }
    expect(pathsOf(await search.search(asking(text('needle'), { scope: repositories }), alive))).toHaveLength(
      2,
    );
  });

  it('a new generation is searched at once, and what was searched before is opened no second time', async () => {
    const first = repository(1, { 'a.ts': 'needle one\n' });
    await index.publish([first]);
    const search = await openSearch({ threads: 2 });
    const scope = [first];
    expect((await search.search(asking(text('needle'), { scope }), alive)).generation).toBe(1);
    await index.publish([repository(1, { 'a.ts': 'needle one\n', 'b.ts': 'needle two\n' })]);
    const answer = await search.search(asking(text('needle'), { scope }), alive);
    expect(answer.generation).toBe(2);
    expect(pathsOf(answer).sort()).toEqual(['a.ts', 'b.ts']);
    expect(search.revisions(1)).toMatchObject([{ revision: 'main', documents: 2, isDefault: true }]);
  });

  it('an empty folder says that nothing is indexed yet', async () => {
    const search = await openSearch();
    const answer = await search.search(asking(text('x'), { scope: [repository(7, {})] }), alive);
    expect(answer.searched).toMatchObject({ repositories: 0, unindexed: [7] });
  });

  it('a faulty pattern fails as the parser says', async () => {
    const scope = [repository(1, { a: 'x' })];
    await index.publish(scope);
    const search = await openSearch();
    await expect(search.search(asking(regex('a('), { scope }), alive)).rejects.toMatchObject({
      code: 'search/regex-syntax',
    });
  });
});

describe('a damaged part of the index', () => {
  const one = repository(1, { 'a.ts': 'needle one\n' });
  const two = repository(2, { 'b.ts': 'needle two\n' });
  const fileOf = (segment: number) => path.join(index.folder, index.segments[segment]!.file);
  beforeEach(async () => {
    await index.publish([one]);
    await index.publish([one, two]);
  });
  const ask = (search: CodeSearch, scope: TestRepository[], query = text('needle')) =>
    search.search(asking(query, { scope }), alive);
  const noted = () => readdirSync(path.join(index.folder, 'damaged'));

  it('is told to those alone whose repositories need it, and noted for the writer', async () => {
    rmSync(fileOf(1));
    const search = await openSearch();
    expect(noted()).toEqual([index.segments[1]!.file]);
    expect(await ask(search, [one])).toMatchObject({ problems: [], fileCount: { count: 1, exact: true } });
    const answer = await ask(search, [one, two]);
    expect(answer.problems).toEqual([expect.stringContaining('1 file lies in a damaged part of the index')]);
    expect(answer.fileCount).toEqual({ count: 1, exact: false });
    const filter: QueryNode = {
      kind: 'repository',
      pattern: { source: 'acme/r1', literal: true, ignoreCase: false },
    };
    const narrowed = await ask(search, [one, two], { kind: 'all', of: [text('needle'), filter] });
    expect(narrowed.problems).toEqual([]);
  });

  it('that a search comes upon is noted for the writer', async () => {
    const search = await openSearch();
    const bytes = readFileSync(fileOf(1));
    writeFileSync(fileOf(1), bytes.fill(0x55, 256, bytes.length));
    const answer = await ask(search, [one, two]);
    expect(answer.problems).toHaveLength(1);
    expect(noted()).toEqual([index.segments[1]!.file]);
  });

  it('that a thread could not open is opened with the next search that can', async () => {
    const search = await openSearch();
    renameSync(fileOf(1), `${fileOf(1)}.away`);
    expect((await ask(search, [one, two])).problems).toHaveLength(1);
    renameSync(`${fileOf(1)}.away`, fileOf(1));
    expect(await ask(search, [one, two])).toMatchObject({
      problems: [],
      fileCount: { count: 2, exact: true },
    });
    await index.publish([one, two, repository(3, { 'c.ts': 'needle three\n' })]);
    expect((await ask(search, [one, two])).problems).toEqual([]);
  });
});

describe('a search can be ended', () => {
  const hostile = regex('[ab]*a[ab]{200}c');
  /** Ever new states, and nothing that matches. */
  const slow = () => {
    const random = new SeededRandom(1);
    const line = () =>
      `${Array.from({ length: 700 }, () => random.pick(['a', 'b'])).join('')}x${'ab'.repeat(20)}bc\n`;
    const text = (i: number) => `${i}\n${Array.from({ length: 40 }, line).join('')}`;
    return repository(1, Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.txt`, text(i)])));
  };

  it('by whoever asked: the thread serves the next', async () => {
    const scope = [slow()];
    await index.publish(scope);
    const search = await openSearch();
    const gone = new AbortController();
    const running = search.search(asking(hostile, { scope }), gone.signal);
    setTimeout(() => gone.abort(), 30);
    await expect(running).rejects.toMatchObject({ kind: 'cancelled' });
    expect((await search.search(asking(text('12\n'), { scope }), alive)).fileCount.count).toBe(1);
  });

  it('by its budget: it says so, and the next page goes on where it ended', async () => {
    const scope = [slow()];
    await index.publish(scope);
    const search = await openSearch();
    const answer = await search.search(asking(hostile, { scope, budgetMs: 40 }), alive);
    expect(answer.stopped).toBe('budget');
    expect(answer.fileCount.exact).toBe(false);
    expect(answer.next).not.toBeNull();
  });

  it('beyond its bound it says busy instead of queueing', async () => {
    const scope = [slow()];
    await index.publish(scope);
    const search = await openSearch({ waitingMax: 1 });
    const gone = new AbortController();
    const ask = () => search.search(asking(hostile, { scope }), gone.signal);
    const running = [ask(), ask()];
    await expect(ask().then(() => ask())).rejects.toMatchObject({ kind: 'busy' });
    gone.abort();
    await Promise.allSettled(running);
  });
});

describe('an answer is paged through', () => {
  it('pages are those of one generation, overlap nowhere and leave nothing out', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 700 }, (_, i) => [`src/${i}.ts`, `needle ${i}\n${i % 3 ? 'xneedlex' : ''}\n`]),
    );
    const scope = [repository(1, files)];
    await index.publish(scope);
    const search = await openSearch();
    const seen: string[] = [];
    let after: SearchRequest['after'] = null;
    for (let page = 0; page < 60; page++) {
      const answer: Awaited<ReturnType<CodeSearch['search']>> = await search.search(
        asking(text('needle'), { scope, after, filesMax: 40 }),
        alive,
      );
      seen.push(...pathsOf(answer));
      after = answer.next;
      if (page === 0) {
        expect(answer.stopped).toBe('enough');
        await index.publish([repository(1, { ...files, 'src/new.ts': 'needle new\n' })]);
      }
      if (after === null) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe(700);
  });

  it('a page of a generation that is gone is refused', async () => {
    const scope = [repository(1, { a: 'x' })];
    await index.publish(scope);
    const search = await openSearch();
    await expect(search.search(asking(text('x'), { scope, after: { g: 99 } }), alive)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'search/generation-gone',
    });
  });
});
