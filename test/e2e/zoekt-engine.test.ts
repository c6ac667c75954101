import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../src/base/errors.ts';
import { type TestedServers, testedServers } from '../../src/search/zoekt/testing/recorded-zoekt.ts';
import { createZoektMirrors } from '../../src/search/zoekt/testing/zoekt-server.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const visible = {
  'acme/api': {
    main: {
      'src/login.go':
        'package main\n\n// Login checks a password.\nfunc Login(name string) bool {\n\treturn name != ""\n}\n',
      'src/deploy.sh': `# login first\ncurl -H "Authorization: token ${secret}" https://example.test\n`,
      'README.md': '# api\nlogin here\n',
      'private/plan.md': 'the login plan\n',
      '.periscope/ignore': 'private/\n',
    },
    release: { 'src/login.go': 'package main\nfunc Login() {}\n' },
  },
  'acme/web': { main: { 'login.ts': 'export const login = 1;\n', 'src/app.ts': 'login();\n' } },
};
const vault = {
  'acme/vault': {
    main: {
      'src/login.go': 'func Login() { vaultWord() }\n',
      // The very content that a visible repository has too.
      'login.ts': 'export const login = 1;\n',
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, file) => [
          `many/login${file}.go`,
          `func Login${file}() { login() }\n`,
        ]),
      ),
    },
  },
};
const withVault = { ...visible, ...vault };

let servers: TestedServers;
const listening: Server[] = [];
const folders: string[] = [];
const running: RunningPeriscope[] = [];
let periscope: RunningPeriscope;
let without: RunningPeriscope;
beforeAll(async () => {
  servers = await testedServers({ all: withVault, without: visible }, 'recorded-zoekt-engine.json.gz');
  periscope = await start(folderWith(withVault), await listen(forwarded('all')));
  without = await start(folderWith(visible), await listen(forwarded('without')));
}, 60_000);
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  for (const server of listening) {
    server.closeAllConnections();
    server.close();
  }
  await servers.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folderWith(fixture: typeof visible): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-zoekt-engine-'));
  folders.push(folder);
  createZoektMirrors(folder, fixture);
  return folder;
}

async function start(folder: string, ...urls: string[]): Promise<RunningPeriscope> {
  const one = await startPeriscope({
    serve: true,
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [folder] }],
      search: { engine: 'zoekt', zoekt: { urls, hostPrefixes: { local: '' }, searchTimeout: '500ms' } },
      access: {
        rules: [
          { effect: 'allow', people: ['ada'], repositories: ['**'] },
          { effect: 'allow', people: ['bob'], repositories: ['acme/api', 'acme/web'] },
        ],
      },
    },
  });
  running.push(one);
  return one;
}

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  listening.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port in front of a real zoekt-webserver, or of what one answered once. */
function forwarded(name: string): RequestListener {
  return async (request, response) => {
    const body = await bodyOf(request);
    const answer = await servers.fetch(`http://${name}${request.url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function ask(
  input: Record<string, unknown>,
  { of = periscope, who = 'bob', tool = 'codesearch' } = {},
): Promise<string> {
  const { call } = await of.conversation((await of.token(who)).token);
  try {
    const { cursor, ...answer } = await call(tool, input);
    const text = JSON.stringify(answer);
    return cursor === null ? text : text.replaceAll(cursor, `cursor of ${cursor.length}`);
  } catch (fault) {
    if (!(fault instanceof PeriscopeError)) throw fault;
    return [fault.kind, fault.code, fault.message, fault.next].join(' ');
  }
}

interface Found {
  result: {
    files: { repository: string; revision: string; path: string; blocks: { lines: { text: string }[] }[] }[];
  };
}

describe('codesearch asks zoekt within what the asker may see', () => {
  it('and finds lines with their places', async () => {
    const { result } = JSON.parse(await ask({ query: 'login', case: 'no' })) as Found;
    expect(
      result.files.map(({ repository, revision, path: at }) => `${repository}@${revision}:${at}`).sort(),
    ).toEqual([
      'acme/api@main:README.md',
      'acme/api@main:src/deploy.sh',
      'acme/api@main:src/login.go',
      'acme/api@release:src/login.go',
      'acme/web@main:login.ts',
      'acme/web@main:src/app.ts',
    ]);
  });
  it('with credentials masked, and what is opted out left away', async () => {
    const text = await ask({ query: 'Authorization' });
    expect(text).toContain('curl -H');
    expect(text).toContain('****');
    expect(text).not.toContain(secret);
    expect(await ask({ query: 'login plan' })).not.toContain('private/plan.md');
  });
  it('of a hidden repository who may see it finds everything', async () => {
    expect(await ask({ query: 'vaultWord' }, { who: 'ada' })).toContain('acme/vault');
  });

  const same: Record<string, unknown>[] = [
    { query: 'login' },
    { query: 'Login', output: 'files' },
    { query: 'login', output: 'count' },
    { query: 'login', output: 'repos' },
    { query: 'login', exact: true },
    { query: 'login', max_files: 1 },
    { query: 'vaultWord' },
    { query: 'vaultWord', output: 'count' },
    { query: 'login repo:vault' },
    { query: 'login -repo:vault', output: 'count' },
    { query: 'type:repo login' },
    { query: 'type:repo vault' },
    { query: 'file:login' },
    { query: 'login branch:release' },
    { query: 'login', repo: ['vault'] },
    { query: 'login', repo: ['acme/*'], output: 'repos' },
    { query: 'login', repo: ['api'], revision: 'release' },
    { query: 'login', repo: ['api'], revision: 'v1' },
    { query: '/func \\w+\\(/' },
    { query: '/(/' },
  ];
  for (const input of same) {
    it(`where nothing tells whether a hidden one is in zoekt: ${JSON.stringify(input)}`, async () => {
      expect(await ask(input)).toBe(await ask(input, { of: without }));
    });
  }
  it('and so does the list of repositories, and zoekt\u2019s own API in front of it', async () => {
    expect(await ask({}, { tool: 'codesearch_repos' })).toBe(
      await ask({}, { tool: 'codesearch_repos', of: without }),
    );
    for (const [url, body] of [
      ['/api/search', { Q: 'login' }],
      ['/api/search', { Q: 'vaultWord' }],
      ['/api/list', { Q: '' }],
    ] as const)
      expect(await api(periscope, url, body)).toBe(await api(without, url, body));
  });
});

async function api(of: RunningPeriscope, url: string, body: object): Promise<string> {
  const { token } = await of.token('bob');
  const response = await fetch(`${of.url}${url}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(text).not.toContain(secret);
  return text.replace(/"(?:Duration|IndexTimeUnix)":\d+/g, '').replace(/"IndexTime":"[^"]*"/g, '');
}

describe('a server that gives no answer is named', () => {
  const folder = () => folderWith({ 'acme/web': visible['acme/web'] } as typeof visible);
  const html: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>no -rpc</html>');
  };
  const failing: RequestListener = (_, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
  };
  /** Lists, and then takes for ever. */
  const slow: RequestListener = (request, response) => {
    if (request.url === '/api/list') forwarded('without')(request, response as never);
  };

  it('that is down', async () => {
    const down = await start(folder(), 'http://127.0.0.1:9');
    expect(await ask({ query: 'login' }, { of: down })).toBe(
      'unavailable search/zoekt-unreachable The zoekt server does not answer at http://127.0.0.1:9/api/list: bad port. Start zoekt-webserver with -rpc there, or correct search.zoekt.urls in the config (default http://127.0.0.1:6070).',
    );
  });
  it('that answers with a page', async () => {
    const url = await listen(html);
    const text = await ask({ query: 'login' }, { of: await start(folder(), url) });
    expect(text).toContain(
      `unavailable search/zoekt-no-json What answers at ${url}/api/list is no zoekt API`,
    );
  });
  it('that answers with a fault', async () => {
    const url = await listen(failing);
    const text = await ask({ query: 'login' }, { of: await start(folder(), url) });
    expect(text).toContain(
      `unavailable search/zoekt-refused The zoekt server answers 502 at ${url}/api/list`,
    );
  });
  it('that takes too long', async () => {
    const url = await listen(slow);
    const text = await ask({ query: 'login' }, { of: await start(folder(), url) });
    expect(text).toContain(`search/zoekt-too-slow The zoekt server at ${url}/api/search has not answered`);
  });
  it('beside one that answers: its files are the answer, which says what is missing', async () => {
    const url = await listen(html);
    const both = await start(folder(), await listen(forwarded('without')), url);
    const text = await ask({ query: 'login' }, { of: both });
    expect(text).toContain('acme/web');
    expect(text).toContain('One of 2 zoekt servers is missing in this answer.');
  });
});
