/** One writer process of index-kill.test.ts: changes repositories and indexes them, over and over, until it is killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import { openTestIndexing } from '../../src/indexing/testing/open-indexing.ts';
import { changeRepository, killLeaseMs, killMergeLimits } from './index-kill-changes.ts';

const [folder = '', workerFile = '', factsWorkerFile = '', seed = '1', names = ''] = process.argv.slice(2);
const random = new SeededRandom(Number(seed));
const test = await openTestIndexing({
  folder,
  workerFile: pathToFileURL(workerFile),
  factsWorkerFile: pathToFileURL(factsWorkerFile),
});
const repositories = names.split(',');
await test.discover();
process.stdout.write('ready\n');
const replaced = new Set([
  'indexing/busy',
  'indexing/lease-lost',
  'search/index-writer-replaced',
  'base/cancelled',
]);
for (;;) {
  for (let changes = random.below(3); changes >= 0; changes--) {
    changeRepository(test.repositoriesFolder, random.pick(repositories), random);
  }
  const indexing = test.open({ leaseTtlMs: killLeaseMs, mergeLimits: killMergeLimits, symbols: true });
  try {
    await indexing.indexAll({ signal: new AbortController().signal });
  } catch (error) {
    // Another writer is at it, or took over: that is what is tried here.
    const { code } = error as { code?: string };
    if (!replaced.has(code ?? '')) throw error;
    await sleep(20);
  }
  await indexing.close();
}
