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
