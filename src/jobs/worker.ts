import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Storage } from '../storage/index.ts';
import { Bell } from './bell.ts';
import { type Claim, claimJob, nextDueMs } from './job-table.ts';
import { createRun, problemOf, type Run } from './run.ts';
import type { Events, JobHandler, JobsOptions, WorkOptions } from './types.ts';

export interface WorkerDeps {
  storage: Storage;
  clock: Clock;
  logger: Logger;
  events: Events;
  owner: string;
  random: () => number;
  /** Brings back the jobs of workers that went silent. */
  recover(): Promise<void>;
}

export interface Worker {
  /** Something may be waiting now. */
  wake(): void;
  /** The job was cancelled in this process; others notice at their next renewal. */
  cancelled(id: number): void;
  close(): Promise<void>;
}

/** Takes the jobs of one kind, oldest due first, as many at once as it may. */
export function startWorker(
  kind: string,
  handler: JobHandler,
  { concurrency, leaseMs, pollMs, ...options }: WorkOptions & JobsOptions,
  deps: WorkerDeps,
): Worker {
  const { storage, clock, logger, owner } = deps;
  const bell = new Bell();
  const running = new Set<Run>();
  let closing = false;

  async function loop(): Promise<void> {
    while (!closing) {
      let pauseMs = pollMs;
      try {
        await deps.recover();
        pauseMs = await takeWhatIsDue();
      } catch (fault) {
        logger.warn('jobs cannot be looked for', { kind, problem: problemOf(fault) });
      }
      if (!closing) await bell.sleep(pauseMs);
    }
  }

  /** Returns how long to wait before looking again. */
  async function takeWhatIsDue(): Promise<number> {
    while (!closing && running.size < concurrency) {
      const dueMs = await nextDueMs(storage.db, kind);
      // Closing may have begun while the database answered: what is due since then is for another process.
      if (closing || dueMs === null) return pollMs;
      const nowMs = clock.now();
      if (dueMs > nowMs) return Math.min(pollMs, dueMs - nowMs);
      const claim = await claimJob(storage, kind, { owner, nowMs, leaseMs });
      if (claim === null) return pollMs;
      start(claim);
    }
    // A run that ends rings the bell.
    return pollMs;
  }

  function start(claim: Claim): void {
    const run = createRun(claim, handler, { leaseMs, ...options }, deps);
    running.add(run);
    void run.ended.then(() => {
      running.delete(run);
      bell.ring();
    });
  }

  const looping = loop();
  return {
    wake: () => bell.ring(),
    cancelled(id) {
      for (const run of running) if (run.jobId === id) run.abandon();
    },
    async close() {
      closing = true;
      bell.ring();
      await looping;
      await endedWithin(running, options.closeWaitMs);
      for (const run of running) run.stop();
      await endedWithin(running, options.closeWaitMs);
      // Whoever still does not end is forgotten: its lease runs out and another process takes the job.
      for (const run of running) run.abandon();
    },
  };
}

async function endedWithin(runs: ReadonlySet<Run>, ms: number): Promise<void> {
  if (runs.size === 0) return;
  const enough = new AbortController();
  await Promise.race([
    Promise.all([...runs].map((run) => run.ended)),
    sleep(ms, undefined, { signal: enough.signal }).catch(() => {}),
  ]);
  enough.abort();
}
