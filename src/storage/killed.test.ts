import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { PeriscopeError } from '../base/errors.ts';
import { silentLogger } from '../base/logger.ts';
import { bundleForNode } from '../base/testing/run-typescript.ts';
import { SeededRandom } from '../base/testing/seeded-random.ts';
import { allMigrations } from './migrations/all-migrations.ts';
import { openStorage } from './open-storage.ts';
import { restoreStorage } from './restore-storage.ts';
import { overEachDatabase } from './testing/each-database.ts';
import { type KilledWork, slowMigration } from './testing/killed-process.ts';
import type { Storage, StorageOptions } from './types.ts';

const seeds = Math.ceil(Number(process.env['PERISCOPE_SOAK_SEEDS'] ?? 10) / 5);
const rowCount = 1000;
const deps = { clock: systemClock, logger: silentLogger };

overEachDatabase('a database whose process was killed', ({ fresh, folder }) => {
  let bundle: string;
  beforeAll(async () => {
    bundle = await bundleForNode(path.join(import.meta.dirname, 'testing', 'killed-process.ts'), {
      inline: ['kysely'],
    });
  });

  for (let seed = 1; seed <= seeds; seed++) {
    test(`in the midst of an upgrade is as before it or after it, seed ${seed}`, async () => {
      const options = await fresh();
      await filled(options, 'kept');
      await killedWhile({ does: 'migrate', options }, 130, seed);

      const storage = await openStorage(options, deps).catch((fault) => {
        if (!(fault instanceof PeriscopeError) || fault.code !== 'storage/newer-schema') throw fault;
        return openStorage(options, { ...deps, migrations: [...allMigrations, slowMigration] });
      });
      await expectWhole(storage, ['kept']);
    });

    test(`in the midst of a backup opens, and the backup is whole or not there, seed ${seed}`, async () => {
      const options = await fresh();
      await filled(options, 'kept');
      const target = path.join(folder(), `backup-${seed}`);
      await killedWhile({ does: 'back up', options, target }, 60, seed);

      await expectWhole(await openStorage(options, deps), ['kept']);
      const storage = await openStorage(options, deps);
      if (!existsSync(target)) await storage.backup(target);
      await storage.close();
      const elsewhere = await fresh();
      await restoreStorage(elsewhere, target, { overwrite: false }, deps);
      await expectWhole(await openStorage(elsewhere, deps), ['kept']);
    });

    test(`in the midst of a restore has one state or the other, seed ${seed}`, async () => {
      const backups: string[] = [];
      for (const name of ['one', 'other']) {
        const source = await fresh();
        await filled(source, name);
        const storage = await openStorage(source, deps);
        backups.push(path.join(folder(), `restored-${name}-${seed}`));
        await storage.backup(backups.at(-1) ?? '');
        await storage.close();
      }
      const options = await fresh();
      await filled(options, 'first');
      await killedWhile({ does: 'restore', options, backups }, 150, seed);

      await expectWhole(await openStorage(options, deps), ['first', 'one', 'other']);
    });
  }

  async function killedWhile(work: KilledWork, withinMs: number, seed: number): Promise<void> {
    const child = spawn(process.execPath, [bundle, JSON.stringify(work)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await sleep(new SeededRandom(seed).below(withinMs));
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

async function filled(options: StorageOptions, subject: string): Promise<void> {
  const storage = await openStorage(options, deps);
  const row = { at_ms: 0, kind: 'kind', subject, data_json: 'x'.repeat(300) };
  for (let at = 0; at < rowCount; at += 200) {
    await storage.db
      .insertInto('event')
      .values(Array.from({ length: 200 }, () => row))
      .execute();
  }
  await storage.close();
}

async function expectWhole(storage: Storage, subjects: string[]): Promise<void> {
  try {
    const groups = await storage.db
      .selectFrom('event')
      .select(({ fn }) => ['subject', fn.countAll<number>().as('count')])
      .groupBy('subject')
      .execute();
    expect(groups.map(({ count }) => count)).toEqual([rowCount]);
    expect(subjects).toContain(groups[0]?.subject);
    if (storage.kind === 'sqlite') {
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(storage.db);
      expect(rows.map(({ integrity_check }) => integrity_check)).toEqual(['ok']);
    }
  } finally {
    await storage.close();
  }
}
