/**
 * How fast our own index answers: every query of queries.json, by kind. Arguments: folders of repositories; they are indexed first, into
 * BENCH_SEARCH_DATA when that is set (a data folder, kept and brought up to date), else into a folder that is gone afterwards.
 * BENCH_RUNS: how often each query is asked (default 20, after two that warm up). BENCH_EXACT: counts are exact, nothing stops early.
 * BENCH_HOT: blocks that are decoded stay so.
 *
 * One thread answers. Milliseconds are those of the whole call, the way to the thread and back included; CPU time is the process's. What
 * was read and decoded is counted, and is the same in every run.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { built } from '../support/built.mjs';
import { summary } from '../support/percentiles.mjs';

const { createApp } = await built('app');
const { loadConfig } = await built('config');
const { createCodeSearch } = await built('search');

const WARM_UP_RUNS = 2;
const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('Usage: node bench/speed/search.mjs FOLDER...');
  process.exit(2);
}
const runs = Number(process.env['BENCH_RUNS'] ?? 20);
const exact = process.env['BENCH_EXACT'] !== undefined;
const kept = process.env['BENCH_SEARCH_DATA'];
const dataFolder = kept ?? mkdtempSync(path.join(tmpdir(), 'periscope-bench-search-'));
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const neverStops = new AbortController().signal;

const { index, scope } = await indexed();
const search = await createCodeSearch(
  { folder: index, threads: 1, forgetsDecoded: process.env['BENCH_HOT'] === undefined },
  { clock: { now: () => Date.now() } },
);
const documents = search.revisions().reduce((sum, revision) => sum + revision.documents, 0);
console.log(`${scope.length} repositories, ${documents} files, node ${process.version}`);

const byKind = new Map();
for (const [list, queries] of Object.entries(
  JSON.parse(readFileSync(new URL('./queries.json', import.meta.url))),
)) {
  for (const query of queries) {
    const measured = await ask(query);
    console.log(rowOf(list, query, measured));
    const kind = `${list} ${query.kind}`;
    byKind.set(kind, [...(byKind.get(kind) ?? []), measured]);
  }
}
console.log('');
for (const [kind, all] of byKind) {
  const { p50, p95 } = summary(
    all.flatMap(({ milliseconds }) => milliseconds),
    1,
  );
  const cpu = all.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b)[all.length >> 1];
  console.log(`${kind.padEnd(32)} p50 ${figure(p50)} ms  p95 ${figure(p95)} ms  CPU ${figure(cpu)} ms`);
}
await search.close();
if (kept === undefined) rmSync(dataFolder, { recursive: true });

/** The index of the folders, and their repositories in the order of their names. */
async function indexed() {
  const config = await loadConfig({
    env: {},
    cwd: process.cwd(),
    homeFolder: tmpdir(),
    overrides: { dataFolder, folders: folders.map((folder) => path.resolve(folder)) },
  });
  const app = await createApp(config, { discoverAtStart: true, background: false, logger: silent });
  try {
    await app.indexing.indexAll({ signal: neverStops });
    const repositories = app.catalog.repositories().map(({ id, host, name, archived, fork }) => {
      return { id, host, name, archived, fork };
    });
    return { index: config.index.folder, scope: repositories };
  } finally {
    await app.close();
  }
}

async function ask(query) {
  const request = {
    query: nodeOf(query),
    scope,
    revisions: new Map(),
    output: 'lines',
    filesMax: 30,
    linesPerFileMax: 5,
    contextLines: 2,
    lineBytesMax: 500,
    exact,
    after: null,
    budgetMs: 60_000,
  };
  const milliseconds = [];
  let cpuMs = 0;
  let answer;
  for (let run = 0; run < runs + WARM_UP_RUNS; run++) {
    const cpu = process.cpuUsage();
    const from = performance.now();
    answer = await search.search(request, neverStops);
    if (run < WARM_UP_RUNS) continue;
    milliseconds.push(performance.now() - from);
    const { user, system } = process.cpuUsage(cpu);
    cpuMs += (user + system) / 1000 / runs;
  }
  return { milliseconds, cpuMs, answer };
}

function nodeOf({ literal, regex, ignoreCase = false, path: where, repository }) {
  const text = literal ?? regex;
  const parts = [
    { kind: 'text', where: 'either', pattern: { source: text, literal: literal !== undefined, ignoreCase } },
  ];
  if (where) {
    parts.push({
      kind: 'text',
      where: 'path',
      pattern: { source: where.regex, literal: false, ignoreCase: false },
    });
  }
  if (repository) {
    parts.push({ kind: 'repository', pattern: { source: repository, literal: true, ignoreCase: false } });
  }
  return parts.length === 1 ? parts[0] : { kind: 'all', of: parts };
}

function rowOf(list, query, { milliseconds, cpuMs, answer }) {
  const { p50, p95 } = summary(milliseconds, 1);
  const { fileCount, lineCount, statistics } = answer;
  const { documentsOpened, blocksDecoded, postingLists, postingBytes, contentBytesRead } = statistics;
  const text = (query.literal ?? query.regex).slice(0, 40);
  return [
    `${list} ${query.kind}`.padEnd(32),
    text.padEnd(40),
    `p50 ${figure(p50)} p95 ${figure(p95)} CPU ${figure(cpuMs)} ms`,
    `files ${fileCount.count}${fileCount.exact ? '' : '+'} lines ${lineCount.count}${lineCount.exact ? '' : '+'}`,
    `opened ${documentsOpened} decoded ${blocksDecoded} lists ${postingLists}`,
    `postings ${Math.round(postingBytes / 1024)} KB content ${Math.round(contentBytesRead / 1024)} KB`,
  ].join('  ');
}

function figure(milliseconds) {
  return milliseconds.toFixed(2).padStart(8);
}
