/**
 * How often the file that defines a symbol comes first where the symbol's bare name is searched: the symbols of defining-files.json (drawn by
 * draw-symbols.mjs), asked of zoekt with and without universal-ctags and, where BENCH_OURS names it, of our engine (bench/search/engines.mjs).
 * Argument: the folder that prepare-peers.mjs filled, from the same corpus. BENCH_EXACT=1 lets zoekt look at every match before it ranks.
 * BENCH_RAW: a file for each symbol's rank.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { enginesAt, zoektAt } from '../search/engines.mjs';

const FILES = 30;

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: node bench/quality/defining-files.mjs PEERS_FOLDER');
  process.exit(2);
}
const symbols = JSON.parse(readFileSync(new URL('defining-files.json', import.meta.url)));
const engines = [
  ...enginesAt(folder).filter(({ name }) => name === 'ours'),
  zoektAt('zoekt with symbols', path.join(folder, 'zoekt-ctags')),
  zoektAt('zoekt without symbols', path.join(folder, 'zoekt')),
].filter((engine) => engine !== undefined);
if (engines.length === 0) {
  console.error('Neither zoekt nor BENCH_OURS is here: see bench/search/engines.mjs');
  process.exit(2);
}

console.log(`${symbols.length} symbols; place of the first defining file among ${FILES}`);
console.log('engine | symbols | first | in the first 3 | found | mean reciprocal rank');
const ranks = {};
for (const engine of engines) {
  const running = await engine.open();
  ranks[engine.name] = [];
  for (const [i, { name, places }] of symbols.entries()) {
    const { names, error } = await running.ask({
      list: 'symbols',
      i,
      query: { kind: 'symbol', literal: name },
      // As a person types it: file names may match as well.
      q: `case:yes ${name}`,
      files: FILES,
      exact: process.env['BENCH_EXACT'] === '1',
      names: true,
    });
    if (error) throw new Error(`${engine.name} failed at ${name}: ${error}`);
    const at = (names ?? []).findIndex((file) => places.includes(file));
    ranks[engine.name].push(at < 0 ? null : at + 1);
  }
  await running.close();
  print(engine.name, () => true, 'all');
  print(engine.name, ({ namedIn }) => namedIn <= 3, 'named in 2 or 3 files');
  print(engine.name, ({ namedIn }) => namedIn > 3, 'named in more');
}
if (process.env['BENCH_RAW']) {
  const rows = symbols.map(({ name }, at) => ({
    name,
    ...Object.fromEntries(Object.entries(ranks).map(([engine, of]) => [engine, of[at]])),
  }));
  writeFileSync(process.env['BENCH_RAW'], `${JSON.stringify(rows)}\n`);
}

function print(engine, isCounted, which) {
  const some = ranks[engine].filter((_, at) => isCounted(symbols[at]));
  const share = (wanted) => `${((100 * some.filter(wanted).length) / some.length).toFixed(1)} %`;
  const reciprocal = some.reduce((sum, rank) => sum + (rank === null ? 0 : 1 / rank), 0) / some.length;
  console.log(
    `${engine} | ${some.length} ${which} | ${share((rank) => rank === 1)} | ${share((rank) => rank !== null && rank <= 3)} | ${share((rank) => rank !== null)} | ${reciprocal.toFixed(3)}`,
  );
}
