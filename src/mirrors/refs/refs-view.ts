import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { abortable } from '../abortable.ts';
import { gitEnvironment } from '../git/git-environment.ts';
import { failureOf } from '../git/git-failures.ts';
import type { GitHome } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
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
}

/** A file system's clock is this coarse at worst: a change so shortly before a look may be followed by one with the same time. */
const raceWindowMs = 50;
const refsKeptMax = 300_000;
const listingBytesMax = 256 * 1024 * 1024;

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
      let generation = 0;
      let contentHash = '';
      let seen = '';
      let raced = false;
      let loading: Promise<RefsSnapshot> | null = null;

      async function load(): Promise<RefsSnapshot> {
        const before = fingerprint.take();
        const listing = await listRefs(repository);
        const head = readHead(repository.gitDir);
        const hash = createHash('sha1')
          .update(listing)
          .update(`${head.headBranch} ${head.headCommit}`)
          .digest('hex');
        if (hash !== contentHash) generation += 1;
        contentHash = hash;
        seen = before.value;
        // The file system's clock, and not the one that tests turn.
        raced = before.newestMs > Date.now() - raceWindowMs;
        const snapshot = { refs: parseListing(listing), ...head, generation, peeled: new Map() };
        snapshots.set(repository.key, snapshot);
        return snapshot;
      }

      return {
        async current(signal) {
          // A reading that was under way may have begun before the change that this caller knows of.
          if (loading !== null) await abortable(loading, signal);
          const known = snapshots.get(repository.key);
          if (known && !raced && fingerprint.take().value === seen) return known;
          loading ??= load().finally(() => {
            loading = null;
          });
          return abortable(loading, signal);
        },
      };
    },
  };

  async function listRefs(repository: RefsLocation): Promise<Buffer> {
    const output = await deps.runner.run({
      what: `Reading the references of ${repository.name}`,
      // No field that needs an object: one broken reference must not hide all the others.
      args: [
        `--git-dir=${repository.gitDir}`,
        'for-each-ref',
        '--format=%(objectname) %(refname)',
        'refs/heads',
        'refs/tags',
        'refs/remotes',
      ],
      env: gitEnvironment(deps.home, { trusted: repository.gitDir }),
      lane: 'local',
      timeoutMs: options.timeoutMs,
      stdoutBytesMax: listingBytesMax,
    });
    if (output.code !== 0) {
      throw failureOf(output.stderr, {
        name: repository.name,
        doing: `Reading the references of ${repository.name}`,
      });
    }
    return output.stdout;
  }
}

function parseListing(listing: Buffer): Map<string, string> {
  const refs = new Map<string, string>();
  for (const line of listing.toString('utf8').split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) refs.set(line.slice(space + 1), line.slice(0, space));
  }
  return refs;
}

function readHead(gitDir: string): { headBranch: string | null; headCommit: string | null } {
  const file = path.join(gitDir, 'HEAD');
  const text = linkTarget(file) ?? readFileSync(file, 'utf8').slice(0, 2048).trim();
  const branch = /^(?:ref:\s*)?(refs\/heads\/.+)$/.exec(text)?.[1] ?? null;
  return { headBranch: branch, headCommit: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : null };
}

/** Git of long ago wrote HEAD as a symbolic link; the link is read and never followed. */
function linkTarget(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}
