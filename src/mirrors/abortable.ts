import { setMaxListeners } from 'node:events';
import { cancelled } from '../base/errors.ts';
import { orWhenAborted } from '../base/or-when-aborted.ts';

/** Waits for shared work only as long as this caller wants to; the work itself goes on for the others. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Many reads of one call share its signal.
  setMaxListeners(0, signal);
  return orWhenAborted(work, signal, () => cancelled(signal.reason));
}
