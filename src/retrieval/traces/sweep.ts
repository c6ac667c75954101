import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { globMatcher } from '../../base/glob.ts';
import type { Schema } from '../../storage/index.ts';
import type { TracesOptions } from './types.ts';

const ROWS_AT_ONCE = 500;

/** Deletes what is too old, too much, or opted out by now. */
export function createSweep(
  { kept, retentionMs, searchesMax, optOut }: TracesOptions,
  { clock, nameOf }: { clock: Clock; nameOf(repositoryId: number): string | null },
): (db: Kysely<Schema>) => Promise<void> {
  const globs = optOut.repositories.map(globMatcher);
  const optsOut = (repositoryId: number) => {
    const name = nameOf(repositoryId);
    return name !== null && globs.some((fits) => fits(name) || fits(name.slice(name.indexOf('/') + 1)));
  };

  return async (db) => {
    if (!kept) return deleteUpTo(db, Number.MAX_SAFE_INTEGER);
    if (retentionMs > 0) {
      const old = await db
        .selectFrom('trace')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('at_ms', '<', clock.now() - retentionMs)
        .executeTakeFirst();
      if (old?.id) await deleteUpTo(db, old.id);
    }
    const beyond = await db
      .selectFrom('trace')
      .select('id')
      .orderBy('id', 'desc')
      .offset(searchesMax)
      .limit(1)
      .executeTakeFirst();
    if (beyond) await deleteUpTo(db, beyond.id);
    for (const account of optOut.accounts) await inPieces(db, (from) => from.where('account', '=', account));
    if (globs.length > 0) await deleteOptedOut(db, optsOut);
  };
}

/** In pieces, so that no other writer waits long. */
function deleteUpTo(db: Kysely<Schema>, id: number): Promise<void> {
  return inPieces(db, (from) => from.where('id', '<=', id));
}

async function inPieces(db: Kysely<Schema>, narrowed: (from: TraceIds) => TraceIds): Promise<void> {
  for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE; ) {
    const some = narrowed(db.selectFrom('trace').select('id')).limit(ROWS_AT_ONCE);
    const result = await db.deleteFrom('trace').where('id', 'in', some).executeTakeFirst();
    deleted = Number(result.numDeletedRows);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

type TraceIds = SelectQueryBuilder<Schema, 'trace', { id: number }>;

/** Places in these repositories, and searches that showed no others or were narrowed to one. */
async function deleteOptedOut(db: Kysely<Schema>, optsOut: (repositoryId: number) => boolean): Promise<void> {
  const cited = await db.selectFrom('trace_citation').select('repository_id').distinct().execute();
  for (const { repository_id: repositoryId } of cited) {
    if (optsOut(repositoryId)) await deleteCitations(db, repositoryId);
  }
  const narrowed = await db
    .selectFrom('trace')
    .select(['id', 'narrowed_json'])
    .where('narrowed_json', 'is not', null)
    .execute();
  const ids = narrowed.filter(({ narrowed_json }) => (JSON.parse(narrowed_json!) as number[]).some(optsOut));
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const some = ids.slice(at, at + ROWS_AT_ONCE).map(({ id }) => id);
    await db.deleteFrom('trace').where('id', 'in', some).execute();
  }
}

async function deleteCitations(db: Kysely<Schema>, repositoryId: number): Promise<void> {
  for (;;) {
    const citing = await db
      .selectFrom('trace_citation')
      .select('trace_id')
      .distinct()
      .where('repository_id', '=', repositoryId)
      .limit(ROWS_AT_ONCE)
      .execute();
    if (citing.length === 0) return;
    const ids = citing.map(({ trace_id }) => trace_id);
    await db
      .deleteFrom('trace_citation')
      .where('trace_id', 'in', ids)
      .where('repository_id', '=', repositoryId)
      .execute();
    await db
      .deleteFrom('trace')
      .where('id', 'in', ids)
      .where('id', 'not in', (from) =>
        from
          .selectFrom('trace_citation')
          .select('trace_citation.trace_id')
          .where('trace_citation.trace_id', 'in', ids),
      )
      .execute();
  }
}
