import { Worker } from 'node:worker_threads';
import { cancelled } from '../base/errors.ts';
import { faultOf } from './build-threads.ts';
import type { EmbeddingReplies, EmbeddingReply, EmbeddingRequest } from './embedding-messages.ts';
import { embeddingEnded, vectorsLost } from './errors.ts';

/** The one thread that writes vectors. Started with its first request, and again after it has ended. */
export interface EmbeddingThread {
  /** One request after the other. Fails with `indexing/vectors-lost` where the vectors have to be opened anew. */
  ask<Kind extends EmbeddingRequest['kind']>(
    request: Extract<EmbeddingRequest, { kind: Kind }>,
  ): Promise<EmbeddingReplies[Kind]>;
  close(): Promise<void>;
}

export function createEmbeddingThread(
  workerFile: URL = new URL('./embedding-worker.js', import.meta.url),
): EmbeddingThread {
  let worker: Worker | null = null;
  let isClosed = false;
  const answers: { resolve(value: unknown): void; reject(fault: unknown): void }[] = [];

  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(cancelled());
          return;
        }
        if (worker === null && request.kind !== 'open') {
          reject(vectorsLost(null));
          return;
        }
        worker ??= start();
        answers.push({ resolve: resolve as (value: unknown) => void, reject });
        worker.postMessage(request);
      }),
    async close() {
      isClosed = true;
      await worker?.terminate();
    },
  };

  function start(): Worker {
    const started = new Worker(workerFile);
    let cause: unknown;
    started.on('message', (reply: EmbeddingReply) => {
      const waiting = answers.shift();
      if (reply.ok) waiting?.resolve(reply.value);
      else if (reply.fault.code?.startsWith('vectors/')) waiting?.reject(vectorsLost(reply.fault.message));
      else waiting?.reject(faultOf(reply.fault));
    });
    started.on('error', (error) => {
      cause = error;
    });
    started.on('exit', () => {
      if (worker === started) worker = null;
      for (const { reject } of answers.splice(0)) reject(isClosed ? cancelled() : embeddingEnded(cause));
    });
    return started;
  }
}
