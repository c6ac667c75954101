import type { Clock } from '../base/clock.ts';
import type { CopiedHead, IndexContent, NewManifest, RevisionEntry, SegmentEntry } from '../search/index.ts';
import { buildSegments } from './build-segments.ts';
import type { BuildThreads, Lane } from './build-threads.ts';
import type { IndexCounters } from './counters.ts';
import { buildFailed } from './errors.ts';
import { type IndexSession, unfinishedManifest } from './index-session.ts';
import type { ListedDocuments, PlannedBlob, RepositoryPlan, RevisionPlan } from './plan-types.ts';

export interface GroupOptions {
  lane: Lane;
  workers: number;
  textBytesMax: number;
  memoryBytesMax: number;
  trigramsMax: number;
  signal: AbortSignal;
}

export interface GroupHooks {
  bytesRead(bytes: number): void;
  /** The plan's revisions are published. */
  done(plan: GroupPlan): void;
  failed(plan: GroupPlan, fault: unknown): void;
}

export interface GroupPlan extends RepositoryPlan {
  /** `branches` replaces what the index has of the repository's branches; `visited` adds one revision. */
  replaces: 'branches' | 'visited';
  refsStamp: string | null;
}

export interface GroupDeps {
  session: IndexSession;
  threads: BuildThreads;
  counters: IndexCounters;
  clock: Clock;
}

/**
 * Indexes some repositories together, so that small ones share segments and documents lie by class. Each segment is published when
 * it is written, each repository as soon as all of its blobs are in published segments. Returns those that wait for blobs which
 * another group reads.
 */
export async function indexGroup(
  plans: readonly GroupPlan[],
  options: GroupOptions,
  hooks: GroupHooks,
  deps: GroupDeps,
): Promise<GroupPlan[]> {
  const { session, counters, clock } = deps;
  const open = new Set(plans);
  const faults = new Map<number, unknown>();
  const visited = plans.every(({ replaces }) => replaces === 'visited');
  let finishing: Promise<unknown> = Promise.resolve();
  let hasUnfinished = false;
  let unfinishedMs = clock.now();

  // What needs no reading is searchable before anything is read.
  await finish([], null);
  const pieces = piecesOf(sorted(plans), options);
  const built = await Promise.allSettled(
    pieces.map((piece) =>
      buildSegments(
        piece,
        { ...options, visited },
        {
          segmentDone: (entry) => finish(piece, entry),
          bytesRead: hooks.bytesRead,
          failed: (repositoryId, fault) => faults.set(repositoryId, fault),
        },
        deps,
      ),
    ),
  );
  for (const outcome of built) if (outcome.status === 'rejected') throw outcome.reason;
  if (hasUnfinished) await session.publish((content) => ({ ...content, unfinished: null }));
  const waiting: GroupPlan[] = [];
  for (const plan of open) {
    const awaitsOthers =
      plan.blobs.every(({ state }) => state === 'indexed') &&
      plan.awaited.every(({ state, repositoryId }) => state !== 'failed' && !faults.has(repositoryId));
    if (awaitsOthers) waiting.push(plan);
    else hooks.failed(plan, faults.get(plan.repository.id) ?? buildFailed(new Error('a text was not read')));
  }
  return waiting;

  /** One after the other: each sees which plans the one before has completed. */
  function finish(piece: readonly PlannedBlob[], entry: SegmentEntry | null): Promise<void> {
    const done = finishing.then(async () => {
      for (const blob of piece) if (blob.state === 'read') blob.state = 'indexed';
      const whole = [...open].filter((plan) => isWhole(plan));
      if (entry === null && whole.length === 0) return;
      const entries = new Map<GroupPlan, RevisionEntry[]>();
      for (const plan of whole) entries.set(plan, await writeRevisions(plan));
      for (const plan of whole) open.delete(plan);
      const isLong = clock.now() - unfinishedMs > unfinishedIntervalMs;
      const unfinished = entry !== null && open.size > 0 && isLong ? await writeUnfinished() : undefined;
      await session.publish((content) => withPlans(content, entries, entry, unfinished));
      counters.publications += 1;
      learn([...whole]);
      for (const plan of whole) hooks.done(plan);
    });
    finishing = done.catch(() => {});
    return done;
  }

  async function writeRevisions(plan: GroupPlan): Promise<RevisionEntry[]> {
    const nowMs = clock.now();
    const { repository, refsStamp } = plan;
    const written = new Map<string, { file: string; head: RevisionEntry['head'] }>();
    const entries: RevisionEntry[] = plan.kept.map((entry) => ({ ...entry, checkedMs: nowMs, refsStamp }));
    for (const derived of plan.derived) {
      const { revision, kind, isDefault, commit } = derived;
      const manifest = written.get(commit) ?? (await writeOne(repository.id, derived));
      written.set(commit, manifest);
      counters.manifestsWritten += 1;
      entries.push({
        repositoryId: repository.id,
        revision,
        kind,
        isDefault,
        ...manifest,
        indexedMs: nowMs,
        checkedMs: nowMs,
        refsStamp,
      });
    }
    return entries;
  }

  async function writeOne(repositoryId: number, { documents, ...plan }: RevisionPlan) {
    const { commit, tree, committedMs, policyKey, objectsBy } = plan;
    const head = { repositoryId, commit, tree, committedMs, policyKey, objectsBy };
    if (!('twin' in documents)) return session.writeManifest(manifestOf(head, documents));
    counters.manifestsCopied += 1;
    return session.copyManifest(documents.twin, head);
  }

  /** Of blobs that are indexed while their repositories are not, so that a killed writer's successor goes on from here. */
  async function writeUnfinished(): Promise<string> {
    const blobs = [...open].flatMap((plan) =>
      plan.blobs.filter(({ state, known }) => state === 'indexed' && known === null),
    );
    hasUnfinished = true;
    unfinishedMs = clock.now();
    return (await session.writeManifest(unfinishedManifest(blobs))).file;
  }

  function learn(whole: readonly GroupPlan[]): void {
    for (const { blobs } of whole) {
      for (const { oid, facts, origin } of blobs) session.blobs.add(oid, facts, origin);
    }
  }
}

/** A killed writer loses no more than this much work, and the segment that it was at. */
const unfinishedIntervalMs = 10_000;

function isWhole({ blobs, awaited }: RepositoryPlan): boolean {
  return blobs.every(({ state }) => state === 'indexed') && awaited.every(({ state }) => state === 'indexed');
}

function withPlans(
  content: IndexContent,
  entries: ReadonlyMap<GroupPlan, readonly RevisionEntry[]>,
  segment: SegmentEntry | null,
  unfinished: string | undefined,
): IndexContent {
  const replaced = new Set<number>();
  const revisited = new Set<string>();
  for (const [{ repository, replaces }, own] of entries) {
    if (replaces === 'branches') replaced.add(repository.id);
    for (const { kind, revision } of own)
      if (kind === 'visited') revisited.add(`${repository.id} ${revision}`);
  }
  const revisions = content.revisions.filter(({ repositoryId, kind, revision }) =>
    kind === 'branch' ? !replaced.has(repositoryId) : !revisited.has(`${repositoryId} ${revision}`),
  );
  for (const own of entries.values()) revisions.push(...own);
  return {
    ...content,
    revisions,
    segments: segment === null ? content.segments : [...content.segments, segment],
    ...(unfinished === undefined ? {} : { unfinished }),
  };
}

function manifestOf(head: CopiedHead, { optedOut, credentialNames, rows }: ListedDocuments): NewManifest {
  return {
    head: { ...head, optedOut, credentialNames },
    rows: rows.map((row) => ({
      path: row.path,
      oid: row.oid,
      class: row.class,
      language: row.language === 0 ? row.facts.interpreter : row.language,
      executable: row.executable,
      blobId: row.facts.blobId,
      skipped: row.facts.skipped,
      maskedSpans: row.facts.maskedSpans,
      interpreter: row.facts.interpreter,
    })),
  };
}

/** By class, then by repository in the order given, then by path. */
function sorted(plans: readonly GroupPlan[]): PlannedBlob[] {
  const placeOf = new Map(plans.map(({ repository }, place) => [repository.id, place]));
  return plans
    .flatMap(({ blobs }) => blobs)
    .sort(
      (a, b) =>
        a.class - b.class ||
        placeOf.get(a.repositoryId)! - placeOf.get(b.repositoryId)! ||
        (a.path < b.path ? -1 : 1),
    );
}

/** Below this, a segment for each thread would be too small to be worth it. */
const pieceBytesMin = 4 * 2 ** 20;

function piecesOf(blobs: readonly PlannedBlob[], options: GroupOptions): PlannedBlob[][] {
  const total = blobs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const threads = options.lane === 'express' ? 1 : options.workers;
  const rounds = Math.max(1, Math.ceil(total / (options.textBytesMax * threads)));
  const bytesMax = Math.max(pieceBytesMin, Math.ceil(total / (rounds * threads)));
  const pieces: PlannedBlob[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const blob of blobs) {
    if (bytes >= bytesMax) {
      pieces.push([]);
      bytes = 0;
    }
    pieces.at(-1)!.push(blob);
    bytes += blob.sizeBytes;
  }
  return pieces;
}
