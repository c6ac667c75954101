import { PeriscopeError } from '../base/errors.ts';
import { shortened } from './shortened.ts';

/** Of what a caller wrote, in a message. */
const SHOWN_MAX = 200;

/**
 * The one answer for a repository that is hidden and for one that never was: it depends on the asked name and on what the caller
 * may see, on nothing else.
 */
export function repositoryNotFound(asked: string, near: readonly string[]): PeriscopeError {
  const hint = near.length > 0 ? ` Names like it that you can read: ${near.join(', ')}.` : '';
  return new PeriscopeError(
    'not-found-or-no-access',
    'operations/repository-not-found',
    `There is no repository "${shortened(asked, SHOWN_MAX)}" that you can read. It may exist without read access for you.${hint}`,
    near.length > 0
      ? `Call again with repo "${near[0]}", or list what you can read with codesearch_repos.`
      : 'List what you can read with codesearch_repos.',
  );
}

export function repositoryAmbiguous(asked: string, names: readonly string[]): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/repository-ambiguous',
    `"${shortened(asked, SHOWN_MAX)}" fits ${names.length} repositories: ${names.slice(0, 10).join(', ')}.`,
    `Call again with one of these as repo, for example "${names[0]}".`,
  );
}

export function repositoryMissing(tool: string, examples: readonly string[]): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/repository-missing',
    `${tool} looks into one repository at a time, and the call names none.`,
    examples.length > 0
      ? `Call codesearch_repos to see which there are, then call again with repo, written like "${examples[0]}".`
      : 'Call codesearch_repos to see which repositories you can read.',
  );
}

export function unknownTool(name: string, tools: readonly string[]): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/unknown-tool',
    `There is no tool "${shortened(name, SHOWN_MAX)}".`,
    `Call one of: ${tools.join(', ')}.`,
  );
}

export function invalidInput(tool: string, faults: readonly string[], example: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/invalid-input',
    `${tool} could not read its parameters: ${faults.join('; ')}.`,
    `Call ${tool} again with these mended, for example ${example}.`,
  );
}

export function pathNotFound(
  place: string,
  path: string,
  { near, parent, uncommitted }: { near: readonly string[]; parent: string; uncommitted: number },
): PeriscopeError {
  const unseen =
    uncommitted > 0 ? ` ${uncommitted} changed files are not seen: it may not be committed yet.` : '';
  const hint = (near.length > 0 ? ` Near it: ${near.join(', ')}.` : '') + unseen;
  return new PeriscopeError(
    'path-not-found',
    'operations/path-not-found',
    `${place} has no "${shortened(path, SHOWN_MAX)}".${hint}`,
    near.length > 0
      ? `Call again with path "${near[0]}", or list_directory with path "${parent}".`
      : `Call list_directory with path "${parent}" to see what is there.`,
  );
}

export function pathEscapes(path: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/path-escapes',
    `"${shortened(path, SHOWN_MAX)}" leads out of the repository.`,
    'Call again with a path from the root of the repository, without "..".',
  );
}

export function badCursor(): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/bad-cursor',
    'That cursor is not one of ours, belongs to another tool, or is cut.',
    'Call the tool again without cursor, with its own parameters.',
  );
}

export function localOnly(tool: string): PeriscopeError {
  return new PeriscopeError(
    'blocked-by-policy',
    'operations/local-only',
    `${tool} gives whole files, and this token is for an agent on an external model.`,
    'Call read_file with offset and limit instead.',
  );
}

export function repeatedCall(tool: string, times: number): PeriscopeError {
  return new PeriscopeError(
    'blocked-by-policy',
    'operations/repeated-call',
    `This is call ${times} of ${tool} with the very same parameters, and nothing has changed since.`,
    'Use the answer that you have, change a parameter, or call another tool.',
  );
}

export function callTimedOut(tool: string, timeoutMs: number): PeriscopeError {
  return new PeriscopeError(
    'timeout',
    'operations/timeout',
    `${tool} did not finish within ${Math.round(timeoutMs / 1000)} s.`,
    'Call it again with a smaller scope: a deeper path, a narrower file filter, or fewer lines.',
  );
}

export function tooManyCalls(callsMax: number): PeriscopeError {
  return new PeriscopeError(
    'busy',
    'operations/too-many-calls',
    `${callsMax} calls of yours are under way.`,
    'Wait for one of them to end, then call the same tool again.',
  );
}

export function notReadyYet(timeoutMs: number): PeriscopeError {
  return new PeriscopeError(
    'busy',
    'operations/not-ready-yet',
    `The repository was not there within ${Math.round(timeoutMs / 1000)} s: it is being copied for the first time, or its server is slow.`,
    'Wait a minute, then call the same tool again: the copy goes on meanwhile.',
  );
}

export function queryMissing(): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/query-missing',
    'codesearch needs query: what to find.',
    'Call again with query, for example {"query": "retryLimit"}.',
  );
}

export function nothingPositive(query: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/nothing-positive',
    `All of "${shortened(query, SHOWN_MAX)}" is left out, and nothing is left to find.`,
    `Add what to find, or a filter such as file:*.go to list the files without it. For the text itself write it in quotes: ${JSON.stringify(shortened(query.trim(), 40))}.`,
  );
}

export function cursorOutdated(): PeriscopeError {
  return new PeriscopeError(
    'conflict',
    'operations/cursor-outdated',
    'What that answer was made from has changed: a repository was indexed anew, or you may read others now.',
    'Call codesearch again with the same parameters and without cursor.',
  );
}

export function tooManyRevisions(count: number, most: number): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/too-many-revisions',
    `A revision was asked for in ${count} repositories; ${most} at a time can be looked into.`,
    'Name the repositories with repo, or leave revision out to search what is indexed.',
  );
}

export function revisionNowhere(revision: string): PeriscopeError {
  return new PeriscopeError(
    'ref-not-found',
    'operations/revision-nowhere',
    `None of the repositories has a branch, tag or commit "${shortened(revision, SHOWN_MAX)}".`,
    'Leave revision out to search the indexed branches.',
  );
}

export function revisionNotIndexable(revision: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/revision-not-indexable',
    `"${shortened(revision, SHOWN_MAX)}" is not among the indexed branches, and this server's search engine takes no others.`,
    'Leave revision out, or call scan_directory with repo and revision.',
  );
}
