import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClosingStack } from '../base/closing-stack.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { openStorage, type Storage } from '../storage/index.ts';
import { overEachDatabase } from '../storage/testing/each-database.ts';
import { createAudit } from './audit.ts';
import type { AuditEntry } from './types.ts';

const dayMs = 86_400_000;
const entry = (operation: string, subject = 'ada'): AuditEntry => ({
  subject,
  onBehalfOf: null,
  operation,
  repositories: ['acme/payments'],
  outcome: 'ok',
  detail: { lines: 3 },
});

overEachDatabase('the audit', (databases) => {
  let closing: ClosingStack;
  let storage: Storage;
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const logged: [string, unknown][] = [];
  const logger: Logger = {
    ...silentLogger,
    warn: (message, fields) => logged.push([message, fields]),
    error: (message, fields) => logged.push([message, fields]),
  };

  beforeEach(async () => {
    closing = new ClosingStack();
    storage = closing.add(await openStorage(await databases.fresh(), { clock, logger: silentLogger }));
    clock.nowMs = 100 * dayMs;
    logged.length = 0;
  });
  afterEach(() => closing.close());

  const open = (more: { retentionMs?: number; queueMax?: number } = {}) =>
    closing.add(createAudit({ storage, clock, logger, retentionMs: 0, ...more }));

  it('keeps entries in their order and gives the newest first, by subject, operation and time', async () => {
    const audit = open();
    for (let index = 0; index < 250; index++) {
      clock.nowMs += 1;
      audit.record(entry(`op-${index}`, index % 2 === 0 ? 'ada' : 'bob'));
    }
    const all = await audit.list({ limit: 1000 });
    expect(all.map(({ operation }) => operation)).toEqual(
      Array.from({ length: 250 }, (_, at) => `op-${249 - at}`),
    );
    expect(all[0]).toMatchObject({ ...entry('op-249', 'bob'), atMs: clock.nowMs });
    expect(await audit.list({ limit: 3, subject: 'ada' })).toMatchObject(
      [248, 246, 244].map((at) => entry(`op-${at}`)),
    );
    expect(await audit.list({ limit: 9, operation: 'op-7' })).toHaveLength(1);
    expect(await audit.list({ limit: 9, sinceMs: clock.nowMs - 1 })).toHaveLength(2);
  });

  it('writes what still waits when it is closed', async () => {
    const audit = open();
    audit.record(entry('late'));
    await audit.close();
    expect(await open().list({ limit: 1 })).toMatchObject([entry('late')]);
  });

  it('keeps every one of 20 000 entries of a busy server, in their order, and has few of them waiting', async () => {
    const audit = open();
    for (let index = 0; index < 20_000; index++) {
      audit.record(entry(`op-${index}`));
      // As between requests: now and then the event loop turns.
      if (index % 1000 === 999) await new Promise((resolve) => setImmediate(resolve));
    }
    const kept = await audit.list({ limit: 30_000 });
    expect(kept).toHaveLength(20_000);
    expect(kept.map(({ operation }) => operation)).toEqual(
      Array.from({ length: 20_000 }, (_, at) => `op-${19_999 - at}`),
    );
    expect(kept[0]).toMatchObject(entry('op-19999'));
    expect(logged).toEqual([]);
  });

  it('does not let a full batch wait for its second', async () => {
    const audit = open();
    for (let index = 0; index < 500; index++) audit.record(entry(`op-${index}`));
    const written = async () => (await storage.db.selectFrom('audit').select('id').execute()).length;
    while ((await written()) < 500) await new Promise((resolve) => setImmediate(resolve));
    audit.record(entry('late'));
    expect(await written()).toBe(500);
  });

  it('drops what its queue cannot hold, and says how much', async () => {
    const audit = open({ queueMax: 3 });
    for (let index = 0; index < 10; index++) audit.record(entry(`op-${index}`));
    expect(await audit.list({ limit: 100 })).toHaveLength(3);
    expect(logged).toEqual([[expect.stringContaining('dropped'), { dropped: 7 }]]);
  });

  it('deletes by age, at the start and then every hour', async () => {
    await open().recordNow(entry('old'));
    clock.nowMs += 10 * dayMs;
    await open().recordNow(entry('new'));
    const audit = open({ retentionMs: 5 * dayMs });
    expect(await audit.list({ limit: 9 })).toMatchObject([entry('new')]);
    clock.nowMs += 5 * dayMs + 1;
    expect(await audit.list({ limit: 9 })).toEqual([]);
  });

  it('keeps for ever where the retention is 0', async () => {
    const audit = open();
    await audit.recordNow(entry('old'));
    clock.nowMs += 10_000 * dayMs;
    expect(await audit.list({ limit: 9 })).toHaveLength(1);
  });

  it('an administrative entry that cannot be written fails; others wait and never throw', async () => {
    const audit = open();
    await storage.close();
    audit.record(entry('read_file'));
    await expect(audit.recordNow(entry('token.create'))).rejects.toThrow();
    await audit.close();
    expect(logged.map(([message]) => message)).toEqual([
      'audit entries could not be written yet',
      'audit entries were lost at close',
    ]);
  });
});
