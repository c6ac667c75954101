import type { GitChild } from '../git/git-process.ts';
import { killGroup } from '../git/git-process.ts';

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

export interface FoundObject {
  oid: string;
  type: ObjectType;
  sizeBytes: number;
  /** Null when only facts were asked for, or when it is larger than `bytesMax`. */
  content: Buffer | null;
}

export type ObjectReply = FoundObject | 'missing' | 'ambiguous';

export interface ObjectRequest {
  /** An object id, a shortened one, or one with `^{commit}`: hex that was checked, never a name. */
  id: string;
  /** Content up to this size is returned, above it is passed over; null asks for facts alone. */
  contentBytesMax: number | null;
  /** How often a process ended under it. */
  attempts: number;
  resolve(reply: ObjectReply): void;
  reject(error: unknown): void;
}

export type ReaderEnd =
  | { kind: 'closed' }
  | { kind: 'timeout' }
  | { kind: 'died'; said: string }
  | { kind: 'not-started'; cause: unknown };

export interface ObjectReader {
  send(request: ObjectRequest): void;
  waiting(): number;
  close(): void;
}

/**
 * One persistent `git cat-file --batch-command --buffer`. Requests are answered in order and written together, one flush per turn
 * of the event loop. `onEnd` gets what was not answered, the one that the process was busy with first.
 */
export function createObjectReader(options: {
  child: GitChild;
  timeoutMs: number;
  onIdle(): void;
  onEnd(end: ReaderEnd, unanswered: ObjectRequest[]): void;
}): ObjectReader {
  const { child } = options;
  let queue: ObjectRequest[] = [];
  let head = 0;
  let lines = '';
  let said = '';
  let ended = false;
  let timer: NodeJS.Timeout | null = null;
  // Of the reply that is being read: the start of its first line, or its content.
  let partialHeader = '';
  let body: { found: FoundObject; into: Buffer | null; at: number; left: number } | null = null;

  child.stdout.on('data', read);
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < 8192) said += chunk.toString('utf8');
  });
  child.on('error', (cause) => end({ kind: 'not-started', cause }));
  child.on('close', () => end({ kind: 'died', said }));

  return {
    send(request) {
      if (ended) {
        options.onEnd({ kind: 'closed' }, [request]);
        return;
      }
      queue.push(request);
      if (lines === '') queueMicrotask(write);
      lines += request.contentBytesMax === null ? `info ${request.id}\n` : `contents ${request.id}\n`;
      if (timer === null) timer = setTimeout(() => end({ kind: 'timeout' }), options.timeoutMs);
      else if (waiting() === 1) timer.refresh();
    },
    waiting,
    close: () => end({ kind: 'closed' }),
  };

  function waiting(): number {
    return queue.length - head;
  }

  function write() {
    if (ended || lines === '') return;
    child.stdin.write(`${lines}flush\n`);
    lines = '';
  }

  function read(chunk: Buffer) {
    let at = 0;
    while (at < chunk.length && !ended) {
      at = body === null ? readHeader(chunk, at) : readBody(chunk, at);
    }
  }

  function readHeader(chunk: Buffer, at: number): number {
    const lineEnd = chunk.indexOf(10, at);
    if (lineEnd < 0) {
      partialHeader += chunk.toString('latin1', at);
      return chunk.length;
    }
    const header = partialHeader + chunk.toString('latin1', at, lineEnd);
    partialHeader = '';
    const request = queue[head];
    if (request === undefined) {
      end({ kind: 'died', said: `an answer that nobody asked for: ${header.slice(0, 200)}` });
      return chunk.length;
    }
    if (header.endsWith(' missing')) answer('missing');
    else if (header.endsWith(' ambiguous')) answer('ambiguous');
    else {
      const [oid = '', type = '', size = ''] = header.split(' ');
      const found: FoundObject = { oid, type: type as ObjectType, sizeBytes: Number(size), content: null };
      if (request.contentBytesMax === null) answer(found);
      else {
        const wanted = found.sizeBytes <= request.contentBytesMax;
        body = {
          found,
          into: wanted ? Buffer.allocUnsafe(found.sizeBytes) : null,
          at: 0,
          left: found.sizeBytes,
        };
      }
    }
    return lineEnd + 1;
  }

  function readBody(chunk: Buffer, at: number): number {
    const { found, into, left } = body!;
    const taken = Math.min(left, chunk.length - at);
    into?.set(chunk.subarray(at, at + taken), body!.at);
    body!.at += taken;
    body!.left -= taken;
    // Content is followed by one line break.
    if (body!.left > 0 || at + taken >= chunk.length) return at + taken;
    body = null;
    found.content = into;
    answer(found);
    return at + taken + 1;
  }

  function answer(reply: ObjectReply) {
    const request = queue[head]!;
    head += 1;
    if (head === queue.length || head > 1024) {
      queue = queue.slice(head);
      head = 0;
    }
    if (queue.length > 0) timer?.refresh();
    else {
      if (timer) clearTimeout(timer);
      timer = null;
    }
    request.resolve(reply);
    if (queue.length === 0) options.onIdle();
  }

  function end(how: ReaderEnd) {
    if (ended) return;
    ended = true;
    if (timer) clearTimeout(timer);
    killGroup(child);
    options.onEnd(how, queue.slice(head));
    queue = [];
    head = 0;
  }
}
