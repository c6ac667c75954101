import { randomUUID } from 'node:crypto';
import { CLIENT_INFO_META_KEY, createMcpHandler } from '@modelcontextprotocol/server';
import type { Caller } from '../access/index.ts';
import { createMcpServerFactory } from './mcp-server.ts';
import type { McpDeps, McpEndpoint, McpEndpointOptions, McpHttpRequest, McpHttpResponse } from './types.ts';

/** Only for the SDK's own use: routing is ours and the Host was checked before. */
const requestUrl = 'http://periscope.invalid/mcp';

/** Streamable HTTP, both generations on one address. Whoever mounts it has authenticated the asker and checked Host and Origin. */
export function createMcpEndpoint(options: McpEndpointOptions, deps: McpDeps): McpEndpoint {
  const serverFor = createMcpServerFactory(options, deps);
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo?.extra?.['caller'] as Caller;
      return serverFor(async ({ mcpReq }) => ({ ...caller, signal: mcpReq.signal }));
    },
    {
      keepAliveMs: options.keepAliveMs,
      maxSubscriptions: options.subscriptionsMax,
      onerror: (error) => deps.logger.debug('mcp request refused', { reason: error.message }),
    },
  );

  return {
    factsOf: ({ headers, json }) => ({
      conversation: headerOf(headers, 'mcp-session-id'),
      clientName: clientNameIn(json),
    }),

    async handle(request, caller) {
      // The token stays outside: the SDK gets the finished caller, and of the headers only the protocol's own.
      const authInfo = { token: '', clientId: caller.account, scopes: [...caller.scopes], extra: { caller } };
      const response = await handler.fetch(webRequestOf(request), {
        authInfo,
        ...(request.json === undefined ? {} : { parsedBody: request.json }),
      });
      return answerOf(response, isHandshake(request.json) && response.status === 200);
    },

    close: () => handler.close(),
  };
}

function webRequestOf({ method, headers, text, json, signal }: McpHttpRequest): Request {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || !(name.startsWith('mcp-') || protocolHeaders.has(name))) continue;
    kept.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  if (method !== 'POST') return new Request(requestUrl, { method, headers: kept, signal });
  if (json === undefined) return new Request(requestUrl, { method, headers: kept, signal, body: text });
  // The body is handed over parsed, so nothing else of a request is ever looked at; a whole one costs a tenth of a call.
  return { method, url: requestUrl, headers: kept, signal } as Request;
}

const protocolHeaders = new Set(['content-type', 'accept', 'last-event-id']);

async function answerOf(response: Response, opensSession: boolean): Promise<McpHttpResponse> {
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) {
    // Both belong to the connection, and it is the web server's.
    if (name !== 'connection' && name !== 'content-length') headers[name] = value;
  }
  // Older clients send the id back with each request. It needs no memory here: it only tells conversations apart.
  if (opensSession) headers['mcp-session-id'] = randomUUID();
  const streams = headers['content-type']?.startsWith('text/event-stream') && response.body !== null;
  // Bytes as they are: making text of them would only have the web server make bytes of it again.
  const body = streams ? response.body! : new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers, body };
}

function isHandshake(json: unknown): boolean {
  return isRecord(json) && json['method'] === 'initialize';
}

function clientNameIn(json: unknown): string | null {
  const params = isRecord(json) && isRecord(json['params']) ? json['params'] : {};
  const meta = isRecord(params['_meta']) ? params['_meta'] : {};
  const info = meta[CLIENT_INFO_META_KEY] ?? params['clientInfo'];
  return isRecord(info) && typeof info['name'] === 'string' ? info['name'] : null;
}

function headerOf(headers: McpHttpRequest['headers'], name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
