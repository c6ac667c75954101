import { Worker } from 'node:worker_threads';
import { cancelled, type ErrorKind, PeriscopeError } from '../../base/errors.ts';
import type { ScanDescription, ScannedText, ScanReply, ScanRequest } from './scan-messages.ts';

export interface ScanPoolOptions {
  /** The compiled scan-worker. Default: the one beside this file. */
  workerFile?: URL;
  /** Threads; they start with the first scan. */
  workersMax: number;
  /** Batches that wait for a thread, over all scans; more are told to wait. */
  batchesMax: number;
  /** How long a worker may go on after its scan was stopped before it is replaced. */
  graceMs: number;
}

export interface ScanPool {
  /** One pattern over many texts, off the main thread. Compiling it is the worker's, too: a faulty pattern fails the first batch. */
  start(scan: Omit<ScanDescription, 'key'>, signal: AbortSignal): Scan;
  /** Threads replaced because they did not stop. */
  replaced(): number;
  close(): Promise<void>;
}

export interface Scan {
  /** In the order of `texts`. Fails with `cancelled` when the signal fires, `busy` when too much waits, or what the pattern is faulty with. */
  match(texts: readonly Uint8Array[]): Promise<ScannedText[]>;
}

/** A batch that waits for a thread, or that one thread is busy with: never two on one, so that whoever goes away ends only their own. */
interface Batch {
  request: ScanRequest;
  resolve(outcomes: ScannedText[]): void;
  reject(fault: unknown): void;
}

interface Thread {
  worker: Worker;
  batch: Batch | null;
}

export function createScanPool(options: ScanPoolOptions): ScanPool {
  const workerFile = options.workerFile ?? new URL('./scan-worker.js', import.meta.url);
  const threads = new Set<Thread>();
  const waiting: Batch[] = [];
  let nextId = 1;
  let replaced = 0;
  let closed = false;

  return {
    start(description, signal) {
      const scan = { ...description, key: nextId++ };
      return { match: (texts) => matchBatch(scan, texts, signal) };
    },
    replaced: () => replaced,
    async close() {
      closed = true;
      for (const batch of waiting.splice(0)) batch.reject(cancelled());
      await Promise.all([...threads].map((thread) => retire(thread, cancelled())));
    },
  };

  async function matchBatch(
    scan: ScanDescription,
    texts: readonly Uint8Array[],
    signal: AbortSignal,
  ): Promise<ScannedText[]> {
    if (signal.aborted || closed) throw cancelled();
    if (waiting.length >= options.batchesMax) throw tooManyScans();
    const stop = new SharedArrayBuffer(4);
    let grace: NodeJS.Timeout | undefined;
    let batch: Batch | undefined;
    const onAbort = () => {
      Atomics.store(new Int32Array(stop), 0, 1);
      const place = waiting.indexOf(batch!);
      if (place !== -1) {
        waiting.splice(place, 1);
        batch!.reject(cancelled());
        return;
      }
      const thread = [...threads].find((candidate) => candidate.batch === batch);
      if (!thread) return;
      grace = setTimeout(() => {
        replaced++;
        void retire(thread, cancelled());
        startWaiting();
      }, options.graceMs);
    };
    try {
      const outcomes = await new Promise<ScannedText[]>((resolve, reject) => {
        batch = { request: { id: nextId++, scan, stop, texts }, resolve, reject };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.push(batch);
        startWaiting();
      });
      if (signal.aborted) throw cancelled();
      return outcomes;
    } finally {
      clearTimeout(grace);
      signal.removeEventListener('abort', onAbort);
    }
  }

  function startWaiting(): void {
    while (waiting.length > 0) {
      const thread = [...threads].find(({ batch }) => batch === null) ?? startThread();
      if (!thread) return;
      thread.batch = waiting.shift()!;
      thread.worker.postMessage(thread.batch.request);
    }
  }

  function startThread(): Thread | null {
    if (threads.size >= options.workersMax || closed) return null;
    const worker = new Worker(workerFile);
    const thread: Thread = { worker, batch: null };
    worker.unref();
    worker.on('message', (reply: ScanReply) => settle(thread, reply));
    worker.on('error', (fault) => void retire(thread, fault).then(startWaiting));
    threads.add(thread);
    return thread;
  }

  function settle(thread: Thread, reply: ScanReply): void {
    const { batch } = thread;
    if (batch?.request.id !== reply.id) return;
    thread.batch = null;
    if ('outcomes' in reply) batch.resolve(reply.outcomes);
    else {
      const { kind, code, message, next, options: rest } = reply.fault;
      batch.reject(new PeriscopeError(kind as ErrorKind, code, message, next, rest));
    }
    startWaiting();
  }

  async function retire(thread: Thread, fault: unknown): Promise<void> {
    threads.delete(thread);
    thread.batch?.reject(fault);
    thread.batch = null;
    await thread.worker.terminate();
  }
}

function tooManyScans(): PeriscopeError {
  return new PeriscopeError(
    'busy',
    'search/too-many-scans',
    'Too many scans are going on.',
    'Wait a few seconds and call the same tool again.',
  );
}
