/**
 * Jobs: work that must be done once, survive a crash and be spread over processes; and the table of events that tells of it.
 *
 * A job is named by kind and key, and while one lives no second is made. A worker claims it with a lease and a fence that grows with
 * each claim; whoever lost the lease can no longer end the job, and what an ending writes commits with it or not at all. So an effect in
 * the database happens exactly once; an effect outside it happens at least once and carries the fence.
 *
 * It knows no work: handlers come from whoever owns a kind. Start at types.ts, then create-jobs.ts, worker.ts (the loop) and run.ts
 * (one attempt); all SQL is in job-table.ts.
 */
export { createJobs, type JobsDeps } from './create-jobs.ts';
export { createEvents, type EventsOptions } from './events.ts';
export type {
  Event,
  Events,
  Job,
  JobHandler,
  JobQuery,
  JobRequest,
  JobRun,
  JobState,
  Jobs,
  JobsOptions,
  WorkOptions,
} from './types.ts';
