import type { Clock } from '../../base/clock.ts';
import { PeriscopeError } from '../../base/errors.ts';
import { readListAnswer, type ZoektRepository } from './zoekt-answers.ts';
import type { ZoektClient } from './zoekt-client.ts';
import { zoektNoJson } from './zoekt-errors.ts';

/** What one server had when it was last asked. */
export interface ServerListing {
  client: ZoektClient;
  repositories: readonly ZoektRepository[];
  /** Why there is nothing newer; null while the server answers. */
  fault: PeriscopeError | null;
}

export interface Listing {
  servers: readonly ServerListing[];
  /** The same number as long as the same commits are indexed, also after a restart. */
  generation: number;
}

export interface Listings {
  /** As it was last known; if that is not fresh the servers are asked, and the next to ask gets their answer. */
  last(): Listing;
  /** Asks the servers whose listing is not fresh; once for however many wait. Fails with `cancelled` alone. */
  fresh(signal: AbortSignal): Promise<Listing>;
  close(): void;
}

/** How old a listing may be. */
const FRESH_MS = 15_000;
/** After a failure a server is asked again sooner. */
const RETRY_MS = 2_000;
/** Fits every name. An empty query is refused by older servers. */
const EVERY_REPOSITORY = { Q: 'repo:.', Opts: { Field: 0 } };

export function createListings(clients: readonly ZoektClient[], clock: Clock): Listings {
  const known = clients.map((client): ServerListing => ({ client, repositories: [], fault: null }));
  const staleAt = clients.map(() => Number.NEGATIVE_INFINITY);
  let listing: Listing = { servers: [...known], generation: generationOf(allOf(known)) };
  let asking: Promise<void> | null = null;

  const closing = new AbortController();

  return {
    last() {
      void refreshed();
      return listing;
    },
    async fresh(signal) {
      const work = refreshed();
      if (work) await unlessAborted(work, signal);
      return listing;
    },
    close: () => closing.abort(),
  };

  function refreshed(): Promise<void> | null {
    if (closing.signal.aborted || staleAt.every((at) => at > clock.now())) return null;
    asking ??= askStale().finally(() => {
      asking = null;
    });
    return asking;
  }

  async function askStale(): Promise<void> {
    await Promise.all(
      clients.map(async (client, index) => {
        if (staleAt[index]! > clock.now()) return;
        known[index] = await ask(client, known[index]!, closing.signal);
        staleAt[index] = clock.now() + (known[index].fault ? RETRY_MS : FRESH_MS);
      }),
    );
    listing = { servers: [...known], generation: generationOf(allOf(known)) };
  }
}

/** Whoever goes away ends no listing that others wait for. */
async function ask(client: ZoektClient, before: ServerListing, closing: AbortSignal): Promise<ServerListing> {
  try {
    const repositories = readListAnswer(await client.list(EVERY_REPOSITORY, closing));
    if (!repositories) throw zoektNoJson(`${client.url}/api/list`);
    return { client, repositories, fault: null };
  } catch (fault) {
    if (!(fault instanceof PeriscopeError)) throw fault;
    return { ...before, fault };
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function allOf(servers: readonly ServerListing[]): ZoektRepository[] {
  return servers.flatMap(({ repositories }) => repositories);
}

/** FNV-1a over what is indexed, as a number of ten digits: its length is that of the cursors that hold it, and must tell nothing. */
export function generationOf(repositories: readonly ZoektRepository[]): number {
  let hash = 0x811c9dc5;
  const shown = repositories.map(({ name, branches }) => JSON.stringify([name, branches]));
  for (const text of shown.sort()) {
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return 1_000_000_000 + ((hash >>> 0) % 1_000_000_000);
}
