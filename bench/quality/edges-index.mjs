/** An index that `periscope index --once` made, opened to ask what its resolver says of whole files, and the graph itself. */
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { built } from '../support/built.mjs';

const { createCodeSearch } = await built('search');

/** @param workerFile what its threads run: default edges-thread.mjs, which answers `file` */
export async function openEdgesIndex(
  dataFolder,
  { workerFile = new URL('edges-thread.mjs', import.meta.url) } = {},
) {
  const database = new DatabaseSync(path.join(dataFolder, 'periscope.db'), { readOnly: true });
  const repositories = database.prepare('SELECT id, name FROM repository ORDER BY id').all();
  database.close();
  const search = await createCodeSearch(
    { folder: path.resolve(dataFolder, 'index'), threads: 1 },
    { clock: { now: () => Date.now() }, workerFile },
  );
  const indexed = new Set(search.revisions().map(({ repositoryId }) => repositoryId));
  const scope = repositories
    .filter(({ id }) => indexed.has(id))
    .map(({ id, name }) => ({ id, host: 'local', name, archived: false, fork: false }));
  const signal = new AbortController().signal;
  return {
    search,
    scope,
    nameOf: (id) => scope.find((one) => one.id === id)?.name,
    idOf: (name) => scope.find((one) => one.name === name)?.id,
    /** Null for a file that is not there. */
    async file(repositoryId, path) {
      const question = { repositoryId, path };
      const options = { scope, revisions: new Map(), budgetMs: 120_000, generation: null, question };
      return (await search.ask(options, signal)).facts;
    },
    close: () => search.close(),
  };
}
