import { cancelled } from '../../base/errors.ts';
import { pairReaderBusy } from '../errors.ts';
import { type ModelFolderOptions, openModelFolder } from './model-folder.ts';
import { createModelThread, type ModelThread } from './model-thread.ts';
import type { PairRequest, PairWorkerData } from './pair-messages.ts';

export interface LocalPairReaderOptions extends ModelFolderOptions {
  /** Texts that are read at a time; between two such runs it is looked whether they are still wanted. Default 8. */
  batchMax?: number;
  /** Questions that wait for the thread; further ones are refused. Default 8. */
  waitingMax?: number;
  /** The compiled pair-worker. Default: the one beside this file. */
  workerFile?: URL | string;
}

/** A cross-encoder on this machine, in a thread of its own that uses one core. It is loaded with its first question. */
export interface LocalPairReader {
  /** One score for each text, in their order; higher is better. One question after the other. */
  scores(question: string, texts: readonly string[], signal: AbortSignal): Promise<Float64Array>;
  close(): Promise<void>;
}

export function createLocalPairReader(options: LocalPairReaderOptions): LocalPairReader {
  const { batchMax = 8, waitingMax = 8 } = options;
  const workerFile = options.workerFile ?? new URL('./pair-worker.js', import.meta.url);
  let thread: ModelThread<PairRequest> | null = null;
  let isClosed = false;
  let waiting = 0;
  /** What the thread has to do, also of questions that nobody waits for any more. */
  let last: Promise<unknown> = Promise.resolve();

  return {
    scores(question, texts, signal) {
      if (isClosed || signal.aborted) return Promise.reject(cancelled(signal.reason));
      if (waiting >= waitingMax) return Promise.reject(pairReaderBusy(waiting));
      waiting++;
      const read = last.then(() => inBatches(question, texts, signal)).finally(() => waiting--);
      last = read.catch(() => undefined);
      return read;
    },
    async close() {
      isClosed = true;
      await thread?.close();
    },
  };

  /** Texts of about one length together: a run costs as many pieces as its longest text has, for each. */
  async function inBatches(
    question: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<Float64Array> {
    const scores = new Float64Array(texts.length);
    const order = texts.map((_, at) => at).sort((a, b) => texts[a]!.length - texts[b]!.length);
    for (let from = 0; from < order.length; from += batchMax) {
      if (isClosed || signal.aborted) throw cancelled(signal.reason);
      const batch = order.slice(from, from + batchMax);
      const found = await ask({ question, texts: batch.map((at) => texts[at]!) });
      batch.forEach((at, row) => {
        scores[at] = found[row]!;
      });
    }
    return scores;
  }

  async function ask(request: PairRequest): Promise<Float32Array> {
    if (thread === null) {
      const files = await openModelFolder(options);
      if (isClosed) throw cancelled();
      thread = createModelThread(workerFile, { files } satisfies PairWorkerData);
    }
    return thread.ask(request);
  }
}
