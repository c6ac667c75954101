import type { Readable, Writable } from 'node:stream';
import type { Caller } from '../access/index.ts';
import type { Logger } from '../base/logger.ts';
import type { Operations } from '../operations/index.ts';

/** What a request tells of itself, beyond its credential. */
export interface RequestFacts {
  /** Set where the client named its conversation: a header, a session id, the stdio process. */
  conversation: string | null;
  /** As the client calls itself; null where it does not. */
  clientName: string | null;
  /** Aborted when the asker goes away. */
  signal: AbortSignal;
}

/** Makes the caller of one request of somebody who is already authenticated. */
export type CallerFor = (facts: RequestFacts) => Caller;

export interface McpOptions {
  /** Ours, told to clients. */
  version: string;
}

export interface McpDeps {
  operations: Operations;
  logger: Logger;
}

export interface McpEndpointOptions extends McpOptions {
  /** Comment frames on a quiet event stream, so that proxies keep it open. 0 sends none. */
  keepAliveMs: number;
  /** Open `subscriptions/listen` streams. */
  subscriptionsMax: number;
}

export interface McpHttpRequest {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body's text, '' where there is none. */
  text: string;
  /** The text as JSON; undefined where it is none. */
  json: unknown;
  /** Aborted when the client closes the connection. */
  signal: AbortSignal;
}

export interface McpHttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** A stream of server-sent events, else the whole body. */
  body: Uint8Array | ReadableStream<Uint8Array>;
}

export interface McpEndpoint {
  /** What the request says of its conversation and client, for the caller that `handle` is given. */
  factsOf(request: Pick<McpHttpRequest, 'headers' | 'json'>): Omit<RequestFacts, 'signal'>;
  handle(request: McpHttpRequest, caller: Caller): Promise<McpHttpResponse>;
  close(): Promise<void>;
}

export interface McpStdioStreams {
  stdin: Readable;
  /** Belongs to the protocol: nothing else may write to it. */
  stdout: Writable;
}

export interface McpStdioHandle {
  /** Settles when the client has closed its end or `close` was called. */
  closed: Promise<void>;
  close(): Promise<void>;
}
