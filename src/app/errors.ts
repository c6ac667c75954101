import { PeriscopeError } from '../base/errors.ts';

export function alreadyRuns(dataFolder: string): PeriscopeError {
  return new PeriscopeError(
    'conflict',
    'app/already-runs',
    `A Periscope already runs on the data folder ${dataFolder}; it goes on as it was.`,
    'Ask that one, stop it first, or use --data with another folder for this one.',
  );
}

export function notOneRepository(asked: string, fitting: readonly string[]): PeriscopeError {
  return new PeriscopeError(
    'not-found-or-no-access',
    'app/not-one-repository',
    fitting.length === 0
      ? `The hosts that are configured now have no repository "${asked}".`
      : `"${asked}" fits ${fitting.length} repositories: ${fitting.join(', ')}.`,
    'Name it as host/owner/name; codesearch_repos lists them.',
  );
}
