import { trainWhereWorth } from './dictionary-renewal.ts';
import type { RunGroup } from './group-running.ts';
import type { GroupPlan } from './index-group.ts';
import type { Maintenance } from './maintenance.ts';
import type { RepositoryPlanning } from './repository-planning.ts';
import type { RepositoryQueues } from './repository-queues.ts';
import { repositoryOf, type WritingGround } from './writing-ground.ts';

/** The lane of what is new: large groups, and between them what keeps the index small. */
export interface BulkLane {
  turn(): Promise<boolean>;
  /** Takes over a plan that is too large for the other lane. */
  take(plan: GroupPlan): void;
  hasWork(): boolean;
  /** Returns when no plan is being made any more. */
  settled(): Promise<unknown>;
}

const MB = 2 ** 20;
/** The first group is small, so that searching starts early; later ones are large, so that few segments come of them. */
const firstGroupBytes = 64 * MB;
const groupBytes = 256 * MB;
const firstGroupRepositories = 50;
const groupRepositories = 300;
const preparingMax = 4;
/** A repository that takes long to come (a clone) does not keep those that are here from being indexed. */
const patienceMs = 2000;

export function createBulkLane(
  ground: WritingGround,
  deps: { queues: RepositoryQueues; planning: RepositoryPlanning; maintenance: Maintenance; run: RunGroup },
): BulkLane {
  const { records, turns } = ground;
  const { queues, planning, maintenance, run } = deps;
  /** Planned and not yet in a group. */
  let ready: GroupPlan[] = [];
  const preparing = new Set<Promise<void>>();
  let hadGroup = false;

  return {
    async turn() {
      const group = await nextGroup();
      if (group.length > 0) {
        await trainWhereWorth(ground, { bytes: bytesOf(group), repositories: group.length });
        ready.push(...(await run(group, 'bulk')));
        hadGroup = true;
        return true;
      }
      return maintenance.step();
    },
    take: (plan) => void ready.push(plan),
    hasWork: () => preparing.size > 0 || ready.length > 0,
    settled: () => Promise.allSettled(preparing),
  };

  async function nextGroup(): Promise<GroupPlan[]> {
    const bytesMax = hadGroup ? groupBytes : firstGroupBytes;
    const repositoriesMax = hadGroup ? groupRepositories : firstGroupRepositories;
    for (;;) {
      pump(bytesMax);
      const bytes = bytesOf(ready);
      if (bytes >= bytesMax || ready.length >= repositoriesMax || preparing.size === 0) break;
      const before = ready.length;
      await Promise.race([...preparing, ...(before > 0 ? [pause(patienceMs)] : [])]);
      if (turns.isClosed()) return [];
      if (before > 0 && ready.length === before) break;
    }
    const group = ready;
    ready = [];
    return group;
  }

  function pump(bytesMax: number): void {
    const bytes = bytesOf(ready);
    for (const id of queues.bulk) {
      if (preparing.size >= preparingMax || bytes >= bytesMax || turns.isClosed()) return;
      queues.bulk.delete(id);
      const repository = repositoryOf(ground, id);
      if (repository === undefined || records.of(id).isBusy) continue;
      const work: Promise<void> = planning.prepare(repository, 'bulk').then((plan) => {
        preparing.delete(work);
        if (plan) ready.push(plan);
        // While a group is built the next one begins to come, but not all of it: plans take memory.
        pump(bytesMax / 4);
        turns.ring();
      });
      preparing.add(work);
    }
  }
}

function bytesOf(plans: readonly GroupPlan[]): number {
  return plans.reduce((sum, plan) => sum + plan.bytes, 0);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
