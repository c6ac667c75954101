import { cancelled } from '../../base/errors.ts';
import type { GitHome } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
import { objectCommand } from '../git/object-commands.ts';
import { checkedObjectIds } from '../git/object-id.ts';
import type { BulkBlob } from '../types.ts';
import { type BulkProcess, createBulkProcess, ProcessEnded, processFault } from './bulk-process.ts';
import type { ReadRepository } from './object-store.ts';

export interface BulkReading {
  /**
   * Each of the blobs, in the order asked, damaged ones marked. Nothing is cached, and a reader that is slow slows git down instead of
   * filling memory. Content above `bytesMax` is passed over; with 0 only sizes are asked, with no bound (Infinity) contents alone.
   */
  blobs(
    repository: ReadRepository,
    oids: readonly string[],
    options: { bytesMax: number; signal: AbortSignal },
  ): AsyncGenerator<BulkBlob>;
  /** Whether all are there. */
  holdsAll(repository: ReadRepository, oids: readonly string[], signal: AbortSignal): Promise<boolean>;
  blobsRead(): number;
  /** Ends the process of objects that are about to go. */
  drop(key: string): void;
}

/** Sizes are known this far ahead of contents, so that git has always something to do. */
const windowLength = 512;
/** In one call: more of them are a repository, not an object, that is damaged. */
const damagedMax = 20;
/** Who reads a repository in parts soon comes again, and a process costs more than many objects. */
const idleMs = 30_000;
const idleMax = 32;

export function createBulkReading(
  options: { timeoutMs: number },
  deps: { runner: GitRunner; home: GitHome },
): BulkReading {
  /** The one that was used longest ago comes first. */
  const idle = new Map<string, { process: BulkProcess; timer: NodeJS.Timeout }>();
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
      const progress = { waitingFor: '' };
      try {
        for await (const blob of oneProcess(repository, asked, damagedOids, reading, progress)) {
          at += 1;
          yield blob;
        }
      } catch (error) {
        // Git ends at an object that it cannot read: the others are read by another process.
        if (!(error instanceof ProcessEnded) || damagedOids.size >= damagedMax) throw processFault(error);
        damagedOids.add(progress.waitingFor);
      }
    }
  }

  async function* oneProcess(
    repository: ReadRepository,
    oids: readonly string[],
    damagedOids: ReadonlySet<string>,
    { bytesMax, signal }: { bytesMax: number; signal: AbortSignal },
    progress: { waitingFor: string },
  ): AsyncGenerator<BulkBlob> {
    if (signal.aborted) throw cancelled(signal.reason);
    const { key } = repository.objects;
    const git = take(repository);
    let isWhole = false;
    signal.addEventListener('abort', git.end, { once: true });
    const windowAt = (from: number) => oids.slice(from, from + windowLength);
    const infosOf = (window: readonly string[]) => linesOf('info', window, damagedOids);
    try {
      if (bytesMax === Number.POSITIVE_INFINITY) {
        yield* contentsAlone(git, oids, damagedOids, progress);
        isWhole = true;
        return;
      }
      git.ask(infosOf(windowAt(0)));
      for (let from = 0; from < oids.length; from += windowLength) {
        const window = windowAt(from);
        const sizes: (number | null)[] = [];
        for (const oid of window) {
          progress.waitingFor = oid;
          sizes.push(damagedOids.has(oid) ? null : blobSizeOf(await git.header()));
        }
        const isRead = (size: number | null) => bytesMax > 0 && size !== null && size <= bytesMax;
        const contents = window.filter((_, at) => isRead(sizes[at]!));
        const next = infosOf(windowAt(from + windowLength));
        if (contents.length > 0 || next !== '')
          git.ask(contents.map((oid) => `contents ${oid}\n`).join('') + next);
        for (const [at, oid] of window.entries()) {
          const sizeBytes = sizes[at]!;
          if (!isRead(sizeBytes)) {
            yield { oid, sizeBytes, damaged: damagedOids.has(oid), bytes: null };
            continue;
          }
          progress.waitingFor = oid;
          // Between the two answers it may have gone, or its repository have been made anew.
          if (blobSizeOf(await git.header()) !== sizeBytes) throw new ProcessEnded('it changed');
          const bytes = await git.body(sizeBytes!);
          blobsRead += 1;
          yield { oid, sizeBytes, damaged: false, bytes };
        }
      }
      isWhole = true;
    } catch (error) {
      if (signal.aborted) throw cancelled(signal.reason);
      throw await git.faultOf(error);
    } finally {
      signal.removeEventListener('abort', git.end);
      if (isWhole && !signal.aborted) rest(key, git);
      else git.end();
    }
  }

  async function* contentsAlone(
    git: BulkProcess,
    oids: readonly string[],
    damagedOids: ReadonlySet<string>,
    progress: { waitingFor: string },
  ): AsyncGenerator<BulkBlob> {
    for (let from = 0; from < oids.length; from += windowLength) {
      // The next window waits in the pipe when this one is done.
      if (from === 0) git.ask(linesOf('contents', oids.slice(0, windowLength), damagedOids));
      const next = linesOf('contents', oids.slice(from + windowLength, from + 2 * windowLength), damagedOids);
      if (next !== '') git.ask(next);
      for (const oid of oids.slice(from, from + windowLength)) {
        progress.waitingFor = oid;
        const header = damagedOids.has(oid) ? '' : await git.header();
        const sizeBytes = blobSizeOf(header);
        // Another type of object is content, too.
        const length = sizeBytes ?? contentLengthOf(header);
        const bytes = length === null ? null : await git.body(length);
        if (sizeBytes !== null) blobsRead += 1;
        yield { oid, sizeBytes, damaged: damagedOids.has(oid), bytes: sizeBytes === null ? null : bytes };
      }
    }
  }

  async function holdsAll(
    repository: ReadRepository,
    oids: readonly string[],
    signal: AbortSignal,
  ): Promise<boolean> {
    if (oids.length === 0) return true;
    const input = Buffer.from(`${checkedObjectIds(oids).join('\n')}\n`);
    const { args, env } = objectCommand(deps.home, repository.objects);
    const { code, stdout } = await deps.runner.run({
      what: `Looking for the files of ${repository.name}`,
      // Without size and type git looks into no object. It repeats the id of one that is there, and says `missing` behind others.
      args: [...args, 'cat-file', '--batch-check=%(objectname)', '--buffer'],
      env,
      input,
      lane: 'local',
      timeoutMs: options.timeoutMs,
      signal,
      stdoutBytesMax: 2 * input.length,
    });
    return code === 0 && stdout.equals(input);
  }

  function take(repository: ReadRepository): BulkProcess {
    const { key } = repository.objects;
    const waiting = idle.get(key);
    if (waiting) {
      idle.delete(key);
      clearTimeout(waiting.timer);
      return waiting.process;
    }
    const { args, env } = objectCommand(deps.home, repository.objects);
    return createBulkProcess(
      deps.runner.start([...args, 'cat-file', '--batch-command', '--buffer'], env),
      options,
    );
  }

  function rest(key: string, process: BulkProcess): void {
    drop(key);
    const timer = setTimeout(() => drop(key), idleMs);
    timer.unref();
    idle.set(key, { process, timer });
    for (const oldest of idle.keys()) {
      if (idle.size <= idleMax) return;
      drop(oldest);
    }
  }

  function drop(key: string): void {
    const waiting = idle.get(key);
    if (!waiting) return;
    idle.delete(key);
    clearTimeout(waiting.timer);
    waiting.process.end();
  }

  return { blobs, holdsAll, blobsRead: () => blobsRead, drop };
}

function linesOf(command: string, oids: readonly string[], without: ReadonlySet<string>): string {
  let lines = '';
  for (const oid of oids) if (!without.has(oid)) lines += `${command} ${oid}\n`;
  return lines;
}

/** Null for what is missing or no blob. */
function blobSizeOf(header: string): number | null {
  const at = header.indexOf(' blob ');
  return at < 0 ? null : Number(header.slice(at + 6));
}

/** Null where no content follows. */
function contentLengthOf(header: string): number | null {
  const [, , length] = header.split(' ');
  return length === undefined ? null : Number(length);
}
