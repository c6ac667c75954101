import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLogger } from '../base/logger.ts';
import { openStorage } from './open-storage.ts';
import { postgresError } from './postgres-dialect.ts';
import { missingPostgres, startPostgres, type TestPostgres } from './testing/start-postgres.ts';

const deps = { clock: systemClock, logger: silentLogger };
const open = (url: string) => openStorage({ kind: 'postgres', url, poolSizeMax: 2 }, deps);

describe.skipIf(missingPostgres() !== null)('PostgreSQL', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  test('a connection that the server ends is an error of its call, and the next call has a new one', async () => {
    const storage = await open(await server.createDatabase());
    const suicide = sql`select pg_terminate_backend(pg_backend_pid())`.execute(storage.db);
    await expect(suicide).rejects.toMatchObject({ kind: 'unavailable', code: 'storage/unavailable' });
    expect(await storage.metaOnce('a', () => 'b')).toBe('b');
    await storage.close();
  });

  test('a database that is not there is unavailable', async () => {
    const url = new URL(await server.createDatabase());
    url.pathname = '/nowhere';
    await expect(open(url.href)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('no database of that name'),
    });
  });
});

test('a server that is not there is unavailable, and the password is nowhere in the error', async () => {
  const fault = await open('postgres://someone:hunter2@127.0.0.1:1/db').catch((caught: unknown) => caught);
  expect(fault).toMatchObject({ kind: 'unavailable', code: 'storage/unavailable' });
  expect(`${(fault as Error).stack}${JSON.stringify(fault)}${String((fault as Error).cause)}`).not.toContain(
    'hunter2',
  );
});

describe('what PostgreSQL says becomes one of our errors', () => {
  const check = (code: string, expected: string) =>
    test(`${code} is ${expected}`, () => {
      expect(postgresError(Object.assign(new Error('x'), { code }))).toMatchObject({ code: expected });
    });
  check('40001', 'storage/aborted');
  check('40P01', 'storage/aborted');
  check('55P03', 'storage/busy');
  check('53300', 'storage/busy');
  check('57014', 'storage/timeout');
  check('28P01', 'storage/unavailable');
  check('53100', 'storage/unavailable');
  check('57P01', 'storage/unavailable');
  check('08006', 'storage/unavailable');
  check('ECONNREFUSED', 'storage/unavailable');
  check('ENOTFOUND', 'storage/unavailable');

  test('a fault of ours stays as it is', () => {
    const fault = Object.assign(new Error('duplicate key'), { code: '23505' });
    expect(postgresError(fault)).toBe(fault);
  });
});
