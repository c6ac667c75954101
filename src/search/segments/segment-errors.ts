import { PeriscopeError } from '../../base/errors.ts';

/** Bytes that are not what was written: a damaged disk, a cut copy, a foreign file. */
export function segmentBroken(file: string, what: string, cause?: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'search/segment-broken',
    `A part of the search index is damaged: ${what}.`,
    'Nothing needs a hand: the part is left out of answers and built anew by the next indexing run.',
    { data: { file }, ...(cause === undefined ? {} : { cause }) },
  );
}

/** Whole, but in a format that this program does not read. */
export function segmentVersion(file: string, found: number, known: number): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'search/segment-version',
    `A part of the search index has format ${found}, and this Periscope reads format ${known}.`,
    found > known ? 'Run the newer Periscope that wrote it, or index anew.' : 'Index anew.',
    { data: { file, found, known } },
  );
}

/** Whole, but with grams that are numbered by another table than ours. */
export function otherGrams(file: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'search/segment-version',
    'A part of the search index was written by a Periscope with another table of frequent trigrams.',
    'Index anew.',
    { data: { file } },
  );
}
