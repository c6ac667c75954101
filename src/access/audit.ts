import type { CompiledQuery, Insertable, Selectable } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Schema, Storage } from '../storage/index.ts';
import type { Audit, AuditEntry } from './types.ts';

export interface AuditDeps {
  storage: Storage;
  clock: Clock;
  logger: Logger;
  /** Older entries are deleted. 0 keeps them for ever. */
  retentionMs: number;
  /** Entries that wait to be written; those beyond are dropped and counted. Default: 50 000, ten seconds of a busy server. */
  queueMax?: number;
}

const flushEveryMs = 1000;
const sweepEveryMs = 3_600_000;
/** Seven values each: far below what one statement of either database takes. As many do not wait for the time to come round. */
const rowsPerInsert = 500;
const rowsPerSweep = 5000;

/**
 * Who asked what. Entries are written in batches, in the order in which they were recorded: a full batch at once, so that a busy
 * server never has many waiting, and what is left within a second.
 */
export function createAudit({ storage, clock, logger, retentionMs, queueMax = 50_000 }: AuditDeps): Audit {
  const { db } = storage;
  /** Compiled once: making the statement anew costs more than running it. */
  const insertBatch = db
    .insertInto('audit')
    .values(Array.from({ length: rowsPerInsert }, () => emptyRow))
    .compile();
  const queue: Row[] = [];
  let dropped = 0;
  let flight: Promise<void> = Promise.resolve();
  let flying = 0;
  let failing = false;
  let closed = false;
  let timer: NodeJS.Timeout | null = null;
  let sweepAtMs = clock.now();

  const write = async () => {
    while (queue.length > 0) {
      const batch = queue.slice(0, rowsPerInsert);
      if (batch.length < rowsPerInsert) await db.insertInto('audit').values(batch).execute();
      else {
        const parameters = batch.flatMap((row) => columns.map((column) => row[column]));
        const query: CompiledQuery = { ...insertBatch, parameters };
        await db.executeQuery(query);
      }
      queue.splice(0, batch.length);
    }
    if (dropped > 0) {
      logger.error('audit entries were dropped: the database did not keep up', { dropped });
      dropped = 0;
    }
  };

  const sweep = async () => {
    if (retentionMs === 0 || clock.now() < sweepAtMs) return;
    sweepAtMs = clock.now() + sweepEveryMs;
    const beforeMs = clock.now() - retentionMs;
    // In pieces, so that no other writer waits long.
    for (let deleted = rowsPerSweep; deleted === rowsPerSweep; ) {
      const old = db.selectFrom('audit').select('id').where('at_ms', '<', beforeMs).limit(rowsPerSweep);
      const result = await db.deleteFrom('audit').where('id', 'in', old).executeTakeFirst();
      deleted = Number(result.numDeletedRows);
    }
  };

  /** One at a time; what could not be written stays in the queue for the next. */
  const flush = (): Promise<void> => {
    flying++;
    flight = flight.then(async () => {
      try {
        await write();
        failing = false;
        await sweep();
      } catch (fault) {
        failing = true;
        logger.warn('audit entries could not be written yet', {
          waiting: queue.length,
          fault: String(fault),
        });
      } finally {
        flying--;
      }
    });
    return flight;
  };

  const flushAndGoOn = () =>
    void flush().then(() => {
      if (queue.length > 0) schedule();
    });

  const schedule = () => {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = null;
      flushAndGoOn();
    }, flushEveryMs);
    timer.unref();
  };

  return {
    record(entry) {
      if (queue.length >= queueMax) {
        dropped++;
        return;
      }
      queue.push(rowOf(entry, clock.now()));
      // A database that refuses is tried again when its time has come, and not with every entry.
      if (queue.length >= rowsPerInsert && flying === 0 && !failing) flushAndGoOn();
      else schedule();
    },

    async recordNow(entry) {
      await db.insertInto('audit').values(rowOf(entry, clock.now())).execute();
    },

    async list({ limit, subject, operation, sinceMs }) {
      await flush();
      let query = db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
      if (subject !== undefined) query = query.where('subject', '=', subject);
      if (operation !== undefined) query = query.where('operation', '=', operation);
      if (sinceMs !== undefined) query = query.where('at_ms', '>=', sinceMs);
      return (await query.execute()).map(entryOf);
    },

    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      timer = null;
      await flush();
      if (queue.length > 0) logger.error('audit entries were lost at close', { lost: queue.length });
    },
  };
}

type Row = Insertable<Schema['audit']>;

const emptyRow = {
  at_ms: 0,
  subject: '',
  on_behalf_of: null,
  operation: '',
  repositories_json: '',
  outcome: '',
  detail_json: '',
} satisfies Row;
/** In the order of the statement's parameters. */
const columns = Object.keys(emptyRow) as (keyof typeof emptyRow)[];

function rowOf(entry: AuditEntry, nowMs: number): Row {
  return {
    at_ms: nowMs,
    subject: entry.subject,
    on_behalf_of: entry.onBehalfOf,
    operation: entry.operation,
    repositories_json: JSON.stringify(entry.repositories),
    outcome: entry.outcome,
    detail_json: JSON.stringify(entry.detail),
  };
}

function entryOf(row: Selectable<Schema['audit']>): AuditEntry & { id: number; atMs: number } {
  return {
    id: row.id,
    atMs: row.at_ms,
    subject: row.subject,
    onBehalfOf: row.on_behalf_of,
    operation: row.operation,
    repositories: JSON.parse(row.repositories_json) as string[],
    outcome: row.outcome,
    detail: JSON.parse(row.detail_json) as Record<string, unknown>,
  };
}
