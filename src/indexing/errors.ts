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

/** The index knows nothing of the commit, so that nothing of it could be resolved. */
export const scipCommitNotIndexed = (commit: string) =>
  new PeriscopeError(
    'busy',
    'indexing/scip-commit-not-indexed',
    `Commit ${commit.slice(0, 12)} is not indexed yet, or not any more.`,
    'Wait some seconds after the push, or have it indexed, then upload again. A commit that no branch has any more need not be uploaded.',
    { data: { commit } },
  );

export const scipUploadsBusy = () =>
  new PeriscopeError(
    'busy',
    'indexing/scip-uploads-busy',
    'As many SCIP indexes are being taken in as may be at once.',
    'Wait some seconds and upload again.',
  );

export const scipUploadTooLarge = (bytesMax: number) =>
  new PeriscopeError(
    'too-large',
    'indexing/scip-upload-too-large',
    `The upload has over ${bytesMax >> 20} MB.`,
    'Leave generated and vendored files out when indexing, and upload the smaller index.',
  );

/** The thread that took it in has ended: nearly always for want of memory. */
export const scipNotBuilt = (cause: unknown) =>
  new PeriscopeError(
    'too-large',
    'indexing/scip-not-built',
    'The SCIP index could not be taken in: it needs more memory than there is for it.',
    'Leave generated and vendored files out when indexing, and upload the smaller index.',
    { cause },
  );

export const scipRootInvalid = (root: string) =>
  new PeriscopeError(
    'invalid-request',
    'indexing/scip-root-invalid',
    `"${root.slice(0, 100)}" is no folder of a repository.`,
    'Give the folder that the index was made in, for example packages/server, or leave it out for the whole repository.',
  );

/** What is known of the vectors does not fit what is on the disk: they are opened anew. */
export const vectorsLost = (why: string | null) =>
  new PeriscopeError(
    'internal',
    'indexing/vectors-lost',
    `The vectors have to be opened anew${why === null ? '' : `: ${why}`}`,
    'Nothing needs to be done: what is missing is embedded again.',
  );

/** The thread that embeds and keeps vectors has ended. */
export const embeddingEnded = (cause: unknown) =>
  new PeriscopeError(
    'internal',
    'indexing/embedding-ended',
    'Embedding stopped while it was at work.',
    'Nothing needs to be done: it is tried again. If it goes on, give the operator the time: the log has the cause.',
    { cause },
  );
