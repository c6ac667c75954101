import { Worker } from 'node:worker_threads';
import { cancelled, type ErrorKind, PeriscopeError } from '../../base/errors.ts';
import { unpackAnswer } from './packed-answer.ts';
import { searchStuck, tooManySearches } from './search-errors.ts';
import type { SearchReply, SearchWorkerData, ToSearchWorker } from './search-messages.ts';

export interface SearchPoolOptions<Known> {
  workerFile: URL;
  /** They start with the first searches, and each keeps what it has read. */
  threads: number;
  /** Searches that wait for a thread; more are told to wait. */
  waitingMax: number;
  /** How long a thread may go on after its search was stopped or its time was over before it is replaced. */
  graceMs: number;
  workerData: Omit<SearchWorkerData, 'stop'>;
  /** What is remembered of a thread while it lives. */
  newThread(): Known;
}

export interface PooledSearch<Known> {
  /** What the thread is sent, in order; the last asks for the answer. Called when a thread is free for it. */
  messages(known: Known, id: number): readonly ToSearchWorker[];
  budgetMs: number;
}

export interface SearchPool<Known> {
  /** Fails with `cancelled`, `busy`, `timeout`, or as the search does. */
  run<Answer>(search: PooledSearch<Known>, signal: AbortSignal): Promise<Answer>;
  /** Threads replaced because they did not stop. */
  replaced(): number;
  close(): Promise<void>;
}

interface Waiting<Known> {
  id: number;
  search: PooledSearch<Known>;
  resolve(answer: unknown): void;
  reject(fault: unknown): void;
}

interface Thread<Known> {
  worker: Worker;
  stop: Int32Array;
  known: Known;
  running: Waiting<Known> | null;
  isStarted: boolean;
  overdue: NodeJS.Timeout | undefined;
}

/** A thread that does not come up in this time never will. */
const START_MS = 30_000;

export function createSearchPool<Known>(options: SearchPoolOptions<Known>): SearchPool<Known> {
  const threads: Thread<Known>[] = [];
  const waiting: Waiting<Known>[] = [];
  let nextId = 1;
  let replaced = 0;
  let closed = false;

  return {
    async run<Answer>(search: PooledSearch<Known>, signal: AbortSignal) {
      if (signal.aborted || closed) throw cancelled();
      if (waiting.length >= options.waitingMax) throw tooManySearches();
      let entry: Waiting<Known> | undefined;
      const onAbort = () => stop(entry!);
      try {
        return await new Promise<Answer>((resolve, reject) => {
          entry = { id: nextId++, search, resolve: (answer) => resolve(answer as Answer), reject };
          signal.addEventListener('abort', onAbort, { once: true });
          waiting.push(entry);
          startWaiting();
        });
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    replaced: () => replaced,
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(cancelled());
      await Promise.all(threads.splice(0).map((thread) => retire(thread, cancelled())));
    },
  };

  function stop(entry: Waiting<Known>): void {
    const place = waiting.indexOf(entry);
    if (place !== -1) waiting.splice(place, 1);
    const thread = threads.find(({ running }) => running === entry);
    entry.reject(cancelled());
    if (!thread) return;
    Atomics.store(thread.stop, 0, entry.id);
    clearTimeout(thread.overdue);
    thread.overdue = setTimeout(() => replace(thread, cancelled()), options.graceMs);
  }

  function startWaiting(): void {
    while (waiting.length > 0) {
      const thread = threads.find(({ running }) => running === null) ?? startThread();
      if (!thread) return;
      const entry = waiting.shift()!;
      thread.running = entry;
      watch(thread);
      try {
        for (const message of entry.search.messages(thread.known, entry.id))
          thread.worker.postMessage(message);
      } catch (fault) {
        // What the thread knows and what is remembered of it may differ now.
        replace(thread, fault);
      }
    }
  }

  function watch(thread: Thread<Known>): void {
    clearTimeout(thread.overdue);
    if (!thread.running) return;
    const { budgetMs } = thread.running.search;
    const waitMs = (thread.isStarted ? budgetMs : budgetMs + START_MS) + options.graceMs;
    thread.overdue = setTimeout(() => replace(thread, searchStuck()), waitMs);
  }

  function startThread(): Thread<Known> | null {
    if (threads.length >= options.threads || closed) return null;
    const stopWord = new SharedArrayBuffer(4);
    const worker = new Worker(options.workerFile, { workerData: { ...options.workerData, stop: stopWord } });
    const thread: Thread<Known> = {
      worker,
      stop: new Int32Array(stopWord),
      known: options.newThread(),
      running: null,
      isStarted: false,
      overdue: undefined,
    };
    worker.unref();
    worker.on('message', (reply: SearchReply) => settle(thread, reply));
    worker.on('error', (fault) => {
      forget(thread);
      void retire(thread, fault).then(startWaiting);
    });
    threads.push(thread);
    return thread;
  }

  function settle(thread: Thread<Known>, reply: SearchReply): void {
    if (reply.id === 0) {
      thread.isStarted = true;
      watch(thread);
      return;
    }
    const { running } = thread;
    if (running?.id !== reply.id) return;
    clearTimeout(thread.overdue);
    thread.running = null;
    if ('found' in reply) running.resolve(unpackAnswer(reply.found));
    else if ('answer' in reply) running.resolve(JSON.parse(reply.answer));
    else if ('fault' in reply) {
      const { kind, code, message, next, options: rest } = reply.fault;
      running.reject(new PeriscopeError(kind as ErrorKind, code, message, next, rest));
    }
    startWaiting();
  }

  function replace(thread: Thread<Known>, fault: unknown): void {
    replaced++;
    forget(thread);
    void retire(thread, fault);
    startWaiting();
  }

  function forget(thread: Thread<Known>): void {
    const place = threads.indexOf(thread);
    if (place !== -1) threads.splice(place, 1);
  }

  async function retire(thread: Thread<Known>, fault: unknown): Promise<void> {
    clearTimeout(thread.overdue);
    thread.running?.reject(fault);
    thread.running = null;
    await thread.worker.terminate();
  }
}
