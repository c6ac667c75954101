import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { StorageOptions } from '../types.ts';
import { missingPostgres, startPostgres, type TestPostgres } from './start-postgres.ts';

/** Where a test finds its databases, and a folder that goes with them. */
export interface TestDatabases {
  readonly kind: StorageOptions['kind'];
  readonly folder: () => string;
  /** Options of a database that nobody has opened yet. */
  fresh(): Promise<StorageOptions>;
}

/** The same suite over SQLite and over a real PostgreSQL. */
export function overEachDatabase(title: string, define: (databases: TestDatabases) => void): void {
  describe(`${title}, over SQLite`, () => {
    const folder = temporaryFolder();
    let count = 0;
    define({
      kind: 'sqlite',
      folder,
      fresh: async () => ({ kind: 'sqlite', file: path.join(folder(), `${count++}.db`) }),
    });
  });

  const missing = missingPostgres();
  const over = missing === null ? 'PostgreSQL' : `PostgreSQL: skipped, ${missing}`;
  describe.skipIf(missing !== null)(`${title}, over ${over}`, () => {
    const folder = temporaryFolder();
    let server: TestPostgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server?.stop());
    define({
      kind: 'postgres',
      folder,
      fresh: async () => ({ kind: 'postgres', url: await server.createDatabase(), poolSizeMax: 8 }),
    });
  });
}

function temporaryFolder(): () => string {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'periscope-storage-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}
