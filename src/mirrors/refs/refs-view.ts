import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readlinkSync, readSync } from 'node:fs';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { abortable } from '../abortable.ts';
import type { GitHome } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
import { sharedLook } from '../shared-look.ts';
import { listRefs } from './list-refs.ts';
import { createRefsFingerprint } from './refs-fingerprint.ts';

export interface RefsSnapshot {
  /** Full name to object id, unpeeled, in git's order. */
  readonly refs: ReadonlyMap<string, string>;
  /** Full name of the branch that HEAD names, there or not; null when HEAD is detached or unreadable. */
  readonly headBranch: string | null;
  /** The commit of a detached HEAD. */
  readonly headCommit: string | null;
  /** Grows when any reference or HEAD was seen to change. */
  readonly generation: number;
  /** Commits that references lead to, found so far. */
  readonly peeled: Map<string, string | null>;
}

/** The references of one repository, read again when they changed. */
export interface RefsView {
  current(signal: AbortSignal): Promise<RefsSnapshot>;
}

export interface RefsViews {
  open(repository: RefsLocation): RefsView;
}

export interface RefsLocation {
  /** Stands for this repository. */
  key: string;
  name: string;
  gitDir: string;
  commonDir: string;
  checkRefs?(): Promise<void>;
}

/** A file system's clock is this coarse at worst: a change so shortly before a look may be followed by one with the same time. */
const raceWindowMs = 50;
const refsKeptMax = 300_000;
const namespaces = ['refs/heads', 'refs/tags', 'refs/remotes'];

export function createRefsViews(
  options: { timeoutMs: number },
  deps: { runner: GitRunner; home: GitHome },
): RefsViews {
  const snapshots = new LRUCache<string, RefsSnapshot>({
    maxSize: refsKeptMax,
    sizeCalculation: (snapshot) => 1 + snapshot.refs.size,
  });

  return {
    open(repository) {
      const fingerprint = createRefsFingerprint(repository);
      const lookNow = sharedLook(() => fingerprint.take());
      let generation = 0;
      let contentHash = '';
      let seen = '';
      let raced = false;
      let loading: Promise<RefsSnapshot> | null = null;

      async function load(): Promise<RefsSnapshot> {
        const before = await fingerprint.take();
        await repository.checkRefs?.();
        const refs = await listRefs(repository, { timeoutMs: options.timeoutMs, namespaces }, deps);
        const head = readHead(repository.gitDir);
        const hash = hashOf(refs, head);
        if (hash !== contentHash) generation += 1;
        contentHash = hash;
        seen = before.value;
        // The file system's clock, and not the one that tests turn.
        raced = before.newestMs > Date.now() - raceWindowMs;
        const snapshot = { refs, ...head, generation, peeled: new Map() };
        snapshots.set(repository.key, snapshot);
        return snapshot;
      }

      return {
        async current(signal) {
          // A reading that was under way may have begun before the change that this caller knows of.
          if (loading !== null) await abortable(loading, signal);
          const known = snapshots.get(repository.key);
          if (known && !raced && (await lookNow()).value === seen) return known;
          loading ??= load().finally(() => {
            loading = null;
          });
          return abortable(loading, signal);
        },
      };
    },
  };
}

function hashOf(
  refs: ReadonlyMap<string, string>,
  head: { headBranch: string | null; headCommit: string | null },
): string {
  const hash = createHash('sha1').update(`${head.headBranch} ${head.headCommit}`);
  for (const [name, oid] of refs) hash.update(`${oid} ${name}\n`);
  return hash.digest('hex');
}

function readHead(gitDir: string): { headBranch: string | null; headCommit: string | null } {
  const file = path.join(gitDir, 'HEAD');
  const text = linkTarget(file) ?? headText(file);
  const branch = /^(?:ref:\s*)?(refs\/heads\/.+)$/.exec(text)?.[1] ?? null;
  return { headBranch: branch, headCommit: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : null };
}

/** Nothing where the repository was removed in this moment: the next look says so. */
function headText(file: string): string {
  try {
    return beginningOf(file).trim();
  } catch {
    return '';
  }
}

/** A reference is short; a HEAD that is large, or a pipe, must keep nobody waiting. */
function beginningOf(file: string): string {
  const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(2048);
    return bytes.toString('utf8', 0, readSync(opened, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(opened);
  }
}

/** Git of long ago wrote HEAD as a symbolic link; the link is read and never followed. */
function linkTarget(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}
