import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Acme, createAcme } from './support/acme-repositories.ts';
import {
  buildFor,
  type RunningServer,
  runProgram as runBuilt,
  startServer as startBuilt,
} from './support/built-program.ts';

let programFile: string;
let acme: Acme;
let dataFolder: string;
let server: RunningServer;
beforeAll(async () => {
  programFile = `${buildFor('command-line')}/cli/main.js`;
  acme = createAcme();
  dataFolder = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
  server = await startServer(dataFolder, [acme.folder]);
});
afterAll(async () => {
  await server.stop();
  acme.remove();
  rmSync(dataFolder, { recursive: true, force: true });
});

const runProgram = (folder: string, args: string[], env: Record<string, string> = {}) =>
  runBuilt(programFile, folder, args, env);
const startServer = (folder: string, args: string[]) => startBuilt(programFile, folder, args);
const run = (...args: string[]) => runProgram(dataFolder, args);

describe('periscope up', () => {
  it('prints how many repositories, the URL and what to paste, and writes a token for the operator alone', () => {
    expect(server.printed()).toContain('Periscope serves 3 repositories at http://127.0.0.1:');
    expect(server.printed()).toContain('claude mcp add');
    const tokenFile = path.join(dataFolder, 'operator.token');
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    expect(server.printed()).not.toContain(readFileSync(tokenFile, 'utf8').trim());
  });

  it('answers over HTTP with that token and nobody else', async () => {
    const token = readFileSync(path.join(dataFolder, 'operator.token'), 'utf8').trim();
    const ask = (headers: Record<string, string>) => fetch(`${server.url}/api/tools`, { headers });
    expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await ask({})).status).toBe(401);
  });

  it('a second server on the same data folder keeps the token; ended by SIGTERM it ends well and leaves no git behind', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    const first = await startServer(other, [acme.folder]);
    expect(runProgram(other, ['read_file', 'acme/payments', 'README.md']).status).toBe(0);
    const token = readFileSync(path.join(other, 'operator.token'), 'utf8');
    const pid = first.process.pid!;
    expect(await first.stop()).toBe(0);
    expect(childrenOf(pid)).toEqual([]);
    expect(existsSync(path.join(other, 'periscope.sock'))).toBe(false);
    const second = await startServer(other, [acme.folder]);
    expect(readFileSync(path.join(other, 'operator.token'), 'utf8')).toBe(token);
    await second.stop();
    rmSync(other, { recursive: true, force: true });
  });
});

describe('roles', () => {
  it('an indexer and a web process share one data folder: what one finds, the other serves', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    const config = path.join(other, 'periscope.yaml');
    writeFileSync(config, `version: 1\nhosts: [{kind: folder, name: local, folders: ['${acme.folder}']}]\n`);
    const indexer = await startServer(other, ['--role', 'indexer', 'worker']);
    const web = await startServer(other, ['--role', 'web']);
    expect(indexer.printed()).toContain('runs as indexer and worker');
    expect(web.printed()).toContain('serves 3 repositories');
    expect(runProgram(other, ['read_file', 'payments', 'README.md']).stdout).toContain('Takes money.');
    expect([await web.stop(), await indexer.stop()]).toEqual([0, 0]);
    rmSync(other, { recursive: true, force: true });
  });
});

describe('every tool is a command', () => {
  const check = (name: string, args: string[], expected: { status: number; says: string }) =>
    it(name, () => {
      const { status, stdout, stderr } = run(...args);
      expect({ status, output: stdout + stderr }).toMatchObject({
        status: expected.status,
        output: expect.stringContaining(expected.says),
      });
    });
  check('lists repositories', ['codesearch_repos'], { status: 0, says: 'acme/payments  main  last commit' });
  check('nothing found is exit code 1', ['codesearch_repos', 'nowhere'], {
    status: 1,
    says: 'No repository',
  });
  check('reads', ['read_file', 'acme/payments', 'src/auth/token.ts', '--offset', '120', '--limit', '1'], {
    status: 0,
    says: '120\texport const line120',
  });
  check('reads by a dashed name', ['read-file', 'payments', 'README.md'], {
    status: 0,
    says: 'Takes money.',
  });
  check('fetches', ['fetch_file', 'payments', 'config/values.yaml'], { status: 0, says: 'replicas: 3' });
  check('walks', ['list_directory', 'payments', '--depth', '3'], { status: 0, says: 'src/auth/token.ts' });
  check('scans', ['scan_directory', 'retry\\w+', 'payments', '--file', '*.go'], {
    status: 0,
    says: '4: \tretryLimit()',
  });
  check('scans in vain', ['scan_directory', 'nowhere', 'payments'], {
    status: 1,
    says: 'Nothing there matches',
  });
  check('tells commits', ['history', 'payments', 'src/auth/Session.ts'], {
    status: 0,
    says: 'Raise the retry limit',
  });
  check('tells a diff', ['history', 'payments', '--kind', 'diff'], { status: 0, says: '+  retryLimit = 5;' });
  check('tells blame', ['history', 'payments', 'src/auth/Session.ts', '--kind', 'blame'], {
    status: 0,
    says: 'retryLimit = 5',
  });
  check('tells owners', ['history', 'payments', 'src/auth/token.ts', '--kind', 'owners'], {
    status: 0,
    says: '@acme/security',
  });
  check('a fault is exit code 2 with the next action', ['read_file', 'payments', 'no.ts'], {
    status: 2,
    says: 'list_directory',
  });
  check('wrong usage is exit code 2', ['read_file', '--nonsense'], { status: 2, says: 'unknown option' });
  check('an unknown command is exit code 2', ['reed_file'], { status: 2, says: 'read_file' });

  it('--json gives the structured answer, and a structured error', () => {
    const { stdout } = run('read_file', 'payments', 'README.md', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      tool: 'read_file',
      found: true,
      result: { repository: 'acme/payments', lineCount: 3 },
    });
    expect(JSON.parse(run('read_file', 'nowhere', 'x', '--json').stderr)).toMatchObject({
      error: { kind: 'not-found-or-no-access' },
    });
  });

  it('no colour reaches a pipe', () => expect(run('codesearch_repos').stdout).not.toContain('\x1b'));

  it('a reader that goes away early ends it quietly', () => {
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-c', `'${process.execPath}' '${programFile}' list_directory payments --depth 9 | head -1`],
      {
        encoding: 'utf8',
        env: { PATH: process.env['PATH']!, HOME: dataFolder, PERISCOPE_DATA: dataFolder },
      },
    );
    expect(stdout).toContain('acme/payments');
    expect(stderr).toBe('');
  });

  it('without a server the folder is opened here, by the hosts of the config', () => {
    const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    writeFileSync(
      path.join(other, 'periscope.yaml'),
      `version: 1\nhosts: [{kind: folder, name: local, folders: ['${acme.folder}']}]\n`,
    );
    expect(runProgram(other, ['read_file', 'payments', 'README.md']).stdout).toContain('Takes money.');
    rmSync(path.join(other, 'periscope.yaml'));
    expect(runProgram(other, ['read_file', 'payments', 'README.md'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('periscope up'),
    });
    rmSync(other, { recursive: true, force: true });
  });
});

describe('administration', () => {
  it('a token is printed once, narrows what is seen, is listed without its text, and ends when it is revoked', () => {
    const { stdout } = run('token', 'create', 'bob', '--label', 'laptop');
    const token = stdout.trim();
    expect(token).toMatch(/^psc_[\w-]{43}$/);
    const list = run('token', 'list').stdout;
    expect(list).toContain('person bob');
    expect(list).not.toContain(token);
    const asBob = (...args: string[]) =>
      runProgram(dataFolder, args, { PERISCOPE_TOKEN: token, PERISCOPE_URL: server.url });
    expect(asBob('codesearch_repos')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('no repository that you can read'),
    });
    const id = list
      .split('\n')
      .find((line) => line.includes('bob'))!
      .split(' ')[0]!;
    expect(run('token', 'revoke', id).status).toBe(0);
    expect(asBob('codesearch_repos')).toMatchObject({ status: 2, stderr: expect.stringContaining('token') });
    expect(run('token', 'revoke', 'nonsense').status).toBe(2);
  });

  it('an empty token is refused and never taken for the operator', () => {
    for (const env of [{ PERISCOPE_TOKEN: '' }, { PERISCOPE_URL: server.url }]) {
      expect(runProgram(dataFolder, ['codesearch_repos'], env)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('PERISCOPE_TOKEN'),
      });
    }
  });

  it('access explain says yes or no and why', () => {
    expect(run('access', 'explain', 'operator', 'acme/vault')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('yes'),
    });
    expect(run('access', 'explain', 'bob', 'acme/vault')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('no'),
    });
    expect(run('access', 'explain', 'bob', 'acme/nowhere').status).toBe(2);
  });

  it('the audit tells who asked what', () => {
    run('read_file', 'payments', 'README.md');
    const token = readFileSync(path.join(dataFolder, 'operator.token'), 'utf8').trim();
    runProgram(dataFolder, ['read_file', 'payments', 'README.md'], {
      PERISCOPE_TOKEN: token,
      PERISCOPE_URL: server.url,
    });
    // Written in batches: the second look is after the next one.
    const deadline = Date.now() + 20_000;
    let told = '';
    while (Date.now() < deadline && !told.includes('operator  read_file  acme/payments  ok'))
      told = run('access', 'audit').stdout;
    expect(told).toContain('operator  read_file  acme/payments  ok');
  });

  it('config check tells every fault at once, with its key', () => {
    const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    writeFileSync(
      path.join(other, 'periscope.yaml'),
      'version: 1\nhostz: []\nhttp: {listen: {port: 99999}}\n',
    );
    const { status, stderr } = runProgram(other, ['config', 'check']);
    expect(status).toBe(2);
    expect(stderr).toContain('hostz');
    expect(stderr).toContain('http.listen.port');
    expect(runProgram(dataFolder, ['config', 'check']).status).toBe(0);
    rmSync(other, { recursive: true, force: true });
  });

  it('a backup is taken while the server runs, and restored elsewhere with its tokens', () => {
    const file = path.join(dataFolder, 'backup.db');
    expect(run('backup', file).status).toBe(0);
    expect(run('backup', file).status).toBe(2);
    const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    mkdirSync(other, { recursive: true });
    expect(runProgram(other, ['restore', file]).status).toBe(0);
    expect(runProgram(other, ['token', 'list']).stdout).toContain('person operator');
    rmSync(other, { recursive: true, force: true });
  });

  it('completion completes commands and options in a real bash', () => {
    const complete = (...words: string[]) =>
      spawnSync(
        'bash',
        [
          '-c',
          `eval "$('${process.execPath}' '${programFile}' completion bash)"; COMP_WORDS=(periscope ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _periscope; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      ).stdout.split('\n');
    expect(complete('read')).toContain('read_file');
    expect(complete('token', 'cr')).toContain('create');
    expect(complete('read_file', 'payments', '--off')).toContain('--offset');
  });

  it('mcp config prints what to paste for every client', () => {
    for (const client of ['claude-code', 'codex', 'opencode', 'cursor', 'vscode', 'gemini', 'stdio']) {
      expect(run('mcp', 'config', client)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('periscope'),
      });
    }
  });
});

describe('periscope mcp', () => {
  const connect = async (env: Record<string, string>) => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [programFile, 'mcp'],
        env: { PATH: process.env['PATH']!, HOME: dataFolder, PERISCOPE_DATA: dataFolder, ...env },
      }),
    );
    return client;
  };

  it('serves a real client over standard input and output, through the running server', async () => {
    const client = await connect({});
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('read_file');
      const answer = await client.callTool({
        name: 'read_file',
        arguments: { repo: 'payments', path: 'README.md' },
      });
      expect(JSON.stringify(answer.content)).toContain('Takes money.');
      expect((await client.listResources()).resources.map(({ name }) => name)).toContain('acme/payments');
    } finally {
      await client.close();
    }
  });

  it('with a token it sees what the token sees', async () => {
    const token = run('token', 'create', 'eve').stdout.trim();
    const client = await connect({ PERISCOPE_TOKEN: token, PERISCOPE_URL: server.url });
    try {
      const answer = await client.callTool({
        name: 'read_file',
        arguments: { repo: 'acme/payments', path: 'README.md' },
      });
      expect(answer.isError).toBe(true);
      expect(JSON.stringify(answer.content)).not.toContain('Takes money.');
    } finally {
      await client.close();
    }
  });
});

function childrenOf(pid: number): string[] {
  return spawnSync('ps', ['-o', 'args=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean);
}
