import { PeriscopeError } from '../../base/errors.ts';

/** Bytes that are not what was written: a damaged disk, a cut copy, a foreign file. */
export function chunksBroken(file: string, what: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'search/chunks-broken',
    `The words of a part of the index are damaged: ${what}.`,
    'Nothing needs a hand: that part is left out of answers and built anew by the next indexing run.',
    { data: { file } },
  );
}

/** Whole, but in a format that this program does not read. */
export function chunksFormat(file: string, found: number, known: number): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'search/chunks-format',
    `The words of a part of the index have format ${found}, and this Periscope reads format ${known}.`,
    found > known ? 'Run the newer Periscope that wrote them, or index anew.' : 'Index anew.',
    { data: { file, found, known } },
  );
}

/** Chunks that were cut by different rules do not go into one file. */
export function chunksVersionsDiffer(file: string, found: string, wanted: string): PeriscopeError {
  return new PeriscopeError(
    'conflict',
    'search/chunks-versions-differ',
    `Chunks cut by version ${found} cannot be merged with those of version ${wanted}.`,
    'Cut the older ones anew, then merge.',
    { data: { file, found, wanted } },
  );
}
