import type { Catalog, Repository } from '../catalog/index.ts';
import type { RevisionEntry } from '../search/index.ts';
import { refsStamp } from './refs-stamp.ts';

/**
 * Where the default branches stand, as this process has last seen it by itself: whoever searches is told what the index lags behind
 * in, also where another process writes it, or none does.
 */
export interface HeadLook {
  /** Undefined before the first look; null for a repository without a commit. */
  headOf(repositoryId: number): string | null | undefined;
  /** Whether a repository that is indexed at this commit was seen to stand at another one. */
  isBehind(repositoryId: number, indexedCommit: string): boolean;
  /** Grows when the answer to any of these has changed. */
  version(): number;
  close(): Promise<void>;
}

export interface HeadLookDeps {
  catalog: Catalog;
  /** What is indexed of a repository's default branch. */
  standing(repositoryId: number): RevisionEntry | undefined;
}

interface Seen {
  head: string | null;
  /** What was indexed when it was looked at: when the index has gone on since, nothing is known. */
  indexed: string | null;
  stamp: string | null;
}

const restMs = 2000;
const looksAtOnce = 8;
/** Looking takes at most this part of the time. */
const restShare = 9;

export function createHeadLook({ catalog, standing }: HeadLookDeps): HeadLook {
  const seen = new Map<number, Seen>();
  const closing = new AbortController();
  const { signal } = closing;
  let version = 0;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  rest(0);

  return {
    headOf: (id) => seen.get(id)?.head,
    isBehind(id, indexedCommit) {
      const known = seen.get(id);
      return known !== undefined && known.indexed === indexedCommit && known.head !== indexedCommit;
    },
    version: () => version,
    async close() {
      closing.abort();
      clearTimeout(timer);
      await round;
    },
  };

  function rest(ms: number): void {
    if (signal.aborted) return;
    timer = setTimeout(() => {
      round = lookAtAll();
    }, ms);
    timer.unref();
  }

  async function lookAtAll(): Promise<void> {
    const repositories = catalog.repositories();
    const ids = new Set(repositories.map(({ id }) => id));
    for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id);
    for (let at = 0; at < repositories.length && !signal.aborted; at += looksAtOnce) {
      const startedMs = performance.now();
      await Promise.all(repositories.slice(at, at + looksAtOnce).map(look));
      const tookMs = performance.now() - startedMs;
      if (at + looksAtOnce < repositories.length) await pause(tookMs * restShare);
    }
    rest(restMs);
  }

  async function look(repository: Repository): Promise<void> {
    const { id, location } = repository;
    const known = seen.get(id);
    // Before the head is: what is indexed meanwhile must not look as if it lagged behind.
    const entry = standing(id);
    const indexed = entry?.head.commit ?? null;
    try {
      const stamp = location.kind === 'folder' ? await refsStamp(location.gitDir, Date.now()) : null;
      if (stamp !== null && stamp === entry?.refsStamp) note(id, { head: indexed, indexed, stamp });
      else if (stamp !== null && stamp === known?.stamp) note(id, { ...known, indexed });
      else {
        const { lastCommit, empty } = await catalog.mirror(repository).peek({ signal });
        // What cannot be read now, or was not fetched yet, tells nothing.
        if (lastCommit !== null || empty) note(id, { head: lastCommit?.commit ?? null, indexed, stamp });
      }
    } catch {
      // Looked at again with the next round; whoever reads it says what is wrong.
    }
  }

  function note(id: number, now: Seen): void {
    const known = seen.get(id);
    if (known?.head !== now.head || known.indexed !== now.indexed) version += 1;
    seen.set(id, now);
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wait = setTimeout(done, ms);
      function done(): void {
        clearTimeout(wait);
        signal.removeEventListener('abort', done);
        resolve();
      }
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
