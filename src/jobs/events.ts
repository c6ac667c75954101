import { type Kysely, sql } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { Schema, Storage } from '../storage/index.ts';
import type { Events } from './types.ts';

export interface EventsOptions {
  /** Events kept; the oldest go first. At least 1. */
  keepMax: number;
}

/** 'even' as a number: the advisory lock under which PostgreSQL gives out event ids. */
const POSTGRES_LOCK = 0x6576656e;

/** The append-only table that progress, webhooks and logs are fed from. Any number of processes append and follow. */
export function createEvents(
  { keepMax }: EventsOptions,
  { storage, clock }: { storage: Storage; clock: Clock },
): Events {
  return {
    async append({ kind, subject, data }, within) {
      const row = { at_ms: clock.now(), kind, subject, data_json: JSON.stringify(data) };
      const db = within ?? storage.db;
      if (storage.kind === 'sqlite') await db.insertInto('event').values(row).execute();
      else await appendInOrder(db, row);
    },
    async since(id, limit) {
      const rows = await storage.db
        .selectFrom('event')
        .selectAll()
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit)
        .execute();
      const first = rows[0];
      return {
        events: rows.map((row) => ({
          id: row.id,
          atMs: row.at_ms,
          kind: row.kind,
          subject: row.subject,
          data: JSON.parse(row.data_json),
        })),
        missed: first !== undefined && first.id > id + 1 && !(await keepsUpTo(storage.db, id)),
      };
    },
    async latest() {
      const newest = await storage.db
        .selectFrom('event')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirst();
      return newest?.id ?? 0;
    },
    async sweep() {
      await storage.db
        .deleteFrom('event')
        .where('id', '<=', ({ selectFrom, fn, eb }) =>
          selectFrom('event').select(eb(fn.max('id'), '-', keepMax).as('oldest')),
        )
        .execute();
    },
  };
}

interface EventRow {
  at_ms: number;
  kind: string;
  subject: string;
  data_json: string;
}

/**
 * PostgreSQL gives an id out before it is committed, and a follower who has seen a later one would never look for it again. So ids are
 * given out one transaction at a time.
 */
async function appendInOrder(
  db: Kysely<Schema>,
  { at_ms, kind, subject, data_json }: EventRow,
): Promise<void> {
  await sql`
    with turn as materialized (select pg_advisory_xact_lock(${sql.lit(POSTGRES_LOCK)}))
    insert into event (at_ms, kind, subject, data_json)
    select cast(${at_ms} as bigint), ${kind}, ${subject}, ${data_json} from turn`.execute(db);
}

/** Ids also skip where a transaction was given up: only when nothing older is left may something have been swept. */
async function keepsUpTo(db: Kysely<Schema>, id: number): Promise<boolean> {
  const older = await db.selectFrom('event').select('id').where('id', '<=', id).limit(1).executeTakeFirst();
  return older !== undefined;
}
