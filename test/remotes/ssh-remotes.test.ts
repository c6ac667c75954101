import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RemoteAccess } from '../../src/mirrors/index.ts';
import { createGitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { openTestMirrors, remoteSubject, type TestMirrors } from '../../src/mirrors/testing/open-mirrors.ts';
import { processesOf } from '../../src/mirrors/testing/processes-of.ts';

const sshd = '/usr/sbin/sshd';
const options = { signal: new AbortController().signal };

// Needs Debian's openssh-server, and root to start it.
describe.skipIf(!existsSync(sshd) || process.getuid?.() !== 0)('a remote over ssh, by a real sshd', () => {
  let folder: string;
  const file = (name: string) => path.join(folder, name);
  let daemon: ChildProcess;
  let port: number;
  let commit: string;
  let test: TestMirrors;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'periscope-ssh-'));
    mkdirSync('/run/sshd', { recursive: true });
    for (const key of ['host', 'client', "other's key"]) {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(key)]);
    }
    writeFileSync(file('authorized'), readFileSync(file('client.pub')));
    port = await freePort();
    writeFileSync(
      file('config'),
      [
        `Port ${port}`,
        'ListenAddress 127.0.0.1',
        `HostKey ${file('host')}`,
        `AuthorizedKeysFile ${file('authorized')}`,
        'PermitRootLogin prohibit-password',
        'PasswordAuthentication no',
        'StrictModes no',
        'UsePAM no',
        `PidFile ${file('pid')}`,
      ].join('\n'),
    );
    writeFileSync(file('known'), `[127.0.0.1]:${port} ${readFileSync(file('host.pub'))}`);
    writeFileSync(file('unknown'), '');
    daemon = spawn(sshd, ['-D', '-e', '-f', file('config')], { stdio: ['ignore', 'ignore', 'pipe'] });
    await new Promise<void>((resolve) => {
      daemon.stderr?.on('data', (chunk: Buffer) => {
        if (chunk.includes('Server listening')) resolve();
      });
    });
    commit = createGitFixture({ folder: file('a.git'), bare: true }).commit({ 'a.txt': 'one\n' });
    test = openTestMirrors();
  });
  afterAll(async () => {
    await test.close();
    daemon.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const subject = (id: number, name: string, access: Partial<RemoteAccess> = {}, at = port) =>
    remoteSubject(id, `ssh://127.0.0.1:${at}${file(name)}`, {
      origin: `ssh://127.0.0.1:${at}`,
      username: userInfo().username,
      sshKeyFile: file('client'),
      sshKnownHostsFile: file('known'),
      ...access,
    });

  it('is mirrored with the key of its own', async () => {
    const mirror = test.mirrors.open(subject(1, 'a.git'));
    expect(await mirror.resolve(undefined, options)).toMatchObject({ commit, revision: 'main' });
    expect(await mirror.list(commit, '', options)).toHaveLength(1);
  });

  const rows: [string, string, () => Partial<RemoteAccess>, string][] = [
    ['another key', 'a.git', () => ({ sshKeyFile: file("other's key") }), 'remote-refuses-credential'],
    [
      'a host key that is not known',
      'a.git',
      () => ({ sshKnownHostsFile: file('unknown') }),
      'remote-refuses-credential',
    ],
    ['a repository that is not there', 'none.git', () => ({}), 'remote-not-found'],
  ];
  rows.forEach(([name, repository, access, code], index) => {
    it(`fails clearly with ${name}`, async () => {
      const mirror = test.mirrors.open(subject(10 + index, repository, access()));
      await expect(mirror.resolve(undefined, options)).rejects.toMatchObject({ code: `mirrors/${code}` });
      expect(processesOf(test.folder).filter((line) => !line.includes('cat-file'))).toEqual([]);
    });
  });

  it('times out when the port accepts and never speaks, and leaves no ssh behind', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const mirrors = test.again({ options: { fetchTimeoutMs: 500 } });
    const mirror = mirrors.open(subject(20, 'a.git', {}, (silent.address() as AddressInfo).port));
    await expect(mirror.resolve(undefined, options)).rejects.toMatchObject({ kind: 'timeout' });
    expect(processesOf(test.folder).filter((line) => !line.includes('cat-file'))).toEqual([]);
    silent.close();
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
