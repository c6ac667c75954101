import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitFixture, fixtureEnvironment } from './git-fixture.ts';
import { type GitHttpServer, startGitHttpServer } from './git-http-server.ts';

describe('the test server speaks git over a real socket', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-git-server-'));
  let server: GitHttpServer;

  beforeAll(async () => {
    createGitFixture({ folder: path.join(folder, 'a.git'), bare: true }).commit({ 'a.txt': 'one\n' });
    server = await startGitHttpServer({ folder, credentials: { username: 'bot', password: 'pass' } });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('clones with the right password and refuses without', async () => {
    const address = new URL(`${server.url}/a.git`);
    expect(await clone(address.href, 'without')).not.toBe(0);
    address.username = 'bot';
    address.password = 'pass';
    expect(await clone(address.href, 'with')).toBe(0);
    expect(server.requests.some((request) => request.authorization?.startsWith('Basic '))).toBe(true);
  });

  it('breaks off within the pack when told to', async () => {
    server.credentials = null;
    server.fault = { kind: 'vanish' };
    expect(await clone(`${server.url}/a.git`, 'vanished')).not.toBe(0);
    expect(server.requests.at(-1)?.method).toBe('POST');
  });

  function clone(url: string, name: string): Promise<number | null> {
    const child = spawn('git', ['clone', '-q', url, path.join(folder, name)], {
      env: fixtureEnvironment(),
      stdio: 'ignore',
    });
    return new Promise((resolve) => child.on('close', resolve));
  }
});
