/**
 * How the engines stand several clients at once: each client asks the queries of bench/speed/queries.json that have a literal in an order
 * of its own, one after the other. Argument: the folder that prepare-peers.mjs filled. BENCH_CLIENTS (4), BENCH_PASSES (1) over the
 * list by each client; BENCH_OURS and BENCH_PEERS as in engines.mjs. The engines are measured one after the other.
 */
import { readFileSync } from 'node:fs';
import { timed } from '../support/percentiles.mjs';
import { enginesAt } from './engines.mjs';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: node bench/search/clients-at-once.mjs PEERS_FOLDER');
  process.exit(2);
}
const clients = Number(process.env['BENCH_CLIENTS'] ?? 4);
const passes = Number(process.env['BENCH_PASSES'] ?? 1);
const lists = JSON.parse(readFileSync(new URL('../speed/queries.json', import.meta.url)));
const queries = Object.entries(lists)
  .flatMap(([list, some]) => some.map((query, i) => ({ list, i, query })))
  .filter(({ query }) => query.kind !== 'regex without literal');
/** Coprime to the number of queries, or nearly: neighbours in time are far apart in the list. */
const STRIDE = 37;

console.log(`${queries.length} queries, ${passes} times by each client; wall time as the client sees it`);
console.log('engine | clients | p50 ms | p95 ms | queries a second');
for (const engine of enginesAt(folder).filter(({ name }) => name === 'ours' || name.startsWith('zoekt'))) {
  const running = await engine.open();
  const work = (index) => {
    const at = (index * STRIDE + Math.floor(index / queries.length)) % queries.length;
    return running.ask({ ...queries[at], files: 30 });
  };
  await timed(queries.length, 1, work);
  for (const atOnce of [1, clients]) {
    const { p50, p95, perSecond } = await timed(queries.length * passes * atOnce, atOnce, work);
    console.log([engine.name, atOnce, p50.toFixed(2), p95.toFixed(2), perSecond.toFixed(0)].join(' | '));
  }
  await running.close();
}
