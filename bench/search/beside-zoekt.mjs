/**
 * Our search engine beside zoekt, ripgrep and csearch, over one corpus and in one run. Argument: the folder that prepare-peers.mjs filled.
 * Every round asks every engine each query of bench/speed/queries.json, so that what else the machine does weighs on all of them alike;
 * the figures are medians of the ratios of one round. BENCH_WARM rounds (10) come first and are not counted: servers run for weeks,
 * and ours has its inner loops compiled as it goes.
 *
 * Ours is named by BENCH_OURS (see engines.mjs); without it zoekt stands in its place, and the peers are compared among themselves.
 * BENCH_ROUNDS (7); BENCH_LISTS (tuned,heldOut); BENCH_KIND, one kind alone; BENCH_PEERS (zoekt,zoekt-re2,ripgrep,csearch);
 * BENCH_EXACT=1 asks for exact counts; BENCH_COLD=1 starts every engine anew for each query, with its index out of the page cache (only
 * what is not mapped while it opens stays out); BENCH_MEANWHILE, a command line that is run again and again meanwhile, such as an
 * indexing; BENCH_RAW, a file for the raw figures.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { queryName } from '../peers/peer-queries.mjs';
import { byKind, median, pairedRatios, quantile, summaryOf } from '../support/paired-ratios.mjs';
import { enginesAt, forgetPages } from './engines.mjs';

/** An engine that has taken so long over a query is not asked it in later rounds. */
const QUERY_LIMIT_MS = 4000;
/** Slower queries are not warmed up further: what they answered counts. */
const WARM_LIMIT_MS = 300;

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: node bench/search/beside-zoekt.mjs PEERS_FOLDER');
  process.exit(2);
}
const warmRounds = Number(process.env['BENCH_WARM'] ?? 10);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const exact = process.env['BENCH_EXACT'] === '1';
const cold = process.env['BENCH_COLD'] === '1';
const all = JSON.parse(readFileSync(new URL('../speed/queries.json', import.meta.url)));
const lists = (process.env['BENCH_LISTS'] ?? 'tuned,heldOut').split(',');
const queries = lists.flatMap((list) =>
  all[list]
    .map((query, i) => ({ list, i, query, kind: query.kind, name: queryName(query) }))
    .filter(({ kind }) => kind === (process.env['BENCH_KIND'] ?? kind)),
);
const engines = enginesAt(folder).filter(({ indexFolder }) => !cold || indexFolder !== undefined);
if (engines.length < 2) {
  console.error('Fewer than two engines are here: see bench/search/engines.mjs for what is looked for');
  process.exit(2);
}
console.log(
  `${cpus().length} cores, node ${process.version}, ${rounds} rounds, ${queries.length} queries, ${cold ? 'cold' : 'warm'}${exact ? ', exact counts' : ''}: ${engines.map(({ name }) => name).join(', ')}`,
);

const answers = new Map(engines.map(({ name }) => [name, queries.map(() => [])]));
const stopMeanwhile = keepRunning(process.env['BENCH_MEANWHILE']);
await (cold ? askCold() : askWarm());
stopMeanwhile();

const [base, ...peers] = engines;
for (const list of lists) {
  for (const peer of peers) printComparison(list, peer.name);
  for (const { name } of engines) printTimes(list, name);
}
printFaults();
if (process.env['BENCH_RAW']) writeFileSync(process.env['BENCH_RAW'], `${JSON.stringify(rawFigures())}\n`);

async function askWarm() {
  const opened = [];
  for (const engine of engines) opened.push({ name: engine.name, running: await engine.open() });
  for (let round = -warmRounds; round < rounds; round++) {
    for (const [at, query] of queries.entries()) {
      // Nobody always comes after the same neighbour.
      for (let turn = 0; turn < opened.length; turn++) {
        const { name, running } = opened[(turn + round + warmRounds + at) % opened.length];
        const given = answers.get(name)[at];
        if (given.reduce((sum, { ms }) => sum + ms, 0) > QUERY_LIMIT_MS) continue;
        if (round < 0 && given.length > 0) continue;
        const answer = await running.ask({ ...query, files: 30, exact });
        // The warm-up counts where it was so slow that one answer must do.
        if (round >= 0 || answer.ms > WARM_LIMIT_MS) given.push(answer);
      }
    }
  }
  for (const { running } of opened) await running.close();
}

async function askCold() {
  for (let round = 0; round < rounds; round++) {
    for (const [at, query] of queries.entries()) {
      for (const engine of engines) {
        forgetPages(engine.indexFolder);
        const running = await engine.open();
        forgetPages(engine.indexFolder);
        answers.get(engine.name)[at].push(await running.ask({ ...query, files: 30, exact }));
        await running.close();
      }
    }
  }
}

function printComparison(list, peer) {
  const rows = rowsOf(list, peer);
  const wall = byKind(pairedRatios(rows, 'ms'));
  const cpu = byKind(pairedRatios(rows, 'cpuMs'));
  console.log(`\n${list}: ${peer} against ${base.name}, ratios of times (above 1 ${base.name} is faster)`);
  console.log('kind | queries | wall, median (worst) | CPU, median (worst)');
  for (const [kind, ratios] of wall)
    console.log([kind, ratios.length, ratioText(ratios), ratioText(cpu.get(kind))].join(' | '));
  for (const [name, kinds] of [
    ['wall', wall],
    ['CPU', cpu],
  ]) {
    const ratios = [...kinds.values()].flat();
    if (ratios.length === 0) continue;
    const { median: middle, mean, worst, slower } = summaryOf(ratios);
    console.log(
      `all, ${name}: median ${middle.toFixed(2)}, geometric mean ${mean.toFixed(2)}, worst ${worst.ratio.toFixed(2)} (${worst.name}), ${slower.length} below 1${slower.length ? `: ${slower.map(({ name, ratio }) => `${name} ${ratio.toFixed(2)}`).join('; ')}` : ''}`,
    );
  }
}

function printTimes(list, engine) {
  console.log(`\n${list}: ${engine}, kind | ms, median | p95 | CPU ms, median`);
  const rows = rowsOf(list, engine).map(({ name, kind, theirs }) => ({
    name,
    kind,
    ms: median(theirs.map(({ ms }) => ms)),
    cpuMs: theirs[0]?.cpuMs == null ? Number.NaN : median(theirs.map(({ cpuMs }) => cpuMs)),
  }));
  const withLiteral = rows.filter(({ kind }) => kind !== 'regex without literal');
  for (const [kind, some] of [...byKind(rows), ['all with a literal', withLiteral]]) {
    const times = some.map(({ ms }) => ms);
    const cpu = median(some.map(({ cpuMs }) => cpuMs));
    console.log(
      `${kind} | ${median(times).toFixed(2)} | ${quantile(times, 0.95).toFixed(2)} | ${Number.isNaN(cpu) ? '-' : cpu.toFixed(2)}`,
    );
  }
}

function printFaults() {
  for (const [engine, given] of answers) {
    for (const [at, some] of given.entries()) {
      const { error } = some.find((answer) => answer.error) ?? {};
      if (error) console.log(`\n${engine} failed at ${queries[at].name}: ${error}`);
    }
  }
}

function rowsOf(list, peer) {
  return queries
    .map(({ list: from, kind, name }, at) => ({
      from,
      kind,
      name,
      ours: answers.get(base.name)[at],
      theirs: answers.get(peer)[at],
    }))
    .filter(({ from }) => from === list);
}

function ratioText(ratios) {
  if (!ratios?.length) return '-';
  const { median: middle, worst } = summaryOf(ratios);
  return `${middle.toFixed(2)} (${worst.ratio.toFixed(2)})`;
}

function rawFigures() {
  return {
    cores: cpus().length,
    processor: cpus()[0].model,
    rounds,
    cold,
    exact,
    queries: queries.map(({ list, kind, name }, at) => ({
      list,
      kind,
      name,
      ...Object.fromEntries(
        [...answers].map(([engine, given]) => [
          engine,
          {
            ms: given[at].map(({ ms }) => ms),
            cpuMs: given[at].map(({ cpuMs }) => cpuMs),
            files: given[at][0]?.files,
            filesFound: given[at][0]?.filesFound,
            atLeast: given[at][0]?.atLeast,
          },
        ]),
      ),
    })),
  };
}

/** Gives what ends it. */
function keepRunning(commandLine) {
  let ended = commandLine === undefined;
  let child;
  const next = () => {
    if (ended) return;
    child = spawn('sh', ['-c', `exec ${commandLine}`], { stdio: 'ignore' });
    child.on('close', next);
  };
  next();
  return () => {
    ended = true;
    child?.kill();
  };
}
