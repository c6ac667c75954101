import { asPeriscopeError } from '../base/errors.ts';
import type { Repository } from '../catalog/index.ts';
import type { RepositoryPolicy } from '../content/index.ts';
import type { Mirror } from '../mirrors/index.ts';
import type { RevisionEntry } from '../search/index.ts';
import type { Lane } from './build-threads.ts';
import { hideOptedOut } from './eviction.ts';
import type { GroupPlan } from './index-group.ts';
import type { Maintenance } from './maintenance.ts';
import { type PlanContext, planRepository, type RevisionWanted, wantedRevisions } from './plan-repository.ts';
import type { PlannedBlob, RepositoryPlan } from './plan-types.ts';
import { refsStamp } from './refs-stamp.ts';
import type { RepositoryQueues } from './repository-queues.ts';
import { entriesOf, type WritingGround } from './writing-ground.ts';

/** Says of one repository after the other what has to be done. */
export interface RepositoryPlanning {
  /** Null where nothing has to be done, or nothing can be. */
  prepare(repository: Repository, lane: Lane): Promise<GroupPlan | null>;
  contextOf(groupBlobs: Map<string, PlannedBlob>, pin: (blobId: number) => void): PlanContext;
  /** Blobs that groups of the bulk lane read, by object id. */
  readonly bulkBlobs: Map<string, PlannedBlob>;
  /** What lets go of the texts that a plan counts on. */
  readonly releases: Map<GroupPlan, () => void>;
}

export function createRepositoryPlanning(
  ground: WritingGround,
  { queues, maintenance }: { queues: RepositoryQueues; maintenance: Maintenance },
): RepositoryPlanning {
  const { options, session, catalog, policies, clock, logger, counters, records, turns, signal } = ground;
  const bulkBlobs = new Map<string, PlannedBlob>();
  const releases = new Map<GroupPlan, () => void>();

  return { prepare, contextOf, bulkBlobs, releases };

  async function prepare(repository: Repository, lane: Lane): Promise<GroupPlan | null> {
    const record = records.of(repository.id);
    record.isBusy = true;
    const pins = session.pins();
    const groupBlobs = lane === 'bulk' ? bulkBlobs : new Map<string, PlannedBlob>();
    try {
      const mirror = catalog.mirror(repository);
      const stamp = await stampOf(repository);
      const wanted = await wantedOf(mirror);
      const entries = entriesOf(ground, repository.id);
      if (wanted.length === 0) return empty(repository, pins.release);
      const policy = await policyOf(repository, mirror, wanted[0]!.commit, entries);
      const subject = { repository, mirror, policy };
      const current = entriesOf(ground, repository.id);
      const plan = await planRepository(subject, wanted, current, contextOf(groupBlobs, pins.pin));
      counters.repositoriesPlanned += 1;
      if (isSame(plan, current)) {
        pins.release();
        const seen = { checkedMs: clock.now(), refsStamp: stamp };
        maintenance.touched(repository.id, seen);
        queues.ended(repository.id, plan.headCommit);
        records.of(repository.id).refsStamp = stamp;
        return null;
      }
      const planned: GroupPlan = { ...plan, replaces: 'branches', refsStamp: stamp };
      releases.set(planned, pins.release);
      return planned;
    } catch (fault) {
      pins.release();
      queues.ended(repository.id, null, fault);
      return null;
    }
  }

  function contextOf(groupBlobs: Map<string, PlannedBlob>, pin: (blobId: number) => void) {
    return {
      blobs: session.blobs,
      openManifest: session.openManifest,
      published: () => session.writer.state().revisions,
      newBlobId: session.newBlobId,
      fileBytesMax: options.fileBytesMax,
      groupBlobs,
      pin,
      signal,
    };
  }

  async function wantedOf(mirror: Mirror): Promise<RevisionWanted[]> {
    try {
      return await wantedRevisions(mirror, ground.isKept, signal);
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
    const isThere = entriesOf(ground, repository.id).length > 0;
    const forget = async () => {
      if (!isThere) return;
      await session.publish((content) => ({
        ...content,
        revisions: content.revisions.filter(({ repositoryId }) => repositoryId !== repository.id),
      }));
    };
    const done = forget().then(
      () => queues.ended(repository.id, null),
      (fault) => queues.ended(repository.id, null, fault),
    );
    turns.beside(done);
    return null;
  }

  async function stampOf({ location }: Repository): Promise<string | null> {
    return location.kind === 'folder' ? refsStamp(location.gitDir, clock.now()) : null;
  }
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
