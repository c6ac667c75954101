import { PeriscopeError } from '../base/errors.ts';
import type { HostProblem } from './types.ts';

/**
 * A host that gave no list. Callers see its text, which therefore holds no path of the server; `problems` are for the operator, who
 * is told the places.
 */
export class HostUnavailable extends PeriscopeError {
  readonly problems: readonly HostProblem[];

  constructor(error: PeriscopeError, problems: readonly HostProblem[]) {
    super(error.kind, error.code, error.message, error.next, { cause: error.cause });
    this.problems = problems;
  }
}

export const foldersUnreadable = (
  host: string,
  problems: readonly HostProblem[],
  cause: unknown,
): HostUnavailable =>
  new HostUnavailable(
    new PeriscopeError(
      'unavailable',
      'hosts/folders-unreadable',
      `None of the folders of host "${host}" can be read.`,
      'Mount the folders or let the server read them; until then the repositories of the last good list are served.',
      { cause },
    ),
    problems,
  );

export const stillLooking = (host: string): PeriscopeError =>
  new PeriscopeError(
    'unavailable',
    'hosts/still-looking',
    `The folders of host "${host}" have not answered an earlier look yet.`,
    'Look at the mounts below them; until they answer, the repositories of the last good list are served.',
  );
