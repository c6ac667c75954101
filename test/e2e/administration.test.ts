import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { type ServedAcme, serveAcme } from './support/built-program.ts';

let served: ServedAcme;
let { programFile, acme, dataFolder, server, run, runProgram, startServer } = {} as ServedAcme;
beforeAll(async () => {
  served = await serveAcme('administration');
  ({ programFile, acme, dataFolder, server, run, runProgram, startServer } = served);
});
afterAll(() => served.stop());

describe('tokens', () => {
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

  it('PERISCOPE_TOKEN alone asks the running server as that token, never more', () => {
    const token = run('token', 'create', 'lin').stdout.trim();
    expect(runProgram(dataFolder, ['codesearch_repos'], { PERISCOPE_TOKEN: token })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('no repository that you can read'),
    });
  });

  it('a command for this machine is refused where PERISCOPE_URL names a server', () => {
    for (const args of [['token', 'create', 'mallory'], ['restore', 'never.db'], ['discover']]) {
      expect(runProgram(dataFolder, args, { PERISCOPE_URL: 'http://nowhere.example' })).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('Unset PERISCOPE_URL'),
      });
    }
    expect(run('token', 'list').stdout).not.toContain('mallory');
  });

  it('an option that is repeated takes the argument after it for what it is', () => {
    const { status, stderr } = run('token', 'create', '--group', 'platform,web', '--group', 'ops', 'gil');
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('person gil  groups platform,web,ops'),
    });
    expect(run('token', 'create', 'gil', '--scope', 'runs')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('read, admin'),
    });
  });
});

describe('access explain', () => {
  it('access explain looks at the tokens of a name, and only at repositories of hosts that are configured now', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    const asked = (...args: string[]) => runProgram(other, args);
    const first = await startServer(other, [acme.folder]);
    expect(asked('access', 'explain', 'ada', 'acme/payments').stdout).toContain('(local/acme/payments)');
    await first.stop();
    writeFileSync(
      path.join(other, 'periscope.yaml'),
      [
        'version: 1',
        `hosts: [{kind: folder, name: corp, folders: ['${acme.folder}']}]`,
        "access: {rules: [{effect: allow, groups: [platform], repositories: ['acme/**']}]}",
      ].join('\n'),
    );
    asked('codesearch_repos');
    expect(asked('access', 'explain', 'ada', 'acme/payments')).toMatchObject({
      status: 1,
      stdout: 'no: no rule allows it to ada (corp/acme/payments)\n',
    });
    asked('token', 'create', 'ada', '--group', 'platform');
    const id = asked('token', 'list')
      .stdout.split('\n')
      .find((line) => line.includes('ada'))!
      .split(' ')[0]!;
    expect(asked('access', 'explain', 'ada', 'acme/payments')).toMatchObject({
      status: 0,
      stdout: `yes with token ${id}: access.rules[0] allows it to ada (corp/acme/payments)\n`,
    });
    asked('token', 'revoke', id);
    expect(asked('access', 'explain', 'ada', 'acme/payments').status).toBe(1);
    rmSync(other, { recursive: true, force: true });
  });

  it('access explain decides by every name that the gate decides by', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'periscope-siblings-'));
    const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    createGitFixture({ folder: path.join(folder, 'vault/sec.git'), bare: true }).commit({ 'a.txt': 'a\n' });
    createGitFixture({ folder: path.join(folder, 'vault/sec') }).commit({ 'a.txt': 'a\n' });
    const rules =
      '[{effect: allow, people: [ada], repositories: ["vault/*"]}, {effect: deny, people: [ada], repositories: [vault/sec]}]';
    writeFileSync(
      path.join(other, 'periscope.yaml'),
      `version: 1\nhosts: [{kind: folder, name: f, folders: ['${folder}']}]\naccess: {rules: ${rules}}\n`,
    );
    const one = await startServer(other, []);
    expect(runProgram(other, ['access', 'explain', 'ada', 'vault/sec.git'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('no'),
    });
    await one.stop();
    for (const made of [folder, other]) rmSync(made, { recursive: true, force: true });
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
});

describe('the audit', () => {
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

  it('the audit tells whose token was made, and nothing found is exit code 1', () => {
    run('token', 'create', 'eva');
    expect(run('access', 'audit', '--subject', 'local').stdout).toMatch(/token\.create .*subject=person:eva/);
    expect(run('access', 'audit', '--subject', 'nobody').status).toBe(1);
  });
});

describe('config check', () => {
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
    expect(runProgram(dataFolder, ['config', 'check'])).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^In order: there is no config file/),
    });
    rmSync(other, { recursive: true, force: true });
  });
});

describe('what search by meaning needs and is not there', () => {
  const hosts = 'hosts: [{kind: folder, name: acme, folders: [.]}]';
  const check = (title: string, part: string, said: RegExp) =>
    it(title, () => {
      const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
      writeFileSync(path.join(other, 'not.json'), 'not JSON');
      writeFileSync(path.join(other, 'periscope.yaml'), `version: 1\n${hosts}\n${part}\n`);
      const checked = runProgram(other, ['config', 'check']);
      expect(checked).toMatchObject({ status: 2, stderr: expect.stringMatching(said) });
      expect(checked.stderr).toContain('Not in order: one thing cannot be had or used.');
      // None of its business.
      expect(runProgram(other, ['traces', 'list'])).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('No such search is kept.'),
      });
      rmSync(other, { recursive: true, force: true });
    });
  check(
    'a folder of a model',
    'embedding: {model: folder, folder: /nowhere}',
    /embedding\.folder: there is no folder \/nowhere/,
  );
  check(
    'a file of weights',
    'retrieval: {weightsFile: /nowhere.json}',
    /retrieval\.weightsFile: the file \/nowhere\.json cannot be read \(ENOENT\)/,
  );
  check(
    'weights that are none',
    'retrieval: {weightsFile: not.json}',
    /retrieval\.weightsFile: .*it is no JSON/,
  );
});

describe('backup', () => {
  it('a backup is taken while the server runs, and restored elsewhere with its tokens', () => {
    const file = path.join(dataFolder, 'backup.db');
    expect(run('backup', file).status).toBe(0);
    expect(run('backup', file).status).toBe(2);
    const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    mkdirSync(other, { recursive: true });
    expect(runProgram(other, ['restore', file]).status).toBe(0);
    expect(runProgram(other, ['token', 'list']).stdout).toContain('person operator');
    expect(run('access', 'audit').stdout).toContain(`local  backup    ok  file=${file}`);
    expect(runProgram(other, ['access', 'audit', '--limit', '1']).stdout).toContain('local  restore    ok');
    rmSync(other, { recursive: true, force: true });
  });
});

describe('finding the way', () => {
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
    expect(complete('read-file', 'payments', '--off')).toContain('--offset');
    expect(complete('history', 'payments', '--kind', 'b')).toEqual(['blame', '']);
    expect(complete('completion', 'z')).toContain('zsh');
    expect(complete('mcp', 'config', 'cur')).toContain('cursor');
  });

  it('help of a command below another shows that one, and of no command is a fault', () => {
    expect(run('help', 'token', 'create')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('token create [options] <subject>'),
    });
    expect(run('help', 'nosuch')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("unknown command 'nosuch'"),
    });
  });
});

describe('mcp config', () => {
  const pasted = (client: string) => run('mcp', 'config', client);
  it('mcp config prints what to paste for every client, with the address that the running server has', () => {
    for (const client of ['claude-code', 'codex', 'opencode', 'gemini']) {
      expect(pasted(client)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(`${server.url}/mcp`),
      });
    }
    const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    expect(runProgram(other, ['mcp', 'config', 'codex'])).toMatchObject({
      stdout: expect.stringContaining('http://127.0.0.1:7117/mcp'),
      stderr: expect.stringContaining('No server runs'),
    });
    rmSync(other, { recursive: true, force: true });
  });

  it('mcp config prints JSON that can be pasted as it is, and a command that works from any shell', () => {
    expect(JSON.parse(pasted('vscode').stdout)).toHaveProperty('servers.periscope');
    const { command, args } = JSON.parse(pasted('stdio').stdout).mcpServers.periscope;
    expect([command, ...args]).toEqual([process.execPath, programFile, 'mcp', '--data', dataFolder]);
  });
});
