import type { Clock } from '../base/clock.ts';
import { asPeriscopeError, type PeriscopeError } from '../base/errors.ts';
import { globMatcher } from '../base/glob.ts';
import type { Logger } from '../base/logger.ts';
import type { Catalog, Repository } from '../catalog/index.ts';
import type { ContentPolicies, RepositoryPolicy } from '../content/index.ts';
import type { Mirror } from '../mirrors/index.ts';
import type { RevisionEntry } from '../search/index.ts';
import { createBuildThreads, type Lane } from './build-threads.ts';
import type { IndexCounters } from './counters.ts';
import { sampleRepositories } from './dictionary-samples.ts';
import { hideOptedOut } from './eviction.ts';
import { type GroupPlan, indexGroup } from './index-group.ts';
import type { IndexSession } from './index-session.ts';
import { createMaintenance } from './maintenance.ts';
import type { MergeLimits } from './merge-choice.ts';
import { planRepository, type RevisionWanted, wantedRevisions } from './plan-repository.ts';
import type { PlannedBlob, RepositoryPlan } from './plan-types.ts';
import { ProgressMeter } from './progress-meter.ts';
import { PublishedRevisions } from './published-revisions.ts';
import { refsStamp } from './refs-stamp.ts';
import { RepositoryRecords } from './repository-records.ts';
import { sampledFilter } from './sampled-blobs.ts';
import type { IndexingOptions, IndexingProgress } from './types.ts';

export interface IndexWriting {
  readonly records: RepositoryRecords;
  readonly revisions: PublishedRevisions;
  readonly session: IndexSession;
  progress(): IndexingProgress;
  /** Looked at at once. */
  changed(repository: Repository): void;
  /** Changes are expected: the thread that builds them is started. */
  warm(): void;
  /** Looks at every repository, or at some, for what has changed; cheap for those where nothing has. */
  sweep(which?: (repository: Repository) => boolean): Promise<void>;
  visit(repository: Repository, commit: string): Promise<{ revision: string; pending: number }>;
  /** Returns when there is nothing left to do. Fails with the fault that keeps all from being done. */
  settled(onProgress?: (progress: IndexingProgress) => void): Promise<void>;
  close(): Promise<void>;
}

export interface IndexWritingDeps {
  session: IndexSession;
  catalog: Catalog;
  policies: ContentPolicies;
  clock: Clock;
  logger: Logger;
  counters: IndexCounters;
  workerFile: URL | undefined;
  mergeLimits: MergeLimits;
  /** Aborted when the lease is lost. */
  signal: AbortSignal;
}

const MB = 2 ** 20;
const segmentTextBytesMax = 128 * MB;
/** The first group is small, so that searching starts early; later ones are large, so that few segments come of them. */
const firstGroupBytes = 64 * MB;
const groupBytes = 256 * MB;
const firstGroupRepositories = 50;
const groupRepositories = 300;
const preparingMax = 4;
/** A change that brings more is not one that anybody waits for. */
const expressBytesMax = 48 * MB;
const expressRepositoriesMax = 16;
/** A repository that takes long to come (a clone) does not keep those that are here from being indexed. */
const patienceMs = 2000;
const idleThreadMs = 30_000;
const diskFullPauseMs = 15_000;
/** What a build holds beside the growing parts of its segment: memory of compiled code, text on its way. */
const baseBytes = 200 * MB;

/** Does the work of the one writer: two lanes, one for what is new, one for what has changed. */
export function startIndexWriting(options: IndexingOptions, deps: IndexWritingDeps): IndexWriting {
  const { session, catalog, policies, clock, logger, counters, signal } = deps;
  const records = new RepositoryRecords();
  const revisions = new PublishedRevisions();
  const meter = new ProgressMeter(clock);
  const threads = createBuildThreads({
    ...(deps.workerFile ? { workerFile: deps.workerFile } : {}),
    workers: options.workers,
    idleMs: idleThreadMs,
  });
  const isKept = options.branches.length === 0 ? null : anyGlob(options.branches);
  const memoryBytesMax = Math.max(32 * MB, (options.memoryBytesMax - baseBytes) / (options.workers + 1));

  const visitedUsed = new Map<string, number>();
  const maintenance = createMaintenance(
    { visitedBytesMax: options.visitedBytesMax, mergeLimits: deps.mergeLimits },
    { session, threads, counters, clock, placeOf, visitedUsed, signal, train: () => train(0, 0) },
  );

  const bulkQueue = new Set<number>();
  const expressQueue = new Set<number>();
  const visits = new Map<string, Visit>();
  const visitQueue: Visit[] = [];
  /** Planned and not yet in a group. */
  let ready: GroupPlan[] = [];
  const preparing = new Set<Promise<void>>();
  const bulkBlobs = new Map<string, PlannedBlob>();
  const releases = new Map<GroupPlan, () => void>();
  let places: { of: readonly Repository[]; byId: Map<number, number> } = { of: [], byId: new Map() };
  let hadGroup = false;
  let stuck: PeriscopeError | null = null;
  let isSweeping = 0;
  let inWork = 0;
  let isClosed = false;
  let wake: (() => void)[] = [];
  const settling: (() => void)[] = [];

  const loops = [loop(bulkTurn), loop(expressTurn)];

  return {
    records,
    revisions,
    session,
    progress,
    changed(repository) {
      enqueue(repository.id, 'express');
    },
    warm: threads.warm,
    sweep,
    visit,
    async settled(onProgress) {
      while (!isClosed && !signal.aborted) {
        onProgress?.(progress());
        if (stuck) throw stuck;
        if (isIdle()) return;
        await new Promise<void>((resolve) => {
          settling.push(resolve);
          setTimeout(resolve, 500).unref();
        });
      }
      signal.throwIfAborted();
    },
    async close() {
      isClosed = true;
      ring();
      await threads.close();
      await Promise.all(loops);
      await Promise.allSettled(preparing);
    },
  };

  /* ---- what has to be done ---- */

  function enqueue(id: number, lane: Lane): void {
    const record = records.of(id);
    if (record.isBusy) {
      record.again = true;
      return;
    }
    const isNew = revisions.of(session.writer.state(), id).length === 0;
    if (isNew || lane === 'bulk') {
      if (!expressQueue.has(id)) bulkQueue.add(id);
    } else {
      bulkQueue.delete(id);
      expressQueue.add(id);
    }
    ring();
  }

  async function sweep(which: (repository: Repository) => boolean = () => true): Promise<void> {
    isSweeping += 1;
    try {
      const repositories = catalog.repositories();
      await forgetGone(repositories);
      for (const id of records.due(clock.now())) enqueue(id, 'bulk');
      const looked = repositories.filter(which);
      for (let at = 0; at < looked.length && !isClosed; at += looksAtOnce) {
        await Promise.all(looked.slice(at, at + looksAtOnce).map(look));
      }
    } finally {
      isSweeping -= 1;
      ring();
    }
  }

  async function look(repository: Repository): Promise<void> {
    const record = records.of(repository.id);
    if (record.isBusy || record.retryAtMs > clock.now()) return;
    const entries = revisions.of(session.writer.state(), repository.id);
    const standing = entries.find(({ isDefault }) => isDefault);
    if (repository.location.kind === 'folder') {
      if (standing) {
        const stamp = await refsStamp(repository.location.gitDir, clock.now());
        if (stamp !== null && (stamp === standing.refsStamp || stamp === record.refsStamp)) return;
      }
    } else if (standing) {
      const seen = await catalog.mirror(repository).peek({ signal });
      const isSame = seen.lastCommit === null || seen.lastCommit.commit === standing.head.commit;
      if (isSame && (isKept === null || seen.generation === record.refsGeneration)) return;
      record.refsGeneration = seen.generation;
    }
    if (standing === undefined && record.isEmpty && repository.location.kind === 'remote') {
      const { lastCommit } = await catalog.mirror(repository).peek({ signal });
      if (lastCommit === null) return;
    }
    enqueue(repository.id, standing ? 'express' : 'bulk');
  }

  async function forgetGone(repositories: readonly Repository[]): Promise<void> {
    const ids = new Set(repositories.map(({ id }) => id));
    records.keep(ids);
    const isGone = ({ repositoryId }: RevisionEntry) => !ids.has(repositoryId);
    if (!session.writer.state().revisions.some(isGone)) return;
    await session.publish((content) => ({
      ...content,
      revisions: content.revisions.filter((entry) => !isGone(entry)),
    }));
  }

  function repositoryOf(id: number): Repository | undefined {
    return catalog.repositories().find((repository) => repository.id === id);
  }

  /* ---- planning ---- */

  async function prepare(repository: Repository, lane: Lane): Promise<GroupPlan | null> {
    const record = records.of(repository.id);
    record.isBusy = true;
    const pins = session.pins();
    const groupBlobs = lane === 'bulk' ? bulkBlobs : new Map<string, PlannedBlob>();
    try {
      const mirror = catalog.mirror(repository);
      const stamp = await stampOf(repository);
      const wanted = await wantedOf(mirror);
      const entries = revisions.of(session.writer.state(), repository.id);
      if (wanted.length === 0) return empty(repository, pins.release);
      const policy = await policyOf(repository, mirror, wanted[0]!.commit, entries);
      const subject = { repository, mirror, policy };
      const current = revisions.of(session.writer.state(), repository.id);
      const plan = await planRepository(subject, wanted, current, contextOf(groupBlobs, pins.pin));
      counters.repositoriesPlanned += 1;
      if (isSame(plan, current)) {
        pins.release();
        const seen = { checkedMs: clock.now(), refsStamp: stamp };
        maintenance.touched(repository.id, seen);
        ended(repository.id, plan.headCommit);
        records.of(repository.id).refsStamp = stamp;
        return null;
      }
      const planned: GroupPlan = { ...plan, replaces: 'branches', refsStamp: stamp };
      releases.set(planned, pins.release);
      return planned;
    } catch (fault) {
      pins.release();
      ended(repository.id, null, fault);
      return null;
    }
  }

  function contextOf(groupBlobs: Map<string, PlannedBlob>, pin: (blobId: number) => void) {
    return {
      blobs: session.blobs,
      openManifest: session.openManifest,
      newBlobId: session.newBlobId,
      fileBytesMax: options.fileBytesMax,
      groupBlobs,
      pin,
      signal,
    };
  }

  async function wantedOf(mirror: Mirror): Promise<RevisionWanted[]> {
    try {
      return await wantedRevisions(mirror, isKept, signal);
    } catch (fault) {
      const { code } = asPeriscopeError(fault);
      if (code === 'mirrors/empty-repository') return [];
      throw fault;
    }
  }

  /** What is hidden now is hidden before anything else is done. */
  async function policyOf(
    repository: Repository,
    mirror: Mirror,
    commit: string,
    entries: readonly RevisionEntry[],
  ): Promise<RepositoryPolicy> {
    try {
      const policy = await policies.policyOf(mirror, commit);
      await hideOptedOut(entries, policy, { session, counters });
      return policy;
    } catch (fault) {
      const { kind } = asPeriscopeError(fault);
      if (kind === 'blocked-by-policy') {
        await hideOptedOut(entries, null, { session, counters });
        logger.warn('a repository is not indexed: its opt-out cannot be read', {
          repository: repository.name,
        });
      }
      throw fault;
    }
  }

  function empty(repository: Repository, release: () => void): null {
    release();
    const isThere = revisions.of(session.writer.state(), repository.id).length > 0;
    const forget = async () => {
      if (!isThere) return;
      await session.publish((content) => ({
        ...content,
        revisions: content.revisions.filter(({ repositoryId }) => repositoryId !== repository.id),
      }));
    };
    inWork += 1;
    forget()
      .then(
        () => ended(repository.id, null),
        (fault) => ended(repository.id, null, fault),
      )
      .finally(() => {
        inWork -= 1;
        ring();
      });
    return null;
  }

  async function stampOf({ location }: Repository): Promise<string | null> {
    return location.kind === 'folder' ? refsStamp(location.gitDir, clock.now()) : null;
  }

  /* ---- lanes ---- */

  async function bulkTurn(): Promise<boolean> {
    const group = await nextGroup();
    if (group.length > 0) {
      await train(
        group.reduce((sum, plan) => sum + plan.bytes, 0),
        group.length,
      );
      ready.push(...(await run(group, 'bulk')));
      hadGroup = true;
      return true;
    }
    return maintenance.step();
  }

  async function nextGroup(): Promise<GroupPlan[]> {
    const bytesMax = hadGroup ? groupBytes : firstGroupBytes;
    const repositoriesMax = hadGroup ? groupRepositories : firstGroupRepositories;
    for (;;) {
      pump(bytesMax);
      const bytes = ready.reduce((sum, plan) => sum + plan.bytes, 0);
      if (bytes >= bytesMax || ready.length >= repositoriesMax || preparing.size === 0) break;
      const before = ready.length;
      await Promise.race([...preparing, ...(before > 0 ? [pause(patienceMs)] : [])]);
      if (isClosed) return [];
      if (before > 0 && ready.length === before) break;
    }
    const group = ready;
    ready = [];
    return group;
  }

  function pump(bytesMax: number): void {
    const bytes = ready.reduce((sum, plan) => sum + plan.bytes, 0);
    for (const id of bulkQueue) {
      if (preparing.size >= preparingMax || bytes >= bytesMax || isClosed) return;
      bulkQueue.delete(id);
      const repository = repositoryOf(id);
      if (repository === undefined || records.of(id).isBusy) continue;
      const work: Promise<void> = prepare(repository, 'bulk').then((plan) => {
        preparing.delete(work);
        if (plan) ready.push(plan);
        // While a group is built the next one begins to come, but not all of it: plans take memory.
        pump(bytesMax / 4);
        ring();
      });
      preparing.add(work);
    }
  }

  async function expressTurn(): Promise<boolean> {
    const visit = visitQueue.shift();
    if (visit) {
      await runVisit(visit);
      return true;
    }
    const ids = [...expressQueue].slice(0, expressRepositoriesMax);
    if (ids.length === 0) return false;
    const group: GroupPlan[] = [];
    for (const id of ids) {
      expressQueue.delete(id);
      const repository = repositoryOf(id);
      if (repository === undefined || records.of(id).isBusy) continue;
      const plan = await prepare(repository, 'express');
      if (plan === null) continue;
      if (plan.bytes > expressBytesMax) ready.push(plan);
      else group.push(plan);
    }
    if (group.length > 0) await run(group, 'express');
    return true;
  }

  async function run(group: readonly GroupPlan[], lane: Lane): Promise<GroupPlan[]> {
    const open = new Set(group);
    const done = (plan: GroupPlan, fault?: unknown) => {
      open.delete(plan);
      releases.get(plan)?.();
      if (releases.delete(plan) && plan.replaces === 'visited') {
        for (const { commit } of plan.derived) visits.delete(`${plan.repository.id} ${commit}`);
      }
      for (const blob of plan.blobs) {
        if (bulkBlobs.get(blob.oid) === blob) bulkBlobs.delete(blob.oid);
        if (blob.state !== 'indexed') blob.state = 'failed';
      }
      if (plan.replaces === 'branches') ended(plan.repository.id, plan.headCommit, fault);
    };
    try {
      return await indexGroup(
        group,
        {
          lane,
          workers: options.workers,
          textBytesMax: segmentTextBytesMax,
          memoryBytesMax,
          trigramsMax: options.trigramsMax,
          signal,
        },
        { bytesRead: (bytes) => meter.read(bytes), done, failed: done },
        { session, threads, counters, clock },
      );
    } catch (fault) {
      for (const plan of open) done(plan, fault);
      await notAgainAtOnce(fault);
      return [];
    }
  }

  /** The end of a repository's turn, good or bad. */
  function ended(id: number, headCommit: string | null, fault?: unknown): void {
    const record = records.of(id);
    record.isBusy = false;
    if (fault === undefined) records.succeeded(id, headCommit);
    else if (!signal.aborted && !isClosed) {
      const { message, next, code } = asPeriscopeError(fault);
      records.failed(id, `${message} ${next}`, clock.now());
      logger.warn('a repository could not be indexed', { repositoryId: id, code, fault });
    }
    if (record.again) {
      record.again = false;
      enqueue(id, 'express');
    }
    ring();
  }

  /** Trains dictionaries where there is text enough, and again when it has become much more. */
  async function train(bytes: number, repositories: number): Promise<void> {
    const state = session.writer.state();
    const textBytes = state.segments.reduce((sum, segment) => sum + segment.textBytes, bytes);
    const isWorth =
      textBytes >= trainingBytesMin && textBytes >= state.dictionariesTextBytes * trainingGrowth;
    if (!isWorth) return;
    const indexed = Math.max(1, revisions.all(state).size + repositories);
    const trained = await threads.use('bulk', signal, async (thread) => {
      const oids = await sampleRepositories(thread, catalog.repositories(), { catalog, policies, signal });
      const set = await thread.ask<'train'>({ kind: 'train', folder: session.writer.folder });
      return set && { name: set.name, sampled: sampledFilter(oids) };
    });
    if (trained === null) return;
    counters.dictionariesTrained += 1;
    session.writer.keepDictionaries(trained.name);
    await session.publish((content) => ({
      ...content,
      dictionaries: trained.name,
      sampled: trained.sampled,
      // Samples were taken of all repositories, whatever has been read of them so far.
      dictionariesTextBytes: Math.max(textBytes, (textBytes / indexed) * catalog.repositories().length),
    }));
  }

  function placeOf(repositoryId: number): number {
    const repositories = catalog.repositories();
    if (places.of !== repositories) {
      places = { of: repositories, byId: new Map(repositories.map(({ id }, place) => [id, place])) };
    }
    return places.byId.get(repositoryId) ?? Number.MAX_SAFE_INTEGER;
  }

  /* ---- visited revisions ---- */

  interface Visit {
    key: string;
    repository: Repository;
    commit: string;
    told: Promise<{ revision: string; pending: number }>;
    tell(answer: { revision: string; pending: number }): void;
    fail(fault: unknown): void;
  }

  function visit(repository: Repository, commit: string): Promise<{ revision: string; pending: number }> {
    const standing = standingAt(repository.id, commit);
    const policyKey = revisions.of(session.writer.state(), repository.id).find(({ isDefault }) => isDefault)
      ?.head.policyKey;
    const key = `${repository.id} ${commit}`;
    visitedUsed.set(key, clock.now());
    const known = visits.get(key);
    const isDone = standing && pendingOf(standing) === 0 && standing.head.policyKey === policyKey;
    if (standing && (isDone || known)) {
      return Promise.resolve({ revision: standing.revision, pending: pendingOf(standing) });
    }
    if (known) return known.told;
    let tell: Visit['tell'] = () => {};
    let fail: Visit['fail'] = () => {};
    const told = new Promise<{ revision: string; pending: number }>((resolve, reject) => {
      tell = resolve;
      fail = reject;
    });
    told.catch(() => {});
    const asked: Visit = { key, repository, commit, told, tell, fail };
    visits.set(key, asked);
    visitQueue.push(asked);
    ring();
    return told;
  }

  function standingAt(repositoryId: number, commit: string): RevisionEntry | undefined {
    return revisions.of(session.writer.state(), repositoryId).find(({ head }) => head.commit === commit);
  }

  async function runVisit({ key, repository, commit, tell, fail }: Visit): Promise<void> {
    const pins = session.pins();
    let isHandedOn = false;
    try {
      const mirror = catalog.mirror(repository);
      const policy = await policies.policyOf(mirror, commit);
      const entries = revisions.of(session.writer.state(), repository.id);
      const wanted: RevisionWanted = { revision: commit, kind: 'visited', isDefault: false, commit };
      const context = contextOf(new Map(), pins.pin);
      const plan = await planRepository({ repository, mirror, policy }, [wanted], entries, context);
      const planned: GroupPlan = { ...plan, replaces: 'visited', refsStamp: null };
      // What others have brought counts as not there yet: that it is would tell what hidden repositories hold.
      const pending = new Set([...plan.blobs.map(({ facts }) => facts), ...plan.shared]);
      if (pending.size > 0) await run([withPending(planned, pending)], 'express');
      tell({ revision: standingAt(repository.id, commit)?.revision ?? commit, pending: pending.size });
      releases.set(planned, pins.release);
      isHandedOn = true;
      if (plan.bytes > expressBytesMax) ready.push(planned);
      else await run([planned], 'express');
    } catch (fault) {
      fail(fault);
      logger.warn('a revision could not be indexed', { repositoryId: repository.id, fault });
    } finally {
      if (!isHandedOn) {
        pins.release();
        visits.delete(key);
      }
    }
  }

  /* ---- turns ---- */

  async function loop(turn: () => Promise<boolean>): Promise<void> {
    while (!isClosed && !signal.aborted) {
      const woken = new Promise<void>((resolve) => wake.push(resolve));
      inWork += 1;
      let didSomething = false;
      try {
        didSomething = await turn();
        if (didSomething) stuck = null;
      } catch (fault) {
        if (isClosed || signal.aborted) break;
        logger.error('indexing met a fault', { fault });
        await notAgainAtOnce(fault);
      } finally {
        inWork -= 1;
      }
      for (const go of settling.splice(0)) go();
      if (!didSomething) await Promise.race([woken, pause(idleLookMs)]);
    }
    for (const go of settling.splice(0)) go();
  }

  /** What hinders all of it, such as a full disk, is told, and tried again after a while. */
  async function notAgainAtOnce(fault: unknown): Promise<void> {
    if (isClosed || signal.aborted) return;
    const told = asPeriscopeError(fault);
    stuck = told;
    if (told.code === 'search/index-disk-full') await session.writer.collect().catch(() => null);
    await Promise.race([
      pause(diskFullPauseMs),
      aborted(signal),
      new Promise<void>((resolve) => wake.push(resolve)),
    ]);
  }

  function ring(): void {
    const woken = wake;
    wake = [];
    for (const go of woken) go();
  }

  function isIdle(): boolean {
    return (
      inWork === 0 &&
      isSweeping === 0 &&
      bulkQueue.size === 0 &&
      expressQueue.size === 0 &&
      visitQueue.length === 0 &&
      preparing.size === 0 &&
      ready.length === 0
    );
  }

  function progress(): IndexingProgress {
    const total = catalog.repositories().length;
    let left = 0;
    for (const { id } of catalog.repositories()) {
      const record = records.peek(id);
      if (record?.isBusy || bulkQueue.has(id) || expressQueue.has(id)) left += 1;
    }
    return meter.progress(total - left, total);
  }
}

const looksAtOnce = 16;
const idleLookMs = 5000;
const trainingBytesMin = 4 * MB;
/** Trained again when so many times the text is there: at first a dictionary knows only what came first. */
const trainingGrowth = 4;

function anyGlob(globs: readonly string[]): (branch: string) => boolean {
  const matchers = globs.map(globMatcher);
  return (branch) => matchers.some((matches) => matches(branch));
}

/** Whether a plan leaves the index as it is. */
function isSame({ kept, derived }: RepositoryPlan, entries: readonly RevisionEntry[]): boolean {
  const branches = entries.filter(({ kind }) => kind === 'branch');
  return (
    derived.length === 0 &&
    kept.length === branches.length &&
    kept.every((entry) =>
      branches.some(
        ({ revision, isDefault, file }) =>
          entry.revision === revision && entry.isDefault === isDefault && entry.file === file,
      ),
    )
  );
}

function pendingOf({ head }: RevisionEntry): number {
  return head.skippedCounts.pending ?? 0;
}

/** The plan as it can be published at once: what has to be read is not searchable yet. */
function withPending(plan: GroupPlan, pending: ReadonlySet<object>): GroupPlan {
  const waiting = { blobId: 0, skipped: 'pending', maskedSpans: 0, interpreter: 0 } as const;
  return {
    ...plan,
    blobs: [],
    awaited: [],
    bytes: 0,
    derived: plan.derived.map((revision) => ({
      ...revision,
      rows: revision.rows.map((row) => (pending.has(row.facts) ? { ...row, facts: waiting } : row)),
    })),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
