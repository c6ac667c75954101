import { parentPort, workerData } from 'node:worker_threads';
import { asPeriscopeError } from '../../base/errors.ts';
import { warmRegexTables } from '../regex/unicode-tables.ts';
import { packAnswer } from './packed-answer.ts';
import type {
  AskMessage,
  SearchMessage,
  SearchReply,
  SearchWorkerData,
  ToSearchWorker,
} from './search-messages.ts';
import { ThreadSearch } from './thread-search.ts';
import type { AskedGround } from './types.ts';

/** Answers questions that are no searches; belongs to one thread. */
export type QuestionAnswerer = (question: unknown, ground: AskedGround) => unknown;

/** Makes this thread one of the pool: it searches, and hands all other questions on. */
export function startSearchThread(answerQuestion?: QuestionAnswerer): void {
  warmRegexTables();
  const search = new ThreadSearch(workerData as SearchWorkerData);
  parentPort!.postMessage({ id: 0 } satisfies SearchReply);

  parentPort!.on('message', (message: ToSearchWorker) => {
    if (message.kind === 'generation') search.open(message);
    else parentPort!.postMessage(reply(message));
  });

  function reply(message: SearchMessage | AskMessage): SearchReply {
    try {
      if (message.kind === 'search') return { id: message.id, found: packAnswer(search.search(message)) };
      if (!answerQuestion) throw new Error('this thread answers searches alone');
      const answer = answerQuestion(message.question, search.ground(message));
      return { id: message.id, answer: JSON.stringify(answer) };
    } catch (fault) {
      const { kind, code, message: text, next, data } = asPeriscopeError(fault);
      return { id: message.id, fault: { kind, code, message: text, next, options: { data } } };
    }
  }
}
