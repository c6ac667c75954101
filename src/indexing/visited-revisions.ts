import type { Repository } from '../catalog/index.ts';
import type { RevisionEntry } from '../search/index.ts';
import type { RunGroup } from './group-running.ts';
import type { GroupPlan } from './index-group.ts';
import { planRepository, type RevisionWanted } from './plan-repository.ts';
import type { RepositoryPlanning } from './repository-planning.ts';
import { entriesOf, type WritingGround } from './writing-ground.ts';

/** Revisions that were asked for and belong to no branch that is kept. */
export interface VisitedRevisions {
  /** Known at once when it is searchable, else as soon as what of it is indexed already can be searched. */
  visit(repository: Repository, commit: string): Promise<VisitAnswer>;
  /** False when nobody waits. */
  turn(run: RunGroup): Promise<boolean>;
  hasWork(): boolean;
  ended(repositoryId: number, commit: string): void;
  /** When each, `repositoryId commit`, was last asked for. */
  readonly used: ReadonlyMap<string, number>;
}

export interface VisitAnswer {
  revision: string;
  pending: number;
}

interface Visit {
  key: string;
  repository: Repository;
  commit: string;
  told: Promise<VisitAnswer>;
  tell(answer: VisitAnswer): void;
  fail(fault: unknown): void;
}

export function createVisitedRevisions(
  ground: WritingGround,
  {
    planning,
    isLarge,
    runLater,
  }: {
    planning(): RepositoryPlanning;
    isLarge(plan: GroupPlan): boolean;
    /** In the bulk lane. */
    runLater(plan: GroupPlan): void;
  },
): VisitedRevisions {
  const { session, catalog, policies, clock, logger, turns } = ground;
  const used = new Map<string, number>();
  const visits = new Map<string, Visit>();
  const queue: Visit[] = [];

  return {
    visit,
    async turn(run) {
      const next = queue.shift();
      if (next) await runVisit(next, run);
      return next !== undefined;
    },
    hasWork: () => queue.length > 0,
    ended: (repositoryId, commit) => void visits.delete(`${repositoryId} ${commit}`),
    used,
  };

  function visit(repository: Repository, commit: string): Promise<VisitAnswer> {
    const standing = standingAt(repository.id, commit);
    const policyKey = entriesOf(ground, repository.id).find(({ isDefault }) => isDefault)?.head.policyKey;
    const key = `${repository.id} ${commit}`;
    used.set(key, clock.now());
    const known = visits.get(key);
    const isDone = standing && pendingOf(standing) === 0 && standing.head.policyKey === policyKey;
    if (standing && (isDone || known)) {
      return Promise.resolve({ revision: standing.revision, pending: pendingOf(standing) });
    }
    if (known) return known.told;
    let tell: Visit['tell'] = () => {};
    let fail: Visit['fail'] = () => {};
    const told = new Promise<VisitAnswer>((resolve, reject) => {
      tell = resolve;
      fail = reject;
    });
    told.catch(() => {});
    const asked: Visit = { key, repository, commit, told, tell, fail };
    visits.set(key, asked);
    queue.push(asked);
    turns.ring();
    return told;
  }

  function standingAt(repositoryId: number, commit: string): RevisionEntry | undefined {
    return entriesOf(ground, repositoryId).find(({ head }) => head.commit === commit);
  }

  async function runVisit({ key, repository, commit, tell, fail }: Visit, run: RunGroup): Promise<void> {
    const pins = session.pins();
    let isHandedOn = false;
    try {
      const mirror = catalog.mirror(repository);
      const policy = await policies.policyOf(mirror, commit);
      const entries = entriesOf(ground, repository.id);
      const wanted: RevisionWanted = { revision: commit, kind: 'visited', isDefault: false, commit };
      const context = planning().contextOf(new Map(), pins.pin);
      const plan = await planRepository({ repository, mirror, policy }, [wanted], entries, context);
      const planned: GroupPlan = { ...plan, replaces: 'visited', refsStamp: null };
      // What others have brought counts as not there yet: that it is would tell what hidden repositories hold.
      const pending = new Set([...plan.blobs.map(({ facts }) => facts), ...plan.shared]);
      if (pending.size > 0) await run([withPending(planned, pending)], 'express');
      tell({ revision: standingAt(repository.id, commit)?.revision ?? commit, pending: pending.size });
      planning().releases.set(planned, pins.release);
      isHandedOn = true;
      if (isLarge(planned)) runLater(planned);
      else await run([planned], 'express');
    } catch (fault) {
      fail(fault);
      turns.met(fault);
      logger.warn('a revision could not be indexed', { repositoryId: repository.id, fault });
    } finally {
      if (!isHandedOn) {
        pins.release();
        visits.delete(key);
      }
    }
  }
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
    derived: plan.derived.map((revision) => {
      const { documents } = revision;
      if ('twin' in documents) return revision;
      const rows = documents.rows.map((row) => (pending.has(row.facts) ? { ...row, facts: waiting } : row));
      return { ...revision, documents: { ...documents, rows } };
    }),
  };
}
