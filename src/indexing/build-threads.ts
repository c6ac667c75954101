import { Worker } from 'node:worker_threads';
import { cancelled, PeriscopeError } from '../base/errors.ts';
import { brokenIndexFile, diskFault } from '../search/index.ts';
import type { BuildFault, BuildReplies, BuildReply, BuildRequest } from './build-messages.ts';
import { buildFailed } from './errors.ts';

/** `bulk`: first indexing and merging; `express`: changes, which never wait for bulk. */
export type Lane = 'bulk' | 'express';

export interface BuildThread {
  /** One request after the other. */
  ask<Kind extends BuildRequest['kind']>(
    request: Extract<BuildRequest, { kind: Kind }>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<BuildReplies[Kind]>;
}

export interface BuildThreads {
  /** Runs `work` with a thread of its own; it is ended when `work` fails, and all that it was building with it. */
  use<T>(lane: Lane, signal: AbortSignal, work: (thread: BuildThread) => Promise<T>): Promise<T>;
  /** Starts the thread that changes are built in, so that the first one does not wait for it. */
  warm(): void;
  threads(): number;
  /** Of each lane, how many threads are at work. */
  busy(): Readonly<Record<Lane, number>>;
  close(): Promise<void>;
}

export interface BuildThreadsOptions {
  /** The compiled build-worker. Default: the one beside this file. */
  workerFile?: URL;
  /** Threads of the bulk lane. One more serves changes. */
  workers: number;
  /** An idle thread of the bulk lane is ended after this long, and its memory with it. */
  idleMs: number;
}

/** What a build allocates in JavaScript lives for one text; more room for it is memory and no speed. */
const youngMegabytesMax = 8;

interface Thread extends BuildThread {
  worker: Worker;
  idle: NodeJS.Timeout | null;
}

export function createBuildThreads(options: BuildThreadsOptions): BuildThreads {
  const workerFile = options.workerFile ?? new URL('./build-worker.js', import.meta.url);
  const idle: Record<Lane, Thread[]> = { bulk: [], express: [] };
  const busy: Record<Lane, number> = { bulk: 0, express: 0 };
  const most: Record<Lane, number> = { bulk: options.workers, express: 1 };
  const waiting: Record<Lane, (() => void)[]> = { bulk: [], express: [] };
  const all = new Set<Thread>();
  let isClosed = false;

  return {
    async use(lane, signal, work) {
      while (busy[lane] >= most[lane]) await new Promise<void>((resolve) => waiting[lane].push(resolve));
      if (isClosed || signal.aborted) {
        waiting[lane].shift()?.();
        throw cancelled(signal.reason);
      }
      busy[lane] += 1;
      const thread = idle[lane].pop() ?? start();
      if (thread.idle) clearTimeout(thread.idle);
      thread.worker.ref();
      let isWhole = false;
      const onAbort = () => void end(thread);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        const result = await work(thread);
        isWhole = !signal.aborted;
        return result;
      } finally {
        signal.removeEventListener('abort', onAbort);
        busy[lane] -= 1;
        if (isWhole && !isClosed) rest(lane, thread);
        else await end(thread);
        waiting[lane].shift()?.();
      }
    },
    warm() {
      if (!isClosed && busy.express === 0 && idle.express.length === 0) rest('express', start());
    },
    threads: () => all.size,
    busy: () => busy,
    async close() {
      isClosed = true;
      for (const lane of ['bulk', 'express'] as const) for (const go of waiting[lane].splice(0)) go();
      await Promise.all([...all].map(end));
    },
  };

  function start(): Thread {
    const worker = new Worker(workerFile, {
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytesMax },
    });
    const answers: { resolve(value: unknown): void; reject(fault: unknown): void }[] = [];
    const failAll = (fault: unknown) => {
      for (const { reject } of answers.splice(0)) reject(fault);
    };
    let ended = false;
    worker.on('message', (reply: BuildReply) => {
      const waiting = answers.shift();
      if (reply.ok) waiting?.resolve(reply.value);
      else waiting?.reject(faultOf(reply.fault));
    });
    worker.on('error', (cause) => failAll(buildFailed(cause)));
    worker.on('exit', () => {
      ended = true;
      all.delete(thread);
      failAll(cancelled());
    });
    const thread: Thread = {
      worker,
      idle: null,
      ask: (request, transfer = []) =>
        new Promise((resolve, reject) => {
          if (ended) {
            reject(cancelled());
            return;
          }
          answers.push({ resolve: resolve as (value: unknown) => void, reject });
          worker.postMessage(request, transfer as ArrayBuffer[]);
        }),
    };
    all.add(thread);
    return thread;
  }

  function rest(lane: Lane, thread: Thread): void {
    idle[lane].push(thread);
    thread.worker.unref();
    // Changes are waited for: their thread stays.
    if (lane === 'express') return;
    thread.idle = setTimeout(() => {
      idle[lane].splice(idle[lane].indexOf(thread), 1);
      void end(thread);
    }, options.idleMs);
    thread.idle.unref();
  }

  async function end(thread: Thread): Promise<void> {
    if (thread.idle) clearTimeout(thread.idle);
    for (const lane of ['bulk', 'express'] as const) {
      const at = idle[lane].indexOf(thread);
      if (at >= 0) idle[lane].splice(at, 1);
    }
    await thread.worker.terminate();
  }
}

/** What a thread told of, as the fault that it is. */
export function faultOf({ code, message, damagedFile }: BuildFault): unknown {
  if (damagedFile !== null) return brokenIndexFile(damagedFile, message);
  const fault = Object.assign(new Error(message), code === null ? {} : { code });
  const told = diskFault(fault);
  return told instanceof PeriscopeError ? told : buildFailed(fault);
}
