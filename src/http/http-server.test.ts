import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorJson } from '../contract/index.ts';
import { createHttpServer } from './http-server.ts';
import {
  type Answered,
  type Asked,
  adaToken,
  adminToken,
  httpOptions,
  startServer,
  startSocketServer,
  testDeps,
} from './testing/running-server.ts';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer(
    {
      publicUrl: 'https://periscope.example/',
      allowedOrigins: ['https://tools.example'],
      allowedHosts: ['box'],
    },
    [
      { name: 'periscope_test_total', help: 'Of the test.', kind: 'counter', read: () => 7 },
      { name: 'periscope_test', help: 'Of the test.', kind: 'gauge', read: () => 3 },
    ],
  );
});
afterAll(() => server.close());

const readFile = '/api/tools/read_file';
const aFile = { repo: 'acme/payments', path: 'src/a.ts' };

describe('a tool is called by its name with JSON and answers JSON or text', () => {
  it('JSON', async () => {
    const { status, headers, json } = await server.ask({ path: readFile, body: aFile });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(json()).toEqual({
      tool: 'read_file',
      result: { head: 'acme/payments:src/a.ts\n1\tfirst line' },
      notes: [],
      cut: false,
      cursor: null,
      found: true,
    });
  });
  it('text, when that is what the client accepts', async () => {
    const answer = await server.ask({ path: readFile, body: aFile, headers: { accept: 'text/plain' } });
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.text).toBe('acme/payments:src/a.ts\n1\tfirst line');
  });
  it('both, with ?text=1', async () => {
    const answer = await server.ask({ path: `${readFile}?text=1`, body: aFile });
    expect(answer.json()['text']).toBe('acme/payments:src/a.ts\n1\tfirst line');
  });
  it('no body is an empty input', async () => {
    const answer = await server.ask({ path: '/api/tools/codesearch_repos', method: 'POST' });
    expect(answer.json()['result']).toEqual({ head: 'acme/billing\nacme/payments' });
  });
  it('the list holds names, schemas and nothing of a repository', async () => {
    const { tools } = (await server.ask({ path: '/api/tools' })).json() as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['codesearch_repos', 'read_file']);
  });
});

describe('a client that accepts events', () => {
  const events = async (body: object) => {
    const answer = await server.ask({ path: readFile, body, headers: { accept: 'text/event-stream' } });
    expect(answer.headers['content-type']).toBe('text/event-stream');
    return answer.text
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event)!;
        return [name, JSON.parse(data!)];
      });
  };
  it('gets what is known first, then the answer as JSON has it', async () => {
    const [first, answer, ...more] = await events({ ...aFile, path: 'slow' });
    expect(first).toEqual(['first', expect.objectContaining({ result: { head: 'the first part' } })]);
    expect(answer).toEqual(['answer', expect.objectContaining({ tool: 'read_file', found: true })]);
    expect(more).toEqual([]);
  });
  it('gets the answer alone when there is nothing to say before', async () =>
    expect((await events(aFile)).map(([name]) => name)).toEqual(['answer']));
  it('gets an error as a response would have it', async () =>
    expect(await events({ ...aFile, path: 'busy' })).toEqual([
      ['error', { error: expect.objectContaining({ kind: 'busy', retry: true }) }],
    ]));
});

describe('a hint that a repository has changed', () => {
  const hint = (name: string, headers: Record<string, string> = {}) =>
    server.ask({ path: `/api/repositories/${name}/changed`, method: 'POST', headers });
  it('is taken for what the asker may read, the name written with a slash or without', async () => {
    for (const name of ['acme/payments', 'acme%2Fpayments']) {
      const { status, json } = await hint(name);
      expect([status, json()]).toEqual([202, { repository: 'acme/payments' }]);
    }
    expect(server.changed).toEqual(['acme/payments', 'acme/payments']);
  });
  it('is refused alike for hidden and unknown ones', async () => {
    const [hidden, unknown] = [await hint('acme/vault'), await hint('acme/never')];
    expect([hidden.status, hidden.text]).toEqual([404, unknown.text]);
  });
  it('needs a token', async () =>
    expect((await hint('acme/payments', { authorization: 'Bearer psc_none' })).status).toBe(401));
  it('anything else there is no route', async () =>
    expect((await server.ask({ path: '/api/repositories/acme/payments', method: 'POST' })).status).toBe(404));
});

describe('mentions are listed and expanded', () => {
  it('by part of the name', async () => {
    const answer = await server.ask({ path: '/api/mentions?q=pay&limit=5' });
    expect(answer.json()).toEqual({
      mentions: [
        { name: 'acme/payments', host: 'git.example', defaultBranch: 'main', insert: '@repo:acme/payments' },
      ],
      reason: null,
    });
  });
  it('with the reason of an empty list', async () =>
    expect((await server.ask({ path: '/api/mentions?q=zzz' })).json()).toEqual({
      mentions: [],
      reason: 'No repository matches.',
    }));
  it('into what a model is told', async () =>
    expect(
      (await server.ask({ path: '/api/mentions/expand', body: { text: '@repo:acme/billing' } })).json(),
    ).toEqual({ text: 'Work with acme/billing.' }));
});

describe('each failure is told as one error with its status and next action', () => {
  const check = (
    name: string,
    asked: Partial<Asked> & { path: string },
    status: number,
    kind: string,
    more: (answer: Answered) => void = () => {},
  ) =>
    it(name, async () => {
      const answer = await server.ask(asked);
      const { error } = answer.json() as unknown as ErrorJson;
      expect([answer.status, error.kind]).toEqual([status, kind]);
      expect(error.next).toMatch(/\.$/);
      more(answer);
    });
  check('hidden repository', { path: readFile, body: { repo: 'x' } }, 404, 'not-found-or-no-access');
  check('bad input', { path: readFile, body: {} }, 400, 'invalid-request');
  check('busy says when', { path: readFile, body: { ...aFile, path: 'busy' } }, 503, 'busy', ({ headers }) =>
    expect(headers['retry-after']).toBe('3'),
  );
  check(
    'a fault of ours keeps its detail',
    { path: readFile, body: { ...aFile, path: 'fails' } },
    500,
    'internal',
    ({ text }) => expect(text).not.toContain('secret'),
  );
  check('broken JSON', { path: readFile, body: '{"repo":' }, 400, 'invalid-request');
  check(
    'a key that would change prototypes',
    { path: readFile, body: '{"__proto__":{"a":1}}' },
    400,
    'invalid-request',
  );
  check('too large', { path: readFile, body: { path: 'x'.repeat(100_001) } }, 413, 'too-large');
  check(
    'form data',
    { path: readFile, body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415,
    'invalid-request',
  );
  check('no such route', { path: '/api/nothing?psc_x' }, 404, 'invalid-request', ({ text }) =>
    expect(text).not.toContain('psc_x'),
  );
  check('wrong method', { path: '/api/tools', method: 'PUT' }, 404, 'invalid-request');
  check('bad percent-encoding', { path: '/api/tools/%E0%A4%A' }, 400, 'invalid-request');
  check('bad limit', { path: '/api/mentions?limit=0' }, 400, 'invalid-request');
  check('limit twice', { path: '/api/mentions?limit=1&limit=2' }, 400, 'invalid-request');
  check('text missing', { path: '/api/mentions/expand', body: { text: 1 } }, 400, 'invalid-request');
  check(
    'conversation with a space',
    { path: readFile, body: aFile, headers: { 'x-periscope-conversation': 'a b' } },
    400,
    'invalid-request',
  );
  it('a HEAD is none of the routes', async () =>
    expect((await server.ask({ path: '/api/tools', method: 'HEAD' })).status).toBe(404));
  it('what is no HTTP', async () => {
    const answer = await raw(server.port, 'NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"kind":"invalid-request"/s);
  });
});

describe('nobody is anonymous', () => {
  const withToken = ['/api', '/api/tools', '/api/mentions', '/openapi.json', '/metrics', '/mcp'];
  for (const route of withToken) {
    for (const token of [null, 'psc_wrong']) {
      it(`${route} with ${token ?? 'no token'}`, async () => {
        const answer = await server.ask({ path: route, token });
        expect(answer.status).toBe(401);
        const suffix = route === '/mcp' ? '/mcp' : '';
        const failed = token === null ? '' : 'error="invalid_token", ';
        expect(answer.headers['www-authenticate']).toBe(
          `Bearer ${failed}resource_metadata="https://periscope.example/.well-known/oauth-protected-resource${suffix}"`,
        );
      });
    }
  }
  it('a body without a token is not even read', async () => {
    const answer = await server.ask({ path: readFile, token: null, body: '{broken' });
    expect(answer.status).toBe(401);
  });
  for (const route of ['/healthz', '/readyz']) {
    it(`but ${route} answers everyone`, async () =>
      expect((await server.ask({ path: route, token: null })).status).toBe(200));
  }
  it('and so does the resource metadata', async () => {
    const paths = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'];
    const answers = await Promise.all(paths.map((path) => server.ask({ path, token: null })));
    expect(answers.map((answer) => answer.json()['resource'])).toEqual([
      'https://periscope.example/',
      'https://periscope.example/mcp',
    ]);
  });
  it('other well-known addresses are simply not there', async () =>
    expect((await server.ask({ path: '/.well-known/oauth-authorization-server', token: null })).status).toBe(
      404,
    ));
  it('a token without the scope is told which one it lacks', async () => {
    const answer = await server.ask({ path: readFile, body: aFile, token: adminToken });
    expect([answer.status, answer.json()['error']]).toMatchObject([403, { data: { scope: 'read' } }]);
  });
});

describe('only what was meant for this server is answered', () => {
  const check = (name: string, headers: Record<string, string>, status: number) =>
    it(name, async () => expect((await server.ask({ path: '/api/tools', headers })).status).toBe(status));
  check('localhost', { host: 'localhost:1234' }, 200);
  check('the IPv6 loopback', { host: '[::1]:80' }, 200);
  check('the public URL', { host: 'periscope.example' }, 200);
  check('a name that was added', { host: 'BOX:8080' }, 200);
  check('a rebound name', { host: 'evil.example' }, 403);
  check('a name that only begins right', { host: 'localhost.evil.example' }, 403);
  check('our own page', { origin: 'https://periscope.example' }, 200);
  check('the page of the asked host', { host: 'localhost:99', origin: 'http://localhost:99' }, 200);
  check('a page that was added', { origin: 'https://tools.example' }, 200);
  check('another page', { origin: 'https://evil.example' }, 403);
  check('a page without an origin', { origin: 'null' }, 403);
  it('health is no way around it', async () =>
    expect(
      (await server.ask({ path: '/healthz', token: null, headers: { host: 'evil.example' } })).status,
    ).toBe(403));
  it('a browser is told that a page that was added may call', async () => {
    const answer = await server.ask({
      path: readFile,
      method: 'OPTIONS',
      token: null,
      headers: {
        origin: 'https://tools.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect([
      answer.status,
      answer.headers['access-control-allow-origin'],
      answer.headers['access-control-allow-headers'],
    ]).toEqual([204, 'https://tools.example', 'authorization']);
  });
  it('listening everywhere, the dialled address is one of our names', async () => {
    const everywhere = await startServer({ host: '0.0.0.0' });
    const statuses = await Promise.all(
      [`127.0.0.1:${everywhere.port}`, '10.1.2.3', 'evil.example'].map(
        async (host) => (await everywhere.ask({ path: '/healthz', headers: { host } })).status,
      ),
    );
    await everywhere.close();
    expect(statuses).toEqual([200, 403, 403]);
  });
});

describe('a token is looked up for every request', () => {
  it('also within one connection', async () => {
    const token = 'psc_short';
    server.tokens.set(token, { groups: [], scopes: ['read'] });
    const request = `GET /api/tools HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk;
    });
    socket.write(request);
    await until(() => received.includes('read_file'));
    server.tokens.delete(token);
    socket.write(request);
    await until(() => received.includes('HTTP/1.1 401'));
    socket.destroy();
  });
});

describe('who closes the connection cancels the call', () => {
  it('of a tool', async () => {
    const before = server.operations.cancelledCalls;
    const body = JSON.stringify({ ...aFile, path: 'hangs' });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `POST ${readFile} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${adaToken}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await until(() => server.operations.seen.some(({ call }) => JSON.stringify(call.input) === body));
    socket.destroy();
    await until(() => server.operations.cancelledCalls === before + 1);
  });
});

describe('the conversation is what the client names, else guessed from the client', () => {
  const check = (name: string, headers: Record<string, string>, expected: object) =>
    it(name, async () => {
      await server.ask({ path: readFile, body: aFile, headers });
      expect(server.operations.seen.at(-1)!.caller.conversation).toEqual(expected);
    });
  check('header', { 'x-periscope-conversation': 'c-1' }, { id: 'c-1', certainty: 'exact' });
  check('user agent', { 'user-agent': 'curl/8.1' }, { id: 'guessed curl', certainty: 'guessed' });
  check('neither', {}, { id: 'guessed null', certainty: 'guessed' });
});

describe('the API tells of itself', () => {
  it('by a valid OpenAPI 3.1 document that names every tool', async () => {
    const document = (await server.ask({ path: '/openapi.json' })).json();
    expect(document['openapi']).toBe('3.1.0');
    expect(Object.keys(document['paths'] as object)).toContain('/api/tools/read_file');
    const verdict = await new Validator().validate(document);
    expect(verdict.errors ?? []).toEqual([]);
    expect(verdict.valid).toBe(true);
  });
  it('by a page that loads and runs nothing', async () => {
    const { headers, text } = await server.ask({ path: '/api' });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    expect(text).toContain('read_file');
    expect(text).not.toMatch(/<script|<link|<img|src=|url\(/);
  });
});

describe('those who watch the server are told', () => {
  it('what it still waits for', async () => {
    server.state.missing = ['the first list of repositories'];
    const answer = await server.ask({ path: '/readyz', token: null });
    server.state.missing = [];
    expect([answer.status, answer.json()]).toEqual([
      503,
      { ready: false, missing: ['the first list of repositories'] },
    ]);
  });
  it('counts by route, tool and outcome, without a name that an asker chose', async () => {
    await server.ask({ path: readFile, body: aFile });
    await server.ask({ path: '/api/tools/chosen_by_asker', body: {} });
    await server.ask({ path: '/chosen-by-asker' });
    const { text } = await server.ask({ path: '/metrics', token: adminToken });
    expect(text).toMatch(
      /periscope_http_request_seconds_count\{route="\/api\/tools\/:name",method="POST",status="200"\} \d/,
    );
    expect(text).toMatch(/periscope_http_request_seconds_count\{route="none",method="GET",status="404"\} \d/);
    expect(text).toMatch(/periscope_tool_call_seconds_count\{tool="read_file",outcome="found"\} \d/);
    expect(text).toMatch(/periscope_tool_call_seconds_count\{tool="unknown",outcome="invalid-request"\} 1/);
    expect(text).toMatch(/^periscope_test_total 7$/m);
    expect(text).toMatch(/^periscope_test 3$/m);
    expect(text).toMatch(/^periscope_event_loop_delay_seconds\{quantile="0.99"\} /m);
    expect(text).not.toMatch(/chosen.by.asker/);
  });
  it('nothing of a token in the log', () => {
    expect(server.logged.length).toBeGreaterThan(10);
    expect(server.logged.join('\n')).not.toContain('psc_');
  });
});

describe('what is too much is told to wait', () => {
  it('beyond the requests in flight, health excepted', async () => {
    const small = await startServer({ requestsInFlightMax: 1, closeGraceMs: 50 });
    const hanging = small.ask({ path: readFile, body: { ...aFile, path: 'hangs' } }).catch(() => 'cut');
    await until(() => small.operations.seen.length === 1);
    const answer = await small.ask({ path: '/api/tools' });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect((await small.ask({ path: '/healthz', token: null })).status).toBe(200);
    await small.close();
    expect(await hanging).toBe('cut');
    expect(small.operations.cancelledCalls).toBe(1);
  });
});

describe('a server that cannot listen says why', () => {
  it('because the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await until(() => other.listening);
    const { port } = other.address() as { port: number };
    const { deps } = testDeps();
    const second = createHttpServer({ ...httpOptions, port }, deps);
    await expect(second.listen()).rejects.toMatchObject({ kind: 'conflict', code: 'http/address-in-use' });
    await second.close();
    other.close();
  });
});

describe("the socket is the operator's own", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'periscope-socket-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is open to its account alone, and asks for no token', async () => {
    const file = path.join(folder, 'a.sock');
    const local = await startSocketServer(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const answer = await local.ask({ path: readFile, body: aFile });
    expect(answer.status).toBe(200);
    expect((await local.ask({ path: '/metrics' })).status).toBe(200);
    await local.close();
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });
  it('a token that is given counts', async () => {
    const local = await startSocketServer(path.join(folder, 'b.sock'));
    expect((await local.ask({ path: '/api/tools', token: 'psc_wrong' })).status).toBe(401);
    await local.close();
  });
  it('no page may call it', async () => {
    const local = await startSocketServer(path.join(folder, 'c.sock'));
    expect((await local.ask({ path: '/api/tools', headers: { origin: 'http://localhost' } })).status).toBe(
      403,
    );
    await local.close();
  });
  it('replaces what a dead server left, and leaves a live one alone', async () => {
    const file = path.join(folder, 'd.sock');
    await writeFile(file, '');
    const local = await startSocketServer(file);
    await expect(startSocketServer(file)).rejects.toMatchObject({ code: 'http/address-in-use' });
    expect((await local.ask({ path: '/healthz' })).status).toBe(200);
    await local.close();
  });
  it('a path that is too long is told', async () => {
    const file = path.join(folder, 'x'.repeat(150));
    await expect(startSocketServer(file)).rejects.toMatchObject({ code: 'http/socket-path-too-long' });
    const nowhere = path.join(folder, 'none', 'e.sock');
    await expect(startSocketServer(nowhere)).rejects.toMatchObject({ code: 'http/cannot-listen' });
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}
