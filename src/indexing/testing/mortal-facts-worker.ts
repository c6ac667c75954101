/** A facts-worker that some texts end: they stand for parsers that crash, spoil their memory or never come back. */
import { parentPort, workerData } from 'node:worker_threads';
import { createExtractor, type Extractor } from '../../symbols/index.ts';
import type { FactsWorkerData } from '../facts-messages.ts';
import { serveFacts } from '../facts-serving.ts';

const extractor = await createExtractor({ languages: ['TypeScript'] });
let isSpoilt = false;
const mortal: Extractor = {
  ...extractor,
  extract(request) {
    const text = Buffer.from(request.text).toString();
    if (text.includes('ends the thread')) throw new Error('out of memory');
    if (text.includes('spoils the parser')) isSpoilt = true;
    if (isSpoilt) return { skipped: 'failed' };
    while (text.includes('never comes back'));
    return extractor.extract(request);
  },
};
serveFacts(parentPort!, (workerData as FactsWorkerData).at, mortal);
