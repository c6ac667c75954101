import { setMaxListeners } from 'node:events';
import { cancelled } from '../base/errors.ts';

/** Waits for shared work only as long as this caller wants to; the work itself goes on for the others. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {});
    return Promise.reject(cancelled(signal.reason));
  }
  // Many reads of one call share its signal.
  setMaxListeners(0, signal);
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancelled(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
