import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Storage } from '../storage/index.ts';
import { alreadyWorked, jobNotFound, queueFull } from './errors.ts';
import {
  cancelJob,
  findJob,
  hasExpired,
  insertJob,
  isFull,
  listJobs,
  newestJob,
  recoverExpired,
  sweepFinished,
} from './job-table.ts';
import { problemOf } from './run.ts';
import type { Events, Job, JobRequest, Jobs, JobsOptions } from './types.ts';
import { startWorker, type Worker } from './worker.ts';

export interface JobsDeps {
  storage: Storage;
  clock: Clock;
  logger: Logger;
  events: Events;
  /** This process, told apart from every other: it stands in the lease. */
  owner: string;
  /** In [0, 1). Spreads retries. */
  random: () => number;
}

const ATTEMPTS_MAX = 5;
const SWEEP_EVERY_MS = 60_000;

/** The one queue. Any number of processes enqueue and work on the same database. */
export function createJobs(options: JobsOptions, deps: JobsDeps): Jobs {
  const { storage, clock, logger, events } = deps;
  const workers = new Map<string, Worker>();
  const sweeping = setInterval(sweep, SWEEP_EVERY_MS);
  sweeping.unref();

  async function enqueue(request: JobRequest): Promise<{ job: Job; created: boolean }> {
    const { kind, key, onceEver = false } = request;
    const db = request.within ?? storage.db;
    for (;;) {
      const job = await insert(request);
      if (job) {
        workers.get(kind)?.wake();
        return { job, created: true };
      }
      const present = await newestJob(db, kind, key);
      const live = present?.state === 'waiting' || present?.state === 'running';
      if (present && (live || onceEver)) return { job: present, created: false };
      if (await isFull(db, kind, options.depthMax)) throw queueFull(kind, options.depthMax);
      // What stood in the way has ended in between.
    }
  }

  async function insert(request: JobRequest): Promise<Job | null> {
    const nowMs = clock.now();
    const row = {
      kind: request.kind,
      key: request.key,
      payload: request.payload,
      maxAttempts: request.maxAttempts ?? ATTEMPTS_MAX,
      nextMs: nowMs + (request.runAfterMs ?? 0),
      nowMs,
    };
    const limits = { depthMax: options.depthMax, onceEver: request.onceEver ?? false };
    if (request.within) return insertJob(request.within, row, limits);
    // That no finished one is there can only be promised together with the insert.
    if (limits.onceEver) return storage.transaction((tx) => insertJob(tx, row, limits));
    return insertJob(storage.db, row, limits);
  }

  async function recover(): Promise<void> {
    const nowMs = clock.now();
    if (!(await hasExpired(storage.db, nowMs))) return;
    const recovered = await storage.transaction(async (tx) => {
      const jobs = await recoverExpired(tx, nowMs);
      for (const { id, kind, key, attempts, state } of jobs) {
        const event = state === 'dead' ? 'job.dead' : 'job.retry';
        await events.append(
          { kind: event, subject: `${kind}/${key}`, data: { job: id, attempt: attempts } },
          tx,
        );
      }
      return jobs;
    });
    for (const { id, kind, key, state, attempts } of recovered) {
      logger.warn('a job was taken from a silent worker', { job: id, kind, key, state, attempt: attempts });
      workers.get(kind)?.wake();
    }
  }

  async function sweep(): Promise<void> {
    try {
      for (const kind of workers.keys()) await sweepFinished(storage.db, kind, options.finishedMax);
      await events.sweep();
    } catch (fault) {
      logger.warn('old jobs and events could not be removed', { problem: problemOf(fault) });
    }
  }

  return {
    enqueue,
    work(kind, handler, work) {
      if (workers.has(kind)) throw alreadyWorked(kind);
      workers.set(kind, startWorker(kind, handler, { ...work, ...options }, { ...deps, recover }));
    },
    async cancel(id) {
      const cancelled = await storage.transaction(async (tx) => {
        const job = await cancelJob(tx, id, clock.now());
        if (job) {
          await events.append(
            { kind: 'job.cancelled', subject: `${job.kind}/${job.key}`, data: { job: id } },
            tx,
          );
        }
        return job;
      });
      if (cancelled) workers.get(cancelled.kind)?.cancelled(id);
      const job = cancelled ?? (await findJob(storage.db, id));
      if (!job) throw jobNotFound(id);
      return job;
    },
    get: (id) => findJob(storage.db, id),
    list: (query) => listJobs(storage.db, query),
    async close() {
      clearInterval(sweeping);
      await Promise.all([...workers.values()].map((worker) => worker.close()));
    },
  };
}
