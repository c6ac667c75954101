import { setMaxListeners } from 'node:events';

/**
 * Runs `work` with a signal of its own that fires when one of `sources` does, and when `work` has ended: what it began and does not wait
 * for any more is let go. The sources keep nothing of it.
 */
export async function withCallSignal<T>(
  sources: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  const stops = sources.map((source) => {
    const onAbort = () => own.abort(source.reason);
    if (source.aborted) onAbort();
    source.addEventListener('abort', onAbort, { once: true });
    return () => source.removeEventListener('abort', onAbort);
  });
  try {
    return await work(own.signal);
  } finally {
    for (const stop of stops) stop();
    own.abort();
  }
}
