import { PeriscopeError } from '../base/errors.ts';

export const buildFailed = (cause: unknown) =>
  new PeriscopeError(
    'internal',
    'indexing/build-failed',
    'A part of the index could not be built.',
    'Nothing needs to be done: it is tried again. If it goes on, give the operator the time: the log has the cause.',
    { cause },
  );

/** Another process writes this index. */
export const indexBusy = () =>
  new PeriscopeError(
    'busy',
    'indexing/busy',
    'Another process writes this index: a running server indexes by itself.',
    'Let it go on, or stop it first and call again.',
  );

/** Another process took over while this one was held up. */
export const leaseLost = () =>
  new PeriscopeError(
    'conflict',
    'indexing/lease-lost',
    'Another process has taken over writing the index.',
    'Nothing needs to be done: the other process brings the index up to date.',
  );

export const revisionNotThere = (commit: string) =>
  new PeriscopeError(
    'busy',
    'indexing/revision-pending',
    `Revision ${commit.slice(0, 12)} is not searchable yet: it is being indexed.`,
    'Wait a moment and call the same tool again.',
    { data: { commit } },
  );
