import { errorKinds, type PeriscopeError } from '../base/errors.ts';
import type { ErrorJson } from '../contract/index.ts';

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Seconds to wait where the error itself does not say. */
const retryAfterSeconds: Partial<Record<PeriscopeError['kind'], number>> = { busy: 1, 'rate-limited': 10 };

/** One error on the wire. The status is the kind's; codes whose meaning HTTP has a word of its own for are listed. */
export function errorAnswer(error: PeriscopeError): ErrorAnswer {
  const { http, retry } = errorKinds[error.kind];
  const json: ErrorJson = {
    error: {
      kind: error.kind,
      code: error.code,
      message: error.message,
      next: error.next,
      retry,
      data: error.data,
    },
  };
  const wait = retryAfterSeconds[error.kind];
  const told = error.data['retryAfterMs'];
  const seconds = typeof told === 'number' ? Math.ceil(told / 1000) : wait;
  return {
    status: statusOfCode[error.code] ?? http,
    headers: wait === undefined ? {} : { 'retry-after': String(seconds) },
    body: JSON.stringify(json),
  };
}

const statusOfCode: Readonly<Record<string, number>> = {
  'http/no-such-route': 404,
  'http/media-type': 415,
};
