import type { Clock } from '../base/clock.ts';
import { PeriscopeError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Storage } from '../storage/index.ts';
import { leaseLost, stopping } from './errors.ts';
import { type Claim, ofRun, setResult } from './job-table.ts';
import type { Events, JobHandler, JobRun } from './types.ts';

export interface RunOptions {
  leaseMs: number;
  retryFirstMs: number;
  retryMostMs: number;
}

export interface RunDeps {
  storage: Storage;
  clock: Clock;
  logger: Logger;
  events: Events;
  random: () => number;
}

/** One attempt at one job, from the claim to its end. */
export interface Run {
  readonly jobId: number;
  /** Never rejects. */
  readonly ended: Promise<void>;
  /** Aborts the handler; the job waits again as if this attempt had not been. */
  stop(): void;
  /** The job is somebody else's or nobody's: aborts the handler and keeps the lease no longer. */
  abandon(): void;
}

/** Problems are for operators and kept in a row: long ones are cut. */
const PROBLEM_LENGTH_MAX = 2000;

export function createRun(claim: Claim, handler: JobHandler, options: RunOptions, deps: RunDeps): Run {
  const { job, fence } = claim;
  const { storage, clock, logger, events, random } = deps;
  const subject = `${job.kind}/${job.key}`;
  const about = { job: job.id, kind: job.kind, key: job.key, attempt: job.attempts };
  const aborting = new AbortController();
  let state: 'ours' | 'completed' | 'stopping' | 'lost' = 'ours';
  let renewal = setTimeout(renew, options.leaseMs / 3);
  let keptMs = clock.now();

  async function renew(): Promise<void> {
    try {
      const kept = await ofRun.renew(storage.db, claim, clock.now() + options.leaseMs);
      if (kept) keptMs = clock.now();
      else abandon();
    } catch (fault) {
      logger.warn('a job could not keep its lease', { ...about, problem: problemOf(fault) });
      if (clock.now() - keptMs >= options.leaseMs) abandon();
    }
    if (state === 'ours' || state === 'stopping') renewal = setTimeout(renew, options.leaseMs / 3);
  }

  function abandon(): void {
    if (state === 'completed') return;
    state = 'lost';
    clearTimeout(renewal);
    aborting.abort(leaseLost(job.id));
  }

  const run: JobRun = {
    job,
    fence,
    signal: aborting.signal,
    async progress(data) {
      if (state === 'lost') return;
      await events.append({ kind: 'job.progress', subject, data: { ...data, job: job.id } });
    },
    async complete(effect) {
      await storage.transaction(async (tx) => {
        // First, so that whoever else wants this row waits until the effect is in.
        const ours = await ofRun.finish(tx, claim, clock.now());
        if (!ours) throw leaseLost(job.id);
        await setResult(tx, job.id, await effect(tx));
        await events.append({ kind: 'job.done', subject, data: { job: job.id } }, tx);
      });
      state = 'completed';
      clearTimeout(renewal);
    },
  };

  async function attempt(): Promise<void> {
    try {
      const result = await handler(run);
      if (state !== 'completed') await run.complete(async () => result);
    } catch (fault) {
      await afterFault(fault).catch((second) =>
        // The lease runs out and the job is taken up again.
        logger.warn('a failed job could not be put back', { ...about, problem: problemOf(second) }),
      );
    } finally {
      clearTimeout(renewal);
      if (state !== 'completed') state = 'lost';
    }
  }

  async function afterFault(fault: unknown): Promise<void> {
    const problem = problemOf(fault);
    if (state === 'completed') {
      logger.warn('a handler failed after its job was complete', { ...about, problem });
    } else if (state === 'stopping') {
      await ofRun.handBack(storage.db, claim, clock.now());
    } else if (state === 'lost' || (fault instanceof PeriscopeError && fault.code === 'jobs/lease-lost')) {
      logger.warn('a job was lost to another worker', about);
    } else {
      await countFailure(problem);
    }
  }

  async function countFailure(problem: string): Promise<void> {
    const nowMs = clock.now();
    const dead = job.attempts >= job.maxAttempts;
    const nextMs = nowMs + retryDelayMs(job.attempts, options, random());
    await storage.transaction(async (tx) => {
      const ours = dead
        ? await ofRun.bury(tx, claim, { problem, nowMs })
        : await ofRun.retry(tx, claim, { problem, nextMs });
      if (!ours) return;
      const kind = dead ? 'job.dead' : 'job.retry';
      await events.append({ kind, subject, data: { job: job.id, attempt: job.attempts } }, tx);
    });
    if (dead) logger.error('a job is dead', { ...about, problem });
    else logger.warn('a job failed and is tried again', { ...about, problem, nextMs });
  }

  return {
    jobId: job.id,
    ended: attempt(),
    stop() {
      if (state !== 'ours') return;
      state = 'stopping';
      aborting.abort(stopping());
    },
    abandon,
  };
}

/** Doubled for each attempt that failed; the upper half of it left to chance, so that those that failed together do not come back together. */
export function retryDelayMs(
  attempts: number,
  { retryFirstMs, retryMostMs }: Pick<RunOptions, 'retryFirstMs' | 'retryMostMs'>,
  random: number,
): number {
  const fullMs = Math.min(retryFirstMs * 2 ** (attempts - 1), retryMostMs);
  return Math.round(fullMs / 2 + (random * fullMs) / 2);
}

export function problemOf(fault: unknown): string {
  const text =
    fault instanceof PeriscopeError
      ? `${fault.code}: ${fault.message}`
      : fault instanceof Error
        ? `${fault.name}: ${fault.message}`
        : String(fault);
  return text.slice(0, PROBLEM_LENGTH_MAX);
}
