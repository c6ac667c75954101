import type { Kysely } from 'kysely';
import type { RepositoryLocation } from '../hosts/index.ts';
import type { Schema } from '../storage/index.ts';
import { generationKey } from './record-listing.ts';
import type { Repository } from './types.ts';

export interface StoredList {
  /** Of the list in the database: grows with every change to it. */
  generation: number;
  repositories: Repository[];
}

export async function storedGeneration(db: Kysely<Schema>): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', generationKey).executeTakeFirst();
  return row === undefined ? 0 : Number(row.value);
}

/** What the hosts' last good lists hold, in the order of `hosts` and then of names. */
export async function loadRepositories(db: Kysely<Schema>, hosts: readonly string[]): Promise<StoredList> {
  // Read first: a change that comes in between is then loaded once more, and never missed.
  const generation = await storedGeneration(db);
  if (hosts.length === 0) return { generation, repositories: [] };
  const rows = await db
    .selectFrom('repository')
    .select(['id', 'host', 'name', 'default_branch', 'archived', 'fork', 'visibility', 'web_url', 'location'])
    .where('present', '=', 1)
    .where('host', 'in', hosts)
    .execute();
  const aliases = await db.selectFrom('repository_alias').selectAll().where('host', 'in', hosts).execute();

  const aliasesOf = new Map<number, string[]>();
  for (const alias of aliases) {
    const known = aliasesOf.get(alias.repository_id);
    if (known) known.push(alias.name);
    else aliasesOf.set(alias.repository_id, [alias.name]);
  }
  const rank = new Map(hosts.map((host, index) => [host, index]));
  const repositories = rows.map((row): Repository => {
    const location = JSON.parse(row.location) as RepositoryLocation;
    return {
      id: row.id,
      host: row.host,
      name: row.name,
      ...alsoNamedAt(location),
      aliases: (aliasesOf.get(row.id) ?? []).filter((alias) => alias !== row.name).sort(),
      defaultBranch: row.default_branch,
      archived: row.archived === 1,
      fork: row.fork === 1,
      visibility: row.visibility as Repository['visibility'],
      webUrl: row.web_url,
      location,
    };
  });
  repositories.sort(
    (one, other) =>
      rank.get(one.host)! - rank.get(other.host)! ||
      (one.name < other.name ? -1 : one.name > other.name ? 1 : one.id - other.id),
  );
  return { generation, repositories };
}

function alsoNamedAt(location: RepositoryLocation): Pick<Repository, 'alsoNamed'> {
  return location.kind === 'folder' && location.alsoNamed ? { alsoNamed: location.alsoNamed } : {};
}

/** Present repositories of `hosts` called `owner/name` or `host/owner/name`, for commands that look at the folder without opening a catalog. */
export async function repositoriesNamed(
  db: Kysely<Schema>,
  name: string,
  hosts: readonly string[],
): Promise<Pick<Repository, 'id' | 'host' | 'name' | 'alsoNamed'>[]> {
  const { repositories } = await loadRepositories(db, hosts);
  return repositories.filter((found) => found.name === name || `${found.host}/${found.name}` === name);
}
