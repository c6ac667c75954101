/** A thread that extracts what it is sent, for tests of texts that may spoil its parser. */
import { parentPort } from 'node:worker_threads';
import type { FactsOutcome } from '../../search/index.ts';
import { createExtractor, type ExtractionRequest } from '../extractor/create-extractor.ts';

export interface ExtractorReply {
  outcome: FactsOutcome;
  isBroken: boolean;
}

const extractor = await createExtractor({ deadlineMs: 300 });
parentPort?.on('message', (request: ExtractionRequest) => {
  const reply: ExtractorReply = { outcome: extractor.extract(request), isBroken: extractor.isBroken() };
  parentPort?.postMessage(reply);
});
