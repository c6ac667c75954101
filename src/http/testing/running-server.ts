import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Scope } from '../../access/index.ts';
import { PeriscopeError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { createMcpEndpoint } from '../../mcp/index.ts';
import { memoryOperations, testCaller } from '../../mcp/testing/memory-operations.ts';
import { createHttpServer, createSocketServer } from '../http-server.ts';
import { createHttpMetrics } from '../metrics.ts';
import type { HttpDeps, HttpOptions, InjectedMetric } from '../types.ts';

export const httpOptions: HttpOptions = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: null,
  allowedHosts: [],
  allowedOrigins: [],
  version: '0.0.1',
  bodyBytesMax: 100_000,
  requestTimeoutMs: 10_000,
  requestsInFlightMax: 100,
  tokenRecheckMs: 20,
  closeGraceMs: 200,
};

export const adaToken = 'psc_ada';
export const adminToken = 'psc_admin';
/** Of a pipeline: sees acme/payments and may upload to it. */
export const ciToken = 'psc_ci';
const repositories = ['acme/billing', 'acme/payments'];

/** Everything but the network is in memory: who a token is, what its owner sees, and whether the server calls itself ready. */
export function testDeps(injected: readonly InjectedMetric[] = []) {
  const metrics = createHttpMetrics(injected);
  const operations = memoryOperations();
  const counted = metrics.counting(operations);
  const tokens = new Map<string, { groups: string[]; scopes: Scope[] }>([
    [adaToken, { groups: repositories, scopes: ['read'] }],
    [adminToken, { groups: [], scopes: ['admin'] }],
    [ciToken, { groups: repositories.slice(1), scopes: ['read', 'admin'] }],
  ]);
  const logged: string[] = [];
  const log = (message: string, fields?: Record<string, unknown>) =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const mcp = createMcpEndpoint(
    { version: '0.0.1', keepAliveMs: 0, subscriptionsMax: 10 },
    { operations: counted, logger },
  );
  const state = { lookups: 0, missing: [] as string[] };
  const changed: string[] = [];
  const uploads: string[] = [];
  const deps: HttpDeps = {
    operations: counted,
    programs: {
      searchCode: () => Promise.reject(new Error('no test asks for it')),
      listRepositories: () => Promise.reject(new Error('no test asks for it')),
      readWhole: () => Promise.reject(new Error('no test asks for it')),
      async repositoryChanged(name, caller) {
        if (!caller.groups.includes(name)) {
          throw new PeriscopeError('not-found-or-no-access', 'test/hidden', 'No such repository.', 'Look.');
        }
        changed.push(name);
        return { repository: name };
      },
      async uploadScip({ repo, commit, root, body }, caller) {
        if (!caller.groups.includes(repo)) {
          throw new PeriscopeError('not-found-or-no-access', 'test/hidden', 'No such repository.', 'Look.');
        }
        let bytes = 0;
        for await (const chunk of body) bytes += chunk.length;
        uploads.push(`${repo} ${commit} ${root} ${bytes}`);
        const leftOut = { unknownPaths: 0, repeatedPaths: 0, outsideText: 0, unreadableSymbols: 0 };
        const counted = { documents: 1, occurrences: 2, symbols: 3, leftOut, maskedNames: 0 };
        return { repository: repo, commit, ...counted, published: true };
      },
      listTraces: async () => [],
    },
    mcp,
    metrics,
    logger,
    readiness: () => ({ ready: state.missing.length === 0, missing: state.missing }),
    async authenticate(credential) {
      state.lookups++;
      const known =
        credential.kind === 'local'
          ? { groups: repositories, scopes: ['read', 'admin'] as Scope[] }
          : tokens.get(credential.token);
      if (!known) {
        throw new PeriscopeError('unauthenticated', 'test/token', 'The token is not valid.', 'Use another.');
      }
      return ({ conversation, clientName, signal }) =>
        testCaller(known.groups, {
          scopes: known.scopes,
          signal,
          conversation: {
            id: conversation ?? `guessed ${clientName}`,
            certainty: conversation === null ? 'guessed' : 'exact',
          },
        });
    },
  };
  return { deps, operations, tokens, logged, state, mcp, metrics, changed, uploads };
}

export async function startServer(
  options: Partial<HttpOptions> = {},
  injected: readonly InjectedMetric[] = [],
) {
  const parts = testDeps(injected);
  const server = createHttpServer({ ...httpOptions, ...options }, parts.deps);
  const { url, port } = await server.listen();
  return {
    ...parts,
    url,
    port,
    ask: (asked: Partial<Asked> & { path: string }) => ask({ port, ...asked }),
    async close() {
      await server.close();
      await parts.mcp.close();
      parts.metrics.close();
    },
  };
}

export async function startSocketServer(path: string) {
  const parts = testDeps();
  const server = createSocketServer({ ...httpOptions, path }, parts.deps);
  await server.listen();
  return {
    ...parts,
    ask: (asked: Partial<Asked> & { path: string }) => ask({ socketPath: path, token: null, ...asked }),
    async close() {
      await server.close();
      await parts.mcp.close();
      parts.metrics.close();
    },
  };
}

export interface Asked {
  port?: number;
  socketPath?: string;
  method?: string;
  path: string;
  /** Null sends none. */
  token?: string | null;
  headers?: Record<string, string>;
  /** An object is sent as JSON, a text as it is. */
  body?: unknown;
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json(): Record<string, unknown>;
}

/** One request exactly as given: no header is added but the token's and the body's type. */
export function ask({ token = adaToken, body, headers = {}, ...asked }: Asked): Promise<Answered> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        ...asked,
        method: asked.method ?? (text === undefined ? 'GET' : 'POST'),
        agent: false,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (response) => {
        let received = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          received += chunk;
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: received,
            json: () => JSON.parse(received),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}
