import { PeriscopeError } from '../base/errors.ts';

export const pageNotLoaded = (path: string, line: number): PeriscopeError =>
  new PeriscopeError(
    'invalid-request',
    'content/page-not-loaded',
    `Line ${line} of "${path}" is not among the pages that were loaded of this large file.`,
    `Open the file again with ${line} as its first line.`,
    { data: { line } },
  );

export const entryWithoutCommit = (path: string): PeriscopeError =>
  new PeriscopeError(
    'internal',
    'content/entry-without-commit',
    `"${path}" was not listed by this server, so what may be shown of it is not known.`,
    'Report this to the operator: the caller of openEntry has to name the commit.',
  );

export const ignoreFileUnreadable = (path: string, why: string): PeriscopeError =>
  new PeriscopeError(
    'blocked-by-policy',
    'content/ignore-file-unreadable',
    `Nothing of this repository is shown: its opt-out file "${path}" cannot be read, because ${why}.`,
    `Have a maintainer commit "${path}" on the default branch as a plain UTF-8 file of gitignore patterns, or delete it.`,
    { data: { path } },
  );
