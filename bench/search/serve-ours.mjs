/**
 * Our search engine as a program that answers JSON lines, for beside-zoekt.mjs (support/peer-process.mjs tells the form). Arguments: a data
 * folder that `periscope index --once CORPUS` has filled, and that corpus. Searches pass through the pool of threads, as every user's do, over all
 * repositories, and find no block decoded unless BENCH_DECODED=1. BENCH_THREADS (1): searches at once.
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { built } from '../support/built.mjs';

const { createApp } = await built('app');
const { loadConfig } = await built('config');
const { createCodeSearch } = await built('search');

const BUDGET_MS = 20_000;
const LINES_PER_FILE = 5;

const [dataFolder, corpus] = process.argv.slice(2);
if (corpus === undefined) {
  console.error('Usage: node bench/search/serve-ours.mjs DATA_FOLDER CORPUS');
  process.exit(2);
}
const lists = JSON.parse(readFileSync(new URL('../speed/queries.json', import.meta.url)));
const scope = await repositories();
const search = await createCodeSearch(
  {
    folder: path.join(dataFolder, 'index'),
    threads: Number(process.env['BENCH_THREADS'] ?? 1),
    forgetsDecoded: process.env['BENCH_DECODED'] !== '1',
  },
  { clock: { now: Date.now } },
);
console.log(JSON.stringify({ ready: true }));
const running = [];
for await (const line of createInterface({ input: process.stdin }))
  running.push(answer(JSON.parse(line)).then((reply) => console.log(JSON.stringify(reply))));
await Promise.all(running);
await search.close();

async function answer({ id, i, list, query = lists[list][i], files = 30, exact = false, names = false }) {
  const request = {
    query: treeOf(query),
    scope,
    revisions: new Map(),
    output: 'lines',
    filesMax: files,
    linesPerFileMax: LINES_PER_FILE,
    contextLines: 0,
    lineBytesMax: 400,
    exact,
    after: null,
    budgetMs: BUDGET_MS,
  };
  const cpu = process.cpuUsage();
  const started = performance.now();
  const found = await search.search(request, new AbortController().signal);
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return {
    id,
    ms,
    cpuMs: (user + system) / 1000,
    files: found.files.length,
    filesFound: found.fileCount.count,
    matches: found.lineCount.count,
    atLeast: !found.fileCount.exact,
    ...(names && { names: found.files.map((file) => `${nameOf(file.repositoryId)}:${file.path}`) }),
    ...(found.stopped === 'budget' && { error: 'the time budget was over' }),
  };
}

function treeOf({ literal, regex, ignoreCase = false, path: within, repository, where = 'content' }) {
  const pattern = { source: literal ?? regex, literal: literal !== undefined, ignoreCase };
  const parts = [{ kind: 'text', where, pattern }];
  if (within) {
    const fits = { source: within.regex, literal: false, ignoreCase: false };
    parts.push({ kind: 'text', where: 'path', pattern: fits });
  }
  if (repository) {
    const source = `^${repository.replace(/[.+]/g, '\\$&')}$`;
    parts.push({ kind: 'repository', pattern: { source, literal: false, ignoreCase: false } });
  }
  return parts.length === 1 ? parts[0] : { kind: 'all', of: parts };
}

function nameOf(repositoryId) {
  return scope.find(({ id }) => id === repositoryId).name;
}

async function repositories() {
  const config = await loadConfig({
    env: {},
    cwd: process.cwd(),
    homeFolder: homedir(),
    overrides: { dataFolder, folders: [corpus], logLevel: 'warn' },
  });
  const app = await createApp(config, { discoverAtStart: true, background: false });
  const listed = app.catalog.repositories();
  await app.close();
  return listed.map(({ id, host, name, archived, fork }) => ({ id, host, name, archived, fork }));
}
