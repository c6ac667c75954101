import { PeriscopeError } from '../base/errors.ts';
import { symbolKinds } from '../search/index.ts';
import { callSaid } from './call-said.ts';
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

export function cursorOutdated(tool: string): PeriscopeError {
  return new PeriscopeError(
    'conflict',
    'operations/cursor-outdated',
    'What that answer was made from has changed: a repository was indexed anew, or you may read others now.',
    `Call ${tool} again with the same parameters and without cursor.`,
  );
}

export function graphStartMissing(): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/graph-start-missing',
    'graph needs something to start from: a name, a place, or a repository.',
    'Call again with name, for example {"name": "Session.refresh", "relation": "callers"}, or with repo, path and line.',
  );
}

export function graphNotHere(): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'operations/graph-not-here',
    "This server's search engine has no graph of symbols.",
    'Search for the name as text with codesearch.',
  );
}

export function questionMissing(): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/question-missing',
    'search needs question: what to find, in words.',
    'Call again with question, for example {"question": "where are expired sessions refreshed"}.',
  );
}

export function meaningNotHere(): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'operations/meaning-not-here',
    "This server's search engine does not search by meaning.",
    'Search for words that the code must have, with codesearch.',
  );
}

export function scipCommitInvalid(written: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/scip-commit-invalid',
    `"${shortened(written, SHOWN_MAX)}" is no id of a commit.`,
    'Give the whole id of the commit that was indexed: what "git rev-parse HEAD" prints.',
  );
}

export function scipCommitUnknown(repository: string, commit: string): PeriscopeError {
  return new PeriscopeError(
    'ref-not-found',
    'operations/scip-commit-unknown',
    `${repository} has no commit ${commit}, as far as is known here.`,
    'Upload after the commit was pushed; if it was, wait some seconds and upload again.',
  );
}

export function graphOfDirectory(repository: string, path: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/graph-of-directory',
    path === ''
      ? `${repository} is a repository: it has no outline of its own.`
      : `"${shortened(path, SHOWN_MAX)}" in ${repository} is a directory.`,
    `Call list_directory with ${callSaid({ repo: repository, ...(path === '' ? {} : { path }), outline: true })} for the symbols of its files, or name one file as path.`,
  );
}

export function graphOfSeveral(names: readonly string[]): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/graph-of-several',
    `A question without a name starts from one repository, and repo fits ${names.length}${names.length > 0 ? `: ${names.slice(0, 10).join(', ')}` : ''}.`,
    names.length > 0
      ? `Call again with one of these as repo, for example "${names[0]}", or with a name.`
      : 'List what you can read with codesearch_repos.',
  );
}

export function unknownKind(written: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/unknown-kind',
    `There is no kind of symbol "${shortened(written, SHOWN_MAX)}".`,
    `Call again with kinds of these: ${symbolKinds.join(', ')}.`,
  );
}

export function unknownLanguage(written: string, near: readonly string[]): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/unknown-language',
    `There is no language "${shortened(written, SHOWN_MAX)}".`,
    near.length > 0 ? `Call again with lang "${near[0]}".` : 'Call again without lang.',
  );
}

export function symbolNotFound(
  place: string,
  symbol: string,
  near: readonly { name: string; line: number }[],
): PeriscopeError {
  const named = near.map(({ name, line }) => `${name} (line ${line})`).join(', ');
  return new PeriscopeError(
    'path-not-found',
    'operations/symbol-not-found',
    `${place} defines no "${shortened(symbol, SHOWN_MAX)}".${near.length > 0 ? ` It defines ${named}.` : ''}`,
    near.length > 0
      ? `Call read_file again with symbol "${near[0]!.name}", or ask graph with name for where it is defined.`
      : 'Ask graph with name for where it is defined.',
  );
}

/** Of a definition that is looked for in a directory: which files have one, or what is near. */
export function symbolNotInOneFile(
  place: string,
  symbol: string,
  { repo, paths, near }: { repo: string; paths: readonly string[]; near: readonly string[] },
): PeriscopeError {
  const named = shortened(symbol, SHOWN_MAX);
  const [path] = paths;
  const [first] = near;
  return new PeriscopeError(
    path === undefined ? 'path-not-found' : 'invalid-request',
    path === undefined ? 'operations/symbol-not-found' : 'operations/symbol-ambiguous',
    path === undefined
      ? `No file below ${place} is known to define "${named}".${near.length > 0 ? ` Names like it: ${near.join(', ')}.` : ''}`
      : `"${named}" is defined in several files below ${place}: ${paths.slice(0, 20).join(', ')}.`,
    path === undefined && first === undefined
      ? `Ask graph where it is defined, with ${callSaid({ name: named, relation: 'definitions' })}.`
      : `Call read_file again with ${callSaid({ repo, ...(path === undefined ? {} : { path }), symbol: path === undefined ? first : named })}.`,
  );
}

export function symbolAmbiguous(
  place: string,
  symbol: string,
  candidates: readonly { name: string; kind: string; startLine: number; endLine: number }[],
): PeriscopeError {
  const shown = candidates
    .slice(0, 20)
    .map(({ name, kind, startLine, endLine }) => `${kind} ${name} (lines ${startLine}-${endLine})`);
  const [first] = candidates;
  const isTold = first !== undefined && candidates.filter(({ name }) => name === first.name).length === 1;
  return new PeriscopeError(
    'invalid-request',
    'operations/symbol-ambiguous',
    `${place} defines "${shortened(symbol, SHOWN_MAX)}" ${candidates.length} times: ${shown.join(', ')}.`,
    isTold
      ? `Call read_file again with one of these as symbol, for example "${first.name}".`
      : `Call read_file again with offset and limit instead, for example {"offset": ${first?.startLine ?? 1}, "limit": ${first ? first.endLine - first.startLine + 1 : 1}}.`,
  );
}

export function symbolsUnread(
  place: string,
  symbol: string,
  { why, line }: { why: string; line: number | null },
): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'operations/symbols-unread',
    `What ${place} defines is not known: ${why}.`,
    line === null
      ? 'Call read_file without symbol.'
      : `Call read_file without symbol and with offset ${line}, where "${shortened(symbol, SHOWN_MAX)}" stands first.`,
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
