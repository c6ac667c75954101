import { Readable } from 'node:stream';
import type { Caller } from '../access/index.ts';
import { type ErrorKind, errorKinds, PeriscopeError } from '../base/errors.ts';
import type { ErrorJson, MentionsJson, ToolAnswerJson } from '../contract/index.ts';
import type { ListedTrace, Operations, ProgramOperations, ToolAnswer } from '../operations/index.ts';
import { announced } from './announced.ts';

export type ServerAddress =
  /** Through the data folder's socket: with a token as whom it stands for, without one as the operator. */
  { kind: 'socket'; path: string; token?: string } | { kind: 'url'; url: string; token: string };

export interface ServerClient {
  operations: Operations;
  uploadScip: ProgramOperations['uploadScip'];
  listTraces: ProgramOperations['listTraces'];
  close(): Promise<void>;
}

/** The operations of a running server, as if they ran here. The server decides who asks: from the socket or from the token. */
export async function connectServer(address: ServerAddress): Promise<ServerClient> {
  const { Client } = await import('undici');
  const client =
    address.kind === 'socket'
      ? new Client('http://localhost', { socketPath: address.path })
      : new Client(new URL(address.url).origin);
  const prefix = address.kind === 'url' ? new URL(address.url).pathname.replace(/\/+$/, '') : '';

  function request<T>(method: 'GET' | 'POST', path: string, body: unknown, caller: Caller): Promise<T> {
    const sent = body === undefined ? null : { type: 'application/json', body: JSON.stringify(body) };
    return send(method, path, sent, caller);
  }

  async function send<T>(
    method: 'GET' | 'POST',
    path: string,
    sent: { type: string; body: string | Readable } | null,
    caller: Caller,
  ): Promise<T> {
    const response = await client
      .request({
        method,
        path: `${prefix}${path}`,
        headers: {
          'x-periscope-conversation': caller.conversation.id,
          ...(address.token ? { authorization: `Bearer ${address.token}` } : {}),
          ...(sent === null ? {} : { 'content-type': sent.type }),
        },
        body: sent?.body ?? null,
        signal: caller.signal,
      })
      .catch((fault: unknown) => {
        throw notReachable(address, fault);
      });
    const answer = (await response.body.json()) as T | ErrorJson;
    if (response.statusCode >= 400) throw errorOf(answer as ErrorJson);
    return answer as T;
  }

  const operations: Operations = {
    list: () => announced.operations,
    knows: (name) => announced.operations.some((operation) => operation.name === name),
    instructions: () => announced.instructions,
    async handle(call, caller): Promise<ToolAnswer> {
      const path = `/api/tools/${encodeURIComponent(call.name)}?text=1`;
      const answer = await request<ToolAnswerJson>('POST', path, call.input ?? {}, caller);
      return { ...answer, text: answer.text ?? '', found: answer.found };
    },
    mentions: (query, caller, limit) =>
      request<MentionsJson>(
        'GET',
        `/api/mentions?q=${encodeURIComponent(query)}&limit=${limit}`,
        undefined,
        caller,
      ),
    async expandMentions(text, caller) {
      return (await request<{ text: string }>('POST', '/api/mentions/expand', { text }, caller)).text;
    },
  };
  return {
    operations,
    uploadScip: ({ repo, commit, root, body }, caller) =>
      send(
        'POST',
        `/api/repositories/${encodeURIComponent(repo)}/scip?${new URLSearchParams({ commit, root })}`,
        { type: 'application/octet-stream', body: Readable.from(body) },
        caller,
      ),
    async listTraces({ limit, beforeId, sinceMs, account, used }, caller) {
      const asked = new URLSearchParams({ limit: String(limit) });
      if (beforeId !== undefined) asked.set('before', String(beforeId));
      if (sinceMs !== undefined) asked.set('since', String(sinceMs));
      if (account !== undefined) asked.set('account', account);
      if (used) asked.set('used', '1');
      const path = `/api/traces?${asked}`;
      return (await request<{ traces: ListedTrace[] }>('GET', path, undefined, caller)).traces;
    },
    close: () => client.close(),
  };
}

export function errorOf({ error }: ErrorJson): PeriscopeError {
  const kind: ErrorKind = Object.hasOwn(errorKinds, error.kind) ? (error.kind as ErrorKind) : 'internal';
  return new PeriscopeError(kind, error.code, error.message, error.next, { data: error.data });
}

function notReachable(address: ServerAddress, cause: unknown): unknown {
  if (cause instanceof Error && cause.name === 'AbortError') return cause;
  const where = address.kind === 'socket' ? address.path : address.url;
  return new PeriscopeError(
    'unavailable',
    'cli/server-unreachable',
    `No Periscope server answers at ${where}.`,
    'Start it with periscope up, or check PERISCOPE_URL.',
    { cause },
  );
}
