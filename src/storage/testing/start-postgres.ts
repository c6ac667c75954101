import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** A PostgreSQL server for one test file: started for it, or the one that PERISCOPE_TEST_POSTGRES_URL names. */
export interface TestPostgres {
  /** Makes an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Removes the databases, and the server if it was ours. */
  stop(): Promise<void>;
}

/** Why there is no PostgreSQL to test with, or null when there is. Throws where CI demands one. */
export function missingPostgres(): string | null {
  if (process.env['PERISCOPE_TEST_POSTGRES_URL'] || findBinaries() !== null) return null;
  const reason = 'no PostgreSQL binaries on PATH or in /usr/lib/postgresql, no PERISCOPE_TEST_POSTGRES_URL';
  if (process.env['PERISCOPE_TEST_REQUIRE_POSTGRES'] === '1') throw new Error(reason);
  return reason;
}

export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env['PERISCOPE_TEST_POSTGRES_URL'];
  if (given) return databasesAt(given, async () => {});
  const binaries = findBinaries();
  if (binaries === null) throw new Error('no PostgreSQL: ask missingPostgres() first');
  return startServer(binaries);
}

function findBinaries(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const packaged = '/usr/lib/postgresql';
  if (existsSync(packaged)) {
    const versions = readdirSync(packaged).sort((a, b) => Number(b) - Number(a));
    folders.push(...versions.map((version) => path.join(packaged, version, 'bin')));
  }
  return folders.find((folder) => folder !== '' && existsSync(path.join(folder, 'initdb'))) ?? null;
}

async function startServer(binaries: string): Promise<TestPostgres> {
  const user = ordinaryUser();
  const folder = await mkdtemp(path.join(tmpdir(), 'periscope-postgres-'));
  if (user) await chown(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  await promisify(execFile)(
    path.join(binaries, 'initdb'),
    ['-D', data, '-U', 'periscope', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    { ...user, cwd: folder, env },
  );
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'full_page_writes=off',
  ].flatMap((setting) => ['-c', setting]);
  const server = spawn(path.join(binaries, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
    ...user,
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const endWithUs = () => server.kill('SIGQUIT');
  process.once('exit', endWithUs);
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (chunk) => {
      // Read on for as long as it runs, or its log would fill the pipe.
      if (said.length > 100_000) return;
      said += chunk;
      if (said.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    void ended.then(() => reject(new Error(`PostgreSQL did not start:\n${said}`)));
  });
  return databasesAt(`postgres://periscope@127.0.0.1:${port}/postgres`, async () => {
    process.off('exit', endWithUs);
    server.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
}

function databasesAt(serverUrl: string, stop: () => Promise<void>): TestPostgres {
  const admin = new pg.Pool({ connectionString: serverUrl, max: 1 });
  admin.on('error', () => {});
  const made: string[] = [];
  return {
    async createDatabase() {
      const name = `periscope_test_${randomBytes(6).toString('hex')}`;
      await admin.query(`create database ${name}`);
      made.push(name);
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
    async stop() {
      for (const name of made) await admin.query(`drop database ${name} with (force)`);
      await admin.end();
      await stop();
    },
  };
}

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account =
    accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (!account) throw new Error('PostgreSQL does not run as root and there is no user postgres or nobody');
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
