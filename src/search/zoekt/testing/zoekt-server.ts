import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGitFixture, type FixtureFile } from '../../../mirrors/testing/git-fixture.ts';

export function isZoektInstalled(): boolean {
  const has = (program: string) => spawnSync(program, ['-version']).status === 0;
  return has('zoekt-git-index') && has('zoekt-webserver');
}

/** By name below the folder of mirrors; of each branch its files. */
export type ZoektFixture = Record<string, Record<string, Record<string, FixtureFile>>>;

export interface ZoektServer {
  url: string;
  stop(): Promise<void>;
}

/** Real repositories below a folder, with the same commits whenever they are made. */
export function createZoektMirrors(folder: string, fixture: ZoektFixture): void {
  for (const [name, branches] of Object.entries(fixture)) {
    const repository = createGitFixture({ folder: path.join(folder, `${name}.git`), bare: true });
    for (const [branch, files] of Object.entries(branches)) repository.commit(files, { branch });
  }
}

/** A real zoekt-webserver over real repositories, on a free port. */
export async function startZoekt(fixture: ZoektFixture): Promise<ZoektServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-zoekt-'));
  const index = path.join(folder, 'index');
  const mirrors = path.join(folder, 'mirrors');
  mkdirSync(index);
  createZoektMirrors(mirrors, fixture);
  for (const [name, branches] of Object.entries(fixture)) {
    const names = Object.keys(branches).join(',');
    const options = ['-index', index, '-repo_cache', mirrors, '-branches', names, '-disable_ctags'];
    execFileSync('zoekt-git-index', [...options, path.join(mirrors, `${name}.git`)], { stdio: 'pipe' });
  }
  const port = await freePort();
  const server = spawn('zoekt-webserver', ['-index', index, '-listen', `127.0.0.1:${port}`, '-rpc'], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  return {
    url,
    async stop() {
      await ended(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const ready = await fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('zoekt-webserver does not get ready');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await exited;
}
