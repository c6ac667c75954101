import { once } from 'node:events';
import { damaged, gitMissing, timedOut } from '../errors.ts';
import { type GitChild, killGroup } from '../git/git-process.ts';

/** One `git cat-file --batch-command --buffer` whose answers are read only when they are wanted. */
export interface BulkProcess {
  /** Asks in one go; the answers come in the same order. */
  ask(lines: string): void;
  header(): Promise<string>;
  /** Content of the header that came last. A view of what git wrote where that lies in one piece. */
  body(length: number): Promise<Buffer>;
  /** What a fault while reading means: git ended, or said nothing for too long. */
  faultOf(error: unknown): Promise<unknown>;
  end(): void;
}

/** Git ended before it had answered. */
export class ProcessEnded extends Error {}

export function createBulkProcess(child: GitChild, options: { timeoutMs: number }): BulkProcess {
  const ended = once(child, 'close').then(
    () => null,
    (cause: unknown) => gitMissing(cause),
  );
  const chunks = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let chunk: Buffer = Buffer.alloc(0);
  let at = 0;
  let said = '';
  let isLate = false;
  child.stderr.on('data', (more: Buffer) => {
    if (said.length < 8192) said += more.toString('utf8');
  });

  async function more(): Promise<void> {
    const timer = setTimeout(() => {
      isLate = true;
      killGroup(child);
    }, options.timeoutMs);
    try {
      const { value, done } = await chunks.next();
      if (done) throw new ProcessEnded(said);
      chunk = value;
      at = 0;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    ask: (lines) => void child.stdin.write(`${lines}flush\n`),
    async header() {
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
    async body(length) {
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
    async faultOf(error) {
      if (isLate) return timedOut('Reading many files', options.timeoutMs);
      if (!(error instanceof ProcessEnded)) return error;
      const missing = await ended;
      return missing ?? (said === '' ? error : new ProcessEnded(said));
    },
    end: () => killGroup(child),
  };
}

export function processFault(error: unknown): unknown {
  return error instanceof ProcessEnded ? damaged(error.message) : error;
}
