import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Storage } from '../../storage/index.ts';
import { createKeeping } from './keeping.ts';
import { listTraces } from './list-traces.ts';
import { createSweep } from './sweep.ts';
import type { SecretFinder, TraceCounters, TracedUse, Traces, TracesOptions } from './types.ts';
import { type KeptSearch, writeSearches, writeUses } from './write-traces.ts';

export interface TracesDeps {
  storage: Storage;
  clock: Clock;
  logger: Logger;
  secrets: SecretFinder;
  /** `host/owner/name` of a repository, null for one that is not known any more: for the opt-out. */
  nameOf(repositoryId: number): string | null;
  /** Searches and uses that wait to be written; those beyond are dropped and counted. Default: 1000. */
  queueMax?: number;
}

const flushEveryMs = 1000;
const sweepEveryMs = 3_600_000;
/** As many do not wait for the time to come round. */
const flushAt = 100;
/** One transaction holds the only writer of SQLite, and this thread, for a few milliseconds. */
const searchesAtOnce = 20;
const usesAtOnce = 50;
const attemptsMax = 3;

/** Keeps searches and what was used of them, in the background. */
export function createTraces(options: TracesOptions, deps: TracesDeps): Traces {
  const { storage, clock, logger, queueMax = 1000 } = deps;
  const keeping = createKeeping(options, deps);
  const sweep = createSweep(options, deps);
  const searches: KeptSearch[] = [];
  const uses: (TracedUse & { atMs: number })[] = [];
  const counted: Mutable<TraceCounters> = { recorded: 0, kept: 0, attached: 0, dropped: 0, optedOut: 0 };
  let reported = 0;
  let failures = 0;
  let sweepAtMs = clock.now();
  let timer: NodeJS.Timeout | null = null;
  let flight: Promise<void> = Promise.resolve();
  let flying = 0;
  let closed = false;

  const waiting = () => searches.length + uses.length;

  /** What stands at the front of a queue leaves it when it is written, or when it could not be written several times. */
  async function takeFrom<T>(
    queue: T[],
    atOnce: number,
    write: (batch: T[]) => Promise<void>,
  ): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, atOnce);
      try {
        await write(batch);
      } catch (fault) {
        if (++failures < attemptsMax) throw fault;
        counted.dropped += batch.length;
      }
      failures = 0;
      queue.splice(0, batch.length);
      // Answers go out between two batches.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function write(): Promise<void> {
    await takeFrom(searches, searchesAtOnce, async (batch) => {
      await storage.transaction((db) => writeSearches(db, batch));
      counted.kept += batch.length;
    });
    // After the searches that they belong to.
    await takeFrom(uses, usesAtOnce, async (batch) => {
      counted.attached += await storage.transaction((db) => writeUses(db, batch));
    });
  }

  async function sweepInTime(): Promise<void> {
    if (clock.now() < sweepAtMs) return;
    sweepAtMs = clock.now() + sweepEveryMs;
    await sweep(storage.db);
  }

  function flush(): Promise<void> {
    flying++;
    flight = flight.then(async () => {
      try {
        await write();
        await sweepInTime();
      } catch (fault) {
        logger.warn('traces could not be written yet', { waiting: waiting(), fault: String(fault) });
      } finally {
        flying--;
        if (counted.dropped > reported)
          logger.warn('traces were dropped', { dropped: counted.dropped - reported });
        reported = counted.dropped;
      }
    });
    return flight;
  }

  function flushAndGoOn(): void {
    void flush().then(() => {
      if (waiting() > 0) schedule();
    });
  }

  function schedule(): void {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = null;
      flushAndGoOn();
    }, flushEveryMs);
    timer.unref();
  }

  function queued<T>(queue: T[], entry: T): boolean {
    if (closed || waiting() >= queueMax) {
      counted.dropped++;
      return false;
    }
    queue.push(entry);
    if (waiting() >= flushAt && flying === 0 && failures === 0) flushAndGoOn();
    else schedule();
    return true;
  }

  // Also where nothing is kept: what an earlier configuration kept must go.
  schedule();

  return {
    record(search) {
      try {
        const kept = keeping.search(search, clock.now());
        if (kept === null) counted.optedOut++;
        else if (queued(searches, kept)) counted.recorded++;
      } catch (fault) {
        counted.dropped++;
        logger.warn('a trace could not be made', { fault: String(fault) });
      }
    },
    used(use) {
      if (keeping.uses(use)) queued(uses, { ...use, atMs: clock.now() });
    },
    counters: () => ({ ...counted }),
    async list(query, sees, mayShow) {
      await flush();
      return listTraces(storage.db, query, { sees, mayShow: mayShow ?? null });
    },
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      timer = null;
      await flush();
      if (waiting() > 0) logger.warn('traces were lost at close', { lost: waiting() });
    },
  };
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] };
