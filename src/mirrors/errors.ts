import { type ErrorKind, PeriscopeError } from '../base/errors.ts';

/** What git or the file system said, for the log alone: scrubbed of secrets, never shown to a caller. */
export function gitSaid(text: string): Error {
  return new Error(text.trim().slice(0, 4000) || 'git said nothing');
}

export function refNotFound(repository: string, revision: string, known: KnownBranches): PeriscopeError {
  const { defaultBranch, branches } = known;
  return new PeriscopeError(
    'ref-not-found',
    'mirrors/ref-not-found',
    `${repository} has no branch, tag or reachable commit "${revision}".`,
    defaultBranch === null
      ? `Call again with one of its branches: ${branches.join(', ')}.`
      : `Call again with revision "${defaultBranch}", its default branch.`,
    { data: { revision, defaultBranch, branches } },
  );
}

export interface KnownBranches {
  defaultBranch: string | null;
  /** Some that exist. */
  branches: readonly string[];
}

export function defaultBranchMissing(repository: string, head: string, known: KnownBranches): PeriscopeError {
  return new PeriscopeError(
    'ref-not-found',
    'mirrors/default-branch-missing',
    `The default branch of ${repository}, "${head}", does not exist.`,
    `Call again with a revision that does: ${known.branches.join(', ')}.`,
    { data: { defaultBranch: null, branches: known.branches } },
  );
}

export function revisionSyntax(
  repository: string,
  revision: string,
  defaultBranch: string | null,
): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'mirrors/revision-syntax',
    `"${revision.slice(0, 200)}" is not a branch, a tag or a commit id of ${repository}; expressions such as ~1, ^, : or .. are not taken.`,
    defaultBranch === null
      ? 'Call again with a branch, a tag, or 4 to 64 hex digits of a commit.'
      : `Call again with a branch, a tag or a commit id; "${defaultBranch}" is its default branch.`,
  );
}

export function ambiguousCommit(repository: string, revision: string): PeriscopeError {
  return new PeriscopeError(
    'ref-not-found',
    'mirrors/ambiguous-commit',
    `More than one commit of ${repository} begins with "${revision}".`,
    'Call again with more digits of the commit id.',
  );
}

export function emptyRepository({
  name,
  place,
}: {
  name: string;
  place: 'folder' | 'mirror';
}): PeriscopeError {
  return new PeriscopeError(
    'ref-not-found',
    'mirrors/empty-repository',
    place === 'folder'
      ? `${name} has no commit yet.`
      : `${name} has no commit yet: its remote told of no branch and no tag.`,
    place === 'folder'
      ? 'Choose another repository; this one can be read as soon as something is committed in it.'
      : 'Choose another repository; if this one should have commits, tell the operator that something else may answer at its address.',
  );
}

export function pathNotFound(
  repository: string,
  path: string,
  commit: string,
  nearest: string,
): PeriscopeError {
  return new PeriscopeError(
    'path-not-found',
    'mirrors/path-not-found',
    `${repository} has no "${path}" at ${commit.slice(0, 12)}.`,
    nearest === ''
      ? 'List the root directory and call again with a path from it.'
      : `List the directory "${nearest}", which exists, and call again with a path from it.`,
    { data: { path, nearestDirectory: nearest } },
  );
}

export function notADirectory(
  repository: string,
  path: string,
  kind: string,
  parent: string,
): PeriscopeError {
  return new PeriscopeError(
    'path-not-found',
    'mirrors/not-a-directory',
    `"${path}" in ${repository} is no directory but a ${kind}.`,
    kind === 'symlink' || kind === 'submodule'
      ? `It is not followed; list "${parent}" to see what lies beside it.`
      : 'Read it as a file.',
    { data: { path, kind } },
  );
}

export function pathSyntax(path: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'mirrors/path-syntax',
    `"${path.slice(0, 200)}" is not a path inside a repository.`,
    'Call again with a path from the repository root, without a leading "/", without ".." and NUL, and of at most 16 KiB.',
  );
}

export function objectIdSyntax(oid: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'mirrors/object-id',
    `"${oid.slice(0, 80)}" is not an object id.`,
    'Call again with 40 or 64 lower-case hex digits.',
  );
}

export function objectMissing(repository: string, oid: string, cause?: unknown): PeriscopeError {
  return new PeriscopeError(
    'ref-not-found',
    'mirrors/object-missing',
    `${repository} does not hold object ${oid.slice(0, 12)}.`,
    'Resolve the revision again; if that gives the same object, the clone is partial or shallow and the operator has to complete it.',
    { cause },
  );
}

/** What git said where it followed a commit or a tree to something that a partial, shallow or damaged clone does not hold. */
const missingObject =
  /(?:unable to (?:read|find|parse)|could not (?:read|fetch|parse)|cannot read|missing|bad)\b[^\n]{0,300}[0-9a-f]{40}|failed to traverse parents/i;

/** Null where git's complaint is another one. It is never asked again in vain: what is missing stays missing. */
export function objectsMissing(repository: string, doing: string, said: string): PeriscopeError | null {
  if (!missingObject.test(said)) return null;
  return new PeriscopeError(
    'ref-not-found',
    'mirrors/objects-missing',
    `${doing} needs objects that ${repository} does not hold: its clone is partial, shallow or damaged.`,
    'Ask for less, a path or commits without their content; the same call fails until the operator has completed the clone.',
    { cause: gitSaid(said) },
  );
}

export function tooLarge(what: string, sizeBytes: number, bytesMax: number): PeriscopeError {
  return new PeriscopeError(
    'too-large',
    'mirrors/too-large',
    `${what} is ${sizeBytes} bytes; at most ${bytesMax} are read at once.`,
    'Ask for a smaller part: a range of lines, a subdirectory, or a narrower path.',
    { data: { sizeBytes, bytesMax } },
  );
}

export function busy(what: string): PeriscopeError {
  return new PeriscopeError(
    'busy',
    'mirrors/busy',
    `${what} is busy.`,
    'Wait two seconds and call the same tool again.',
  );
}

export function isFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS';
}

export function diskFull(repository: string, cause: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'mirrors/disk-full',
    `There is no room on the server's disk for ${repository}.`,
    'The operator has to make room or lower the bound for mirrors; the log has what the system said.',
    { cause },
  );
}

export function copiedElsewhere(repository: string): PeriscopeError {
  return new PeriscopeError(
    'busy',
    'mirrors/copied-elsewhere',
    `Another process of Periscope is still making the first copy of ${repository}.`,
    'Wait a minute and call the same tool again.',
  );
}

export function leaseLost(repository: string, cause?: unknown): PeriscopeError {
  return new PeriscopeError(
    'busy',
    'mirrors/lease-lost',
    `Another process of Periscope has taken over fetching ${repository}.`,
    'Wait two seconds and call the same tool again.',
    { cause },
  );
}

export function timedOut(what: string, timeoutMs: number, cause?: unknown): PeriscopeError {
  return new PeriscopeError(
    'timeout',
    'mirrors/timeout',
    `${what} took longer than ${timeoutMs} ms.`,
    'Call again; if it happens twice, ask for less or tell the operator.',
    { cause },
  );
}

export function closed(): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'mirrors/closed',
    'Periscope is shutting down.',
    'Call again when it has started.',
  );
}

export function gitMissing(cause: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'mirrors/git-missing',
    'The git program cannot be started on the server.',
    'The operator has to install git 2.37 or later and put it on PATH.',
    { cause },
  );
}

export function blockedFolder(repository: string, why: string): PeriscopeError {
  return new PeriscopeError(
    'blocked-by-policy',
    'mirrors/folder-leaves-root',
    `${repository} is not read: ${why}.`,
    'The operator has to bring the whole repository under its configured folder, or configure a folder above both.',
  );
}

export function folderGone(repository: string, cause: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'mirrors/folder-gone',
    `The folder of ${repository} is no longer there.`,
    'Choose another repository; if this one was moved, it can be read under its new name after the next discovery.',
    { cause },
  );
}

export function notARepository(repository: string, cause: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'mirrors/not-a-repository',
    `${repository} cannot be read as a git repository.`,
    'The operator has to look at its folder; the log has what git said.',
    { cause },
  );
}

export function addressRefused(why: string): PeriscopeError {
  return new PeriscopeError(
    'blocked-by-policy',
    'mirrors/address-refused',
    `The remote's address is refused: ${why}.`,
    'The operator has to correct the address in the config.',
  );
}

export function damaged(said: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'mirrors/damaged',
    'The repository holds an object that git cannot read.',
    'Read something else of it; the operator has to check the repository with `git fsck`.',
    { cause: gitSaid(said) },
  );
}

export function hostUnknown(hostname: string, cause: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'mirrors/host-unknown',
    `The address of ${hostname} cannot be found.`,
    'Call again in a minute; if it lasts, the operator has to check the host name and the name service.',
    { cause },
  );
}

export function secretUnreadable(cause: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'mirrors/secret-unreadable',
    "The server's credential for this host cannot be read.",
    'The operator has to check the secret reference in the config.',
    { cause },
  );
}

export function refsVanished(repository: string, known: number, kept: number): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'mirrors/refs-vanished',
    `The remote of ${repository} now tells of ${kept} of its ${known} branches and tags; all are kept as they were.`,
    kept === 0
      ? 'The operator has to check what answers at its address; if the repository was really emptied, remove its mirror.'
      : 'If it is so, it is believed when the remote says the same half a minute later; the operator may check its address.',
  );
}

export function historyQueryFault(message: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'mirrors/history-query',
    message,
    'Call again without it, or with what is missing.',
  );
}

export function linesSyntax(start: number, end: number): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'mirrors/lines-syntax',
    `${start} to ${end} are no lines of a file.`,
    'Call again with whole numbers from 1 on, the first not after the last.',
  );
}

export function blameOfNoFile(): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'mirrors/blame-of-no-file',
    'Only the lines of a file have somebody who changed them.',
    'Call again with the path of a file.',
  );
}

/** Where git answered that a file has fewer lines than were asked for. */
export function linesBeyondEnd(error: unknown, path: string): PeriscopeError | null {
  const said = error instanceof PeriscopeError && error.cause instanceof Error ? error.cause.message : '';
  const lines = /has only (\d+) lines?/.exec(said)?.[1];
  if (lines === undefined) return null;
  return new PeriscopeError(
    'invalid-request',
    'mirrors/lines-beyond-end',
    `"${path}" has only ${lines} ${lines === '1' ? 'line' : 'lines'}.`,
    lines === '0' ? 'Read another file; this one is empty.' : `Call again with lines between 1 and ${lines}.`,
    { data: { lineCount: Number(lines) } },
  );
}

/** One row of what git and the forges say, made an error. */
export function gitFailure(
  kind: ErrorKind,
  code: string,
  message: string,
  next: string,
  said: string,
): PeriscopeError {
  return new PeriscopeError(kind, code, message, next, { cause: gitSaid(said) });
}
