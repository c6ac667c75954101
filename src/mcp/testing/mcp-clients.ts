import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OlderHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as OlderTransport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** What the tests use of a client; the official clients of both packages offer it under the same names. */
export interface TestClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(
    call: { name: string; arguments?: Record<string, unknown> },
    ...rest: [] | [undefined, { signal: AbortSignal }]
  ): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(wanted: { uri: string }): Promise<{ contents: unknown[] }>;
  complete(wanted: {
    ref: { type: 'ref/resource'; uri: string };
    argument: { name: string; value: string };
    context?: { arguments: Record<string, string> };
  }): Promise<{ completion: { values: string[] } }>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

export interface Connected {
  client: TestClient;
  /** The revision that was agreed upon. */
  revision: string | undefined;
}

/** Official clients, each as one generation of the protocol meets us. */
export const clientKinds = [
  'stateless 2026-07-28',
  'handshake, new package',
  'handshake, older package',
] as const;
export type ClientKind = (typeof clientKinds)[number];

const info = { name: 'test-client', version: '1.0.0' };

export function connectHttp(kind: ClientKind, url: string, token: string): Promise<Connected> {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  if (kind !== 'handshake, older package') {
    return connectModern(kind, new ModernHttp(new URL(url), { requestInit }));
  }
  return connectOlder(new OlderHttp(new URL(url), { requestInit }) as OlderTransport);
}

export function connectStdio(
  kind: ClientKind,
  file: string,
  env: Record<string, string>,
): Promise<Connected> {
  const process_ = { command: process.execPath, args: [file], env, stderr: 'ignore' as const };
  if (kind !== 'handshake, older package') return connectModern(kind, new ModernStdio(process_));
  return connectOlder(new OlderStdio(process_));
}

async function connectModern(kind: ClientKind, transport: ModernHttp | ModernStdio): Promise<Connected> {
  const mode = kind === 'stateless 2026-07-28' ? { pin: '2026-07-28' } : ('legacy' as const);
  const client = new ModernClient(info, { versionNegotiation: { mode } });
  await client.connect(transport);
  return { client: client as unknown as TestClient, revision: client.getNegotiatedProtocolVersion() };
}

async function connectOlder(transport: OlderTransport): Promise<Connected> {
  const client = new OlderClient(info);
  let revision: string | undefined;
  const told = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    revision = version;
    told?.(version);
  };
  await client.connect(transport);
  return { client: client as unknown as TestClient, revision };
}
