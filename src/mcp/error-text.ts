import type { PeriscopeError } from '../base/errors.ts';

/** An error as a model reads it: what failed, and the one thing to do now. */
export function errorText(error: PeriscopeError): string {
  return `${error.message} (${error.kind})\nNext: ${error.next}`;
}
