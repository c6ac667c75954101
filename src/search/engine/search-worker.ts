import { parentPort, workerData } from 'node:worker_threads';
import { asPeriscopeError } from '../../base/errors.ts';
import { warmRegexTables } from '../regex/unicode-tables.ts';
import type { SearchMessage, SearchReply, SearchWorkerData, ToSearchWorker } from './search-messages.ts';
import { ThreadSearch } from './thread-search.ts';

warmRegexTables();
const search = new ThreadSearch(workerData as SearchWorkerData);
parentPort!.postMessage({ id: 0 } satisfies SearchReply);

parentPort!.on('message', (message: ToSearchWorker) => {
  if (message.kind === 'generation') search.open(message);
  else parentPort!.postMessage(answer(message));
});

function answer(message: SearchMessage): SearchReply {
  try {
    return { id: message.id, answer: JSON.stringify(search.search(message)) };
  } catch (fault) {
    const { kind, code, message: text, next, data } = asPeriscopeError(fault);
    return { id: message.id, fault: { kind, code, message: text, next, options: { data } } };
  }
}
