import { asPeriscopeError, PeriscopeError } from '../base/errors.ts';
import { inShellWords } from './shell-wording.ts';
import { styled } from './style.ts';

/** As grep has them: scripts can tell "nothing there" from "could not look". */
export const exitCodes = { found: 0, nothingFound: 1, failed: 2 } as const;

/** Says what failed and what to do, on standard error. */
export function reportFailure(fault: unknown, json: boolean): void {
  const error = asPeriscopeError(fault);
  process.exitCode = exitCodes.failed;
  if (json) {
    const { kind, code, message, next, data } = error;
    process.stderr.write(`${JSON.stringify({ error: { kind, code, message, next, data } })}\n`);
    return;
  }
  process.stderr.write(`${styled('red', 'periscope:')} ${error.message}\n${inShellWords(error.next)}\n`);
  if (error.kind === 'internal' && error.cause instanceof Error && !(error.cause instanceof PeriscopeError)) {
    process.stderr.write(`${error.cause.stack ?? error.cause.message}\n`);
  }
}
