import type { Lane } from './build-threads.ts';
import { type GroupPlan, indexGroup } from './index-group.ts';
import type { ProgressMeter } from './progress-meter.ts';
import type { RepositoryPlanning } from './repository-planning.ts';
import type { RepositoryQueues } from './repository-queues.ts';
import type { WritingGround } from './writing-ground.ts';

/** Indexes a group in a lane, and ends the turn of each of its repositories. Returns plans that wait for another group's blobs. */
export type RunGroup = (group: readonly GroupPlan[], lane: Lane) => Promise<GroupPlan[]>;

export interface GroupRunningDeps {
  queues: RepositoryQueues;
  planning: RepositoryPlanning;
  meter: ProgressMeter;
  /** A visited revision was indexed, or cannot be. */
  visitEnded(repositoryId: number, commit: string): void;
}

const MB = 2 ** 20;
const segmentTextBytesMax = 128 * MB;
/** What a build holds beside the growing parts of its segment: memory of compiled code, text on its way. */
const baseBytes = 200 * MB;

export function createGroupRunning(ground: WritingGround, deps: GroupRunningDeps): RunGroup {
  const { options, session, threads, counters, clock, turns, signal } = ground;
  const { queues, planning, meter } = deps;
  const { releases, bulkBlobs } = planning;
  const memoryBytesMax = Math.max(32 * MB, (options.memoryBytesMax - baseBytes) / (options.workers + 1));

  return async (group, lane) => {
    const open = new Set(group);
    const done = (plan: GroupPlan, fault?: unknown) => {
      open.delete(plan);
      releases.get(plan)?.();
      if (releases.delete(plan) && plan.replaces === 'visited') {
        for (const { commit } of plan.derived) deps.visitEnded(plan.repository.id, commit);
      }
      for (const blob of plan.blobs) {
        if (bulkBlobs.get(blob.oid) === blob) bulkBlobs.delete(blob.oid);
        if (blob.state !== 'indexed') blob.state = 'failed';
      }
      if (plan.replaces === 'branches') queues.ended(plan.repository.id, plan.headCommit, fault);
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
      turns.met(fault);
      await turns.hindered(fault);
      return [];
    }
  };
}
