import { setMaxListeners } from 'node:events';

/**
 * Runs `work` with a signal that fires when `signal` does or when `timeoutMs` have passed, and lets go of both afterwards: a
 * `AbortSignal.timeout` would keep its timer, and all that hangs on it, for the whole time after a call that took a millisecond.
 * `expired()` tells which of the two it was.
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (bounded: AbortSignal, expired: () => boolean) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  // One call may wait for many reads side by side; that is no leak.
  setMaxListeners(0, controller.signal);
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    controller.abort(new DOMException('The deadline has passed.', 'TimeoutError'));
  }, timeoutMs);
  const onAbort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(controller.signal, () => expired);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
