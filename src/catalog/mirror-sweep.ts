import { asPeriscopeError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Jobs } from '../jobs/index.ts';
import { repeat } from './repeat.ts';
import type { Catalog } from './types.ts';

export interface MirrorSweepOptions {
  /** How often each mirror of a remote is refreshed without being asked for. 0 never. */
  intervalMs: number;
  /** Mirrors refreshed at once in this process. */
  concurrency: number;
  /** Enqueues the work: one process of several is enough, more do no harm. */
  enqueues: boolean;
  /** Does the work. */
  works: boolean;
}

const kind = 'mirror-refresh';
const LEASE_MS = 60_000;
const POLL_MS = 5_000;

/** Keeps the mirrors of remotes fresh, so that readers find them so: one job per repository, whoever enqueues it. */
export function startMirrorSweep(
  options: MirrorSweepOptions,
  { catalog, jobs, logger }: { catalog: Catalog; jobs: Jobs; logger: Logger },
): { close(): Promise<void> } {
  if (options.works) {
    jobs.work(
      kind,
      async ({ job, signal }) => {
        const { id } = job.payload as { id: number };
        const repository = catalog.repositories().find((candidate) => candidate.id === id);
        // It may be gone since: then there is nothing to refresh.
        if (repository) await catalog.mirror(repository).refresh({ signal });
      },
      { concurrency: options.concurrency, leaseMs: LEASE_MS, pollMs: POLL_MS },
    );
  }
  const timer = repeat(options.enqueues ? options.intervalMs : 0, enqueueAll, (fault) =>
    logger.warn('the sweep of mirrors stopped early', { code: asPeriscopeError(fault).code }),
  );
  return { close: () => timer.stop() };

  async function enqueueAll(): Promise<void> {
    for (const { id, location } of catalog.repositories()) {
      // A failed refresh is told with the answers and tried by the next sweep: once is enough for a job.
      if (location.kind === 'remote')
        await jobs.enqueue({ kind, key: String(id), payload: { id }, maxAttempts: 1 });
    }
  }
}
