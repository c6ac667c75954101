import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundleForNode } from '../base/testing/run-typescript.ts';
import { type ClientKind, clientKinds, connectStdio, type TestClient } from './testing/mcp-clients.ts';

let file: string;
const clients: TestClient[] = [];
beforeAll(async () => {
  file = await bundleForNode(path.join(import.meta.dirname, 'testing/stdio-entry.ts'));
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function connected(kind: ClientKind, token = 'psc_ada') {
  const { client, revision } = await connectStdio(kind, file, { TEST_TOKEN: token });
  clients.push(client);
  return { client, revision };
}

async function seenBy(client: TestClient) {
  const result = (await client.callTool({ name: 'seen', arguments: {} })) as { content: [{ text: string }] };
  return JSON.parse(result.content[0].text) as {
    conversation: { id: string; certainty: string };
    cancelled: number;
    lookups: number;
  };
}

describe.each(clientKinds)('over stdio an official client (%s)', (kind) => {
  it('lists and calls', async () => {
    const { client, revision } = await connected(kind);
    expect(revision).toBe(kind === 'stateless 2026-07-28' ? '2026-07-28' : '2025-11-25');
    expect(client.getInstructions()).toBe('Repositories are read in place.');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'codesearch_repos',
      'read_file',
    ]);
    const call = { name: 'read_file', arguments: { repo: 'acme/payments', path: 'a.ts' } };
    expect(await client.callTool(call)).toMatchObject({
      content: [{ text: 'acme/payments:a.ts\n1\tfirst line' }],
    });
    expect((await client.listResources()).resources).toHaveLength(1);
  });

  it('is one conversation, which no other process shares, and its token is looked up for every call', async () => {
    const { client } = await connected(kind);
    const { client: other } = await connected(kind);
    const seen = [await seenBy(client), await seenBy(client), await seenBy(other)];
    expect(seen[0]!.conversation).toEqual(seen[1]!.conversation);
    expect(seen[0]!.conversation.id).not.toBe(seen[2]!.conversation.id);
    expect(seen[0]!.conversation.id).toMatch(/^stdio-.* of test-client$/);
    expect(seen.map(({ lookups }) => lookups)).toEqual([1, 2, 1]);
  });

  it('cancels its call', async () => {
    const { client } = await connected(kind);
    const abort = new AbortController();
    const call = { name: 'read_file', arguments: { repo: 'acme/payments', path: 'hangs' } };
    const options = { signal: abort.signal };
    const calling = (
      kind === 'handshake, older package'
        ? client.callTool(call, undefined, options)
        : (client.callTool as (...args: unknown[]) => Promise<unknown>).call(client, call, options)
    ).catch(() => 'aborted');
    await seenBy(client);
    abort.abort();
    expect(await calling).toBe('aborted');
    while ((await seenBy(client)).cancelled === 0);
  });

  it('is told as a result that its token is not valid', async () => {
    const { client } = await connected(kind, 'psc_wrong');
    expect(await client.callTool({ name: 'codesearch_repos', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: 'The token is not valid. (unauthenticated)\nNext: Use another.' }],
    });
  });
});

describe('the process', () => {
  it('ends by itself when the client closes its end', async () => {
    const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'pipe'] });
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      told += chunk;
    });
    child.stdin.end();
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, told]).toEqual([0, 'closed\n']);
  });
  it('writes nothing but the protocol to its output', async () => {
    const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
      child.stdin.end();
    });
    child.stdin.write('no protocol\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n');
    await new Promise((resolve) => child.once('close', resolve));
    expect(
      output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }]);
  });
});
