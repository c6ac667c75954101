import { existsSync } from 'node:fs';
import path from 'node:path';
import { asPeriscopeError, type PeriscopeError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { abortable } from '../abortable.ts';
import { diskFull, isFull } from '../errors.ts';
import { type FlightDeps, type FlightOptions, flyToRemote, type RemoteSubject } from './mirror-flight.ts';
import { underMirrorLease } from './mirror-lease.ts';
import { type MirrorRecord, readRecord } from './mirror-record.ts';
import { tidyMirror } from './mirror-tidying.ts';
import type { PresentRepository, RepositorySource } from './repository-source.ts';
import { createShrinkGuard } from './shrink-guard.ts';

export interface RemoteSource extends RepositorySource {
  /** Lets go of the mirror; false while somebody reads or fetches it. */
  letGo(): boolean;
  /** Resolves when nothing is being written. */
  settled(): Promise<void>;
}

/** A dead host is not asked at every read. */
const backOffMsMax = 30_000;
/** A fetch by another process is over by then, unless it takes long. */
const staleAfterTtlMs = 60_000;

/** A repository read from our bare mirror of it, kept fresh by one visit at a time however many ask. */
export function createRemoteSource(
  subject: RemoteSubject,
  options: FlightOptions,
  deps: Omit<FlightDeps, 'replaced'> & {
    logger: Logger;
    dropReaders(key: string): void;
    newKey(id: number): string;
  },
): RemoteSource {
  const { clock, disk } = deps;
  const guard = createShrinkGuard(clock);
  const gitDir = disk.gitDirOf(subject.id);
  let present: PresentRepository | null = null;
  let record: MirrorRecord | null = null;
  let isLookedUp = false;
  let users = 0;
  let flight: Promise<void> | null = null;
  let tidying: Promise<void> = Promise.resolve();
  let isElsewhere = false;
  let failure: { error: PeriscopeError; atMs: number } | null = null;

  function adopt(found: MirrorRecord, isNew: boolean) {
    record = found;
    if (present && !isNew) return;
    if (present) deps.dropReaders(present.objects.key);
    present = {
      name: subject.name,
      place: 'mirror',
      gitDir,
      commonDir: gitDir,
      objects: {
        key: deps.newKey(subject.id),
        objectFormat: found.objectFormat,
        objectDirectory: path.join(gitDir, 'objects'),
        shallowFile: null,
      },
    };
  }

  function letGo() {
    if (present) deps.dropReaders(present.objects.key);
    present = null;
    record = null;
  }

  async function lookUp(): Promise<void> {
    await disk.ready();
    if (isLookedUp) return;
    const found = await readRecord(gitDir);
    if (isLookedUp) return;
    isLookedUp = true;
    if (found) adopt(found, false);
  }

  async function fly(force: boolean): Promise<void> {
    await tidying;
    try {
      const flown = await flyToRemote(subject, { ...options, force, guard }, { ...deps, replaced: letGo });
      const { record: found } = flown;
      adopt(found, flown.isNew);
      failure = null;
      isElsewhere = flown.isElsewhere;
      if (flown.hasNews) tidying = tidy();
      const evicted = await disk.grown(subject.id, found.sizeBytes);
      if (evicted > 0) deps.logger.info('evicted mirrors to stay within the disk bound', { evicted });
    } catch (fault) {
      const error = isFull(fault) ? diskFull(subject.name, fault) : asPeriscopeError(fault);
      // Who waits for another process asks again at once; a host that failed is left alone for a while.
      isElsewhere = error.code === 'mirrors/copied-elsewhere' || error.code === 'mirrors/lease-lost';
      if (!isElsewhere) failure = { error, atMs: clock.now() };
      deps.logger.warn('a remote could not be fetched', {
        repository: subject.name,
        code: error.code,
        cause: error.cause instanceof Error ? error.cause.message : undefined,
      });
      throw error;
    }
  }

  async function tidy(): Promise<void> {
    try {
      await underMirrorLease(subject, deps, (signal) =>
        tidyMirror({ name: subject.name, gitDir, timeoutMs: options.cloneTimeoutMs, signal }, deps),
      );
    } catch (fault) {
      // The mirror is whole all the same, and the next fetch tries again.
      deps.logger.warn('a mirror could not be tidied', { repository: subject.name, cause: String(fault) });
    }
  }

  function problem(): string | null {
    if (failure) return `${failure.error.message} ${failure.error.next}`;
    if (!isElsewhere || record === null) return null;
    const ageMs = clock.now() - record.fetchedMs;
    if (ageMs < options.fetchTtlMs + staleAfterTtlMs) return null;
    return `Another process of Periscope is fetching ${subject.name}; this copy is ${Math.round(ageMs / 1000)} seconds old.`;
  }

  /** Whether the remote is to be asked now. Throws the last failure while a host that gave us nothing is left alone. */
  function mustFly(need: 'present' | 'fresh' | 'now'): boolean {
    if (need === 'now') return true;
    if (present && need === 'present') return false;
    const now = clock.now();
    if (present && record && record.url === subject.url && now - record.fetchedMs < options.fetchTtlMs) {
      return false;
    }
    if (failure === null || now - failure.atMs >= Math.min(options.fetchTtlMs, backOffMsMax)) return true;
    if (present === null) throw failure.error;
    return false;
  }

  async function ensure(need: 'present' | 'fresh' | 'now', signal: AbortSignal): Promise<PresentRepository> {
    if (!isLookedUp) await abortable(lookUp(), signal);
    if (mustFly(need)) {
      flight ??= fly(need === 'now').finally(() => {
        flight = null;
      });
      try {
        await abortable(flight, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        // What is served is older than wished; the state says why.
        if (present === null) throw error;
      }
    }
    return present ?? ensure('fresh', signal);
  }

  async function pinned<T>(
    repository: PresentRepository,
    work: (repository: PresentRepository) => Promise<T>,
  ) {
    users += 1;
    try {
      return await work(repository);
    } finally {
      users -= 1;
    }
  }

  return {
    async use(need, signal, work) {
      const repository = await ensure(need, signal);
      disk.used(subject.id);
      try {
        return await pinned(repository, work);
      } catch (error) {
        if (signal.aborted || existsSync(gitDir)) throw error;
        // Somebody removed the mirror while it was served: it is made anew.
        if (present === repository) letGo();
        return pinned(await ensure('fresh', signal), work);
      }
    },
    async peek(signal, work) {
      if (!isLookedUp) await abortable(lookUp(), signal);
      return present && pinned(present, work);
    },
    state: () => ({
      fetchedMs: record?.fetchedMs ?? null,
      problem: problem(),
      sizeBytes: record?.sizeBytes ?? null,
    }),
    async settled() {
      await flight?.catch(() => {});
      await tidying;
    },
    letGo() {
      if (users > 0 || flight !== null) return false;
      letGo();
      return true;
    },
  };
}
