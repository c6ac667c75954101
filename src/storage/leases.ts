import type { Kysely } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { Schema } from './schema.ts';
import type { Lease } from './types.ts';

/**
 * One statement decides who holds it. The row is never removed, so that the fence goes on growing after a release. The time is each
 * process's own: clocks that differ by more than a lease's length can let two believe that they hold it, and then the fence tells
 * the older one's writes apart.
 */
export async function acquireLease(
  db: Kysely<Schema>,
  clock: Clock,
  name: string,
  options: { owner: string; ttlMs: number; isDead?: ((owner: string) => boolean) | undefined },
): Promise<Lease | null> {
  const taken = await take(db, clock, name, options);
  if (taken !== null || !options.isDead) return taken;
  const standing = await db.selectFrom('lease').selectAll().where('name', '=', name).executeTakeFirst();
  if (!standing || !options.isDead(standing.owner)) return null;
  // What it held is free again, unless another one was faster.
  await db
    .updateTable('lease')
    .set({ until_ms: 0 })
    .where('name', '=', name)
    .where('owner', '=', standing.owner)
    .where('fence', '=', standing.fence)
    .execute();
  return take(db, clock, name, options);
}

async function take(
  db: Kysely<Schema>,
  clock: Clock,
  name: string,
  { owner, ttlMs }: { owner: string; ttlMs: number },
): Promise<Lease | null> {
  const nowMs = clock.now();
  const taken = await db
    .insertInto('lease')
    .values({ name, owner, fence: 1, until_ms: nowMs + ttlMs })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(({ ref, eb }) => ({
          owner: ref('excluded.owner'),
          until_ms: ref('excluded.until_ms'),
          fence: eb('lease.fence', '+', 1),
        }))
        .where(({ eb, ref }) =>
          eb.or([eb('lease.until_ms', '<=', nowMs), eb('lease.owner', '=', ref('excluded.owner'))]),
        ),
    )
    .returning('fence')
    .executeTakeFirst();
  return taken ? heldLease(db, clock, { name, owner, ttlMs, fence: taken.fence }) : null;
}

function heldLease(
  db: Kysely<Schema>,
  clock: Clock,
  { name, owner, ttlMs, fence }: { name: string; owner: string; ttlMs: number; fence: number },
): Lease {
  const update = async (values: { until_ms: number; owner?: string }) => {
    const { numUpdatedRows } = await db
      .updateTable('lease')
      .set(values)
      .where('name', '=', name)
      .where('owner', '=', owner)
      .where('fence', '=', fence)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  };
  return {
    name,
    fence,
    // Late but not taken over yet is still ours: nobody can have written in between.
    renew: () => update({ until_ms: clock.now() + ttlMs }),
    release: async () => {
      await update({ until_ms: 0, owner: '' });
    },
  };
}
