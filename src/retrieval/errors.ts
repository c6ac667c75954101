import { PeriscopeError } from '../base/errors.ts';

export function weightsUnreadable(file: string, what: string, cause?: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'retrieval/weights-unreadable',
    `The weights of the scorer in ${file} cannot be used: ${what}.`,
    'Write them anew with `periscope eval fit`, or take retrieval.weightsFile out of the configuration.',
    cause === undefined ? {} : { cause },
  );
}

/** The endpoint cannot be reached, or fails by itself. */
export function crossEncoderUnavailable(why: string, cause?: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'retrieval/cross-encoder-unavailable',
    `The endpoint that reranks does not answer: ${why}.`,
    'Call again later; if it goes on, look whether the endpoint runs.',
    cause === undefined ? {} : { cause },
  );
}

export function crossEncoderTimeout(timeoutMs: number): PeriscopeError {
  return new PeriscopeError(
    'timeout',
    'retrieval/cross-encoder-timeout',
    `The endpoint that reranks did not answer within ${timeoutMs} ms.`,
    'Call again later, or give the endpoint more time in the configuration.',
  );
}

/** A model on this machine; the question is answered without it. */
export function crossEncoderSlow(timeoutMs: number): PeriscopeError {
  return new PeriscopeError(
    'timeout',
    'retrieval/cross-encoder-slow',
    `The model that reranks did not read the chunks of this question within ${timeoutMs} ms.`,
    'Call again later, or give it fewer chunks or more time: retrieval.crossEncoder.chunks and timeout in the configuration.',
  );
}

/** The endpoint understood and said no. */
export function crossEncoderRefused(status: number): PeriscopeError {
  const next =
    status === 401 || status === 403
      ? 'Check the token of the reranking endpoint in the configuration.'
      : 'Check the address, the dialect and the model of the reranking endpoint in the configuration.';
  return new PeriscopeError(
    'unavailable',
    'retrieval/cross-encoder-refused',
    `The endpoint that reranks refused the request with status ${status}.`,
    next,
    { data: { status } },
  );
}

/** Its scores are no numbers. */
export function crossEncoderSenseless(): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'retrieval/cross-encoder-senseless',
    'The model that reranks gives scores that are no numbers.',
    'Put a cross-encoder into the folder of retrieval.crossEncoder, as it was published.',
  );
}

/** What came is no answer of a reranking endpoint. */
export function crossEncoderRubbish(what: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'retrieval/cross-encoder-rubbish',
    `The endpoint that reranks answered with something that is no list of scores: ${what}.`,
    'Check that the address is that of a reranking endpoint of the configured dialect.',
  );
}

/** The question is answered without it. */
export function encoderTimeout(timeoutMs: number): PeriscopeError {
  return new PeriscopeError(
    'timeout',
    'retrieval/encoder-timeout',
    `The encoder did not answer within ${timeoutMs} ms.`,
    'Call again later; if it goes on, look whether the machine has enough processor time.',
  );
}

export function pairUnreadable(file: string, line: number, what: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'retrieval/pair-unreadable',
    `Line ${line} of ${file} is no labelled pair: ${what}.`,
    'Give each line as `periscope traces export` writes it, or as docs/traces.md shows it: the question, and the places that were wanted or used.',
  );
}

export function rankingUnknown(word: string, stages: readonly string[]): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'retrieval/ranking-unknown',
    `"${word}" is no way of ranking.`,
    `Write configured, keywords, or a list of ${stages.join(', ')} with =on or =off, fusionK=N and weights=FILE, such as encoder=off,fusionK=60.`,
  );
}
