import { leaseLost } from '../errors.ts';

/** Held by the one process that writes a mirror. */
export interface MirrorLease {
  /** False when it was lost. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Null while another process holds it. It ends by itself after `ttlMs` without a renewal. */
export type TakeLease = (name: string, ttlMs: number) => Promise<MirrorLease | null>;

export interface LeaseDeps {
  takeLease: TakeLease | undefined;
  leaseTtlMs: number;
}

/** How long a mirror stays locked when the process that writes it is killed. */
export const defaultLeaseTtlMs = 30_000;

/**
 * Does the work while this process holds the mirror's lease, which is renewed as long as the work goes on: it can be short, so that
 * a killed process locks nobody out for long. The work's signal ends it when the lease is lost. Null when another process has it.
 */
export async function underMirrorLease<T>(
  subject: { id: number; name: string },
  { takeLease, leaseTtlMs }: LeaseDeps,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ result: T } | null> {
  const lost = new AbortController();
  if (takeLease === undefined) return { result: await work(lost.signal) };
  const lease = await takeLease(`mirror/${subject.id}`, leaseTtlMs);
  if (lease === null) return null;
  const renewing = keepRenewed(lease, leaseTtlMs, () => lost.abort(leaseLost(subject.name)));
  try {
    return { result: await work(lost.signal) };
  } catch (error) {
    throw lost.signal.aborted ? leaseLost(subject.name, error) : error;
  } finally {
    renewing.stop();
    // It ends by itself where it cannot be given back.
    await lease.release().catch(() => {});
  }
}

/** By the machine's own clock: the time that tests turn says nothing of how long another process waits. */
function keepRenewed(lease: MirrorLease, ttlMs: number, onLost: () => void): { stop(): void } {
  let renewedMs = performance.now();
  let timer: NodeJS.Timeout;
  let isStopped = false;
  const renew = async () => {
    const askedMs = performance.now();
    // A database that does not answer for a moment has taken nothing away yet.
    const isHeld = await lease.renew().catch(() => performance.now() - renewedMs < ttlMs && null);
    if (isStopped) return;
    if (isHeld === false) return onLost();
    if (isHeld) renewedMs = askedMs;
    next();
  };
  const next = () => {
    timer = setTimeout(() => void renew(), ttlMs / 3);
  };
  next();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
