import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { closed, copiedElsewhere } from '../errors.ts';
import type { GitHome, ObjectFormat } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
import { listRefs } from '../refs/list-refs.ts';
import type { RemoteAccess } from '../types.ts';
import { askRemoteRefs, type RemoteRefs } from './ls-remote.ts';
import { folderBytes, type MirrorDisk } from './mirror-disk.ts';
import { type LeaseDeps, underMirrorLease } from './mirror-lease.ts';
import { sweepMirror } from './mirror-leftovers.ts';
import { type MirrorRecord, readRecord, writeRecord } from './mirror-record.ts';
import { initMirror, mirroredNamespaces, updateMirror } from './mirror-update.ts';
import { checkedAddress, type Lookup } from './remote-address.ts';
import type { ShrinkGuard } from './shrink-guard.ts';

export interface RemoteSubject {
  id: number;
  name: string;
  url: string;
  access: RemoteAccess;
}

export interface FlightOptions {
  fetchTtlMs: number;
  fetchTimeoutMs: number;
  cloneTimeoutMs: number;
  readTimeoutMs: number;
}

export interface FlightDeps extends LeaseDeps {
  clock: { now(): number };
  runner: GitRunner;
  home: GitHome;
  disk: MirrorDisk;
  lookup: Lookup;
  /** Work done, counted. */
  counted: { clones: number; fetches: number };
  closing: AbortSignal;
  /** Where the objects of a mirror that is about to be replaced must be let go. */
  replaced(): void;
}

export interface FlightResult {
  record: MirrorRecord;
  /** True when there was no mirror before, or another one. */
  isNew: boolean;
  /** True when objects were fetched into a mirror that was there. */
  hasNews: boolean;
  /** True when nothing was asked because another process is asking now. */
  isElsewhere: boolean;
}

const lockAgeMs = 60_000;
const recordLookMs = 200;
const looksPerLeaseTry = 5;
/** Longer than a killed process keeps its lease; who clones for longer is alive, and its callers are told so. */
const waitAfterTtlMs = 15_000;

/**
 * One visit to the remote: asks for its references, then clones or fetches. The caller sees to it that one is under way at a time.
 * Where another process is there already, what it left is served, and its first clone is waited for.
 */
export async function flyToRemote(
  subject: RemoteSubject,
  options: FlightOptions & { force: boolean; guard: ShrinkGuard },
  deps: FlightDeps,
): Promise<FlightResult> {
  const gitDir = deps.disk.gitDirOf(subject.id);
  const waitMs = Math.min(deps.leaseTtlMs + waitAfterTtlMs, options.cloneTimeoutMs);
  for (let look = 0; ; look++) {
    if (look % looksPerLeaseTry === 0) {
      const own = await underMirrorLease(subject, deps, (signal) =>
        flyAlone(subject, gitDir, { ...options, signal }, deps),
      );
      if (own !== null) return own.result;
    }
    const record = await readRecord(gitDir);
    if (record) return { record, isNew: false, hasNews: false, isElsewhere: true };
    if (deps.closing.aborted) throw closed();
    if (look * recordLookMs >= waitMs) throw copiedElsewhere(subject.name);
    await new Promise((resolve) => setTimeout(resolve, recordLookMs));
  }
}

async function flyAlone(
  subject: RemoteSubject,
  gitDir: string,
  options: VisitOptions & { force: boolean },
  deps: FlightDeps,
): Promise<FlightResult> {
  const record = await readRecord(gitDir);
  // Another process may have been there since this one looked.
  const isFresh = record !== null && deps.clock.now() - record.fetchedMs < options.fetchTtlMs;
  if (record && isFresh && !options.force && record.url === subject.url) {
    return { record, isNew: false, hasNews: false, isElsewhere: false };
  }
  return visit(subject, gitDir, record, options, deps);
}

interface VisitOptions extends FlightOptions {
  guard: ShrinkGuard;
  /** Ends the visit when the right to write was lost. */
  signal: AbortSignal;
}

async function visit(
  subject: RemoteSubject,
  gitDir: string,
  record: MirrorRecord | null,
  options: VisitOptions,
  deps: FlightDeps,
): Promise<FlightResult> {
  const { signal } = options;
  if (record) deps.counted.fetches += 1;
  const address = await checkedAddress(subject.url, subject.access, deps.lookup);
  const remote = { name: subject.name, address, access: subject.access };
  const told = await askRemoteRefs(remote, { timeoutMs: options.fetchTimeoutMs, signal }, deps);
  const objectFormat = formatOf(told) ?? record?.objectFormat ?? 'sha1';
  const steps = { ...subject, address, told, readTimeoutMs: options.readTimeoutMs, signal };

  if (record === null || record.objectFormat !== objectFormat) {
    deps.counted.clones += 1;
    const building = deps.disk.newFolder(subject.id);
    try {
      await initMirror({ ...steps, gitDir: building, objectFormat, timeoutMs: options.readTimeoutMs }, deps);
      await updateMirror({ ...steps, gitDir: building, timeoutMs: options.cloneTimeoutMs }, new Map(), deps);
      const made = await recordOf(subject, building, objectFormat, deps);
      await writeRecord(building, made);
      signal.throwIfAborted();
      deps.replaced();
      await deps.disk.remove(subject.id);
      await rename(building, gitDir);
      return { record: made, isNew: true, hasNews: false, isElsewhere: false };
    } finally {
      await rm(building, { recursive: true, force: true });
    }
  }

  await sweepMirror(gitDir, {
    packAgeMs: Math.max(options.cloneTimeoutMs, options.fetchTimeoutMs) + lockAgeMs,
    lockAgeMs,
  });
  const known = await listRefs(
    { name: subject.name, gitDir },
    { timeoutMs: options.readTimeoutMs, namespaces: mirroredNamespaces },
    deps,
  );
  options.guard.check(subject.name, known, told.refs);
  const hasNews = await updateMirror({ ...steps, gitDir, timeoutMs: options.fetchTimeoutMs }, known, deps);
  const updated = await recordOf(subject, gitDir, objectFormat, deps);
  signal.throwIfAborted();
  await writeRecord(gitDir, updated);
  return { record: updated, isNew: false, hasNews, isElsewhere: false };
}

async function recordOf(
  subject: RemoteSubject,
  gitDir: string,
  objectFormat: ObjectFormat,
  deps: FlightDeps,
): Promise<MirrorRecord> {
  return {
    url: subject.url,
    objectFormat,
    fetchedMs: deps.clock.now(),
    sizeBytes: await folderBytes(path.join(gitDir, 'objects')),
  };
}

function formatOf({ refs }: RemoteRefs): ObjectFormat | null {
  for (const oid of refs.values()) return oid.length === 64 ? 'sha256' : 'sha1';
  return null;
}
