import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { bundleForNode } from '../../../src/base/testing/run-typescript.ts';
import { createGitFixture } from '../../../src/mirrors/testing/git-fixture.ts';
import { createCodeSearch, parseQuery, type Scope, type SearchAnswer } from '../../../src/search/index.ts';
import { startPeriscope } from '../../e2e/support/running-periscope.ts';
import { type Asked, written } from './asked-queries.ts';
import type { SearchedTrees } from './compared-answers.ts';
import { oddFiles, otherFiles } from './odd-files.ts';
import { type IndexedRows, indexedRows } from './skipped-files.ts';
import { filesOfHead, type TreeFile } from './tree-files.ts';

/** Repositories that are indexed as a server does it, and their files as git has them. */
export interface SearchedRepositories extends SearchedTrees {
  indexed: readonly IndexedRows[];
  /** The whole answer, every line of it. */
  search(asked: Asked): Promise<SearchAnswer>;
  close(): Promise<void>;
}

/** `folder` holds bare repositories as OWNER/NAME.git; two small ones with odd files come to those named. */
export async function indexRepositories(
  folder: string,
  names: readonly string[],
): Promise<SearchedRepositories> {
  const root = mkdtempSync(path.join(tmpdir(), 'periscope-oracle-'));
  const odd = createGitFixture({ folder: path.join(root, 'odd/files.git'), bare: true });
  odd.commit(oddFiles);
  const other = createGitFixture({ folder: path.join(root, 'odd/others.git'), bare: true });
  other.commit(otherFiles);
  for (const name of names) {
    odd.git([
      'clone',
      '--quiet',
      '--bare',
      '--local',
      path.join(folder, `${name}.git`),
      path.join(root, `${name}.git`),
    ]);
  }
  const { app, dataFolder, stop } = await startPeriscope({
    config: { hosts: [{ kind: 'folder', name: 'local', folders: [root] }] },
  });
  await app.indexing.indexAll({ signal: new AbortController().signal });
  const workerFile = pathToFileURL(
    await bundleForNode(path.resolve(import.meta.dirname, '../../../src/search/engine/search-worker.ts')),
  );
  const indexFolder = path.join(dataFolder, 'index');
  const engine = await createCodeSearch(
    { folder: indexFolder, threads: 1 },
    { clock: systemClock, workerFile },
  );
  const scope: Scope = app.catalog.repositories();
  const files = ['odd/files', 'odd/others', ...names].flatMap((name) =>
    filesOfHead(path.join(root, `${name}.git`), name),
  );
  const nameOf = (id: number) => scope.find((one) => one.id === id)!.name;
  const indexed = await indexedRows(indexFolder);
  const places = new Map(files.map((file) => [`${file.repository}:${file.path}`, file]));
  const skipped = new Set<TreeFile>();
  for (const { repositoryId, rows } of indexed) {
    for (const row of rows)
      if (row.skipped !== null) skipped.add(places.get(`${nameOf(repositoryId)}:${row.path}`)!);
  }

  return {
    files,
    skipped,
    nameOf,
    indexed,
    search(asked) {
      const options = { mode: 'auto', case: 'auto', nowMs: 0, repositorySets: {} } as const;
      const { root: query } = parseQuery(written(asked), options);
      return engine.search({ ...everything, query, scope }, new AbortController().signal);
    },
    async close() {
      await engine.close();
      await stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const everything = {
  revisions: new Map<number, string>(),
  output: 'lines',
  filesMax: 1_000_000,
  linesPerFileMax: 1_000_000,
  contextLines: 0,
  lineBytesMax: 10,
  exact: true,
  after: null,
  budgetMs: 300_000,
} as const;
