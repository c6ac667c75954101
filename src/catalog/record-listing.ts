import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { HostListing, HostRepository } from '../hosts/index.ts';
import type { Schema, Storage } from '../storage/index.ts';

/** Key of the number in `meta` that grows with every change to the list, so that other processes see it cheaply. */
export const generationKey = 'catalog/generation';

/**
 * A host's good answer, written at once: new repositories get their id, renamed ones keep theirs and leave an alias, and those that
 * are gone stay as rows, so that an id is never given twice. Returns whether anything changed.
 */
export async function recordListing(
  storage: Storage,
  host: string,
  listing: HostListing,
  nowMs: number,
): Promise<boolean> {
  return storage.transaction(async (db) => {
    // First of all: on PostgreSQL this row makes two processes that record the same host go one after the other.
    await writeHostState(db, { host, last_good_ms: nowMs, last_problem: null, last_problem_ms: null });
    const rows = await db.selectFrom('repository').selectAll().where('host', '=', host).execute();
    const known = new Map(rows.map((row) => [row.external_id, row]));
    const listed = new Map(listing.repositories.map((one) => [one.externalId, one]));

    const added: Insertable<Schema['repository']>[] = [];
    const seen: number[] = [];
    let changed = false;
    for (const [externalId, repository] of listed) {
      const row = known.get(externalId);
      const wanted = columnsOf(repository);
      if (row === undefined) {
        added.push({
          host,
          external_id: externalId,
          ...wanted,
          first_seen_ms: nowMs,
          last_seen_ms: nowMs,
        });
        continue;
      }
      seen.push(row.id);
      if (isSame(row, wanted)) continue;
      changed = true;
      await db.updateTable('repository').set(wanted).where('id', '=', row.id).execute();
      if (row.name !== wanted.name) await leaveAlias(db, host, row.name, row.id);
    }
    const gone = rows.filter(
      (row) => row.present === 1 && !listed.has(row.external_id) && wasLookedAt(row.external_id, listing),
    );

    for (const batch of batches(added)) await db.insertInto('repository').values(batch).execute();
    for (const batch of batches(gone.map((row) => row.id))) {
      await db.updateTable('repository').set({ present: 0 }).where('id', 'in', batch).execute();
    }
    for (const batch of batches(seen)) {
      await db.updateTable('repository').set({ last_seen_ms: nowMs }).where('id', 'in', batch).execute();
    }
    changed ||= added.length > 0 || gone.length > 0;
    if (changed) await growGeneration(db);
    return changed;
  });
}

export async function recordHostProblem(
  storage: Storage,
  host: string,
  problem: string,
  nowMs: number,
): Promise<void> {
  await storage.transaction((db) =>
    writeHostState(db, { host, last_problem: problem, last_problem_ms: nowMs }),
  );
}

type HostStateChange = Pick<Schema['host_state'], 'host'> & Partial<Schema['host_state']>;

async function writeHostState(db: Kysely<Schema>, { host, ...change }: HostStateChange): Promise<void> {
  await db
    .insertInto('host_state')
    .values({ host, last_good_ms: null, last_problem: null, last_problem_ms: null, ...change })
    .onConflict((conflict) => conflict.column('host').doUpdateSet(change))
    .execute();
}

type Columns = Omit<
  Selectable<Schema['repository']>,
  'id' | 'host' | 'external_id' | 'first_seen_ms' | 'last_seen_ms'
>;

function columnsOf(repository: HostRepository): Columns {
  return {
    name: repository.fullName,
    default_branch: repository.defaultBranch,
    archived: repository.archived ? 1 : 0,
    fork: repository.fork ? 1 : 0,
    visibility: repository.visibility,
    web_url: repository.webUrl,
    location: JSON.stringify(repository.location),
    present: 1,
  };
}

function isSame(row: Selectable<Schema['repository']>, wanted: Columns): boolean {
  return (Object.keys(wanted) as (keyof Columns)[]).every((column) => row[column] === wanted[column]);
}

const wasLookedAt = (externalId: string, listing: HostListing): boolean =>
  !(listing.unseenPrefixes ?? []).some((prefix) => externalId.startsWith(prefix));

/** The newest owner of a former name gets it. */
async function leaveAlias(
  db: Kysely<Schema>,
  host: string,
  name: string,
  repositoryId: number,
): Promise<void> {
  await db
    .insertInto('repository_alias')
    .values({ host, name, repository_id: repositoryId })
    .onConflict((conflict) => conflict.columns(['host', 'name']).doUpdateSet({ repository_id: repositoryId }))
    .execute();
}

async function growGeneration(db: Kysely<Schema>): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key: generationKey, value: '1' })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ value: sql`cast(cast(meta.value as bigint) + 1 as text)` }),
    )
    .execute();
}

/** Far below what a statement may hold of parameters: 32 766 on SQLite, 65 535 on PostgreSQL. */
const rowsAtOnce = 500;

function batches<T>(items: readonly T[]): T[][] {
  const found: T[][] = [];
  for (let from = 0; from < items.length; from += rowsAtOnce)
    found.push(items.slice(from, from + rowsAtOnce));
  return found;
}
