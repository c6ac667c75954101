import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ClientKind, clientKinds, connectHttp, type TestClient } from '../mcp/testing/mcp-clients.ts';
import { adaToken, startServer } from './testing/running-server.ts';

let server: Awaited<ReturnType<typeof startServer>>;
const clients: TestClient[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => server.close());

async function connected(kind: ClientKind, token = adaToken) {
  const { client, revision } = await connectHttp(kind, `${server.url}/mcp`, token);
  clients.push(client);
  return { client, revision };
}

const revisions: Record<ClientKind, string> = {
  'stateless 2026-07-28': '2026-07-28',
  'handshake, new package': '2025-11-25',
  'handshake, older package': '2025-11-25',
};

describe.each(clientKinds)('an official client (%s)', (kind) => {
  it('agrees on its generation and is told how to work across repositories', async () => {
    const { client, revision } = await connected(kind);
    expect(revision).toBe(revisions[kind]);
    expect(client.getInstructions()).toBe('Repositories are read in place.');
  });

  it('lists the tools in their order, marked as reading only, without an output schema', async () => {
    const { client } = await connected(kind);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['codesearch_repos', 'read_file']);
    expect(tools[1]).toMatchObject({
      title: 'Read a file',
      inputSchema: { type: 'object', properties: { repo: { type: 'string' } } },
      annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true, destructiveHint: false },
    });
    expect(tools[1]).not.toHaveProperty('outputSchema');
  });

  it('calls a tool and gets its text once', async () => {
    const { client } = await connected(kind);
    const result = await client.callTool({
      name: 'read_file',
      arguments: { repo: 'acme/payments', path: 'a.ts' },
    });
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'acme/payments:a.ts\n1\tfirst line' }] });
    expect(result).not.toHaveProperty('structuredContent');
  });

  it('calls by a name that agents know, although it is not listed', async () => {
    const { client } = await connected(kind);
    const call = { name: 'cat', arguments: { repo: 'acme/payments', path: 'a.ts' } };
    expect(await client.callTool(call)).toMatchObject({ content: [{ type: 'text' }] });
  });

  it('is told what failed and what to do, as a result and no protocol error', async () => {
    const { client } = await connected(kind);
    const result = await client.callTool({ name: 'read_file', arguments: { repo: 'acme/secret' } });
    expect(result).toMatchObject({
      isError: true,
      content: [
        {
          text:
            'There is no repository "acme/secret" that you can read. (not-found-or-no-access)\n' +
            'Next: List what you can read with codesearch_repos.',
        },
      ],
    });
  });

  it('learns nothing of a fault of ours', async () => {
    const { client } = await connected(kind);
    const call = { name: 'read_file', arguments: { repo: 'acme/payments', path: 'fails' } };
    const result = await client.callTool(call);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  it('gets -32602 for a tool that is none', async () => {
    const { client } = await connected(kind);
    await expect(client.callTool({ name: 'write_file', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('lists repositories, reads one and a file in it', async () => {
    const { client } = await connected(kind);
    const { resources } = await client.listResources();
    expect(resources[1]).toMatchObject({
      uri: 'periscope://repository/acme/payments',
      title: 'acme/payments',
      description: 'Repository on git.example, default branch main. In a message: @repo:acme/payments',
    });
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    expect(await read(resources[1]!.uri)).toMatchObject({ text: 'Work with acme/payments.' });
    expect(await read('periscope://file/acme%2Fpayments/src/a.ts')).toMatchObject({
      text: 'acme/payments:src/a.ts\n1\tfirst line',
    });
  });

  it('reads a file by its plain address too, as people and models write it', async () => {
    const { client } = await connected(kind);
    for (const name of ['acme/payments', 'payments', 'ACME/payments', 'git.example/acme/payments']) {
      const { contents } = await client.readResource({ uri: `periscope://file/${name}/src/a.ts` });
      expect(contents[0]).toMatchObject({ text: 'acme/payments:src/a.ts\n1\tfirst line' });
    }
  });

  it('is told that a repository is none, alike of a hidden one, and of an address to take instead', async () => {
    const { client } = await connected(kind);
    const told = async (uri: string) => {
      const error = await client.readResource({ uri }).catch((fault: unknown) => fault);
      expect(error).toMatchObject({ code: -32602, data: { uri } });
      return (error as Error).message;
    };
    const none = await told('periscope://repository/acme/nothing');
    expect(none).toMatch(/There is no repository "acme\/nothing" that you can read.*periscope:\/\/file\//s);
    expect(await told('periscope://repository/acme/secret')).toBe(none.replaceAll('nothing', 'secret'));
    expect(await told('periscope://repository/acme/pay')).toContain('There is no repository');
    expect(await told('periscope://file/acme/nothing/a.ts')).toMatch(/Next: .*periscope:\/\/file\//);
  });

  it('is told alike of a hidden file and of none', async () => {
    const { client } = await connected(kind);
    for (const uri of ['periscope://file/acme%2Fsecret/a.ts', 'periscope://file/acme%2Fnothing/a.ts']) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } });
    }
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toMatchObject({ code: -32602 });
  });

  it('completes the repository of both templates', async () => {
    const { client } = await connected(kind);
    const { resourceTemplates } = await client.listResourceTemplates();
    const completed = await Promise.all(
      resourceTemplates.map(({ uriTemplate }, index) =>
        client.complete({
          ref: { type: 'ref/resource', uri: uriTemplate },
          argument: { name: index === 0 ? 'name' : 'repository', value: 'pay' },
        }),
      ),
    );
    expect(completed.map(({ completion }) => completion.values)).toEqual([
      ['acme/payments'],
      ['acme/payments'],
    ]);
  });

  it('completes the path of a file, directory by directory, and nothing where it may not look', async () => {
    const { client } = await connected(kind);
    const paths = async (repository: string, value: string) => {
      const ref = { type: 'ref/resource' as const, uri: 'periscope://file/{repository}/{+path}' };
      const argument = { name: 'path', value };
      return (await client.complete({ ref, argument, context: { arguments: { repository } } })).completion
        .values;
    };
    expect(await paths('acme/payments', 'src/ma')).toEqual(['src/main.ts', 'src/make.ts']);
    expect(await paths('acme/payments', '')).toEqual(['main.ts', 'make.ts', 'lib/']);
    expect(await paths('acme/secret', '')).toEqual([]);
  });

  it('cancels its call by aborting it', async () => {
    const { client } = await connected(kind);
    const before = server.operations.cancelledCalls;
    const abort = new AbortController();
    const call = { name: 'read_file', arguments: { repo: 'acme/payments', path: 'hangs' } };
    const options = { signal: abort.signal };
    // The new package has no schema between call and options.
    const calling = (
      kind === 'handshake, older package'
        ? client.callTool(call, undefined, options)
        : (client.callTool as (...args: unknown[]) => Promise<unknown>).call(client, call, options)
    ).catch(() => 'aborted');
    await until(() => {
      const { input } = server.operations.seen.at(-1)!.call;
      return (input as { path?: string }).path === 'hangs';
    });
    abort.abort();
    expect(await calling).toBe('aborted');
    // Without a session, an older client's word that it cancels reaches nobody: closing the connection does.
    await client.close();
    await until(() => server.operations.cancelledCalls === before + 1);
  });

  it('is refused once its token is revoked', async () => {
    const token = 'psc_revoked_soon';
    server.tokens.set(token, { groups: [], scopes: ['read'] });
    const { client } = await connected(kind, token);
    await client.listTools();
    server.tokens.delete(token);
    await expect(client.callTool({ name: 'codesearch_repos', arguments: {} })).rejects.toThrow(/[Uu]nauth/);
  });
});

describe('a conversation is told apart without memory', () => {
  it('an older client by the session id that it was given', async () => {
    const conversations = [];
    for (let index = 0; index < 2; index++) {
      const { client } = await connected('handshake, older package');
      for (let call = 0; call < 2; call++) {
        await client.callTool({ name: 'codesearch_repos', arguments: {} });
        conversations.push(server.operations.seen.at(-1)!.caller.conversation);
      }
    }
    expect(conversations.map(({ certainty }) => certainty)).toEqual(Array(4).fill('exact'));
    expect(conversations[0]).toEqual(conversations[1]);
    expect(conversations[2]).toEqual(conversations[3]);
    expect(conversations[0]).not.toEqual(conversations[2]);
  });
  it('a stateless one by the name of the client', async () => {
    const { client } = await connected('stateless 2026-07-28');
    await client.callTool({ name: 'codesearch_repos', arguments: {} });
    expect(server.operations.seen.at(-1)!.caller.conversation).toEqual({
      id: 'guessed test-client',
      certainty: 'guessed',
    });
  });
  it('a header above both', async () => {
    await post(modern('tools/call', { name: 'codesearch_repos', arguments: {} }), {
      'x-periscope-conversation': 'mine',
      'mcp-session-id': 'other',
      'mcp-name': 'codesearch_repos',
    });
    expect(server.operations.seen.at(-1)!.caller.conversation).toEqual({ id: 'mine', certainty: 'exact' });
  });
});

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
};

function modern(method: string, params: object = {}, meta: object = envelope) {
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
}

/** One raw request; the headers of the 2026 revision follow from the body where none is given. */
function post(body: { method: string } | string, headers: Record<string, string> = {}) {
  return server.ask({
    path: '/mcp',
    body,
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      ...(typeof body === 'string' ? {} : { 'mcp-method': body.method }),
      ...headers,
    },
  });
}

describe('the wire follows the 2026-07-28 revision', () => {
  const check = (
    name: string,
    body: Parameters<typeof post>[0],
    headers: Record<string, string>,
    status: number,
    expected: object,
  ) =>
    it(name, async () => {
      const answer = await post(body, headers);
      expect([answer.status, answer.json()]).toMatchObject([status, expected]);
    });
  const tool = (name: string) => modern('tools/call', { name, arguments: {} });
  const fault = (code: number, data?: object) => ({ error: { code, ...(data ? { data } : {}) } });

  check('discovery', modern('server/discover'), {}, 200, {
    result: { supportedVersions: ['2026-07-28'], resultType: 'complete', instructions: expect.any(String) },
  });
  check('tools may be kept, by this client alone', modern('tools/list'), {}, 200, {
    result: { resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' },
  });
  check(
    'an answer says that it is complete',
    tool('codesearch_repos'),
    { 'mcp-name': 'codesearch_repos' },
    200,
    {
      result: { resultType: 'complete' },
    },
  );
  check(
    'a method header that differs',
    modern('tools/list'),
    { 'mcp-method': 'tools/call' },
    400,
    fault(-32020),
  );
  check('a name header that differs', tool('read_file'), { 'mcp-name': 'cat' }, 400, fault(-32020));
  check(
    'a version header that differs',
    modern('tools/list'),
    { 'mcp-protocol-version': '2025-11-25' },
    400,
    fault(-32020),
  );
  check('a missing name header', tool('read_file'), {}, 400, fault(-32020));
  check(
    'a revision that does not exist',
    modern('tools/list', {}, { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' }),
    { 'mcp-protocol-version': '2031-01-01' },
    400,
    fault(-32022, { supported: ['2026-07-28'] }),
  );
  check('a method that does not exist', modern('tools/destroy'), {}, 404, fault(-32601));
  check('a feature that we do not offer', modern('prompts/list'), {}, 404, fault(-32601));
  check('a tool that does not exist', tool('nothing'), { 'mcp-name': 'nothing' }, 200, fault(-32602));
  check('a cursor that is none', modern('resources/list', { cursor: 'x' }), {}, 200, fault(-32602));
  check('no JSON', '{"jsonrpc":', {}, 400, fault(-32700));

  it('another page may not call', async () => {
    const answer = await post(modern('tools/list'), { origin: 'https://evil.example' });
    expect(answer.status).toBe(403);
  });
  it('another name is not ours', async () => {
    const answer = await post(modern('tools/list'), { host: 'evil.example' });
    expect(answer.status).toBe(403);
  });
  for (const method of ['GET', 'DELETE']) {
    it(`${method} is no method here`, async () => {
      const answer = await server.ask({ path: '/mcp', method, headers: { accept: 'text/event-stream' } });
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    });
  }
  it('a body over the limit is refused before it is read', async () => {
    expect((await post(JSON.stringify({ method: 'x'.repeat(100_001) }))).status).toBe(413);
  });
  it('a body that is no JSON by its type is refused', async () => {
    expect((await post('a=b', { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('more repositories than a page holds are listed page by page', () => {
  it('each once', async () => {
    const groups = Array.from({ length: 450 }, (_, index) => `acme/r${String(index).padStart(3, '0')}`);
    server.tokens.set('psc_many', { groups, scopes: ['read'] });
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await server.ask({
        path: '/mcp',
        token: 'psc_many',
        body: modern('resources/list', cursor === undefined ? {} : { cursor }),
        headers: {
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'resources/list',
        },
      });
      const { result } = answer.json() as {
        result: { resources: { name: string }[]; nextCursor?: string };
      };
      names.push(...result.resources.map(({ name }) => name));
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual(groups);
  });
});

describe('an event stream, as a running call of an older client is', () => {
  it('is not held back by proxies, and ends with its call when its token is revoked', async () => {
    server.tokens.set('psc_stream', { groups: ['acme/payments'], scopes: ['read'] });
    const before = server.operations.cancelledCalls;
    const stream = openStream('psc_stream', server.port);
    await until(() => stream.received.endsWith('\r\n\r\n'));
    expect(stream.received).toMatch(/^HTTP\/1\.1 200 /);
    expect(stream.received.toLowerCase()).toContain('x-accel-buffering: no');
    expect(stream.received.toLowerCase()).toContain('cache-control: no-cache, no-transform');
    expect(stream.received.toLowerCase()).not.toContain('content-encoding');
    const { lookups } = server.state;
    await until(() => server.state.lookups > lookups + 2);
    expect(stream.ended).toBe(false);
    server.tokens.delete('psc_stream');
    await until(() => stream.ended);
    await until(() => server.operations.cancelledCalls === before + 1);
  });
  it('ends with its call when the server closes', async () => {
    const other = await startServer({ closeGraceMs: 60_000 });
    const stream = openStream(adaToken, other.port);
    await until(() => other.operations.seen.length === 1);
    await other.close();
    await until(() => stream.ended);
    expect(other.operations.cancelledCalls).toBe(1);
  });
  it('is over at once for changes, which we tell nobody: they would tell of hidden repositories', async () => {
    const answer = await post(
      modern('subscriptions/listen', { notifications: { resourcesListChanged: true } }),
    );
    expect(answer.text).toContain('"notifications":{}');
  });

  function openStream(token: string, port: number) {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'read_file', arguments: { repo: 'acme/payments', path: 'hangs' } },
    });
    const stream = { received: '', ended: false };
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      stream.received += chunk;
    });
    socket.on('close', () => {
      stream.ended = true;
    });
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        `Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return stream;
  }
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}
