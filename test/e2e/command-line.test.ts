import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedAcme, serveAcme } from './support/built-program.ts';

let served: ServedAcme;
let { programFile, acme, dataFolder, server, run, runProgram, startServer } = {} as ServedAcme;
beforeAll(async () => {
  served = await serveAcme('command-line');
  ({ programFile, acme, dataFolder, server, run, runProgram, startServer } = served);
});
afterAll(() => served.stop());

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

  it('a second server beside a running one is refused before it changes what that one serves', () => {
    const elsewhere = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    for (const folder of [elsewhere, '/nonexistent']) {
      const { status, stderr } = run('up', '--port', '0', folder);
      expect(status).toBe(2);
      expect(stderr).toContain(`already runs on the data folder ${dataFolder}`);
      expect(stderr).toContain('--data');
    }
    // Says whether the list changed meanwhile, and what hosts are told to be wrong with.
    expect(run('discover').stdout).toBe('3 repositories, nothing changed.\n');
    rmSync(elsewhere, { recursive: true, force: true });
  });

  it('with nothing to serve says what to do', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    const empty = await startServer(other, []);
    expect(empty.printed()).toContain('serves 0 repositories');
    expect(empty.printed()).toContain('up FOLDER...');
    expect(await empty.stop()).toBe(0);
    rmSync(other, { recursive: true, force: true });
  });
});

describe('periscope discover', () => {
  it('finds new repositories and gone ones at once, in the running server and without one', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    const code = mkdtempSync(path.join(tmpdir(), 'periscope-code-'));
    const add = (name: string) => {
      mkdirSync(path.join(code, name), { recursive: true });
      spawnSync('git', ['init', '--quiet', path.join(code, name)]);
    };
    add('one');
    const running = await startServer(other, [code]);
    add('two');
    expect(runProgram(other, ['discover']).stdout).toBe('2 repositories.\nnew: local/two\n');
    await running.stop();
    expect(runProgram(other, ['discover'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('No Periscope server runs'),
    });
    writeFileSync(
      path.join(other, 'periscope.yaml'),
      `version: 1\nhosts: [{kind: folder, name: local, folders: ['${code}']}]\n`,
    );
    rmSync(path.join(code, 'one'), { recursive: true });
    expect(runProgram(other, ['discover']).stdout).toBe('1 repository.\ngone: local/one\n');
    rmSync(code, { recursive: true, force: true });
    rmSync(other, { recursive: true, force: true });
  });
});

describe('roles', () => {
  it('an indexer and a web process share one data folder: what one finds, the other serves', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
    const config = path.join(other, 'periscope.yaml');
    writeFileSync(config, `version: 1\nhosts: [{kind: folder, name: local, folders: ['${acme.folder}']}]\n`);
    const indexer = await startServer(other, ['--role', 'indexer,worker']);
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
  check('goes on in the words of the shell', ['list_directory', 'payments', '--depth', '3', '--limit', '2'], {
    status: 0,
    says: 'For the rest, the same command with: --cursor ',
  });
  check('walks', ['list_directory', 'payments', '--depth', '3'], { status: 0, says: 'src/auth/token.ts' });
  check('scans', ['scan_directory', 'retry\\w+', 'payments', '--file', '*.go'], {
    status: 0,
    says: '4: \tretryLimit()',
  });
  check(
    'an option takes one value and leaves the arguments after it',
    ['scan_directory', '--file', '*.py', '--file', '*.go', 'retry\\w+', 'payments'],
    {
      status: 0,
      says: '4: \tretryLimit()',
    },
  );
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

  describe('search', () => {
    beforeAll(async () => {
      const untilMs = Date.now() + 30_000;
      while (!run('search', 'retryLimit').stdout.includes('acme/vault') && Date.now() < untilMs)
        await new Promise((resolve) => setTimeout(resolve, 200));
    });
    const formats = (name: string, args: string[], expected: Partial<ReturnType<typeof run>>) =>
      it(name, () => expect(run('search', ...args)).toMatchObject(expected));
    formats(
      'gives lines as grep does, and says on standard error what was searched',
      ['invoice', '--lang', 'py'],
      {
        status: 0,
        stdout: 'acme/billing/src/invoice.py:1:def invoice():\n',
        stderr: expect.stringContaining('1 file, 1 line for text "invoice" (any case)'),
      },
    );
    formats('with lines around', ['package', '--file', '*.go', '--repo', 'payments', '-C', '1'], {
      stdout: 'acme/payments/src/main.go:1:package main\nacme/payments/src/main.go-2-\n',
    });
    formats('for editors', ['-E', 'retry\\w+', '--repo', 'acme/payments', '--vimgrep'], {
      stdout:
        'acme/payments/src/auth/Session.ts:2:3:  retryLimit = 5;\nacme/payments/src/main.go:4:2:\tretryLimit()\n',
    });
    formats('files alone', ['retryLimit', '-l', '--repo', 'payments'], {
      stdout: 'acme/payments/src/auth/Session.ts\nacme/payments/src/main.go\n',
    });
    formats('counts by file', ['-c', 'export', '--file', 'token.ts'], {
      stdout: 'acme/payments/src/auth/token.ts:300\n',
    });
    formats('text as it is, in any case', ['-F', '-i', 'RETRYLIMIT()'], {
      status: 0,
      stdout: expect.stringContaining('main.go:4:\tretryLimit()'),
    });
    formats('of words without quotes', ['def', 'invoice'], {
      stdout: 'acme/billing/src/invoice.py:1:def invoice():\n',
    });
    formats('nothing found is exit code 1, and leads on', ['RETRYLIMIT'], {
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('With --case no: '),
    });
    formats('blanks, as text', ['-F', '  ', '-l', '--repo', 'payments'], {
      stdout: 'acme/payments/src/auth/Session.ts\n',
    });
    formats('as many lines as the tokens take', ['export', '--file', 'token.ts', '--max-tokens', '100'], {
      status: 0,
      stdout: expect.stringMatching(/^(acme\/payments\/src\/auth\/token\.ts:\d+:.*\n){6}$/),
      stderr: expect.stringContaining('CUT: 6 of 20 lines. Ask with a larger --max-tokens.'),
    });
    formats('a lone negation is refused with what to write', ['--', '-foo'], {
      status: 2,
      stderr: expect.stringContaining('write it in quotes: "-foo"'),
    });
    formats('a broken query is exit code 2, with the place of the fault', ['-E', 'a(b'], {
      status: 2,
      stderr: expect.stringContaining('^'),
    });
    describe('graph', () => {
      beforeAll(async () => {
        const untilMs = Date.now() + 30_000;
        while (run('graph', 'invoice', '-r', 'definitions').stderr.includes('Note: ') && Date.now() < untilMs)
          await new Promise((resolve) => setTimeout(resolve, 200));
      });
      const graphs = (name: string, args: string[], expected: Partial<ReturnType<typeof run>>) =>
        it(name, () => expect(run('graph', ...args)).toMatchObject(expected));
      graphs('gives lines as grep does', ['invoice', '--relation', 'where defined'], {
        status: 0,
        stdout:
          'acme/billing/src/invoice.py:1:def invoice():\nacme/billing/src/invoice.py:2:    return "retryLimit"\n',
        stderr: expect.stringContaining('1 definition of "invoice"'),
      });
      graphs('nothing found is exit code 1', ['nobodyDefinesThis'], {
        status: 1,
        stdout: '',
        stderr: expect.stringContaining('No definition of "nobodyDefinesThis" is known.'),
      });
      graphs('what is missing is exit code 2, in words of the command line', [], {
        status: 2,
        stderr: expect.stringContaining('for example Session.refresh --relation callers'),
      });
      it('for programs', () => {
        const { stdout } = run('graph', 'Session', '-r', 'definitions', '--json');
        const { tool, result } = JSON.parse(stdout) as {
          tool: string;
          result: { places: { path: string }[] };
        };
        expect([tool, result.places.map(({ path: file }) => file)]).toEqual([
          'graph',
          ['src/auth/Session.ts'],
        ]);
      });
    });
    it('for programs, all of the asked files however many answers it takes', () => {
      const { stdout } = run('search', '/./', '--json', '--max-files', '200');
      const { tool, result, cut } = JSON.parse(stdout) as {
        tool: string;
        result: { files: unknown[]; fileCount: { count: number } };
        cut: boolean;
      };
      expect([tool, cut]).toEqual(['codesearch', false]);
      expect(result.files).toHaveLength(result.fileCount.count);
    });
    it('names every place of what lies in several', async () => {
      const text = 'copiedHere\n';
      acme.payments.commit(
        { 'copies/a.txt': text, 'copies/b.txt': text, 'c.txt': text },
        { message: 'Copies' },
      );
      acme.billing.commit({ 'copies/a.txt': text }, { message: 'Copy' });
      const list = (...args: string[]) => run('search', 'copiedHere', ...args);
      const sorted = (...args: string[]) =>
        list(...args)
          .stdout.split('\n')
          .filter(Boolean)
          .sort();
      const untilMs = Date.now() + 30_000;
      while (sorted('-l').length < 4 && Date.now() < untilMs)
        await new Promise((resolve) => setTimeout(resolve, 200));
      const places = ['acme/billing/copies/a.txt', 'acme/payments/c.txt', 'acme/payments/copies/a.txt'];
      const all = [...places, 'acme/payments/copies/b.txt'];
      expect(sorted('-l')).toEqual(all);
      expect(sorted('--output', 'files')).toEqual(all);
      expect(sorted('-c')).toEqual(all.map((place) => `${place}:1`));
      expect(sorted('--vimgrep')).toEqual(all.map((place) => `${place}:1:1:copiedHere`));
      // Texts of two repositories may be one text of the index, or one for each.
      const lines = sorted();
      expect(lines.length).toBeLessThanOrEqual(2);
      const { stderr } = list();
      for (const place of all)
        expect(lines.includes(`${place}:1:copiedHere`) || stderr.includes(place)).toBe(true);
      expect(stderr).toContain('same content: acme/');
      expect(list('--output', 'count').stdout).toContain('2 repositories, 4 files, 4 lines (');
    });
    it('without a server searches the index that is there', () => {
      const other = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
      writeFileSync(
        path.join(other, 'periscope.yaml'),
        `version: 1\nhosts: [{kind: folder, name: local, folders: ['${acme.folder}']}]\n`,
      );
      const before = runProgram(other, ['search', 'def invoice']);
      expect(before).toMatchObject({ status: 1, stderr: expect.stringContaining('not indexed yet') });
      expect(runProgram(other, ['index', '--once']).status).toBe(0);
      expect(runProgram(other, ['search', 'def invoice'])).toMatchObject({
        status: 0,
        stdout: 'acme/billing/src/invoice.py:1:def invoice():\n',
      });
      rmSync(other, { recursive: true, force: true });
    });
  });

  describe('fetch_file', () => {
    const fetched = (...args: string[]) => run('fetch_file', 'payments', ...args);
    const inGit = (file: string) => acme.payments.git(['show', `main:${file}`]);

    it('gives the file alone on standard output, last line break included, and the head on standard error', () => {
      const { status, stdout, stderr } = fetched('src/auth/token.ts');
      expect({ status, stdout }).toEqual({ status: 0, stdout: inGit('src/auth/token.ts') });
      expect(stderr).toContain('acme/payments');
    });
    it('adds no line break that the file does not have', () => {
      expect(fetched('with space/a b.txt')).toMatchObject({ status: 0, stdout: inGit('with space/a b.txt') });
    });
    it('cut, fails and says how to go on; the parts together are the file', () => {
      const first = fetched('src/auth/token.ts', '--max-tokens', '1900');
      expect(first.status).toBe(2);
      const cursor = /--cursor (\S+)/.exec(first.stderr)![1]!;
      const rest = fetched('src/auth/token.ts', '--cursor', cursor);
      expect(rest.status).toBe(0);
      expect(first.stdout + rest.stdout).toBe(inGit('src/auth/token.ts'));
    });
    it('of a directory fails and writes nothing into the file', () => {
      expect(fetched('src')).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringContaining('main.go'),
      });
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
