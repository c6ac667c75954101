import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adaToken, adminToken, ciToken, startServer } from './testing/running-server.ts';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(() => void server.uploads.splice(0));

const commit = 'a'.repeat(40);
const upload = (name: string, token: string, body: string, query = `?commit=${commit}`) =>
  server.ask({
    path: `/api/repositories/${name}/scip${query}`,
    method: 'POST',
    token,
    headers: { 'content-type': 'application/octet-stream' },
    body,
  });

describe('a SCIP index is uploaded', () => {
  it('of any length: the bound of other bodies is not its own', async () => {
    const { status, json } = await upload(
      'acme/payments',
      ciToken,
      'x'.repeat(1_000_000),
      `?commit=${commit}&root=server`,
    );
    expect([status, json()]).toEqual([
      200,
      expect.objectContaining({ repository: 'acme/payments', commit, published: true }),
    ]);
    expect(server.uploads).toEqual([`acme/payments ${commit} server 1000000`]);
  });
  it('by a token with the scope admin that sees the repository', async () => {
    const reader = await upload('acme/payments', adaToken, 'x');
    expect([reader.status, reader.json()['error']]).toEqual([
      403,
      expect.objectContaining({ code: 'http/scope-missing' }),
    ]);
    const [blind, hidden, never] = [
      await upload('acme/payments', adminToken, 'x'),
      await upload('acme/vault', ciToken, 'x'),
      await upload('acme/never', ciToken, 'x'),
    ];
    expect([blind.status, hidden.status]).toEqual([404, 404]);
    expect([hidden.text, blind.text]).toEqual([never.text, never.text]);
    expect(server.uploads).toEqual([]);
  });
  it('with the commit that it is of', async () => {
    const { status, json } = await upload('acme/payments', ciToken, 'x', '');
    expect([status, json()['error']]).toEqual([400, expect.objectContaining({ code: 'http/parameter' })]);
  });
  it('and a refusal reaches who is still sending', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1');
      let text = '';
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        text += chunk.toString();
        if (text.includes('\r\n\r\n')) resolve(text);
      });
      socket.write(
        `POST /api/repositories/acme%2Fvault/scip?commit=${commit} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${ciToken}\r\nContent-Type: application/octet-stream\r\nContent-Length: 20000000\r\n\r\n`,
      );
      socket.write(Buffer.alloc(10_000_000));
      socket.once('close', () => reject(new Error(`closed: ${text}`)));
    });
    expect(answer).toContain('HTTP/1.1 404');
  });
});
