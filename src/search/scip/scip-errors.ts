import { PeriscopeError } from '../../base/errors.ts';

/** Bytes that are not what was written: a damaged disk, a cut copy, a foreign file, another format. */
export function scipBroken(file: string, what: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'search/scip-broken',
    `What an uploaded SCIP index said of a commit is damaged: ${what}.`,
    'Nothing needs a hand: it is dropped, and uses are resolved without it until it is uploaded again.',
    { data: { file } },
  );
}
