/** One indexer of embedding-kill.test.ts: embeds in the background until it is killed, and says what it has. */
import { pathToFileURL } from 'node:url';
import { openTestIndexing } from '../../src/indexing/testing/open-indexing.ts';
import { createEmbedderSource, openEndpointEmbedder } from '../../src/vectors/index.ts';
import { killBatch, killLeaseMs } from './index-kill-changes.ts';

const [folder = '', workerFile = '', factsWorkerFile = '', embeddingWorkerFile = '', url = ''] =
  process.argv.slice(2);
const test = await openTestIndexing({
  folder,
  workerFile: pathToFileURL(workerFile),
  factsWorkerFile: pathToFileURL(factsWorkerFile),
  embeddingWorkerFile: pathToFileURL(embeddingWorkerFile),
});
await test.discover();
const encoder = createEmbedderSource((signal) =>
  openEndpointEmbedder({ url, model: 'counting', token: null, dimensions: 8, textsMax: 4 }, signal),
);
const indexing = test.open({
  background: true,
  symbols: true,
  leaseTtlMs: killLeaseMs,
  sweepIntervalMs: 50,
  encoder,
  embedding: { chunksMax: 0, batchMax: killBatch },
});
setInterval(() => {
  const commits = test.catalog.repositories().map(({ id }) => indexing.status(id).indexedCommit);
  const { encoder: status } = indexing.progress().embedding ?? {};
  process.stdout.write(`${JSON.stringify({ commits, state: status?.state ?? null })}\n`);
}, 10);
