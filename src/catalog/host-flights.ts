import { asPeriscopeError } from '../base/errors.ts';
import type { Host, HostListing } from '../hosts/index.ts';
import { hostSilent } from './errors.ts';

/** The list of one host within the timeout, whether or not the host heeds its signal. Fails with a PeriscopeError. */
export async function listWithin(host: Host, timeoutMs: number, closing: AbortSignal): Promise<HostListing> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(hostSilent(host.name, timeoutMs)), timeoutMs);
  timer.unref();
  const signal = AbortSignal.any([closing, timeout.signal]);
  try {
    return await unlessAborted(host.list({ signal }), signal);
  } catch (error) {
    // A host that heeds its signal may throw something of its own about it.
    throw timeout.signal.aborted ? timeout.signal.reason : asPeriscopeError(error);
  } finally {
    clearTimeout(timer);
  }
}

/** The promise, or the signal's reason as soon as it is aborted. What the promise does afterwards is of no interest. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody waits for it when the signal came first, and its fault must not end the process.
  promise.catch(() => {});
  signal.throwIfAborted();
  let abort: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** One run per key at a time: who comes while it runs gets the same promise. */
export function createFlights(): {
  join(key: string, run: () => Promise<void>): Promise<void>;
  settled(): Promise<void>;
} {
  const flights = new Map<string, Promise<void>>();
  return {
    join(key, run) {
      const running = flights.get(key);
      if (running) return running;
      const flight = run().finally(() => flights.delete(key));
      flights.set(key, flight);
      return flight;
    },
    async settled() {
      await Promise.allSettled(flights.values());
    },
  };
}
