/** An index as users have it, made from bare repositories, and asked by meaning with vectors of which a bench says who has them. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { built } from '../../support/built.mjs';

const build = path.resolve(import.meta.dirname, '../../..', process.env['PERISCOPE_BENCH_BUILD'] ?? 'dist');
const clock = { now: () => Date.now() };

/** Brings the index in the data folder up to date with the repositories below the folder, without any vectors. */
export function indexFolder(dataFolder, folder) {
  const config = `${dataFolder}.yaml`;
  writeFileSync(config, 'version: 1\nembedding:\n  model: off\n');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(build, 'cli/main.js'), 'index', '--once', '--config', config, '--data', dataFolder, folder],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  if (status !== 0) throw new Error(`indexing failed: ${stderr}${stdout}`);
}

export async function openMeaningIndex(dataFolder, { cache }) {
  const { createCodeSearch } = await built('search');
  const { createRetrieval, createVectorShelf, defaultWeights } = await built('retrieval');
  const { loadStaticEmbedder, openVectorWriter } = await built('vectors');
  const database = new DatabaseSync(path.join(dataFolder, 'periscope.db'), { readOnly: true });
  const repositories = database.prepare('SELECT id, name FROM repository ORDER BY id').all();
  database.close();
  const opened = () =>
    createCodeSearch(
      { folder: path.resolve(dataFolder, 'index'), threads: 1 },
      { clock, workerFile: new URL('meaning-thread.mjs', import.meta.url) },
    );
  const index = await opened();
  const indexed = new Set(index.revisions().map(({ repositoryId }) => repositoryId));
  const scope = repositories
    .filter(({ id }) => indexed.has(id))
    .map(({ id, name }) => ({ id, host: 'local', name, archived: false, fork: false }));
  const nameOf = new Map(scope.map(({ id, name }) => [id, name]));
  const signal = new AbortController().signal;
  const table = loadStaticEmbedder();
  /** Vectors under a name, and threads of their own: a thread keeps to the memory of the first vectors that it was given. */
  const states = new Map();

  return {
    scope,
    nameOf: (id) => nameOf.get(id),
    everyStage: {
      ...{ keywords: true, table: true, encoder: true, expansion: true, scorer: true, files: true },
      ...{ nearDuplicates: true, crossEncoder: false, fusionK: 10, weights: defaultWeights },
    },
    /** All chunks, repository by repository. */
    async *chunks() {
      for (const repository of scope) {
        const asked = { scope: [repository], revisions: new Map(), budgetMs: 600_000, generation: null };
        const { chunks } = await index.ask({ ...asked, question: { kind: 'chunks' } }, signal);
        yield { repository, chunks };
      }
    },
    /** `OWNER PART` of the chunks that words find, for each variant of their weights. */
    async keywordLists(text, variants) {
      const asked = { scope, revisions: new Map(), budgetMs: 600_000, generation: null };
      return (await index.ask({ ...asked, question: { kind: 'keyword-lists', text, variants } }, signal))
        .lists;
    },
    /** Vectors under a name: the table's of every chunk, the encoder's of those that `isEncoded` says, by chunk and its number. */
    async embed(name, isEncoded) {
      const folder = path.join(dataFolder, `vectors-${name}`);
      rmSync(folder, { recursive: true, force: true });
      const writer = openVectorWriter({ folder });
      let [all, encoded] = [0, 0];
      for await (const { repository, chunks } of this.chunks()) {
        const wanted = chunks.filter((chunk, at) =>
          isEncoded({ ...chunk, repository: repository.name }, all + at),
        );
        const vectors = await cache.documents(wanted.map(({ text }) => text));
        writer.append(
          table.kind,
          chunks.map(({ owner, part, text }) => ({ owner, part, vector: table.embedDocument(text) })),
        );
        if (wanted.length > 0)
          writer.append(
            cache.kind,
            wanted.map(({ owner, part }, at) => ({ owner, part, vector: vectors[at] })),
          );
        all += chunks.length;
        encoded += wanted.length;
      }
      writer.merge();
      states.set(name, { shelf: createVectorShelf({ folder }, { clock }), index: await opened() });
      return { all, encoded };
    },
    /** An answerer as `periscope eval` has it: a configuration is {vectors, ranking}. */
    answerer() {
      const encoder = {
        kind: cache.kind,
        embedQuery: async (text) => (await cache.questions([text]))[0],
      };
      const ask = async ({ question, repositories: narrowed }, { vectors, ranking }, { limit }) => {
        const retrieval = createRetrieval(
          { ranking, encodeMs: 60_000 },
          {
            index: states.get(vectors).index,
            vectors: states.get(vectors).shelf,
            encoder,
            crossEncoder: null,
          },
        );
        const asked = narrowed === null ? scope : scope.filter((one) => narrowed.includes(one.name));
        const answer = await retrieval.retrieve(
          { question, scope: asked, revisions: new Map(), filters: {}, limit, budgetMs: 60_000 },
          signal,
        );
        return answer;
      };
      return async (pair, configuration, options) => {
        const { hits, stages } = await ask(pair, configuration, options);
        return {
          places: hits.map(({ place, also, similar, score, features }) => ({
            ...placed(place),
            score,
            features,
            also: [...also, ...similar].map(placed),
          })),
          leftOut: stages.filter(({ state }) => state === 'left-out').map(({ stage }) => stage),
          stages,
        };
      };
    },
    async close() {
      for (const state of states.values()) {
        state.shelf.close();
        await state.index.close();
      }
      await index.close();
    },
  };

  function placed({ repositoryId, path: place, startLine, endLine }) {
    return { repository: nameOf.get(repositoryId), path: place, lines: { start: startLine, end: endLine } };
  }
}
