/** The closed list of what can go wrong, as every surface tells it. `retry` says whether the very same call may succeed later. */
export const errorKinds = {
  'invalid-request': { http: 400, retry: false },
  unauthenticated: { http: 401, retry: false },
  'not-found-or-no-access': { http: 404, retry: false },
  'ref-not-found': { http: 404, retry: false },
  'path-not-found': { http: 404, retry: false },
  busy: { http: 503, retry: true },
  'rate-limited': { http: 429, retry: true },
  'too-large': { http: 413, retry: false },
  timeout: { http: 504, retry: true },
  cancelled: { http: 499, retry: true },
  unavailable: { http: 502, retry: true },
  conflict: { http: 409, retry: false },
  'blocked-by-policy': { http: 403, retry: false },
  internal: { http: 500, retry: false },
} as const satisfies Record<string, { http: number; retry: boolean }>;

export type ErrorKind = keyof typeof errorKinds;

export interface PeriscopeErrorOptions {
  cause?: unknown;
  /** Facts for machines. Never holds a credential, a hidden repository's name or a file's content. */
  data?: Record<string, unknown>;
}

/** An error that a caller can act on: what failed and the one next action. Made at the edge that met the foreign failure. */
export class PeriscopeError extends Error {
  override readonly name = 'PeriscopeError';
  readonly kind: ErrorKind;
  /** `module/what`, stable: `mirrors/ref-not-found`. Listed in the generated reference. */
  readonly code: string;
  /** The one thing to do now, as a sentence. */
  readonly next: string;
  readonly data: Record<string, unknown>;

  constructor(
    kind: ErrorKind,
    code: string,
    message: string,
    next: string,
    options: PeriscopeErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.code = code;
    this.next = next;
    this.data = options.data ?? {};
  }
}

/** Any thrown value as one of ours. What nobody foresaw becomes `internal`, its text kept out of the answer. */
export function asPeriscopeError(error: unknown): PeriscopeError {
  if (error instanceof PeriscopeError) return error;
  if (error instanceof Error && error.name === 'AbortError') return cancelled(error);
  return new PeriscopeError(
    'internal',
    'base/internal',
    'Periscope met a fault of its own.',
    'Call again; if it happens twice, give the operator the time of this call: the log has the cause.',
    { cause: error },
  );
}

export function cancelled(cause?: unknown): PeriscopeError {
  return new PeriscopeError(
    'cancelled',
    'base/cancelled',
    'The call was cancelled.',
    'Call again when the answer is wanted.',
    {
      cause,
    },
  );
}

export function invalidRequest(
  code: string,
  message: string,
  next: string,
  data?: Record<string, unknown>,
): PeriscopeError {
  return new PeriscopeError('invalid-request', code, message, next, data ? { data } : {});
}
