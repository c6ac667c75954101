import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { PeriscopeError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';

/** Tells the operator what git or the file system said: callers are told only that the log has it. */
export interface FaultLog {
  /** Hands the promise on; a failure with such a cause is logged on its way. */
  watching<T>(repository: string, work: Promise<T>): Promise<T>;
}

/** The same failure of the same repository is told once in this time, however many ask meanwhile. */
const silentMs = 60_000;
const remembered = 1000;

export function createFaultLog({ clock, logger }: { clock: Clock; logger: Logger }): FaultLog {
  const told = new LRUCache<string, number>({ max: remembered });

  function tell(repository: string, error: unknown) {
    if (!(error instanceof PeriscopeError && error.cause instanceof Error)) return;
    if (error.kind === 'cancelled') return;
    const said = error.cause.message;
    const key = `${repository} ${error.code} ${said}`;
    const lastMs = told.get(key);
    if (lastMs !== undefined && clock.now() - lastMs < silentMs) return;
    told.set(key, clock.now());
    logger.warn('a repository could not be read', { repository, code: error.code, said });
  }

  return {
    async watching(repository, work) {
      try {
        return await work;
      } catch (error) {
        tell(repository, error);
        throw error;
      }
    },
  };
}
