import type { Kysely } from 'kysely';
import type { Schema } from '../storage/index.ts';

/** `waiting` and `running` are live; the others are final. `dead`: its attempts are used up. */
export type JobState = 'waiting' | 'running' | 'done' | 'dead' | 'cancelled';

export interface Job {
  readonly id: number;
  readonly kind: string;
  readonly key: string;
  readonly state: JobState;
  readonly payload: unknown;
  /** Begun so far, this one included. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** When it may be taken; meaningful while it waits. */
  readonly nextMs: number;
  readonly result: unknown;
  /** Why the last attempt failed, or null. */
  readonly problem: string | null;
  readonly createdMs: number;
  readonly finishedMs: number | null;
}

export interface JobsOptions {
  /** Jobs of one kind that may wait; more are refused as busy. Enqueuers at the very same instant may exceed it by their number. */
  depthMax: number;
  /** Finished jobs of one kind that are kept; the oldest go first. 0 keeps none, and then `onceEver` knows only live ones. */
  finishedMax: number;
  /** Wait before the second attempt; doubled for each one after it, half of it left to chance. */
  retryFirstMs: number;
  retryMostMs: number;
  /** How long closing waits for running handlers before it aborts their signals, and once more after that. */
  closeWaitMs: number;
}

export interface JobRequest {
  kind: string;
  /** Idempotency key: while a job of this kind and key lives, it is the one that is returned. */
  key: string;
  payload: unknown;
  /** Not before this much later. 0 by default. */
  runAfterMs?: number;
  /** Attempts before it is dead. 5 by default. */
  maxAttempts?: number;
  /** True: also a finished one is returned instead of a new run, for as long as it is kept. */
  onceEver?: boolean;
  /** The transaction that the job belongs to: it is there when that commits. */
  within?: Kysely<Schema>;
}

export interface JobRun {
  readonly job: Job;
  /** Aborted when the lease was lost, the job was cancelled, or Periscope stops and will wait no longer. */
  readonly signal: AbortSignal;
  /** Grows with every claim; goes with every write outside the database that this run makes. */
  readonly fence: number;
  /** Appends an event `job.progress`; nothing once the lease is lost. */
  progress(data: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Ends the job and commits what `effect` writes with it, or neither: fails with `jobs/lease-lost` when the run is no longer the
   * job's. What `effect` returns is the job's result. Without it the handler's return value is, and the job ends when it returns.
   */
  complete(effect: (tx: Kysely<Schema>) => Promise<unknown>): Promise<void>;
}

export type JobHandler = (run: JobRun) => Promise<unknown>;

export interface WorkOptions {
  /** Handlers at once in this process. */
  concurrency: number;
  /** A worker that was not heard of for this long has lost its job. Renewed at a third of it. */
  leaseMs: number;
  /** How often other processes' jobs are looked for; those enqueued here start at once. */
  pollMs: number;
}

export interface JobQuery {
  kind?: string;
  key?: string;
  states?: readonly JobState[];
  /** Newest first. */
  limit: number;
}

export interface Jobs {
  /** `created` is false when the job was there already. Fails with `jobs/queue-full` (busy). */
  enqueue(request: JobRequest): Promise<{ job: Job; created: boolean }>;
  /** Runs jobs of a kind until closed. At most one call per kind. */
  work(kind: string, handler: JobHandler, options: WorkOptions): void;
  /** The job afterwards: cancelled, or as it ended before. A running handler's signal is aborted. Fails with `jobs/not-found`. */
  cancel(id: number): Promise<Job>;
  get(id: number): Promise<Job | null>;
  list(query: JobQuery): Promise<Job[]>;
  /** Takes no more jobs and waits for the running ones; those that had to be aborted are waiting again, without the attempt counted. */
  close(): Promise<void>;
}

export interface Event {
  readonly id: number;
  readonly atMs: number;
  readonly kind: string;
  readonly subject: string;
  readonly data: unknown;
}

export interface Events {
  /**
   * Within a transaction, append last: others' appends wait from here to its end, so that an event is never seen before one with a
   * smaller id.
   */
  append(
    event: { kind: string; subject: string; data: Readonly<Record<string, unknown>> },
    within?: Kysely<Schema>,
  ): Promise<void>;
  /** Events after `id` in their order. `missed`: older ones after `id` were there and are no longer kept. */
  since(id: number, limit: number): Promise<{ events: Event[]; missed: boolean }>;
  /** The newest id, for whoever wants only what comes; 0 when there was none yet. */
  latest(): Promise<number>;
  /** Removes the oldest beyond what is kept. Jobs call it now and then. */
  sweep(): Promise<void>;
}
