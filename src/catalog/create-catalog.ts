import type { Clock } from '../base/clock.ts';
import { asPeriscopeError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { type Host, type HostProblem, HostUnavailable } from '../hosts/index.ts';
import type { Mirrors } from '../mirrors/index.ts';
import type { Storage } from '../storage/index.ts';
import { unknownHost } from './errors.ts';
import { createFlights, listWithin, unlessAborted } from './host-flights.ts';
import { createMirrorShelf } from './mirror-shelf.ts';
import { recordHostProblem, recordListing } from './record-listing.ts';
import { repeat } from './repeat.ts';
import { createServedList } from './served-list.ts';
import { loadRepositories, storedGeneration } from './stored-repositories.ts';
import type { Catalog, CatalogOptions, HostStatus } from './types.ts';

export interface CatalogDeps {
  storage: Storage;
  hosts: readonly Host[];
  mirrors: Pick<Mirrors, 'open'>;
  clock: Clock;
  logger: Logger;
}

const defaultReloadIntervalMs = 2000;

/** Serves the last good answers from the database at once; asks no host before `discover` or the first interval. */
export async function createCatalog(options: CatalogOptions, deps: CatalogDeps): Promise<Catalog> {
  const { storage, hosts, clock, logger } = deps;
  const discovers = options.discovers ?? true;
  const byName = new Map(hosts.map((host) => [host.name, host]));
  const served = createServedList(byName);
  const mirrorShelf = createMirrorShelf(byName, deps.mirrors);
  const flights = createFlights();
  const closing = new AbortController();
  const problemsOf = new Map<string, readonly HostProblem[]>();
  let statuses: readonly HostStatus[] = [];

  await load();
  const timers = [
    repeat(options.reloadIntervalMs ?? defaultReloadIntervalMs, loadIfChanged, warnOf('loading the list')),
    repeat(discovers ? options.discoveryIntervalMs : 0, discoverAll, warnOf('asking hosts for their lists')),
  ];

  return {
    repositories: served.repositories,
    generation: served.generation,
    hosts: () => statuses,
    mirror: mirrorShelf.mirror,
    permalink: (repository, commit, path, lines) =>
      byName
        .get(repository.host)
        ?.permalink({ fullName: repository.name, webUrl: repository.webUrl }, commit, path, lines) ?? null,
    async discover({ signal, host }) {
      if (host !== undefined && !byName.has(host)) throw unknownHost(host, [...byName.keys()]);
      const asked = host === undefined ? hosts : [byName.get(host)!];
      const work = discovers ? Promise.all(asked.map(discoverHost)) : load();
      await unlessAborted<unknown>(work, AbortSignal.any([signal, closing.signal]));
      return statuses;
    },
    async close() {
      closing.abort();
      await Promise.all(timers.map((timer) => timer.stop()));
      await flights.settled();
    },
  };

  async function discoverAll(): Promise<void> {
    await Promise.all(hosts.map(discoverHost));
  }

  function discoverHost(host: Host): Promise<void> {
    return flights.join(host.name, async () => {
      try {
        const listing = await listWithin(host, options.discoveryTimeoutMs, closing.signal);
        problemsOf.set(host.name, listing.problems);
        const changed = await recordListing(storage, host.name, listing, clock.now());
        if (changed)
          logger.info('repositories changed', { host: host.name, listed: listing.repositories.length });
      } catch (error) {
        if (closing.signal.aborted) return;
        const problem = asPeriscopeError(error);
        const { code, cause } = problem;
        const problems = problem instanceof HostUnavailable ? problem.problems : [];
        logger.warn('a host gave no list', { host: host.name, code, cause, problems });
        if (problems.length > 0) problemsOf.set(host.name, problems);
        await recordHostProblem(storage, host.name, `${problem.message} ${problem.next}`, clock.now());
      }
      await load();
    });
  }

  async function load(): Promise<void> {
    served.replace(await loadRepositories(storage.db, [...byName.keys()]));
    mirrorShelf.keep(served.repositories());
    await loadStatuses();
  }

  async function loadIfChanged(): Promise<void> {
    if ((await storedGeneration(storage.db)) !== served.storedGeneration()) await load();
    else await loadStatuses();
  }

  async function loadStatuses(): Promise<void> {
    const rows = await storage.db.selectFrom('host_state').selectAll().execute();
    const states = new Map(rows.map((row) => [row.host, row]));
    statuses = hosts.map(({ name, kind }) => {
      const state = states.get(name);
      return {
        host: name,
        kind,
        lastGoodMs: state?.last_good_ms ?? null,
        problem: state?.last_problem ?? null,
        problemMs: state?.last_problem_ms ?? null,
        problems: problemsOf.get(name) ?? [],
      };
    });
  }

  function warnOf(what: string): (error: unknown) => void {
    return (error) => logger.warn('the catalog goes on with what it has', { what, error });
  }
}
