import { busy, closed, damaged, gitMissing, timedOut } from '../errors.ts';
import type { GitHome } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
import { type ObjectSource, objectCommand } from '../git/object-commands.ts';
import {
  createObjectReader,
  type ObjectReader,
  type ObjectReply,
  type ObjectRequest,
} from './object-reader.ts';

export interface ObjectReaderPool {
  /** One request on the repository's process, started when there is none. Never stops once sent: who no longer waits ignores the reply. */
  ask(source: ObjectSource, id: string, contentBytesMax: number | null): Promise<ObjectReply>;
  /** Ends the process of objects that are about to go. */
  drop(key: string): void;
  close(): void;
}

interface PooledReader {
  reader: ObjectReader;
  /** Takes no further request: others wait for its place. */
  retiring: boolean;
}

const waitingMax = 10_000;
const attemptsMax = 2;

export function createObjectReaderPool(
  options: { processesMax: number; timeoutMs: number },
  deps: { runner: GitRunner; home: GitHome },
): ObjectReaderPool {
  // In order of use, the one unused longest first.
  const readers = new Map<string, PooledReader>();
  let waiting: { source: ObjectSource; request: ObjectRequest }[] = [];
  let isClosed = false;

  function submit(source: ObjectSource, request: ObjectRequest) {
    if (isClosed) return request.reject(closed());
    const known = readers.get(source.key);
    if (known && !known.retiring) {
      readers.delete(source.key);
      readers.set(source.key, known);
      return known.reader.send(request);
    }
    if (known === undefined && makeRoom()) return start(source, request);
    if (waiting.length >= waitingMax) return request.reject(busy('The object reader'));
    waiting.push({ source, request });
    retireOldest();
  }

  function makeRoom(): boolean {
    if (readers.size < options.processesMax) return true;
    for (const { reader } of readers.values()) {
      if (reader.waiting() > 0) continue;
      reader.close();
      return true;
    }
    return false;
  }

  function retireOldest() {
    const all = [...readers.values()];
    if (all.some((pooled) => pooled.retiring)) return;
    const oldest = all[0];
    if (oldest) oldest.retiring = true;
  }

  function start(source: ObjectSource, request: ObjectRequest) {
    const { args, env } = objectCommand(deps.home, source);
    if (isClosed) return request.reject(closed());
    const pooled: PooledReader = {
      retiring: false,
      reader: createObjectReader({
        child: deps.runner.start([...args, 'cat-file', '--batch-command', '--buffer'], env),
        timeoutMs: options.timeoutMs,
        onIdle() {
          if (waiting.length > 0) pooled.reader.close();
        },
        onEnd(end, unanswered) {
          if (readers.get(source.key) === pooled) readers.delete(source.key);
          // A process that was closed was idle, or its objects are gone.
          const [first, ...rest] = end.kind === 'closed' ? [undefined, ...unanswered] : unanswered;
          if (end.kind === 'timeout') first?.reject(timedOut('Reading an object', options.timeoutMs));
          if (end.kind === 'died') first?.reject(damaged(end.said));
          if (end.kind === 'not-started') first?.reject(gitMissing(end.cause));
          for (const other of rest) if (other) again(source, other);
          // Later, so that whoever made this room takes it first.
          queueMicrotask(serveWaiting);
        },
      }),
    };
    readers.set(source.key, pooled);
    pooled.reader.send(request);
  }

  function again(source: ObjectSource, request: ObjectRequest) {
    request.attempts += 1;
    if (request.attempts > attemptsMax) request.reject(busy('The object reader'));
    else submit(source, request);
  }

  function serveWaiting() {
    const served = waiting;
    waiting = [];
    for (const { source, request } of served) submit(source, request);
    // Nobody waits for a place any more: one that is marked still would be idle and take nothing, for ever.
    if (waiting.length === 0) for (const pooled of readers.values()) pooled.retiring = false;
  }

  return {
    ask: (source, id, contentBytesMax) =>
      new Promise((resolve, reject) => submit(source, { id, contentBytesMax, attempts: 0, resolve, reject })),
    drop: (key) => readers.get(key)?.reader.close(),
    close() {
      isClosed = true;
      for (const { reader } of [...readers.values()]) reader.close();
    },
  };
}
