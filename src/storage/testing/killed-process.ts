/** A process for killed.test.ts: does one thing to a database over and over until it is killed in the midst of it. */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { allMigrations } from '../migrations/all-migrations.ts';
import type { Migration } from '../migrations/migration.ts';
import { openStorage } from '../open-storage.ts';
import { restoreStorage } from '../restore-storage.ts';
import type { StorageOptions } from '../types.ts';

export type KilledWork =
  | { does: 'migrate'; options: StorageOptions }
  | { does: 'back up'; options: StorageOptions; target: string }
  | { does: 'restore'; options: StorageOptions; backups: string[] };

const deps = { clock: systemClock, logger: silentLogger };

/** Takes its time between its statements, as an upgrade of a large database would. */
export const slowMigration: Migration = {
  version: allMigrations.length + 1,
  name: 'slow',
  async up(db) {
    process.stdout.write('started\n');
    await db.schema.alterTable('event').addColumn('colour', 'text').execute();
    for (let step = 0; step < 20; step++) {
      await sql`update event set colour = 'red' where id % 20 = ${step}`.execute(db);
      await sleep(5);
    }
    await db.schema.createIndex('event_colour').on('event').column('colour').execute();
  },
};

// Imported by the test for its migration, run by it as a process.
const given = process.argv[2];
if (given?.startsWith('{"does"')) await run(JSON.parse(given) as KilledWork);

async function run(work: KilledWork): Promise<void> {
  if (work.does === 'migrate') {
    const storage = await openStorage(work.options, {
      ...deps,
      migrations: [...allMigrations, slowMigration],
    });
    await storage.close();
    return;
  }
  if (work.does === 'back up') {
    const storage = await openStorage(work.options, deps);
    process.stdout.write('started\n');
    for (;;) {
      await rm(work.target, { force: true });
      await storage.backup(work.target);
    }
  }
  process.stdout.write('started\n');
  for (;;) {
    for (const backup of work.backups) await restoreStorage(work.options, backup, { overwrite: true }, deps);
  }
}
