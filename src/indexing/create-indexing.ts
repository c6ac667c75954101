import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import { asPeriscopeError, cancelled, type PeriscopeError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Catalog, Repository } from '../catalog/index.ts';
import type { ContentPolicies } from '../content/index.ts';
import type { Jobs } from '../jobs/index.ts';
import {
  damageNotes,
  type IndexState,
  type IndexWriter,
  type RevisionEntry,
  readIndexState,
  removeDamageNotes,
} from '../search/index.ts';
import type { Lease, Storage } from '../storage/index.ts';
import type { EmbedderSource } from '../vectors/index.ts';
import { type IndexCounters, noIndexWork } from './counters.ts';
import { createEmbeddingCoverage } from './embedding-coverage.ts';
import { indexBusy, leaseLost, revisionNotThere, scipCommitNotIndexed, scipRootInvalid } from './errors.ts';
import { createFactsCoverage } from './facts-coverage.ts';
import { type FactsKind, factsKind } from './facts-kind.ts';
import { createHeadLook } from './head-look.ts';
import { openIndexSession } from './index-session.ts';
import { type IndexWriting, startIndexWriting } from './index-writing.ts';
import { keepFresh } from './keep-fresh.ts';
import { type MergeLimits, mergeLimits } from './merge-choice.ts';
import { pauseUntil } from './pause-until.ts';
import { PublishedRevisions } from './published-revisions.ts';
import { createRepairPace } from './repair-pace.ts';
import { statusOf } from './repository-status.ts';
import {
  adoptScip,
  type BuiltScip,
  createScipUploads,
  type ScipGround,
  type ScipUploadLimits,
  scipUploadLimits,
} from './scip-uploads.ts';
import type { Indexing, IndexingOptions, IndexingProgress } from './types.ts';
import { acquireWriterLease } from './writer-lease.ts';

export interface IndexingRole {
  /** Whether this process may be the one that writes the index. Others follow what it publishes. */
  writes: boolean;
  /** Keep the index up to date by itself. False: only `indexAll` writes. */
  background: boolean;
}

export interface IndexingDeps {
  catalog: Catalog;
  policies: ContentPolicies;
  storage: Storage;
  jobs: Jobs;
  clock: Clock;
  logger: Logger;
  /** Of this process, for the lease. */
  owner: string;
  /** What names how texts are masked: another one means to index anew. */
  maskKey: string;
  /** The compiled build-worker. Default: the one beside this code. */
  workerFile?: URL;
  /** The compiled facts-worker. Default: the one beside this code. */
  factsWorkerFile?: URL;
  /** The compiled scip-worker. Default: the one beside this code. */
  scipWorkerFile?: URL;
  /** The compiled embedding-worker. Default: the one beside this code. */
  embeddingWorkerFile?: URL;
  /** The encoder of `embedding`; null where the table alone embeds. Default null. */
  encoder?: EmbedderSource | null;
  /** Default: those of scip-uploads.ts. */
  scipLimits?: ScipUploadLimits;
  /** How long a text may hold up its parser thread before that is ended. Default 30 seconds. */
  parserOverrunMs?: number;
  /** How long a killed writer keeps others from writing. Default 30 seconds. */
  leaseTtlMs?: number;
  /** Sizes at which segments are merged. Default: those of merge-choice.ts. */
  mergeLimits?: MergeLimits;
}

const defaultLeaseTtlMs = 30_000;
/** Well above the deadline that a text has in the extractor. */
const defaultParserOverrunMs = 30_000;
const leaseRetryMs = 5000;
const followMs = 1000;
const revisionLookMs = 50;
const filesLogged = 20;
const jobKinds = { look: 'index-look', visit: 'index-revision', scip: 'index-scip' };
/** A commit that is there but not indexed is given so long. */
const scipVisitMs = 30_000;

/** What texts look like in the index, beside the options: raised when decoding or classes change. */
const contentVersion = 1;

export function createIndexing(
  options: IndexingOptions & IndexingRole,
  deps: IndexingDeps,
): Indexing & { counters(): IndexCounters } {
  const { catalog, storage, jobs, clock, logger, owner } = deps;
  const leaseTtlMs = deps.leaseTtlMs ?? defaultLeaseTtlMs;
  const counters = noIndexWork();
  const closing = new AbortController();
  const revisions = new PublishedRevisions();
  let writing: IndexWriting | null = null;
  let followed: IndexState | null = null;
  /** Of the last time that this process wrote: why something could not be indexed is still worth telling. */
  let records: IndexWriting['records'] | null = null;
  /** Why this process, which may write, does not. */
  let hindrance: PeriscopeError | null = null;
  let kind: Promise<FactsKind | null> | null = null;
  const coverage = createFactsCoverage(options.folder);
  const embedded = options.embedding && createEmbeddingCoverage(options.folder, options.vectorFolder, clock);
  const repairs = createRepairPace(clock);
  const scipLimits = deps.scipLimits ?? scipUploadLimits;
  const scipUploads = createScipUploads(
    { folder: options.folder, limits: scipLimits, workerFile: deps.scipWorkerFile },
    { clock },
  );
  const heads = options.background ? createHeadLook({ catalog, standing }) : null;
  const timers: NodeJS.Timeout[] = [];
  const background = options.background && options.writes ? keepWriting() : Promise.resolve();
  if (!options.writes) follow();
  const worksJobs = options.background && options.writes;
  if (worksJobs) workJobs();

  return {
    status(repositoryId) {
      const state = stateNow();
      const own = writing?.revisions ?? revisions;
      const seenHead = heads?.headOf(repositoryId);
      return statusOf(repositoryId, own.of(state, repositoryId), {
        record: records?.peek(repositoryId),
        seenHead,
      });
    },
    async symbolCoverage(repositoryId) {
      const state = stateNow();
      const entry = standing(repositoryId);
      return options.symbols && state && entry ? coverage.of(state, entry) : null;
    },
    async embeddingCoverage(repositoryId) {
      const state = stateNow();
      const entry = standing(repositoryId);
      return embedded && state && entry ? embedded.of(state, entry) : null;
    },
    isBehind: (repositoryId, indexedCommit) => heads?.isBehind(repositoryId, indexedCommit) ?? false,
    headsVersion: () => heads?.version() ?? 0,
    problem() {
      if (writing) return writing.problem();
      if (hindrance?.kind === 'internal') return 'It cannot be written for a while; the log says why.';
      return hindrance && `${hindrance.message} ${hindrance.next}`;
    },
    progress: () => writing?.progress() ?? progressOf(stateNow()),
    changed(repository) {
      if (writing) writing.changed(repository);
      else tellWriter(jobKinds.look, String(repository.id), { id: repository.id });
    },
    ensureRevision,
    async takeScip(repository, { commit, body, root }, { signal, budgetMs }) {
      const folder = root.replace(/\/+$/, '');
      if (!isFolder(folder)) throw scipRootInvalid(root);
      const untilMs = Date.now() + budgetMs;
      const until = AbortSignal.any([signal, closing.signal]);
      await awaitWhole(repository, commit, until);
      const built = await scipUploads.build(
        { body, root: folder === '' ? '' : `${folder}/` },
        { ground: () => wholeRevision(repository.id, commit), missing: () => scipCommitNotIndexed(commit) },
        until,
      );
      const published = await publishScip(built, { signal: until, untilMs });
      const { summary, leftOut } = built.taken;
      const { documents, uses: occurrences, symbols, maskedNames } = summary;
      return { commit, documents, occurrences, symbols, leftOut, maskedNames, published };
    },

    async indexAll({ signal, onProgress, textOnly = false }) {
      if (writing) {
        const current = writing;
        await current.sweep();
        await current.settled(onProgress);
        return current.progress();
      }
      const ended = AbortSignal.any([signal, closing.signal]);
      const lease = await acquireWriterLease(storage, { owner, ttlMs: leaseTtlMs });
      if (lease === null) throw indexBusy();
      return asWriter(lease, ended, { symbols: !textOnly }, async (current) => {
        await current.sweep();
        await current.settled(onProgress);
        if (current.damaged.size === 0) await tidied(current.session.writer);
        return current.progress();
      });
    },
    counters: () => ({ ...counters }),
    async close() {
      closing.abort();
      for (const timer of timers) clearInterval(timer);
      await Promise.all([background, heads?.close()]);
    },
  };

  async function ensureRevision(
    repository: Repository,
    commit: string,
    { signal, budgetMs }: { signal: AbortSignal; budgetMs: number },
  ): Promise<{ revision: string; pending: number }> {
    const untilMs = Date.now() + budgetMs;
    if (writing) return within(writing.visit(repository, commit), { signal, untilMs }, commit);
    for (let asked = false; ; asked = true) {
      const standing = revisions
        .of(await readIndexState(options.folder), repository.id)
        .find(({ head }) => head.commit === commit);
      if (standing) {
        return { revision: standing.revision, pending: standing.head.skippedCounts.pending ?? 0 };
      }
      if (!asked) tellWriter(jobKinds.visit, `${repository.id} ${commit}`, { id: repository.id, commit });
      if (signal.aborted) throw cancelled(signal.reason);
      if (Date.now() > untilMs) throw revisionNotThere(commit);
      await pause(revisionLookMs);
    }
  }

  function standing(repositoryId: number): RevisionEntry | undefined {
    const own = writing?.revisions ?? revisions;
    return own.of(stateNow(), repositoryId).find(({ isDefault }) => isDefault);
  }

  function stateNow(): IndexState | null {
    return writing?.session.writer.state() ?? followed;
  }

  function progressOf(state: IndexState | null): IndexingProgress {
    const total = catalog.repositories().length;
    const indexed = revisions.all(state);
    const done = catalog.repositories().filter(({ id }) => indexed.has(id)).length;
    return {
      repositoriesDone: done,
      repositoriesTotal: total,
      bytesDone: 0,
      bytesPerSecond: 0,
      remainingMs: done === total ? 0 : null,
      symbols: null,
      embedding: null,
    };
  }

  /* ---- the one that writes ---- */

  async function keepWriting(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const lease = await acquireWriterLease(storage, { owner, ttlMs: leaseTtlMs });
        if (lease === null) {
          followed = await readIndexState(options.folder).catch(() => followed);
          await pauseUntil(leaseRetryMs, closing.signal);
          continue;
        }
        const { sweepIntervalMs } = options;
        await asWriter(lease, closing.signal, { symbols: true }, (current, lost) =>
          keepFresh(current, { sweepIntervalMs, catalog, clock, mayRepair: repairs.isDue, signal: lost }),
        );
      } catch (fault) {
        if (closing.signal.aborted) return;
        const told = asPeriscopeError(fault);
        // Tried over and over: what is known by now is not logged again.
        if (told.code !== hindrance?.code)
          logger.error('the index is not written for a while', { code: told.code, fault });
        hindrance = told;
        await pauseUntil(leaseRetryMs, closing.signal);
      }
    }
  }

  async function asWriter<T>(
    lease: Lease,
    outer: AbortSignal,
    { symbols }: { symbols: boolean },
    work: (current: IndexWriting, lost: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const lost = new AbortController();
    const signal = AbortSignal.any([outer, lost.signal]);
    const renewing = setInterval(() => {
      lease.renew().then(
        (isOurs) => {
          if (!isOurs) lost.abort(leaseLost());
        },
        // The database may be back before the lease is over; the fence tells when it is not.
        () => {},
      );
    }, leaseTtlMs / 3);
    renewing.unref();
    try {
      let published: IndexState | null = null;
      let damaged: ReadonlySet<string> = new Set();
      for (;;) {
        const done: SessionEnd<T> = await withSession(lease, { damaged, published, symbols }, signal, work);
        if ('result' in done) return done.result;
        ({ damaged, published } = done);
        await pauseUntil(repairs.waitMs(), signal);
        signal.throwIfAborted();
      }
    } finally {
      clearInterval(renewing);
      await lease.release().catch(() => {});
    }
  }

  /** One session: until the work is done, or something in the index was found damaged. */
  async function withSession<T>(
    { fence }: Lease,
    known: { damaged: ReadonlySet<string>; published: IndexState | null; symbols: boolean },
    signal: AbortSignal,
    work: (current: IndexWriting, lost: AbortSignal) => Promise<T>,
  ): Promise<SessionEnd<T>> {
    const { folder } = options;
    const noted = await damageNotes(folder);
    const damaged = new Set([...known.damaged, ...noted]);
    const { published } = known;
    const facts = known.symbols && options.symbols ? await kindOfFacts() : null;
    const session = await openIndexSession({
      folder,
      fence,
      optionsHash: optionsHash(),
      damaged,
      published,
    });
    await removeDamageNotes(folder, noted);
    if (!options.symbols || options.embedding === null)
      await rm(options.vectorFolder, { recursive: true, force: true });
    if (session.broken.size > 0) {
      repairs.begun();
      const files = [...session.broken];
      const { length: count } = files;
      logger.warn('damaged files of the index are made anew', { files: files.slice(0, filesLogged), count });
    }
    const { policies, workerFile, factsWorkerFile } = deps;
    const current = startIndexWriting(options, {
      session,
      catalog,
      policies,
      clock,
      logger,
      counters,
      workerFile,
      factsWorkerFile,
      embeddingWorkerFile: deps.embeddingWorkerFile,
      // Who comes for one run of indexing does not wait for the encoder.
      encoder: options.background ? (deps.encoder ?? null) : null,
      keepsEncoded: deps.encoder != null,
      fence,
      facts,
      parserOverrunMs: deps.parserOverrunMs ?? defaultParserOverrunMs,
      mergeLimits: deps.mergeLimits ?? mergeLimits,
      signal,
    });
    try {
      writing = current;
      records = current.records;
      hindrance = null;
      const result = await work(current, signal);
      if (current.damaged.size === 0) return { result };
      return { damaged: current.damaged, published: session.writer.state() };
    } finally {
      writing = null;
      followed = session.writer.state();
      await current.close();
    }
  }

  /** Null when there is no extractor to be had: texts are indexed all the same, and their symbols count as pending. */
  function kindOfFacts(): Promise<FactsKind | null> {
    kind ??= factsKind().catch((fault: unknown) => {
      logger.error('symbols are not extracted: the extractor does not start', { fault });
      kind = null;
      return null;
    });
    return kind;
  }

  function optionsHash(): string {
    const { fileBytesMax, trigramsMax } = options;
    const decides = JSON.stringify([contentVersion, deps.maskKey, fileBytesMax, trigramsMax]);
    return createHash('sha256').update(decides).digest('hex').slice(0, 32);
  }

  /* ---- those that do not ---- */

  function follow(): void {
    const look = () => {
      readIndexState(options.folder).then(
        (state) => {
          if (state?.generation !== followed?.generation) followed = state;
        },
        // A folder that cannot be read in this moment is looked at again.
        () => {},
      );
    };
    look();
    const timer = setInterval(look, followMs);
    timer.unref();
    timers.push(timer);
  }

  function tellWriter(kind: string, key: string, payload: object): void {
    jobs.enqueue({ kind, key, payload, maxAttempts: 10 }).catch((fault: unknown) => {
      logger.warn('the process that indexes could not be told', { code: asPeriscopeError(fault).code });
    });
  }

  /* ---- what CI knows ---- */

  /** A revision that stands at the commit with all of its texts; null for none. */
  async function wholeRevision(repositoryId: number, commit: string): Promise<ScipGround | null> {
    const state = writing?.session.writer.state() ?? (await readIndexState(options.folder));
    const revision = state?.revisions.find(
      (entry) =>
        entry.repositoryId === repositoryId &&
        entry.head.commit === commit &&
        (entry.head.skippedCounts.pending ?? 0) === 0,
    );
    return state && revision ? { state, revision } : null;
  }

  /** Has the commit indexed where that can be done here. */
  async function awaitWhole(repository: Repository, commit: string, signal: AbortSignal): Promise<void> {
    if ((await wholeRevision(repository.id, commit)) !== null) return;
    if (!options.background) throw scipCommitNotIndexed(commit);
    const untilMs = Date.now() + scipVisitMs;
    await ensureRevision(repository, commit, { signal, budgetMs: scipVisitMs });
    while ((await wholeRevision(repository.id, commit)) === null) {
      if (signal.aborted) throw cancelled(signal.reason);
      if (Date.now() > untilMs) throw scipCommitNotIndexed(commit);
      await pause(revisionLookMs);
    }
  }

  /** False: another process is to do it, and has not yet. */
  async function publishScip(
    built: BuiltScip,
    { signal, untilMs }: { signal: AbortSignal; untilMs: number },
  ): Promise<boolean> {
    const adopt = async ({ session }: IndexWriting) => {
      const isThere = await adoptScip(session, built, scipLimits).finally(() => scipUploads.discard(built));
      if (!isThere) throw scipCommitNotIndexed(built.entry.commit);
      return true;
    };
    if (writing) return adopt(writing);
    const lease = options.background ? null : await acquireWriterLease(storage, { owner, ttlMs: leaseTtlMs });
    if (lease !== null) return asWriter(lease, signal, { symbols: false }, adopt);
    const { name, entry } = built;
    await jobs.enqueue({ kind: jobKinds.scip, key: name, payload: { name, entry }, maxAttempts: 10 });
    while (Date.now() < untilMs && !signal.aborted) {
      const { scip } = (await readIndexState(options.folder)) ?? {};
      const isThere = scip?.some(
        ({ repositoryId, commit, uploadedMs }) =>
          repositoryId === entry.repositoryId && commit === entry.commit && uploadedMs === entry.uploadedMs,
      );
      if (isThere) return true;
      await pause(revisionLookMs);
    }
    return false;
  }

  function workJobs(): void {
    const limits = { concurrency: 4, leaseMs: 60_000, pollMs: 1000 };
    const asked = (payload: unknown) => {
      if (writing === null) throw indexBusy();
      const { id, commit } = payload as { id: number; commit?: string };
      const repository = catalog.repositories().find((candidate) => candidate.id === id);
      return { current: writing, repository, commit };
    };
    jobs.work(
      jobKinds.look,
      async ({ job }) => {
        const { current, repository } = asked(job.payload);
        if (repository) current.changed(repository);
      },
      limits,
    );
    jobs.work(
      jobKinds.scip,
      async ({ job }) => {
        const built = job.payload as Pick<BuiltScip, 'name' | 'entry'>;
        if (writing === null) throw indexBusy();
        await adoptScip(writing.session, built, scipLimits);
      },
      limits,
    );
    jobs.work(
      jobKinds.visit,
      async ({ job }) => {
        const { current, repository, commit } = asked(job.payload);
        if (repository && commit) await current.visit(repository, commit);
      },
      limits,
    );
  }
}

/** A path from the root of a repository to a folder, without a slash at its end. */
function isFolder(name: string): boolean {
  if (name === '') return true;
  return !/[\\\0]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part));
}

type SessionEnd<T> = { result: T } | { damaged: ReadonlySet<string>; published: IndexState };

const tidyMs = 5000;
const tidyLookMs = 250;

/** Readers let go of what was replaced a moment ago: who does not come back soon waits for them, though not for slow ones. */
async function tidied(writer: IndexWriter): Promise<void> {
  for (let waitedMs = 0; waitedMs < tidyMs; waitedMs += tidyLookMs) {
    const { held } = await writer.collect();
    if (held === 0) return;
    await pause(tidyLookMs);
  }
}

async function within<T>(
  work: Promise<T>,
  { signal, untilMs }: { signal: AbortSignal; untilMs: number },
  commit: string,
): Promise<T> {
  if (signal.aborted) throw cancelled(signal.reason);
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const bound = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(revisionNotThere(commit)), Math.max(0, untilMs - Date.now()));
    onAbort = () => reject(cancelled(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, bound]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
