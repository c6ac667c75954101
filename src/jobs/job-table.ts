import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Schema, Storage } from '../storage/index.ts';
import type { Job, JobQuery, JobState } from './types.ts';

/*
 * Every statement on jobs. States are literals in the text and not parameters, or SQLite could not use the partial indexes.
 * A run is told apart by its id and fence: whatever it writes asks for both and for the job still running.
 */

type Db = Kysely<Schema>;
type JobRow = Selectable<Schema['job']>;

/** A claimed job. */
export interface Claim {
  job: Job;
  fence: number;
}

export interface NewJob {
  kind: string;
  key: string;
  payload: unknown;
  maxAttempts: number;
  nextMs: number;
  nowMs: number;
}

/** Null when a live job stands in the way (with `onceEver`: any), or the queue is full. */
export async function insertJob(
  db: Db,
  job: NewJob,
  { depthMax, onceEver }: { depthMax: number; onceEver: boolean },
): Promise<Job | null> {
  const { rows } = await sql<JobRow>`
    insert into job (kind, key, state, payload_json, attempts, max_attempts, next_ms, fence, created_ms)
    select ${job.kind}, ${job.key}, 'waiting', ${JSON.stringify(job.payload ?? null)}, 0,
      cast(${job.maxAttempts} as integer), cast(${job.nextMs} as bigint), 0, cast(${job.nowMs} as bigint)
    where ${depth(job.kind, depthMax)} < ${sql.lit(depthMax)}
      ${onceEver ? sql`and not exists (select 1 from job where kind = ${job.kind} and key = ${job.key})` : sql``}
    on conflict (kind, key) where state in ('waiting', 'running') do nothing
    returning *`.execute(db);
  return rows[0] ? jobOf(rows[0]) : null;
}

/** The jobs of a kind that wait, counted no further than `max`. */
function depth(kind: string, max: number): RawBuilder<number> {
  return sql<number>`(select count(*) from
    (select 1 from job where kind = ${kind} and state = 'waiting' limit ${sql.lit(max)}) as waiting)`;
}

export async function isFull(db: Db, kind: string, depthMax: number): Promise<boolean> {
  const { rows } = await sql<{ depth: number }>`select ${depth(kind, depthMax)} as depth`.execute(db);
  return (rows[0]?.depth ?? 0) >= depthMax;
}

/** The newest job of the key: the live one, if one lives. */
export async function newestJob(db: Db, kind: string, key: string): Promise<Job | null> {
  const row = await db
    .selectFrom('job')
    .selectAll()
    .where('kind', '=', kind)
    .where('key', '=', key)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? jobOf(row) : null;
}

/** When the next waiting job of the kind may be taken, or null when none waits. Reads only, so that idle polling writes nothing. */
export async function nextDueMs(db: Db, kind: string): Promise<number | null> {
  const next = await db
    .selectFrom('job')
    .select('next_ms')
    .where('kind', '=', kind)
    .where('state', '=', sql.lit('waiting'))
    .orderBy('next_ms')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return next?.next_ms ?? null;
}

export async function claimJob(
  storage: Storage,
  kind: string,
  { owner, nowMs, leaseMs }: { owner: string; nowMs: number; leaseMs: number },
): Promise<Claim | null> {
  const skip = storage.kind === 'postgres' ? sql`for update skip locked` : sql``;
  const { rows } = await sql<JobRow>`
    update job set state = 'running', attempts = attempts + 1, fence = fence + 1,
      lease_owner = ${owner}, lease_until_ms = ${nowMs + leaseMs}
    where id = (
      select id from job where kind = ${kind} and state = 'waiting' and next_ms <= ${nowMs}
      order by next_ms, id limit 1 ${skip}
    )
    returning *`.execute(storage.db);
  return rows[0] ? { job: jobOf(rows[0]), fence: rows[0].fence } : null;
}

const noLease = { lease_owner: null, lease_until_ms: null };

/** Each says whether the run was still the job's. */
export const ofRun = {
  renew: (db: Db, claim: Claim, untilMs: number) => updateRun(db, claim, { lease_until_ms: untilMs }),

  finish: (db: Db, claim: Claim, nowMs: number) =>
    updateRun(db, claim, { ...noLease, state: 'done', problem: null, finished_ms: nowMs }),

  retry: (db: Db, claim: Claim, { problem, nextMs }: { problem: string; nextMs: number }) =>
    updateRun(db, claim, { ...noLease, state: 'waiting', problem, next_ms: nextMs }),

  bury: (db: Db, claim: Claim, { problem, nowMs }: { problem: string; nowMs: number }) =>
    updateRun(db, claim, { ...noLease, state: 'dead', problem, finished_ms: nowMs }),

  /** It was not the job's fault: the attempt does not count. */
  handBack: (db: Db, claim: Claim, nowMs: number) =>
    updateRun(db, claim, {
      ...noLease,
      state: 'waiting',
      attempts: claim.job.attempts - 1,
      next_ms: nowMs,
    }),
};

async function updateRun(db: Db, { job, fence }: Claim, values: Partial<JobRow>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set(values)
    .where('id', '=', job.id)
    .where('fence', '=', fence)
    .where('state', '=', sql.lit('running'))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function setResult(db: Db, id: number, result: unknown): Promise<void> {
  await db
    .updateTable('job')
    .set({ result_json: JSON.stringify(result ?? null) })
    .where('id', '=', id)
    .execute();
}

export async function hasExpired(db: Db, nowMs: number): Promise<boolean> {
  const expired = await db
    .selectFrom('job')
    .select('id')
    .where('state', '=', sql.lit('running'))
    .where('lease_until_ms', '<=', nowMs)
    .limit(1)
    .executeTakeFirst();
  return expired !== undefined;
}

/** Jobs whose workers went silent wait again, or are dead once their attempts are used up: a job that kills its worker must not do so forever. */
export async function recoverExpired(db: Db, nowMs: number): Promise<Job[]> {
  const { rows } = await sql<JobRow>`
    update job set lease_owner = null, lease_until_ms = null, next_ms = ${nowMs},
      problem = 'its worker was not heard of until its lease ran out',
      state = case when attempts >= max_attempts then 'dead' else 'waiting' end,
      finished_ms = case when attempts >= max_attempts then cast(${nowMs} as bigint) end
    where state = 'running' and lease_until_ms <= ${nowMs}
    returning *`.execute(db);
  return rows.map(jobOf);
}

/** Null when it is not live. */
export async function cancelJob(db: Db, id: number, nowMs: number): Promise<Job | null> {
  const { rows } = await sql<JobRow>`
    update job set state = 'cancelled', lease_owner = null, lease_until_ms = null, finished_ms = ${nowMs}
    where id = ${id} and state in ('waiting', 'running')
    returning *`.execute(db);
  return rows[0] ? jobOf(rows[0]) : null;
}

export async function findJob(db: Db, id: number): Promise<Job | null> {
  const row = await db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? jobOf(row) : null;
}

export async function listJobs(db: Db, { kind, key, states, limit }: JobQuery): Promise<Job[]> {
  let query = db.selectFrom('job').selectAll().orderBy('id', 'desc').limit(limit);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (key !== undefined) query = query.where('key', '=', key);
  if (states !== undefined) query = query.where('state', 'in', states);
  return (await query.execute()).map(jobOf);
}

/** Removes the oldest finished jobs of a kind beyond `keepMax`. */
export async function sweepFinished(db: Db, kind: string, keepMax: number): Promise<void> {
  await sql`
    delete from job where kind = ${kind} and state in ('done', 'dead', 'cancelled') and id <= (
      select id from job where kind = ${kind} and state in ('done', 'dead', 'cancelled')
      order by id desc limit 1 offset ${sql.lit(keepMax)}
    )`.execute(db);
}

function jobOf(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    key: row.key,
    state: row.state as JobState,
    payload: JSON.parse(row.payload_json),
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    nextMs: row.next_ms,
    result: row.result_json === null ? null : JSON.parse(row.result_json),
    problem: row.problem,
    createdMs: row.created_ms,
    finishedMs: row.finished_ms,
  };
}
