import { once } from 'node:events';
import { cancelled } from '../../base/errors.ts';
import { damaged, gitMissing, timedOut } from '../errors.ts';
import type { GitHome } from '../git/git-home.ts';
import { type GitRunner, killGroup } from '../git/git-process.ts';
import { objectCommand } from '../git/object-commands.ts';
import { checkedObjectIds } from '../git/object-id.ts';
import type { BulkBlob } from '../types.ts';
import type { ReadRepository } from './object-store.ts';

export interface BulkReading {
  /**
   * Each of the blobs, in the order asked, damaged ones marked, from a git process of its own: nothing is cached, and a reader that is slow slows git
   * down instead of filling memory. Content above `bytesMax` is passed over; with 0 only sizes are asked.
   */
  blobs(
    repository: ReadRepository,
    oids: readonly string[],
    options: { bytesMax: number; signal: AbortSignal },
  ): AsyncGenerator<BulkBlob>;
  blobsRead(): number;
}

/** Sizes are known this far ahead of contents, so that git has always something to do. */
const windowLength = 512;
/** In one call: more of them are a repository, not an object, that is damaged. */
const damagedMax = 20;

export function createBulkReading(
  options: { timeoutMs: number },
  deps: { runner: GitRunner; home: GitHome },
): BulkReading {
  let blobsRead = 0;

  async function* blobs(
    repository: ReadRepository,
    oids: readonly string[],
    reading: { bytesMax: number; signal: AbortSignal },
  ): AsyncGenerator<BulkBlob> {
    checkedObjectIds(oids);
    const damagedOids = new Set<string>();
    for (let at = 0; at < oids.length; ) {
      const asked = damagedOids.size === 0 ? oids.slice(at) : oids.slice(at, at + windowLength);
      try {
        for await (const blob of oneProcess(repository, asked, damagedOids, reading)) {
          at += 1;
          yield blob;
        }
      } catch (error) {
        // Git ends at an object that it cannot read: the others are read by another process.
        if (!(error instanceof DiedAt) || damagedOids.size >= damagedMax) throw told(error);
        damagedOids.add(error.oid);
      }
    }
  }

  async function* oneProcess(
    repository: ReadRepository,
    oids: readonly string[],
    damagedOids: ReadonlySet<string>,
    { bytesMax, signal }: { bytesMax: number; signal: AbortSignal },
  ): AsyncGenerator<BulkBlob> {
    if (signal.aborted) throw cancelled(signal.reason);
    const { args, env } = objectCommand(deps.home, repository.objects);
    const child = deps.runner.start([...args, 'cat-file', '--batch-command', '--buffer'], env);
    const ended = once(child, 'close').catch((cause: unknown) => {
      throw gitMissing(cause);
    });
    ended.catch(() => {});
    let said = '';
    let late = false;
    let waitingFor = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < 8192) said += chunk.toString('utf8');
    });
    const onAbort = () => killGroup(child);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const replies = repliesOf(child.stdout, options.timeoutMs, () => {
        late = true;
        killGroup(child);
      });
      const ask = (lines: string) => child.stdin.write(`${lines}flush\n`);
      const windowAt = (from: number) => oids.slice(from, from + windowLength);
      const infosOf = (window: readonly string[]) =>
        window
          .filter((oid) => !damagedOids.has(oid))
          .map((oid) => `info ${oid}\n`)
          .join('');
      ask(infosOf(windowAt(0)));
      for (let from = 0; from < oids.length; from += windowLength) {
        const window = windowAt(from);
        const sizes: (number | null)[] = [];
        for (const oid of window) {
          waitingFor = oid;
          sizes.push(damagedOids.has(oid) ? null : blobSizeOf(await replies.header()));
        }
        const isRead = (size: number | null) => bytesMax > 0 && size !== null && size <= bytesMax;
        const contents = window.filter((_, at) => isRead(sizes[at]!));
        ask(contents.map((oid) => `contents ${oid}\n`).join('') + infosOf(windowAt(from + windowLength)));
        for (const [at, oid] of window.entries()) {
          const sizeBytes = sizes[at]!;
          if (!isRead(sizeBytes)) {
            yield { oid, sizeBytes, damaged: damagedOids.has(oid), bytes: null };
            continue;
          }
          waitingFor = oid;
          // Between the two answers it may have gone, or its repository have been made anew.
          if (blobSizeOf(await replies.header()) !== sizeBytes) throw new DiedAt(oid, 'it changed');
          const bytes = await replies.body(sizeBytes!);
          blobsRead += 1;
          yield { oid, sizeBytes, damaged: false, bytes };
        }
      }
    } catch (error) {
      if (signal.aborted) throw cancelled(signal.reason);
      if (late) throw timedOut('Reading many files', options.timeoutMs);
      if (error !== outputEnded) throw error;
      await ended;
      throw new DiedAt(waitingFor, said);
    } finally {
      signal.removeEventListener('abort', onAbort);
      killGroup(child);
    }
  }

  return { blobs, blobsRead: () => blobsRead };
}

class DiedAt extends Error {
  readonly oid: string;

  constructor(oid: string, said: string) {
    super(said);
    this.oid = oid;
  }
}

function told(error: unknown): unknown {
  return error instanceof DiedAt ? damaged(error.message) : error;
}

/** Null for what is missing or no blob. */
function blobSizeOf(header: string): number | null {
  const [, type, size] = header.split(' ');
  return type === 'blob' ? Number(size) : null;
}

const outputEnded = new Error('git ended before it had answered');

/** Answers one after the other, read only when they are wanted. */
function repliesOf(stdout: NodeJS.ReadableStream, timeoutMs: number, onLate: () => void) {
  const chunks = stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let chunk: Buffer = Buffer.alloc(0);
  let at = 0;

  async function more(): Promise<void> {
    const timer = setTimeout(onLate, timeoutMs);
    try {
      const { value, done } = await chunks.next();
      if (done) throw outputEnded;
      chunk = value;
      at = 0;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async header(): Promise<string> {
      let header = '';
      for (;;) {
        const lineEnd = chunk.indexOf(10, at);
        if (lineEnd >= 0) {
          header += chunk.toString('latin1', at, lineEnd);
          at = lineEnd + 1;
          return header;
        }
        header += chunk.toString('latin1', at);
        await more();
      }
    },
    /** A view of what git wrote where that lies in one piece. */
    async body(length: number): Promise<Buffer> {
      let bytes: Buffer;
      if (chunk.length - at >= length) {
        bytes = chunk.subarray(at, at + length);
        at += length;
      } else {
        bytes = Buffer.allocUnsafe(length);
        for (let filled = 0; filled < length; ) {
          if (at === chunk.length) await more();
          const taken = chunk.copy(bytes, filled, at, Math.min(chunk.length, at + length - filled));
          filled += taken;
          at += taken;
        }
      }
      // Content is followed by one line break.
      if (at === chunk.length) await more();
      at += 1;
      return bytes;
    },
  };
}
