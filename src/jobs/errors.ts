import { PeriscopeError } from '../base/errors.ts';

export const queueFull = (kind: string, depthMax: number) =>
  new PeriscopeError(
    'busy',
    'jobs/queue-full',
    `${depthMax} jobs of the kind "${kind}" are waiting already.`,
    'Wait a moment and call the same again.',
    { data: { kind, depthMax } },
  );

export const leaseLost = (id: number) =>
  new PeriscopeError(
    'conflict',
    'jobs/lease-lost',
    `Job ${id} is no longer this worker's: its lease ran out, or it was cancelled.`,
    'Let it go; whoever holds the job now finishes it.',
    { data: { id } },
  );

/** Why a handler's signal was aborted; the job itself waits again. */
export const stopping = () =>
  new PeriscopeError(
    'unavailable',
    'jobs/stopping',
    'Periscope is stopping.',
    'Nothing has to be done: the job is taken up again.',
  );

export const jobNotFound = (id: number) =>
  new PeriscopeError(
    'not-found-or-no-access',
    'jobs/not-found',
    `There is no job ${id}.`,
    'List the jobs for those that are kept.',
    { data: { id } },
  );

export const alreadyWorked = (kind: string) =>
  new PeriscopeError(
    'conflict',
    'jobs/already-worked',
    `Jobs of the kind "${kind}" already have a handler in this process.`,
    'Register one handler per kind.',
    { data: { kind } },
  );
