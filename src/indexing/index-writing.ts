import { availableParallelism } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { globMatcher } from '../base/glob.ts';
import type { Logger } from '../base/logger.ts';
import type { Catalog, Repository } from '../catalog/index.ts';
import type { ContentPolicies } from '../content/index.ts';
import { chunksVersion } from '../search/index.ts';
import { type EmbedderSource, isSameKind } from '../vectors/index.ts';
import { createBuildThreads } from './build-threads.ts';
import { type BulkLane, createBulkLane } from './bulk-lane.ts';
import { type ChunksLane, createChunksLane } from './chunks-lane.ts';
import type { IndexCounters } from './counters.ts';
import { trainWhereWorth } from './dictionary-renewal.ts';
import { type Encoding, startEncoding } from './embedding-encoding.ts';
import { createEmbeddingLane, type EmbeddingLane } from './embedding-lane.ts';
import type { FactsKind } from './facts-kind.ts';
import { createFactsLane, type FactsLane } from './facts-lane.ts';
import { createFactsPace } from './facts-pace.ts';
import { createFactsThreads } from './facts-threads.ts';
import { createGroupRunning, type RunGroup } from './group-running.ts';
import type { GroupPlan } from './index-group.ts';
import type { IndexSession } from './index-session.ts';
import { createMaintenance } from './maintenance.ts';
import type { MergeLimits } from './merge-choice.ts';
import { ProgressMeter } from './progress-meter.ts';
import { PublishedRevisions } from './published-revisions.ts';
import { createRepositoryPlanning, type RepositoryPlanning } from './repository-planning.ts';
import { createRepositoryQueues } from './repository-queues.ts';
import { RepositoryRecords } from './repository-records.ts';
import { createTurns } from './turns.ts';
import type { EmbeddingProgress, IndexingOptions, IndexingProgress } from './types.ts';
import { createVisitedRevisions, type VisitAnswer } from './visited-revisions.ts';
import { repositoryOf, type WritingGround } from './writing-ground.ts';

export interface IndexWriting {
  readonly records: RepositoryRecords;
  readonly revisions: PublishedRevisions;
  readonly session: IndexSession;
  /** Files of the index that were found damaged: nothing more is done until the session is opened anew without them. */
  readonly damaged: ReadonlySet<string>;
  foundDamaged(files: readonly string[]): void;
  /** Why nothing can be written now, in words; null when it can. */
  problem(): string | null;
  progress(): IndexingProgress;
  /** Looked at at once. */
  changed(repository: Repository): void;
  /** Changes are expected: the thread that builds them is started. */
  warm(): void;
  /** Looks at every repository, or at some, for what has changed; cheap for those where nothing has. */
  sweep(which?: (repository: Repository) => boolean): Promise<void>;
  visit(repository: Repository, commit: string): Promise<VisitAnswer>;
  /** Returns when there is nothing left to do, or something is damaged. Fails with the fault that keeps all from being done. */
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
  factsWorkerFile: URL | undefined;
  parserOverrunMs: number;
  embeddingWorkerFile: URL | undefined;
  /** Null: no encoder, or none while this goes on. */
  encoder: EmbedderSource | null;
  /** Whether vectors of an encoder stay, though it does not work now. */
  keepsEncoded: boolean;
  fence: number;
  /** Null: no facts are extracted. */
  facts: FactsKind | null;
  mergeLimits: MergeLimits;
  /** Aborted when the lease is lost. */
  signal: AbortSignal;
}

/** A change that brings more is not one that anybody waits for. */
const expressBytesMax = 48 * 2 ** 20;
const expressRepositoriesMax = 16;
const idleThreadMs = 30_000;

/** Does the work of the one writer: two lanes, one for what is new, one for what has changed. */
export function startIndexWriting(options: IndexingOptions, deps: IndexWritingDeps): IndexWriting {
  const { session, catalog, clock, logger, counters, signal } = deps;
  const records = new RepositoryRecords();
  const revisions = new PublishedRevisions();
  const meter = new ProgressMeter(clock);
  const threads = createBuildThreads({
    ...(deps.workerFile ? { workerFile: deps.workerFile } : {}),
    workers: options.workers,
    idleMs: idleThreadMs,
  });
  const turns = createTurns(signal, logger, { makeRoom: session.writer.collect });
  const isKept = options.branches.length === 0 ? null : anyGlob(options.branches);
  const ground: WritingGround = { ...deps, options, records, revisions, threads, turns, isKept };

  const parsers = createFactsThreads({
    ...(deps.factsWorkerFile ? { workerFile: deps.factsWorkerFile } : {}),
    workers: options.symbolWorkers,
    idleMs: idleThreadMs,
    overrunMs: deps.parserOverrunMs,
  });
  const pace = createFactsPace(threads, {
    cores: availableParallelism(),
    isOver: () => turns.isClosed() || signal.aborted,
  });
  const sizes = { workers: options.symbolWorkers, smallBytes: deps.mergeLimits.deltaBytes };
  const facts: FactsLane | null =
    deps.facts && createFactsLane(ground, sizes, { threads: parsers, pace, kind: deps.facts });
  const chunks: ChunksLane | null =
    deps.facts &&
    createChunksLane(ground, sizes, {
      threads: parsers,
      pace,
      factsVersion: deps.facts.version,
      chunksVersion: chunksVersion(deps.facts.version),
    });
  const embedding: EmbeddingLane | null =
    deps.facts && options.embedding
      ? createEmbeddingLane(
          ground,
          {
            folder: options.vectorFolder,
            chunksVersion: chunksVersion(deps.facts.version),
            keepsEncoded: deps.keepsEncoded,
          },
          { pace, workerFile: deps.embeddingWorkerFile, fence: deps.fence },
        )
      : null;
  const queues = createRepositoryQueues(ground);
  const visited = createVisitedRevisions(ground, {
    planning: () => planning,
    isLarge,
    runLater: (plan) => bulk.take(plan),
  });
  const maintenance = createMaintenance(
    { visitedBytesMax: options.visitedBytesMax, mergeLimits: deps.mergeLimits },
    {
      session,
      threads,
      counters,
      clock,
      placeOf: placesIn(catalog),
      visitedUsed: visited.used,
      hasFacts: facts && chunks && ((segment) => facts.isReady(segment) && chunks.isReady(segment)),
      signal,
      train: () => trainWhereWorth(ground, { bytes: 0, repositories: 0 }),
    },
  );
  const planning: RepositoryPlanning = createRepositoryPlanning(ground, { queues, maintenance });
  const run: RunGroup = createGroupRunning(ground, { queues, planning, meter, visitEnded: visited.ended });
  const bulk: BulkLane = createBulkLane(ground, { queues, planning, maintenance, run });
  const lanes = [turns.lane(bulkTurn), turns.lane(expressTurn)];
  if (facts)
    lanes.push(
      turns.lane(() => facts.turn('small')),
      turns.lane(() => facts.turn('large')),
    );
  if (chunks)
    lanes.push(
      turns.lane(() => chunks.turn('small')),
      turns.lane(() => chunks.turn('large')),
    );
  if (embedding) lanes.push(turns.lane(embedding.turn));
  const encoding: Encoding | null =
    embedding && deps.encoder
      ? startEncoding(ground, options.embedding!, {
          source: deps.encoder,
          lane: embedding,
          isIndexing: () => !isIdle(),
        })
      : null;

  return {
    records,
    revisions,
    session,
    damaged: turns.damaged,
    foundDamaged: turns.foundDamaged,
    problem() {
      const stuck = turns.stuck();
      // Any other fault is of a repository, which is nothing to those who may not see it.
      return stuck?.code === 'search/index-disk-full' ? `${stuck.message} ${stuck.next}` : null;
    },
    progress,
    changed: (repository) => queues.enqueue(repository.id, 'express'),
    warm() {
      threads.warm();
      facts?.warm();
    },
    sweep: queues.sweep,
    visit: visited.visit,
    async settled(onProgress) {
      while (!turns.isClosed() && !signal.aborted) {
        onProgress?.(progress());
        if (turns.damaged.size > 0) return;
        const stuck = turns.stuck();
        if (stuck) throw stuck;
        if (isIdle()) return;
        await turns.turned();
      }
      signal.throwIfAborted();
    },
    async close() {
      turns.close();
      await encoding?.close();
      await Promise.all([threads.close(), parsers.close(), embedding?.close()]);
      await Promise.all(lanes);
      await bulk.settled();
    },
  };

  async function bulkTurn(): Promise<boolean> {
    const didSomething = await bulk.turn();
    // Segments that have come, or that are not to be written anew any more, may be waited for.
    if (didSomething) turns.ring();
    return didSomething;
  }

  async function expressTurn(): Promise<boolean> {
    if (await visited.turn(run)) return true;
    const ids = [...queues.express].slice(0, expressRepositoriesMax);
    if (ids.length === 0) return false;
    const group: GroupPlan[] = [];
    for (const id of ids) {
      queues.express.delete(id);
      const repository = repositoryOf(ground, id);
      if (repository === undefined || records.of(id).isBusy) continue;
      const plan = await planning.prepare(repository, 'express');
      if (plan === null) continue;
      if (isLarge(plan)) bulk.take(plan);
      else group.push(plan);
    }
    if (group.length > 0) await run(group, 'express');
    return true;
  }

  function isIdle(): boolean {
    return (
      !turns.isWorking() &&
      !queues.isSweeping() &&
      queues.bulk.size === 0 &&
      queues.express.size === 0 &&
      !visited.hasWork() &&
      !bulk.hasWork() &&
      !facts?.hasWork() &&
      !chunks?.hasWork() &&
      !embedding?.hasWork()
    );
  }

  function progress(): IndexingProgress {
    const total = catalog.repositories().length;
    let left = 0;
    for (const { id } of catalog.repositories()) {
      if (records.peek(id)?.isBusy || queues.bulk.has(id) || queues.express.has(id)) left += 1;
    }
    return {
      ...meter.progress(total - left, total),
      symbols: facts?.progress() ?? null,
      embedding: embeddingProgress(),
    };
  }

  function embeddingProgress(): EmbeddingProgress | null {
    if (embedding === null) return null;
    const { chunks: cut, table, encoders } = embedding.counts();
    const kind = encoding?.kind() ?? null;
    const own = encoders.find((one) => kind !== null && isSameKind(one.kind, kind));
    return {
      chunks: cut,
      inTable: table,
      encoded: encoding && (own?.rows ?? 0),
      encoder: encoding && {
        model: kind?.model ?? null,
        state: encoding.state(),
        problem: encoding.problem(),
      },
    };
  }
}

function isLarge({ bytes }: GroupPlan): boolean {
  return bytes > expressBytesMax;
}

/** Place of a repository in the catalog's order. */
function placesIn(catalog: Catalog): (repositoryId: number) => number {
  let places: { of: readonly Repository[]; byId: Map<number, number> } = { of: [], byId: new Map() };
  return (repositoryId) => {
    const repositories = catalog.repositories();
    if (places.of !== repositories) {
      places = { of: repositories, byId: new Map(repositories.map(({ id }, place) => [id, place])) };
    }
    return places.byId.get(repositoryId) ?? Number.MAX_SAFE_INTEGER;
  };
}

function anyGlob(globs: readonly string[]): (branch: string) => boolean {
  const matchers = globs.map(globMatcher);
  return (branch) => matchers.some((matches) => matches(branch));
}
