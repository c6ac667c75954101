import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../base/logger.ts';
import { allMigrations } from './migrations/all-migrations.ts';
import type { Migration } from './migrations/migration.ts';
import { openStorage, type StorageDeps } from './open-storage.ts';
import { dumpedTables } from './postgres-dump.ts';
import { restoreStorage } from './restore-storage.ts';
import { overEachDatabase } from './testing/each-database.ts';
import type { Storage, StorageOptions } from './types.ts';

overEachDatabase('storage', ({ kind, fresh, folder }) => {
  let nowMs = 1_700_000_000_000;
  const clock = { now: () => nowMs };
  const opened: Storage[] = [];
  const open = async (options: StorageOptions, extra: Partial<StorageDeps> = {}) => {
    const storage = await openStorage(options, { clock, logger: silentLogger, ...extra });
    opened.push(storage);
    return storage;
  };
  const restore = (options: StorageOptions, from: string, overwrite = false, migrations = allMigrations) =>
    restoreStorage(options, from, { overwrite }, { clock, logger: silentLogger, migrations });
  afterEach(async () => {
    for (const storage of opened.splice(0)) await storage.close();
  });

  const addRepository = (storage: Storage, name: string) =>
    storage.db
      .insertInto('repository')
      .values({ ...someRepository, external_id: name, name })
      .returning('id')
      .executeTakeFirstOrThrow();

  describe('rows', () => {
    test('times and counts come back as numbers, on either database', async () => {
      const storage = await open(await fresh());
      await addRepository(storage, 'acme/payments');
      const row = await storage.db
        .selectFrom('repository')
        .select(({ fn }) => ['first_seen_ms', fn.countAll().as('count'), fn.sum('archived').as('archived')])
        .groupBy('first_seen_ms')
        .executeTakeFirstOrThrow();
      expect({ ...row }).toEqual({ first_seen_ms: 1_700_000_000_000, count: 1, archived: 0 });
    });

    test('the number of changed rows is told', async () => {
      const storage = await open(await fresh());
      await addRepository(storage, 'a');
      await addRepository(storage, 'b');
      const updated = await storage.db
        .updateTable('repository')
        .set({ present: 0 })
        .executeTakeFirstOrThrow();
      const deleted = await storage.db
        .deleteFrom('repository')
        .where('name', '=', 'a')
        .executeTakeFirstOrThrow();
      expect([updated.numUpdatedRows, deleted.numDeletedRows]).toEqual([2n, 1n]);
    });

    test('text is ordered by its bytes', async () => {
      const storage = await open(await fresh());
      for (const name of ['b', 'B', 'ä', 'a-b', 'ab', 'A']) await addRepository(storage, name);
      const rows = await storage.db.selectFrom('repository').select('name').orderBy('name').execute();
      expect(rows.map(({ name }) => name)).toEqual(['A', 'B', 'a-b', 'ab', 'b', 'ä']);
    });

    test('a repository id is never given out again, not even when its row has gone', async () => {
      const storage = await open(await fresh());
      const first = await addRepository(storage, 'a');
      await storage.db.deleteFrom('repository').execute();
      expect((await addRepository(storage, 'a')).id).toBeGreaterThan(first.id);
    });

    test('a repository id stays below 2^32', async () => {
      const storage = await open(await fresh());
      const withId = (id: number) =>
        storage.db
          .insertInto('repository')
          .values({ ...someRepository, id, external_id: `${id}` })
          .execute();
      await withId(2 ** 32 - 1);
      await expect(withId(2 ** 32)).rejects.toThrow(/check/i);
    });

    test('what points to nothing is refused', async () => {
      const storage = await open(await fresh());
      const alias = { host: 'h', name: 'old', repository_id: 77 };
      await expect(storage.db.insertInto('repository_alias').values(alias).execute()).rejects.toThrow(
        /foreign/i,
      );
    });
  });

  describe('transactions', () => {
    test('work that fails leaves nothing behind', async () => {
      const storage = await open(await fresh());
      const work = storage.transaction(async (tx) => {
        await tx.insertInto('meta').values({ key: 'a', value: '1' }).execute();
        throw new Error('no');
      });
      await expect(work).rejects.toThrow('no');
      expect(await storage.db.selectFrom('meta').selectAll().execute()).toEqual([]);
    });

    test('reading and then writing loses no update, from however many at once', async () => {
      const options = await fresh();
      const storages = await Promise.all([open(options), open(options)]);
      await storages[0].metaOnce('count', () => '0');
      const addOne = (storage: Storage) =>
        storage.transaction(async (tx) => {
          const { value } = await tx
            .selectFrom('meta')
            .select('value')
            .where('key', '=', 'count')
            .executeTakeFirstOrThrow();
          await tx
            .updateTable('meta')
            .set({ value: `${Number(value) + 1}` })
            .where('key', '=', 'count')
            .execute();
        });
      const rounds = Array.from({ length: 4 }, () => storages.map(addOne)).flat();
      await Promise.all(rounds);
      expect(await storages[0].metaOnce('count', () => 'never')).toBe('8');
    });

    test('a reader sees the last committed state and does not wait for a writer', async () => {
      const storage = await open(await fresh());
      await storage.transaction(async (tx) => {
        await tx.insertInto('meta').values({ key: 'a', value: '1' }).execute();
        expect(await storage.db.selectFrom('meta').selectAll().execute()).toEqual([]);
      });
      expect(await storage.db.selectFrom('meta').selectAll().execute()).toHaveLength(1);
    });

    test('a value of meta is made once, whoever asks first', async () => {
      const options = await fresh();
      const storages = await Promise.all([open(options), open(options)]);
      let made = 0;
      const values = await Promise.all(
        [...storages, ...storages].map((storage) => storage.metaOnce('key', () => `value ${made++}`)),
      );
      expect(new Set(values).size).toBe(1);
    });
  });

  describe('leases', () => {
    test('one holder at a time, and the fence grows with each new one, also after a release', async () => {
      const storage = await open(await fresh());
      const first = await storage.acquireLease('writer', { owner: 'a', ttlMs: 1000 });
      expect(await storage.acquireLease('writer', { owner: 'b', ttlMs: 1000 })).toBeNull();
      await first?.release();
      const second = await storage.acquireLease('writer', { owner: 'b', ttlMs: 1000 });
      nowMs += 1000;
      const third = await storage.acquireLease('writer', { owner: 'c', ttlMs: 1000 });
      expect([first?.fence, second?.fence, third?.fence]).toEqual([1, 2, 3]);
    });

    test('a holder that was taken over cannot renew, nor release what is no longer its own', async () => {
      const storage = await open(await fresh());
      const first = await storage.acquireLease('writer', { owner: 'a', ttlMs: 1000 });
      nowMs += 1001;
      const second = await storage.acquireLease('writer', { owner: 'b', ttlMs: 1000 });
      expect(await first?.renew()).toBe(false);
      await first?.release();
      expect(await second?.renew()).toBe(true);
    });

    test('a holder that is surely dead holds nothing, and of many that know it one gets the lease', async () => {
      const storage = await open(await fresh());
      const first = await storage.acquireLease('writer', { owner: 'a', ttlMs: 1000 });
      const dead = { ttlMs: 1000, isDead: (owner: string) => owner === 'a' };
      const alive = { ttlMs: 1000, isDead: () => false };
      expect(await storage.acquireLease('writer', { owner: 'b', ...alive })).toBeNull();
      const taken = await Promise.all(
        ['b', 'c', 'd'].map((owner) => storage.acquireLease('writer', { owner, ...dead })),
      );
      expect(taken.flatMap((lease) => lease?.fence ?? [])).toEqual([2]);
      expect(await first?.renew()).toBe(false);
    });

    test('a renewed lease lasts', async () => {
      const storage = await open(await fresh());
      const held = await storage.acquireLease('writer', { owner: 'a', ttlMs: 1000 });
      nowMs += 900;
      expect(await held?.renew()).toBe(true);
      nowMs += 900;
      expect(await storage.acquireLease('writer', { owner: 'b', ttlMs: 1000 })).toBeNull();
    });

    test('of many that ask at once, one gets it', async () => {
      const options = await fresh();
      const storages = await Promise.all([open(options), open(options)]);
      const asked = Array.from({ length: 10 }, (_, index) =>
        storages[index % 2]?.acquireLease('writer', { owner: `owner ${index}`, ttlMs: 1000 }),
      );
      expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    });
  });

  describe('schema', () => {
    test('processes that start at once migrate once', async () => {
      const options = await fresh();
      const storages = await Promise.all([open(options), open(options), open(options)]);
      for (const storage of storages) await addRepository(storage, `${storages.indexOf(storage)}`);
      expect(await migrationNames(storages[0])).toEqual(today);
    });

    test('an existing database is taken forward with its rows', async () => {
      const options = await fresh();
      await addRepository(await open(options), 'kept');
      const storages = await Promise.all([
        open(options, { migrations: withNext }),
        open(options, { migrations: withNext }),
      ]);
      expect(await migrationNames(storages[0])).toEqual([...today, 'next']);
      expect(await repositoryNames(storages[1])).toEqual(['kept']);
    });

    test('a newer schema is refused, with what to do', async () => {
      const options = await fresh();
      await open(options, { migrations: withNext });
      await expect(open(options)).rejects.toMatchObject({
        kind: 'conflict',
        code: 'storage/newer-schema',
        data: { found: today.length + 1, known: today.length },
        next: expect.stringContaining('Install the version that wrote it'),
      });
    });

    test('a migration that fails leaves the database as it was', async () => {
      const options = await fresh();
      await addRepository(await open(options), 'kept');
      await expect(open(options, { migrations: withFailing })).rejects.toThrow('half way');
      const storage = await open(options);
      expect(await migrationNames(storage)).toEqual(today);
      expect(await repositoryNames(storage)).toEqual(['kept']);
    });

    test('a backup knows every table', async () => {
      const storage = await open(await fresh());
      const tables = (await storage.db.introspection.getTables()).map(({ name }) => name);
      expect(tables.filter((name) => name !== 'migration').sort()).toEqual([...dumpedTables].sort());
    });
  });

  describe('backup and restore', () => {
    const backupName = (name: string) => path.join(folder(), `${name}.backup`);

    test('what was backed up comes back, readable by the owner alone', async () => {
      const storage = await open(await fresh());
      const names = Array.from({ length: 1203 }, (_, index) => `acme/${index} "quoted" \\ \u00e4 \n`);
      for (let at = 0; at < names.length; at += 200) {
        await storage.db
          .insertInto('repository')
          .values(names.slice(at, at + 200).map((name) => ({ ...someRepository, external_id: name, name })))
          .execute();
      }
      const target = backupName('whole');
      await storage.backup(target);
      expect((await stat(target)).mode & 0o777).toBe(0o600);

      const elsewhere = await fresh();
      await restore(elsewhere, target);
      expect((await repositoryNames(await open(elsewhere))).sort()).toEqual(names.sort());
      expect((await readdir(folder())).filter((name) => /unfinished|restoring/.test(name))).toEqual([]);
    });

    test('a backup is one moment, while writers go on', async () => {
      const storage = await open(await fresh());
      let writing = true;
      const writer = (async () => {
        for (let index = 0; writing; index++) {
          await storage.transaction(async (tx) => {
            const values = [0, 1].map((half) => ({ key: `${index}/${half}`, value: 'x'.repeat(500) }));
            await tx.insertInto('meta').values(values).execute();
          });
        }
      })();
      const target = backupName('moment');
      await storage.backup(target);
      writing = false;
      await writer;

      const elsewhere = await fresh();
      await restore(elsewhere, target);
      const rows = await (await open(elsewhere)).db.selectFrom('meta').select('key').execute();
      expect(rows.length % 2).toBe(0);
    });

    test('a backup never replaces a file', async () => {
      const storage = await open(await fresh());
      await writeFile(backupName('taken'), 'precious');
      await expect(storage.backup(backupName('taken'))).rejects.toMatchObject({
        code: 'storage/backup-exists',
      });
    });

    test('a backup that cannot be written says so', async () => {
      const storage = await open(await fresh());
      await expect(storage.backup(path.join(folder(), 'no', 'such', 'folder'))).rejects.toMatchObject({
        kind: 'unavailable',
        code: 'storage/backup-not-written',
      });
    });

    test('a database that is there is refused unless told, and a running server then sees the restored rows', async () => {
      const options = await fresh();
      const running = await open(options);
      await addRepository(running, 'before');
      await running.backup(backupName('live'));
      await addRepository(running, 'after');

      await expect(restore(options, backupName('live'))).rejects.toMatchObject({
        code: 'storage/target-not-empty',
      });
      expect(await repositoryNames(running)).toEqual(['before', 'after']);
      await restore(options, backupName('live'), true);

      expect(await repositoryNames(running)).toEqual(['before']);
      await addRepository(running, 'again');
      expect(await repositoryNames(running)).toEqual(['before', 'again']);
    });

    test('ids and fences given out since the backup are not given out again', async () => {
      const options = await fresh();
      const storage = await open(options);
      const lease = () => storage.acquireLease('writer', { owner: 'a', ttlMs: 1000 });
      await storage.db
        .insertInto('job')
        .values({ ...someJob, fence: 1 })
        .execute();
      await lease();
      await storage.backup(backupName('given-out'));
      const { id } = await addRepository(storage, 'lost');
      const fence = (await lease())?.fence ?? 0;
      await storage.db.updateTable('job').set({ fence: 7 }).execute();

      await restore(options, backupName('given-out'), true);

      expect((await addRepository(storage, 'new')).id).toBeGreaterThan(id);
      expect((await lease())?.fence).toBeGreaterThan(fence);
      const job = await storage.db.selectFrom('job').select('fence').executeTakeFirstOrThrow();
      expect(job.fence).toBeGreaterThan(7);
    });

    test('ids go on after the highest that the backup knew', async () => {
      const storage = await open(await fresh());
      await addRepository(storage, 'a');
      const { id } = await addRepository(storage, 'b');
      await storage.db.deleteFrom('repository').where('id', '=', id).execute();
      await storage.backup(backupName('sequence'));

      const elsewhere = await fresh();
      await restore(elsewhere, backupName('sequence'));
      expect((await addRepository(await open(elsewhere), 'c')).id).toBeGreaterThan(id);
    });

    test('a backup of an older schema is taken forward', async () => {
      const storage = await open(await fresh());
      await addRepository(storage, 'old');
      await storage.backup(backupName('older'));

      const elsewhere = await fresh();
      await restore(elsewhere, backupName('older'), false, withNext);
      const restored = await open(elsewhere, { migrations: withNext });
      expect(await migrationNames(restored)).toEqual([...today, 'next']);
      expect(await repositoryNames(restored)).toEqual(['old']);
    });

    test('a database of an older schema is written over by a backup of a newer one', async () => {
      const options = await fresh();
      await addRepository(await open(options, { migrations: allMigrations.slice(0, 1) }), 'old');
      const storage = await open(await fresh());
      await addRepository(storage, 'new');
      await storage.backup(backupName('over-older'));
      await restore(options, backupName('over-older'), true);
      const restored = await open(options);
      expect(await migrationNames(restored)).toEqual(today);
      expect(await repositoryNames(restored)).toEqual(['new']);
    });

    test('a backup of a newer schema is refused', async () => {
      const storage = await open(await fresh(), { migrations: withNext });
      await storage.backup(backupName('newer'));
      await expect(restore(await fresh(), backupName('newer'))).rejects.toMatchObject({
        code: 'storage/newer-schema',
      });
    });

    test('what is no backup, or only part of one, is refused and changes nothing', async () => {
      const options = await fresh();
      const storage = await open(options);
      for (let index = 0; index < 200; index++) await addRepository(storage, `acme/${index}`);
      await storage.backup(backupName('cut'));
      const { truncate } = await import('node:fs/promises');
      await truncate(backupName('cut'), Math.floor((await stat(backupName('cut'))).size * 0.7));
      await writeFile(backupName('other'), 'something else');

      for (const name of ['cut', 'other', 'missing']) {
        await expect(restore(options, backupName(name), true)).rejects.toMatchObject({
          kind: 'invalid-request',
          code: 'storage/not-a-backup',
        });
      }
      expect(await repositoryNames(storage)).toHaveLength(200);
      await rm(backupName('cut'));
    });
  });

  test('a closed storage says that it is closed', async () => {
    const storage = await openStorage(await fresh(), { clock, logger: silentLogger });
    await storage.metaOnce('a', () => 'b');
    await storage.close();
    await expect(storage.metaOnce('a', () => 'b')).rejects.toThrow(/closed|destroyed/);
  });

  if (kind === 'sqlite') {
    test('an upgrade leaves a copy of before beside the database, and the refusal of the older version names it', async () => {
      const options = await fresh();
      if (options.kind !== 'sqlite') return;
      await addRepository(await open(options), 'kept');
      await addRepository(await open(options, { migrations: withNext }), 'newer');
      const copy = `${options.file}.before-${today.length + 1}`;
      expect((await stat(copy)).mode & 0o777).toBe(0o600);
      await expect(open(options)).rejects.toMatchObject({ next: expect.stringContaining(copy) });
      expect(await repositoryNames(await open({ kind: 'sqlite', file: copy }))).toEqual(['kept']);
    });
  }
});

const someRepository = {
  host: 'local',
  external_id: '1',
  name: 'name',
  default_branch: 'main',
  archived: 0,
  fork: 0,
  visibility: 'unknown',
  web_url: null,
  location: '{}',
  present: 1,
  first_seen_ms: 1_700_000_000_000,
  last_seen_ms: 1_700_000_000_000,
};

const someJob = {
  kind: 'kind',
  key: 'key',
  state: 'waiting',
  payload_json: '{}',
  attempts: 0,
  max_attempts: 3,
  next_ms: 0,
  fence: 0,
  created_ms: 0,
};

const nextMigration: Migration = {
  version: allMigrations.length + 1,
  name: 'next',
  up: (db) => db.schema.alterTable('repository').addColumn('colour', 'text').execute(),
};
const today = allMigrations.map(({ name }) => name);
const withNext = [...allMigrations, nextMigration];
const withFailing: readonly Migration[] = [
  ...allMigrations,
  {
    ...nextMigration,
    up: async (db) => {
      await db.schema.dropTable('event').execute();
      throw new Error('half way');
    },
  },
];

async function migrationNames(storage: Storage | undefined): Promise<string[]> {
  if (!storage) return [];
  const { rows } = await sql<{ name: string }>`select name from migration order by version`.execute(
    storage.db,
  );
  return rows.map(({ name }) => name);
}

async function repositoryNames(storage: Storage): Promise<string[]> {
  const rows = await storage.db.selectFrom('repository').select('name').orderBy('id').execute();
  return rows.map(({ name }) => name);
}
