import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { busy, closed } from '../errors.ts';
import type { GitHome, ObjectFormat } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
import { listRefs } from '../refs/list-refs.ts';
import type { RemoteAccess } from '../types.ts';
import { askRemoteRefs, type RemoteRefs } from './ls-remote.ts';
import { folderBytes, type MirrorDisk } from './mirror-disk.ts';
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

/** Held by the one process that writes a mirror. */
export type TakeLease = (name: string) => Promise<{ release(): Promise<void> } | null>;

export interface FlightDeps {
  clock: { now(): number };
  runner: GitRunner;
  home: GitHome;
  disk: MirrorDisk;
  lookup: Lookup;
  takeLease: TakeLease | undefined;
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
}

/** What the one writer of a mirror holds. */
export const mirrorLease = (id: number) => `mirror/${id}`;

const lockAgeMs = 60_000;
const leaseLookMs = 200;

/** One visit to the remote: asks for its references, then clones or fetches. The caller sees to it that one is under way at a time. */
export async function flyToRemote(
  subject: RemoteSubject,
  options: FlightOptions & { force: boolean; guard: ShrinkGuard },
  deps: FlightDeps,
): Promise<FlightResult> {
  const gitDir = deps.disk.gitDirOf(subject.id);
  const lease = deps.takeLease ? await deps.takeLease(mirrorLease(subject.id)) : null;
  if (deps.takeLease && lease === null) return waitForOther(subject, gitDir, options, deps);
  try {
    const record = await readRecord(gitDir);
    // Another process may have been there since this one looked.
    const isFresh = record !== null && deps.clock.now() - record.fetchedMs < options.fetchTtlMs;
    if (record && isFresh && !options.force && record.url === subject.url)
      return { record, isNew: false, hasNews: false };
    return await visit(subject, gitDir, record, options, deps);
  } finally {
    await lease?.release();
  }
}

async function visit(
  subject: RemoteSubject,
  gitDir: string,
  record: MirrorRecord | null,
  options: FlightOptions & { guard: ShrinkGuard },
  deps: FlightDeps,
): Promise<FlightResult> {
  if (record) deps.counted.fetches += 1;
  const address = await checkedAddress(subject.url, subject.access, deps.lookup);
  const remote = { name: subject.name, address, access: subject.access };
  const told = await askRemoteRefs(remote, { timeoutMs: options.fetchTimeoutMs }, deps);
  const objectFormat = formatOf(told) ?? record?.objectFormat ?? 'sha1';
  const steps = { ...subject, address, told, readTimeoutMs: options.readTimeoutMs };

  if (record === null || record.objectFormat !== objectFormat) {
    deps.counted.clones += 1;
    const building = deps.disk.newFolder(subject.id);
    try {
      await initMirror({ ...steps, gitDir: building, objectFormat, timeoutMs: options.readTimeoutMs }, deps);
      await updateMirror({ ...steps, gitDir: building, timeoutMs: options.cloneTimeoutMs }, new Map(), deps);
      const made = await recordOf(subject, building, objectFormat, deps);
      await writeRecord(building, made);
      deps.replaced();
      await deps.disk.remove(subject.id);
      await rename(building, gitDir);
      return { record: made, isNew: true, hasNews: false };
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
  await writeRecord(gitDir, updated);
  return { record: updated, isNew: false, hasNews };
}

/** Another process has the lease: what it already left is served, and its first clone is waited for. */
async function waitForOther(
  subject: RemoteSubject,
  gitDir: string,
  options: FlightOptions,
  deps: FlightDeps,
): Promise<FlightResult> {
  const giveUpMs = deps.clock.now() + options.cloneTimeoutMs;
  for (;;) {
    const record = await readRecord(gitDir);
    if (record) return { record, isNew: false, hasNews: false };
    if (deps.closing.aborted) throw closed();
    if (deps.clock.now() >= giveUpMs) throw busy(`The mirror of ${subject.name}`);
    await new Promise((resolve) => setTimeout(resolve, leaseLookMs));
  }
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
