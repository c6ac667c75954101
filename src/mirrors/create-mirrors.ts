import { setMaxListeners } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { createFaultLog } from './fault-log.ts';
import { createGitHome } from './git/git-home.ts';
import { createGitRunner } from './git/git-process.ts';
import { createMirror, type MirrorDeps, type SubjectSource } from './mirror.ts';
import { createBulkReading } from './objects/bulk-reading.ts';
import { createObjectReaderPool } from './objects/object-reader-pool.ts';
import { createObjectStore } from './objects/object-store.ts';
import { createTreeReading } from './objects/tree-reading.ts';
import { createReachability } from './refs/reachability.ts';
import { shortRefName } from './refs/ref-name.ts';
import { createRefsViews } from './refs/refs-view.ts';
import { createRevisions } from './refs/resolve-revision.ts';
import { createFolderSource } from './sources/folder-source.ts';
import { askRemoteRefs } from './sources/ls-remote.ts';
import { createMirrorDisk } from './sources/mirror-disk.ts';
import { defaultLeaseTtlMs, type TakeLease } from './sources/mirror-lease.ts';
import { checkedAddress, type Lookup, systemLookup } from './sources/remote-address.ts';
import { createRemoteSource, type RemoteSource } from './sources/remote-source.ts';
import type { Mirror, MirrorSubject, Mirrors, MirrorsOptions } from './types.ts';
import { createDirectoryWriter } from './worktrees/directory-writer.ts';
import { createWorktrees } from './worktrees/materialise.ts';
import { createUncommittedCounts } from './worktrees/uncommitted-changes.ts';

export interface MirrorsDeps {
  clock: Clock;
  logger: Logger;
  /** Makes one process of several the writer of a mirror. Without it this process is the only one. */
  lease?: TakeLease;
  /** How long a lease lasts without being renewed. Default 30 seconds. */
  leaseTtlMs?: number;
  /** The system's name service by default. */
  lookup?: Lookup;
}

const treeCacheBytesMax = 96 * 1024 * 1024;
const blobCacheBytesMax = 64 * 1024 * 1024;

export function createMirrors(options: MirrorsOptions, deps: MirrorsDeps): Mirrors {
  const { clock, logger } = deps;
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const timeoutMs = options.readTimeoutMs;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const home = createGitHome(path.join(options.folder, 'git-home'));
  const runner = createGitRunner({ cwd: home.emptyFolder, processesMax: options.processesMax });
  const readers = createObjectReaderPool(
    { processesMax: options.batchProcessesMax, timeoutMs },
    { runner, home },
  );
  const objects = createObjectStore(
    { readTimeoutMs: timeoutMs, treeCacheBytesMax, blobCacheBytesMax },
    { runner, home, readers },
  );
  const worktrees = createWorktrees(
    {
      folder: options.worktreeFolder,
      directoriesMax: options.worktreesMax,
      bytesMax: options.worktreeBytesMax,
    },
    { writer: createDirectoryWriter(objects), closing: closing.signal },
  );
  const mirrors = new Map<number, { subject: MirrorSubject; mirror: Mirror; remote: RemoteSource | null }>();
  const disk = createMirrorDisk(
    { folder: options.folder, bytesMax: options.diskBytesMax },
    { clock, letGo: (id) => mirrors.get(id)?.remote?.letGo() ?? true },
  );
  disk.ready().catch((error: unknown) => {
    logger.warn('the mirrors folder could not be read', { cause: String(error) });
  });
  const bulk = createBulkReading({ timeoutMs }, { runner, home });
  const services: MirrorDeps = {
    objects,
    bulk,
    trees: createTreeReading(objects),
    refsViews: createRefsViews({ timeoutMs }, { runner, home }),
    revisions: createRevisions({
      objects,
      reachability: createReachability({ timeoutMs }, { runner, home }),
    }),
    worktrees,
    uncommitted: createUncommittedCounts(
      { timeoutMs },
      { runner, home, clock, scratchFolder: () => disk.newFolder(0) },
    ),
    history: { runner, home, timeoutMs },
    faults: createFaultLog({ clock, logger }),
    logger,
  };

  const lookup = deps.lookup ?? systemLookup;
  const counted = { clones: 0, fetches: 0 };
  let serial = 0;
  const newKey = (id: number) => `${id}.${++serial}`;

  function sourceOf(subject: MirrorSubject): SubjectSource & { remote: RemoteSource | null } {
    const { id, name, source } = subject;
    if (source.kind === 'folder') {
      const { gitDir, root, workTree } = source;
      const folder = createFolderSource(
        { key: newKey(id), name, gitDir, root },
        { timeoutMs },
        { runner, home },
      );
      return { kind: 'folder', source: folder, workTree, root, remote: null };
    }
    const { url, access } = source;
    const remote = createRemoteSource({ id, name, url, access }, options, {
      clock,
      logger,
      runner,
      home,
      disk,
      lookup,
      counted,
      takeLease: deps.lease,
      leaseTtlMs: deps.leaseTtlMs ?? defaultLeaseTtlMs,
      closing: closing.signal,
      dropReaders(key) {
        readers.drop(key);
        bulk.drop(key);
      },
      newKey,
    });
    return { kind: 'remote', source: remote, remote };
  }

  return {
    open(subject) {
      const known = mirrors.get(subject.id);
      if (known && isSameSubject(known.subject, subject)) return known.mirror;
      const source = sourceOf(subject);
      const mirror = createMirror(subject, source, services);
      mirrors.set(subject.id, { subject, mirror, remote: source.remote });
      return mirror;
    },
    async lsRemote(url, access, { signal }) {
      const address = await checkedAddress(url, access, lookup);
      const told = await askRemoteRefs(
        { name: url, address, access },
        { timeoutMs: options.fetchTimeoutMs, signal },
        { runner, home },
      );
      return { defaultBranch: told.head === null ? null : shortRefName(told.head), refs: told.refs };
    },
    async forget(id) {
      const known = mirrors.get(id);
      mirrors.delete(id);
      await known?.remote?.settled();
      known?.remote?.letGo();
      await disk.remove(id);
    },
    counters: () => ({
      processesStarted: runner.processesStarted(),
      clones: counted.clones,
      fetches: counted.fetches,
      treesRead: objects.treesRead(),
      blobsRead: objects.blobsRead() + bulk.blobsRead(),
      materialisations: worktrees.materialisations(),
    }),
    async close() {
      closing.abort();
      readers.close();
      await runner.close();
      await Promise.all([...mirrors.values()].map(({ remote }) => remote?.settled()));
      await worktrees.close();
    },
  };
}

/** The credential is fetched anew for each command, so only what names a place counts. */
function isSameSubject(a: MirrorSubject, b: MirrorSubject): boolean {
  return a === b || identityOf(a) === identityOf(b);
}

function identityOf({ name, source }: MirrorSubject): string {
  if (source.kind === 'folder') return JSON.stringify([name, source.gitDir, source.workTree, source.root]);
  const { secret: _, ...access } = source.access;
  return JSON.stringify([name, source.url, Object.entries(access).sort()]);
}
