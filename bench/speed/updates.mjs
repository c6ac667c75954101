/**
 * What a change costs: a fork of a repository that is indexed, a push of 50 changed files, and a tag whose files are mostly not indexed.
 * Arguments: folders of repositories; the largest repositories below them are measured, each in turn. BENCH_REPOSITORIES: how many
 * (default 4). BENCH_FORKS, BENCH_PUSHES: of each (default 4). Nothing is written below the folders.
 *
 * CPU time is that of the process with its threads and of every git process, less what an idle server takes in that time. A push is searchable when the index that searches open
 * names its commit; its time counts from when the change is told. The tag is asked for a word: first at once, then when its files are
 * indexed, beside the same question about HEAD.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { built } from '../support/built.mjs';
import { median } from '../support/paired-ratios.mjs';

const { createApp } = await built('app');
const { loadConfig } = await built('config');
const { readIndexState } = await built('search');

const FILES_PUSHED = 50;
const QUERIES = 7;
const folders = process.argv.slice(2).map((folder) => path.resolve(folder));
const repositoriesMax = Number(process.env['BENCH_REPOSITORIES'] ?? 4);
const forks = Number(process.env['BENCH_FORKS'] ?? 4);
const pushes = Number(process.env['BENCH_PUSHES'] ?? 4);
const never = new AbortController().signal;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const rows = [];
for (const gitDir of largest(folders.flatMap(repositoriesBelow))) rows.push(await measured(gitDir));
console.log(
  '\nrepository | files | first indexing, CPU s | fork, CPU ms (share of it) | git processes, trees, files read | push of files, ms until it is searchable | tag: unindexed share, first answer ms, later ms, HEAD ms',
);
for (const row of rows) console.log(row);

async function measured(gitDir) {
  const work = mkdtempSync(path.join(tmpdir(), 'periscope-updates-'));
  const repositories = path.join(work, 'repositories');
  mkdirSync(repositories);
  const loaded = await loadConfig({
    env: {},
    cwd: work,
    homeFolder: work,
    overrides: { dataFolder: path.join(work, 'data'), folders: [repositories] },
  });
  const config = { ...loaded, index: { ...loaded.index, symbols: false } };
  const app = await createApp(config, { discoverAtStart: true, background: true, logger: silent });
  const indexFolder = config.index.folder;
  try {
    return await measure({ app, indexFolder, repositories, gitDir });
  } finally {
    await app.close();
    rmSync(work, { recursive: true });
  }
}

async function measure({ app, indexFolder, repositories, gitDir }) {
  const name = path.basename(gitDir, '.git');
  const original = copyOf(gitDir, path.join(repositories, 'original.git'));
  const first = await indexed(app, 'original');
  const files = app.indexing.status(first.id).documents;

  const idleShare = await idleCpuShare();
  const costs = [];
  let work = '';
  for (let fork = 0; fork < forks; fork++) {
    copyOf(original, path.join(repositories, `fork${fork}.git`));
    const cost = await indexed(app, `fork${fork}`);
    costs.push(cost.cpuMs - cost.ms * idleShare);
    work = `${cost.processes}, ${cost.trees}, ${cost.blobs}`;
  }

  const waits = [];
  for (let push = 0; push < pushes; push++) {
    const head = pushTo(original, push, FILES_PUSHED);
    const repository = app.catalog.repositories().find((one) => one.name === 'original');
    const started = performance.now();
    app.indexing.changed(repository);
    await until(async () =>
      (await readIndexState(indexFolder)).revisions.some((one) => one.head.commit === head),
    );
    waits.push(performance.now() - started);
    await sleep(300);
  }

  const tag = await tagAnswers(app, original);
  const forkMs = median(costs);
  const figures = [
    `${first.cpuMs > 0 ? (first.cpuMs / 1000).toFixed(2) : '-'}`,
    `${forkMs.toFixed(0)} (${((forkMs / first.cpuMs) * 100).toFixed(2)} %)`,
    work,
    median(waits).toFixed(0),
    tag,
  ];
  const row = `${name} | ${files} | ${figures.join(' | ')}`;
  console.log(row);
  return row;
}

/** Lists a repository that has just come, and indexes it. */
async function indexed(app, name) {
  await app.discover(never);
  const repository = app.catalog.repositories().find((one) => one.name === name);
  const before = {
    ms: performance.now(),
    cpuMs: cpuMs(),
    git: app.mirrorCounters(),
    index: { ...app.indexing.counters() },
  };
  await until(() => ['indexed', 'failed'].includes(app.indexing.status(repository.id).state));
  await sleep(100);
  const { problem } = app.indexing.status(repository.id);
  if (problem) throw new Error(problem);
  const git = app.mirrorCounters();
  return {
    id: repository.id,
    cpuMs: cpuMs() - before.cpuMs,
    ms: performance.now() - before.ms,
    processes: git.processesStarted - before.git.processesStarted,
    trees: git.treesRead - before.git.treesRead,
    blobs: app.indexing.counters().blobsRead - before.index.blobsRead,
  };
}

/** Of a second in which nothing happens but that it is looked every few milliseconds, as for a fork. */
async function idleCpuShare() {
  await sleep(500);
  const before = { ms: performance.now(), cpuMs: cpuMs() };
  await until(() => performance.now() - before.ms > 1000);
  return (cpuMs() - before.cpuMs) / (performance.now() - before.ms);
}

/** A tag of which three of five files are not indexed: what is asked of it at once, and when they are, beside the same of HEAD. */
async function tagAnswers(app, gitDir) {
  const paths = filesAtHead(gitDir);
  const changed = paths.filter((_, at) => at % 5 < 3);
  commitTo('refs/tags/bench', gitDir, changed, 'tagged');
  await ask(app, 'HEAD');
  const first = await ask(app, 'bench');
  await until(async () => (await ask(app, 'bench')).pending === 0);
  const later = { bench: [], HEAD: [] };
  for (let query = 0; query < QUERIES; query++) {
    for (const revision of ['bench', 'HEAD']) later[revision].push((await ask(app, revision)).ms);
  }
  const share = `${((first.pending / paths.length) * 100).toFixed(0)} %`;
  return [share, first.ms.toFixed(0), median(later.bench).toFixed(1), median(later.HEAD).toFixed(1)].join(
    ', ',
  );
}

async function ask(app, revision) {
  const input = { query: 'return', repo: 'original', ...(revision === 'HEAD' ? {} : { revision }) };
  const started = performance.now();
  const { result } = await app.operations.handle({ name: 'codesearch', input }, app.localCaller());
  return { ms: performance.now() - started, pending: result.searched.pending };
}

/** Of this process with its threads, and of the git processes, those that have ended and those that live. */
function cpuMs() {
  const own = statOf('self');
  let sum = (Number(own[13]) + Number(own[14])) * 10;
  for (const id of readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').trim().split(' ')) {
    if (id !== '' && statOf(id))
      sum += Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  }
  const { user, system } = process.cpuUsage();
  return sum + (user + system) / 1000;
}

/** Fields of proc(5) from the state on: [11] to [14] are times, its own and those of its children that have ended. */
function statOf(id) {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

async function until(isSo) {
  while (!(await isSo())) await sleep(5);
}

function git(gitDir, args, input) {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [`--git-dir=${gitDir}`, ...args], { input, env, maxBuffer: 1 << 30 });
}

function copyOf(gitDir, to) {
  execFileSync('git', [
    '-c',
    'safe.directory=*',
    'clone',
    '-q',
    '--bare',
    '--no-tags',
    '--single-branch',
    '--no-hardlinks',
    gitDir,
    to,
  ]);
  return to;
}

/** Changes files all over the listing, and returns the new commit. */
function pushTo(gitDir, push, count) {
  const branch = git(gitDir, ['symbolic-ref', 'HEAD']).toString().trim();
  const files = filesAtHead(gitDir);
  const step = Math.max(1, Math.floor(files.length / count));
  const changed = files.filter((_, at) => at % step === 0).slice(0, count);
  return commitTo(branch, gitDir, changed, `push ${push}`);
}

function filesAtHead(gitDir) {
  const rows = git(gitDir, ['ls-tree', '-r', '-z', 'HEAD']).toString().split('\0');
  return rows
    .filter((row) => row.startsWith('100'))
    .map((row) => ({
      mode: row.slice(0, 6),
      oid: row.split(/[ \t]/, 3)[2],
      path: row.slice(row.indexOf('\t') + 1),
    }));
}

/** A commit on HEAD in which a line was added to each of the files. */
function commitTo(reference, gitDir, files, what) {
  const head = git(gitDir, ['rev-parse', 'HEAD']).toString().trim();
  const contents = git(
    gitDir,
    ['cat-file', '--batch', '--buffer'],
    files.map(({ oid }) => `${oid}\n`).join(''),
  );
  const parts = [
    `commit ${reference}\ncommitter B <b@example.org> 1700000000 +0000\ndata 1\nx\nfrom ${head}\n`,
  ];
  let at = 0;
  for (const file of files) {
    const start = contents.indexOf(10, at) + 1;
    const size = Number(contents.toString('latin1', at, start).split(' ')[2]);
    const added = `\n${what}: ${file.path}\n`;
    parts.push(
      `M ${file.mode} inline ${JSON.stringify(file.path)}\ndata ${size + Buffer.byteLength(added)}\n`,
    );
    parts.push(contents.subarray(start, start + size), added, '\n');
    at = start + size + 1;
  }
  git(gitDir, ['fast-import', '--quiet', '--force'], Buffer.concat(parts.map((part) => Buffer.from(part))));
  return git(gitDir, ['rev-parse', reference]).toString().trim();
}

function repositoriesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const place = path.join(folder, name);
      return name.endsWith('.git') ? [place] : repositoriesBelow(place);
    });
}

/** Those with most files. */
function largest(gitDirs) {
  const counted = gitDirs.map((gitDir) => ({
    gitDir,
    files: filesAtHead(gitDir).length,
  }));
  return counted
    .sort((a, b) => b.files - a.files)
    .slice(0, repositoriesMax)
    .map(({ gitDir }) => gitDir);
}
