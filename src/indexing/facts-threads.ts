import { Worker } from 'node:worker_threads';
import { cancelled } from '../base/errors.ts';
import type { FactsSkip } from '../search/index.ts';
import { faultOf } from './build-threads.ts';
import type { FactsReplies, FactsReply, FactsRequest, FactsWorkerData } from './facts-messages.ts';

export interface FactsThread {
  /** One request after the other; those of several users take turns. Fails with `ParserEnded` when the thread has ended. */
  ask<Kind extends FactsRequest['kind']>(
    request: Extract<FactsRequest, { kind: Kind }>,
  ): Promise<FactsReplies[Kind]>;
}

export interface FactsThreads {
  /** Runs `work` with the thread that has the fewest users. */
  use<T>(signal: AbortSignal, work: (thread: FactsThread) => Promise<T>): Promise<T>;
  /** Starts a thread, so that the next change does not wait for its grammars to load. It stays. */
  warm(): void;
  /** Threads that were ended by a text. */
  replaced(): number;
  close(): Promise<void>;
}

export interface FactsThreadsOptions {
  /** The compiled facts-worker. Default: the one beside this file. */
  workerFile?: URL;
  workers: number;
  /** A thread without users is ended after this long, and its memory with it. */
  idleMs: number;
  /** A text that takes longer, whatever its own deadline, ends the thread. */
  overrunMs: number;
}

/** A parser thread that has ended, and the text that it was at, if any. */
export class ParserEnded extends Error {
  readonly job: number;
  readonly blob: number;
  readonly reason: FactsSkip;

  constructor(job: number, blob: number, reason: FactsSkip, cause?: unknown) {
    super('a parser thread has ended', { cause });
    this.job = job;
    this.blob = blob;
    this.reason = reason;
  }
}

interface Thread extends FactsThread {
  worker: Worker;
  users: number;
  idle: NodeJS.Timeout | null;
  hasEnded: boolean;
}

const lookMs = 1000;
/** What a text leaves behind is short-lived: half of what Node would give it costs little time, and two dozen megabytes less. */
const maxYoungGenerationSizeMb = 24;

export function createFactsThreads(options: FactsThreadsOptions): FactsThreads {
  const workerFile = options.workerFile ?? new URL('./facts-worker.js', import.meta.url);
  const all = new Set<Thread>();
  let isClosed = false;
  let replaced = 0;
  let keptThreads = 0;

  return {
    async use(signal, work) {
      if (isClosed || signal.aborted) throw cancelled(signal.reason);
      const thread = pick();
      thread.users += 1;
      if (thread.idle) clearTimeout(thread.idle);
      thread.worker.ref();
      try {
        return await work(thread);
      } finally {
        thread.users -= 1;
        if (thread.users === 0) rest(thread);
      }
    },
    warm() {
      keptThreads = 1;
      if (!isClosed && all.size === 0) rest(start());
    },
    replaced: () => replaced,
    async close() {
      isClosed = true;
      await Promise.all([...all].map(({ worker }) => worker.terminate()));
    },
  };

  function pick(): Thread {
    const [least] = [...all].sort((a, b) => a.users - b.users);
    if (least === undefined || (least.users > 0 && all.size < options.workers)) return start();
    return least;
  }

  function start(): Thread {
    const shared = new SharedArrayBuffer(12);
    const at = new Int32Array(shared);
    at[1] = -1;
    const workerData: FactsWorkerData = { at: shared };
    const worker = new Worker(workerFile, { workerData, resourceLimits: { maxYoungGenerationSizeMb } });
    const answers: { resolve(value: unknown): void; reject(fault: unknown): void }[] = [];
    let reason: FactsSkip = 'failed';
    let cause: unknown;
    let seen = { count: 0, sinceMs: performance.now() };
    const watch = setInterval(() => {
      const count = Atomics.load(at, 2);
      const nowMs = performance.now();
      if (Atomics.load(at, 1) < 0 || count !== seen.count) seen = { count, sinceMs: nowMs };
      if (nowMs - seen.sinceMs < options.overrunMs) return;
      reason = 'too-slow';
      void worker.terminate();
    }, lookMs);
    watch.unref();
    worker.on('message', (reply: FactsReply) => {
      const waiting = answers.shift();
      if (reply.ok) waiting?.resolve(reply.value);
      else waiting?.reject(faultOf(reply.fault));
    });
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      clearInterval(watch);
      thread.hasEnded = true;
      all.delete(thread);
      const blob = Atomics.load(at, 1);
      if (!isClosed && blob >= 0) replaced += 1;
      const fault = isClosed ? cancelled() : new ParserEnded(Atomics.load(at, 0), blob, reason, cause);
      for (const { reject } of answers.splice(0)) reject(fault);
    });
    const thread: Thread = {
      worker,
      users: 0,
      idle: null,
      hasEnded: false,
      ask: (request) =>
        new Promise((resolve, reject) => {
          if (thread.hasEnded) {
            reject(isClosed ? cancelled() : new ParserEnded(-1, -1, reason, cause));
            return;
          }
          answers.push({ resolve: resolve as (value: unknown) => void, reject });
          worker.postMessage(request);
        }),
    };
    all.add(thread);
    return thread;
  }

  function rest(thread: Thread): void {
    if (thread.hasEnded) return;
    thread.worker.unref();
    thread.idle = setTimeout(() => {
      if (all.size <= keptThreads) return;
      all.delete(thread);
      void thread.worker.terminate();
    }, options.idleMs);
    thread.idle.unref();
  }
}
