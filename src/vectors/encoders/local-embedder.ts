import { setTimeout as pause } from 'node:timers/promises';
import { cancelled } from '../../base/errors.ts';
import type { ChunkText, Embedder, VectorKind } from '../types.ts';
import { withCallSignal } from './call-signal.ts';
import { createTextPreparation, type TextPrefixes } from './chunk-preparation.ts';
import { DEFAULT_MODEL_DIMENSIONS, defaultModelName } from './default-model.ts';
import type { DefaultModelPlace, EncodeRequest, EncoderWorkerData } from './encoder-messages.ts';
import type { ModelFiles } from './model-files.ts';
import { createModelThread } from './model-thread.ts';

export interface LocalEmbedderOptions {
  files: ModelFiles | DefaultModelPlace;
  /** Threads for documents, each of which uses one core at most. Default 1. */
  threads?: number;
  /** How much of a core each of them uses, above 0 and up to 1: it rests in proportion to what each batch took. Default 1. */
  share?: number;
  prefixes?: TextPrefixes;
  /** Chunks between two looks at whether they are still wanted. Default 8: about a tenth of a second. */
  batchMax?: number;
  /** The compiled encoder-worker. Default: the one beside this file. */
  workerFile?: URL | string;
  /** Milliseconds, by which batches are measured. Default: this process's. */
  now?: () => number;
  /** Rests between batches. Default: by the clock. */
  rest?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Below searches and indexing: what is embedded later is found by the static table meanwhile. */
const DOCUMENT_NICENESS = 10;

interface Job {
  texts: readonly string[];
  signal: AbortSignal;
  resolve(vectors: Float32Array): void;
  reject(fault: unknown): void;
}

/**
 * An encoder on this machine. Documents are embedded by threads that give way to others; questions have a thread of their own, since
 * a batch of documents would keep them waiting. Threads start with the first use.
 */
export function createLocalEmbedder(options: LocalEmbedderOptions): Embedder {
  const { files, threads = 1, share = 1, batchMax = 8 } = options;
  const { now = () => performance.now(), rest = restByClock } = options;
  const preparation = createTextPreparation(options.prefixes);
  const workerFile = options.workerFile ?? new URL('./encoder-worker.js', import.meta.url);
  const { model, dimensions } =
    'folder' in files ? { model: defaultModelName, dimensions: DEFAULT_MODEL_DIMENSIONS } : files;
  const kind: VectorKind = { model, dimensions, preparation: preparation.name };
  const closing = new AbortController();
  const documents = Array.from({ length: threads }, () => lane(DOCUMENT_NICENESS, share));
  const questions = lane(0, 1);
  const queue: Job[] = [];

  return {
    kind,
    async embedDocuments(chunks, signal, { isAwaited } = { isAwaited: false }) {
      const [jobs, lanes] = isAwaited ? [questions.queue, [questions]] : [queue, documents];
      return withCallSignal([signal], (own) => inBatches(chunks, (texts) => put(jobs, lanes, texts, own)));
    },
    async embedQuery(text, signal) {
      return put(questions.queue, [questions], [preparation.query(text)], signal);
    },
    async close() {
      closing.abort();
      for (const one of [...queue.splice(0), ...questions.queue.splice(0)]) one.reject(cancelled());
      await Promise.all([...documents, questions].map(({ thread }) => thread.close()));
    },
  };

  function lane(niceness: number, ownShare: number) {
    return {
      thread: createModelThread<EncodeRequest>(workerFile, { files, niceness } satisfies EncoderWorkerData),
      share: ownShare,
      queue: [] as Job[],
      isBusy: false,
      restUntilMs: Number.NEGATIVE_INFINITY,
    };
  }

  function put(
    jobs: Job[],
    lanes: readonly ReturnType<typeof lane>[],
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      if (signal.aborted || closing.signal.aborted) {
        reject(cancelled(signal.reason));
        return;
      }
      const onAbort = () => {
        const at = jobs.indexOf(job);
        if (at >= 0) jobs.splice(at, 1);
        reject(cancelled(signal.reason));
      };
      const settled = () => signal.removeEventListener('abort', onAbort);
      const job: Job = {
        texts,
        signal,
        resolve: (vectors) => {
          settled();
          resolve(vectors);
        },
        reject: (fault) => {
          settled();
          reject(fault);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      jobs.push(job);
      for (const one of lanes) if (!one.isBusy) void work(one, jobs);
    });
  }

  async function work(one: ReturnType<typeof lane>, jobs: Job[]): Promise<void> {
    one.isBusy = true;
    while (jobs.length > 0) {
      // Before the next batch, whenever it comes: who waits for one after the other gets no more than who asks for many.
      const restMs = one.restUntilMs - now();
      if (restMs > 0) await rest(restMs, closing.signal);
      const job = jobs.shift();
      if (job === undefined) break;
      const startedMs = now();
      try {
        job.resolve(await one.thread.ask({ texts: job.texts }));
      } catch (fault) {
        job.reject(fault);
      }
      const endedMs = now();
      one.restUntilMs = endedMs + (endedMs - startedMs) * (1 / one.share - 1);
    }
    one.isBusy = false;
  }

  /** Texts of about one length together: a batch costs as many pieces as its longest text has, for each. */
  async function inBatches(
    chunks: readonly ChunkText[],
    encode: (texts: readonly string[]) => Promise<Float32Array>,
  ): Promise<Float32Array[]> {
    const texts = chunks.map(preparation.document);
    const order = texts.map((_, i) => i).sort((a, b) => texts[a]!.length - texts[b]!.length);
    const vectors: Float32Array[] = new Array(texts.length);
    const batches: Promise<void>[] = [];
    for (let from = 0; from < order.length; from += batchMax) {
      const batch = order.slice(from, from + batchMax);
      batches.push(
        encode(batch.map((i) => texts[i]!)).then((rows) => {
          batch.forEach((i, row) => {
            vectors[i] = rows.slice(row * dimensions, (row + 1) * dimensions);
          });
        }),
      );
    }
    await Promise.all(batches);
    return vectors;
  }
}

function restByClock(ms: number, signal: AbortSignal): Promise<void> {
  return pause(ms, undefined, { signal }).catch(() => undefined);
}
