/**
 * How long questions about the graph take over an index that has facts: names drawn by how many texts use them, and the commonest.
 * Times are CPU milliseconds of the whole process.
 * With --visible only so many repositories are seen, evenly drawn: the others are hidden.
 * With --warm so many other names are asked first: a thread that has just started compiles its own code on the questions it gets.
 * `both` are the drawn names and the commonest together.
 * Needs `npm run build` first: node bench/symbols/graph.mjs INDEX_FOLDER [--names 200] [--threads 1] [--visible 1000] [--warm 200] [--slowest]
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { built } from '../support/built.mjs';
import { row, summary } from '../support/percentiles.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    names: { type: 'string', default: '200' },
    threads: { type: 'string', default: '1' },
    visible: { type: 'string', default: '1000000' },
    warm: { type: 'string', default: '0' },
    slowest: { type: 'boolean', default: false },
  },
});
const folder = path.resolve(positionals[0] ?? '.');
const { createCodeSearch, FactsReader, openFacts, readIndexState } = await built('search');
const { createGraphSearch, graphWorkerFile } = await built('symbols');

const state = await readIndexState(folder);
const files = state.segments.flatMap(({ facts }) => (facts === null ? [] : [path.join(folder, facts.file)]));
const { drawn, others, commonest, references } = drawNames();
console.log(
  `${state.revisions.length} revisions, ${files.length} of ${state.segments.length} segments with facts, ${references} references`,
);

const search = await createCodeSearch(
  { folder, threads: Number(values.threads) },
  { clock: { now: () => Date.now() }, workerFile: graphWorkerFile },
);
const graph = createGraphSearch(search);
const all = [...new Set(search.revisions().map(({ repositoryId }) => repositoryId))];
const step = Math.max(1, all.length / Number(values.visible));
const ids = all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
const scope = ids.map((id) => ({ id, host: 'h', name: `r${id}`, archived: false, fork: false }));
const signal = new AbortController().signal;
const ask = (relation, name, depth) =>
  graph.graph(
    {
      relation,
      start: { by: 'name', name },
      scope,
      revisions: new Map(),
      depth,
      placesMax: 50,
      exact: false,
      after: null,
      budgetMs: 20_000,
    },
    signal,
  );

const first = performance.now();
const answer = await ask('dependents', 'x', 1);
console.log(
  `${ids.length} of ${all.length} repositories visible; first question ${(performance.now() - first).toFixed(0)} ms, coverage ${JSON.stringify(answer.coverage)}`,
);
for (const name of others) await ask('references', name, 1);
for (const [relation, depth] of [
  ['definitions', 1],
  ['references', 1],
  ['callers', 1],
  ['callers', 2],
  ['callees', 1],
  ['callees', 2],
  ['subtypes', 2],
]) {
  const both = [];
  for (const [what, names] of [
    ['drawn', drawn],
    ['commonest', commonest],
  ]) {
    const times = [];
    const work = { files: 0, uses: 0, records: 0, edges: 0 };
    const slow = [];
    const started = performance.now();
    for (const name of names) {
      const from = process.cpuUsage();
      const { statistics, edges } = await ask(relation, name, depth);
      const { user, system } = process.cpuUsage(from);
      const ms = (user + system) / 1000;
      times.push(ms);
      slow.push([ms, name, statistics]);
      work.files += statistics.files;
      work.uses += statistics.uses;
      work.records += statistics.records;
      work.edges += edges.length;
    }
    both.push(...times);
    const each = Object.entries(work).map(([key, sum]) => `${key} ${(sum / names.length).toFixed(0)}`);
    console.log(
      `${row(`${relation} ${depth} ${what}`, summary(times, performance.now() - started))}  ${each.join(', ')}`,
    );
    if (values.slowest) {
      for (const [ms, name, statistics] of slow.sort((a, b) => b[0] - a[0]).slice(0, 4))
        console.log(`    ${ms.toFixed(1)} ms ${name} ${JSON.stringify(statistics)}`);
    }
  }
  console.log(
    row(
      `${relation} ${depth} both`,
      summary(
        both,
        both.reduce((sum, ms) => sum + ms, 0),
      ),
    ),
  );
}
await search.close();

function drawNames() {
  const reader = new FactsReader();
  const uses = new Map();
  let references = 0;
  for (const file of files) {
    const facts = openFacts(file);
    references += facts.head.references;
    for (const { name } of reader.namesWithPrefix(facts, '', { limit: Number.POSITIVE_INFINITY })) {
      if (!/^[\p{L}_][\p{L}\p{N}_]{2,}$/u.test(name)) continue;
      const found = reader.lookup(facts, name);
      uses.set(name, (uses.get(name) ?? 0) + found.uses);
    }
    facts.close();
  }
  const names = [...uses]
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const total = names.reduce((sum, [, count]) => sum + count, 0);
  const drawn = new Set();
  const wanted = Number(values.names) + Number(values.warm);
  for (let state = 1, tries = 0; drawn.size < wanted && tries < 100_000; tries++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    let at = (state / 2 ** 32) * total;
    const found = names.find(([, count]) => {
      at -= count;
      return at < 0;
    });
    if (found) drawn.add(found[0]);
  }
  const all = [...drawn];
  return {
    drawn: all.slice(0, Number(values.names)),
    others: all.slice(Number(values.names)),
    commonest: names.slice(0, 10).map(([name]) => name),
    references,
  };
}
