import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLogger } from '../base/logger.ts';
import { FairLock } from './fair-lock.ts';
import { isNetworkType } from './network-folder.ts';
import { openStorage } from './open-storage.ts';
import { restoreStorage } from './restore-storage.ts';
import type { Schema } from './schema.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

const deps = { clock: systemClock, logger: silentLogger };
const open = (file: string) => openStorage({ kind: 'sqlite', file }, deps);
const closing: (() => void | Promise<void>)[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'periscope-sqlite-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('the file', () => {
  test('the database and its side files are for the owner alone, and so is a folder made for them', async () => {
    const file = path.join(folder, 'new', 'periscope.db');
    const storage = await open(file);
    closing.push(() => storage.close());
    await storage.metaOnce('a', () => 'b');
    for (const part of [file, `${file}-wal`, `${file}-shm`]) {
      expect((await stat(part)).mode & 0o777).toBe(0o600);
    }
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
  });

  test('what is no database is left as it is, and a restore that may overwrite heals it', async () => {
    const good = await open(path.join(folder, 'good.db'));
    await good.metaOnce('kept', () => 'yes');
    await good.backup(path.join(folder, 'good.backup'));
    await good.close();
    const file = path.join(folder, 'broken.db');
    await writeFile(file, 'certainly no database '.repeat(500));

    await expect(open(file)).rejects.toMatchObject({ kind: 'conflict', code: 'storage/corrupt' });
    expect((await stat(file)).size).toBe(11_000);
    await restoreStorage(
      { kind: 'sqlite', file },
      path.join(folder, 'good.backup'),
      { overwrite: true },
      deps,
    );

    const healed = await open(file);
    closing.push(() => healed.close());
    expect(await healed.metaOnce('kept', () => 'no')).toBe('yes');
  });

  test("somebody else's database is neither taken over nor restored over", async () => {
    const file = path.join(folder, 'foreign.db');
    const foreign = new SqliteConnection(file, { readOnly: false });
    foreign.exec('create table theirs (a)');
    foreign.close();
    const good = await open(path.join(folder, 'ours.db'));
    await good.backup(path.join(folder, 'ours.backup'));
    await good.close();
    const restoring = (overwrite: boolean) =>
      restoreStorage({ kind: 'sqlite', file }, path.join(folder, 'ours.backup'), { overwrite }, deps);

    await expect(open(file)).rejects.toMatchObject({ code: 'storage/corrupt' });
    await expect(restoring(false)).rejects.toMatchObject({ code: 'storage/target-not-empty' });
    await restoring(true);
    await (await open(file)).close();
  });

  test('a file that cannot be opened is unavailable', async () => {
    await expect(open(folder)).rejects.toMatchObject({ kind: 'unavailable', code: 'storage/unavailable' });
  });

  const isNetwork = (name: string, type: number, expected: boolean) =>
    test(`${name} ${expected ? 'is refused as' : 'is not taken for'} a network file system`, () => {
      expect(isNetworkType(type)).toBe(expected);
    });
  isNetwork('NFS', 0x6969, true);
  isNetwork('SMB2, which statfs tells as a negative number,', 0xfe534d42 | 0, true);
  isNetwork('ext4', 0xef53, false);
  isNetwork('tmpfs', 0x01021994, false);
});

describe('waiting', () => {
  /** The dialect with a short patience. */
  async function impatient(name: string) {
    const file = path.join(folder, name);
    await (await open(file)).close();
    const connect = (readOnly: boolean) => new SqliteConnection(file, { readOnly });
    const db = new Kysely<Schema>({
      dialect: sqliteDialect({ writer: connect(false), reader: connect(true), waitMsMax: 60 }),
    });
    closing.push(() => db.destroy());
    return { file, db };
  }
  const insert = (db: Kysely<Schema>, key: string) =>
    db.insertInto('meta').values({ key, value: '' }).execute();

  test('a transaction that asks the database beside itself is told busy, and does not wait for ever', async () => {
    const { db } = await impatient('beside.db');
    const work = db.transaction().execute(async (tx) => {
      await insert(tx, 'inside');
      await insert(db, 'beside');
    });
    await expect(work).rejects.toMatchObject({ kind: 'busy', code: 'storage/busy' });
    await insert(db, 'afterwards');
    expect(await db.selectFrom('meta').select('key').execute()).toEqual([{ key: 'afterwards' }]);
  });

  test('while another process writes, timers run and the write comes through in the end', async () => {
    const storage = await open(path.join(folder, 'patient.db'));
    closing.push(() => storage.close());
    const other = new SqliteConnection(path.join(folder, 'patient.db'), { readOnly: false });
    closing.push(() => other.close());
    other.exec('begin immediate');
    let written = false;
    const writing = storage
      .metaOnce('a', () => 'b')
      .then(() => {
        written = true;
      });
    for (let tick = 0; tick < 3; tick++) await sleep(5);
    expect(written).toBe(false);
    other.exec('commit');
    await writing;
  });

  test('another process that writes for too long is told as busy', async () => {
    const { file, db } = await impatient('too-long.db');
    const other = new SqliteConnection(file, { readOnly: false });
    closing.push(() => other.close());
    other.exec('begin immediate');
    await expect(insert(db, 'a')).rejects.toMatchObject({ code: 'storage/busy' });
    expect(await db.selectFrom('meta').selectAll().execute()).toEqual([]);
  });

  test('a loop of queries alone lets timers have their turn', async () => {
    const { db } = await impatient('loop.db');
    let fired = false;
    setTimeout(() => {
      fired = true;
    }, 1);
    let queries = 0;
    while (!fired && queries < 1_000_000) {
      await db.selectFrom('meta').select('key').execute();
      queries += 1;
    }
    expect(fired).toBe(true);
  });

  test('writers are served in the order of asking, and one that gave up is passed over', async () => {
    const lock = new FairLock();
    const order: string[] = [];
    const ask = async (name: string, waitMsMax = 10_000) => {
      order.push((await lock.acquire(waitMsMax)) ? name : `${name} gave up`);
    };
    await ask('first');
    const waiting = [ask('second'), ask('impatient', 1), ask('third')];
    await waiting[1];
    lock.release();
    await waiting[0];
    lock.release();
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'impatient gave up', 'second', 'third']);
  });
});
