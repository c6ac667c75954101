import { Worker } from 'node:worker_threads';
import { cancelled, type ErrorKind, PeriscopeError } from '../../base/errors.ts';
import type { ScanDescription, ScannedText, ScanReply, ScanRequest } from './scan-messages.ts';

export interface ScanPoolOptions {
  /** The compiled scan-worker. Default: the one beside this file. */
  workerFile?: URL;
  /** Threads; they start with the first scan. */
  workersMax: number;
  /** Batches that wait or run over all scans; more are told to wait. */
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

interface Pending {
  resolve(outcomes: ScannedText[]): void;
  reject(fault: unknown): void;
}

interface Thread {
  worker: Worker;
  pending: Map<number, Pending>;
}

export function createScanPool(options: ScanPoolOptions): ScanPool {
  const workerFile = options.workerFile ?? new URL('./scan-worker.js', import.meta.url);
  const threads = new Set<Thread>();
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
      await Promise.all([...threads].map((thread) => retire(thread, cancelled())));
    },
  };

  async function matchBatch(
    scan: ScanDescription,
    texts: readonly Uint8Array[],
    signal: AbortSignal,
  ): Promise<ScannedText[]> {
    if (signal.aborted || closed) throw cancelled();
    const thread = leastBusy();
    const stop = new SharedArrayBuffer(4);
    const request: ScanRequest = { id: nextId++, scan, stop, texts };
    let grace: NodeJS.Timeout | undefined;
    const onAbort = () => {
      Atomics.store(new Int32Array(stop), 0, 1);
      grace = setTimeout(() => {
        replaced++;
        void retire(thread, cancelled());
      }, options.graceMs);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const outcomes = await new Promise<ScannedText[]>((resolve, reject) => {
        thread.pending.set(request.id, { resolve, reject });
        thread.worker.postMessage(request);
      });
      if (signal.aborted) throw cancelled();
      return outcomes;
    } finally {
      clearTimeout(grace);
      signal.removeEventListener('abort', onAbort);
      thread.pending.delete(request.id);
    }
  }

  function leastBusy(): Thread {
    const waiting = [...threads].reduce((sum, { pending }) => sum + pending.size, 0);
    if (waiting >= options.batchesMax) throw tooManyScans();
    const idle = [...threads].sort((left, right) => left.pending.size - right.pending.size)[0];
    if (idle && (idle.pending.size === 0 || threads.size >= options.workersMax)) return idle;
    return startThread();
  }

  function startThread(): Thread {
    const worker = new Worker(workerFile);
    const thread: Thread = { worker, pending: new Map() };
    worker.unref();
    worker.on('message', (reply: ScanReply) => settle(thread, reply));
    worker.on('error', (fault) => void retire(thread, fault));
    worker.on('exit', () => void retire(thread, new Error('a scan worker ended')));
    threads.add(thread);
    return thread;
  }

  function settle(thread: Thread, reply: ScanReply): void {
    const pending = thread.pending.get(reply.id);
    if (!pending) return;
    if ('outcomes' in reply) pending.resolve(reply.outcomes);
    else {
      const { kind, code, message, next, options: rest } = reply.fault;
      pending.reject(new PeriscopeError(kind as ErrorKind, code, message, next, rest));
    }
  }

  async function retire(thread: Thread, fault: unknown): Promise<void> {
    threads.delete(thread);
    for (const { reject } of thread.pending.values()) reject(fault);
    thread.pending.clear();
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
