import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** What a database has promised never to give out twice. An older copy of it would not know. */
export interface GivenOut {
  /** Table to the highest id. */
  lastIds: ReadonlyMap<string, number>;
  /** Lease to its fence. */
  fences: ReadonlyMap<string, number>;
  /** The highest fence of any job. */
  jobFence: number;
}

export async function fencesGivenOut(
  db: Kysely<Tables>,
  margin: number,
): Promise<Pick<GivenOut, 'fences' | 'jobFence'>> {
  const leases = await db.selectFrom('lease').select(['name', 'fence']).execute();
  const job = await db
    .selectFrom('job')
    .select(({ fn }) => fn.max('fence').as('fence'))
    .executeTakeFirst();
  return {
    fences: new Map(leases.map(({ name, fence }) => [name, fence + margin])),
    jobFence: (job?.fence ?? 0) + margin,
  };
}

/** Brings the restored tables up to it. `raiseLastId` is the database's own way. */
export async function keepGivenOut(
  tx: Kysely<Tables>,
  { lastIds, fences, jobFence }: GivenOut,
  raiseLastId: (tx: Kysely<Tables>, table: string, last: number) => Promise<void>,
): Promise<void> {
  for (const [table, last] of lastIds) await raiseLastId(tx, table, last);
  for (const [name, fence] of fences) {
    await tx
      .insertInto('lease')
      .values({ name, owner: '', fence, until_ms: 0 })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ fence }).where('lease.fence', '<', fence),
      )
      .execute();
  }
  // A worker that goes on with a job of before the restore must find its fence gone.
  await tx
    .updateTable('job')
    .set({ fence: sql`fence + ${jobFence}` })
    .where('state', 'in', ['waiting', 'running'])
    .execute();
}
