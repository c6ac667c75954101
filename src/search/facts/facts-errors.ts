import { PeriscopeError } from '../../base/errors.ts';

/** Bytes that are not what was written: a damaged disk, a cut copy, a foreign file. */
export function factsBroken(file: string, what: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'search/facts-broken',
    `The symbols of a part of the index are damaged: ${what}.`,
    'Nothing needs a hand: that part is left out of answers and built anew by the next indexing run.',
    { data: { file } },
  );
}

/** Whole, but in a format that this program does not read. */
export function factsFormat(file: string, found: number, known: number): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'search/facts-format',
    `The symbols of a part of the index have format ${found}, and this Periscope reads format ${known}.`,
    found > known ? 'Run the newer Periscope that wrote them, or index anew.' : 'Index anew.',
    { data: { file, found, known } },
  );
}

/** Facts of different extractors do not go into one file. */
export function factsVersionsDiffer(file: string, found: string, wanted: string): PeriscopeError {
  return new PeriscopeError(
    'conflict',
    'search/facts-versions-differ',
    `Symbols extracted by version ${found} cannot be merged with those of version ${wanted}.`,
    'Extract the older ones anew, then merge.',
    { data: { file, found, wanted } },
  );
}
