import { Worker } from 'node:worker_threads';
import { cancelled, type ErrorKind, PeriscopeError } from '../../base/errors.ts';
import { encoderEnded } from '../errors.ts';
import type { ModelReply } from './model-messages.ts';

/** One thread with a model, started by its first request and again after it has ended. */
export interface ModelThread<Request> {
  /** One request at a time. */
  ask(request: Request): Promise<Float32Array>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(numbers: Float32Array): void;
  reject(fault: unknown): void;
}

/** A batch takes a tenth of a second and more; a model that is just being converted some seconds. */
const RUN_WAIT_MS = 10_000;

/** `workerFile` calls serveModel, and finds `workerData` as it is given here. */
export function createModelThread<Request>(
  workerFile: URL | string,
  workerData: unknown,
): ModelThread<Request> {
  let worker: Worker | undefined;
  let waiting: Waiting | undefined;
  let isClosed = false;
  /** While the thread works on a request. */
  let running: Promise<void> | undefined;
  let runEnded = () => {};

  return {
    ask(request) {
      if (isClosed) return Promise.reject(cancelled());
      const thread = worker ?? start();
      thread.ref();
      running = new Promise((resolve) => {
        runEnded = resolve;
      });
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        thread.postMessage(request);
      });
    },
    async close() {
      isClosed = true;
      take()?.reject(cancelled());
      // A thread that is ended within a run of native code takes the whole process with it.
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, RUN_WAIT_MS).unref())]);
      await worker?.terminate();
    },
  };

  function start(): Worker {
    const started = new Worker(workerFile, { workerData });
    let cause: unknown;
    worker = started;
    started.on('message', (reply: ModelReply) => {
      runEnded();
      const one = take();
      started.unref();
      if (reply.ok) one?.resolve(reply.numbers);
      else one?.reject(faultOf(reply));
    });
    started.on('error', (error) => {
      cause = error;
    });
    started.on('exit', () => {
      runEnded();
      if (worker === started) worker = undefined;
      take()?.reject(isClosed ? cancelled() : encoderEnded(cause));
    });
    return started;
  }

  function take(): Waiting | undefined {
    const one = waiting;
    waiting = undefined;
    return one;
  }
}

function faultOf({ what, fault }: Extract<ModelReply, { ok: false }>): PeriscopeError {
  if (fault === null) return encoderEnded(new Error(what));
  return new PeriscopeError(fault.kind as ErrorKind, fault.code, fault.message, fault.next);
}
