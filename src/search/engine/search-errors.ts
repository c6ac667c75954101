import { PeriscopeError } from '../../base/errors.ts';

export function generationGone(): PeriscopeError {
  return new PeriscopeError(
    'conflict',
    'search/generation-gone',
    'The index has changed since that answer, and what it was made from is no longer kept.',
    'Search again from the start, without the cursor.',
  );
}

export function tooManySearches(): PeriscopeError {
  return new PeriscopeError(
    'busy',
    'search/too-many-searches',
    'Too many searches are waiting.',
    'Wait a few seconds and call the same tool again.',
  );
}

export function searchStuck(): PeriscopeError {
  return new PeriscopeError(
    'timeout',
    'search/stuck',
    'The search did not end within its time.',
    'Search for something narrower: a longer text, or one repository.',
  );
}

export function tooMuchToPrepare(): PeriscopeError {
  return new PeriscopeError(
    'timeout',
    'search/too-much-to-prepare',
    'The time of the search was over before all of its words and filters were ready.',
    'Search for fewer words and filters at once.',
  );
}
