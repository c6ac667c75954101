import type { FastifyRequest } from 'fastify';
import type { Caller, Scope } from '../access/index.ts';
import type { CallerFor, RequestFacts } from '../mcp/index.ts';
import { parameterInvalid, scopeMissing, tokenMissing } from './errors.ts';
import type { Credential } from './types.ts';

/** What is known of a request before its handler runs. */
export interface RequestContext {
  /** Aborted when the client closes the connection before it has its answer. */
  cancel: AbortController;
  /** Null on routes that are open to everyone. */
  asker: { credential: Credential; callerFor: CallerFor } | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    periscope: RequestContext;
  }
  interface FastifyContextConfig {
    /** What the token must have; `anonymous` asks for none. A route that says nothing is for administrators. */
    scope?: Scope | 'anonymous';
  }
}

export function credentialOf(request: FastifyRequest, listener: 'tcp' | 'socket'): Credential {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '');
  if (bearer) return { kind: 'token', token: bearer[1]! };
  if (listener === 'socket') return { kind: 'local' };
  throw tokenMissing();
}

/**
 * The caller of this request. A protocol on top may know better which conversation and client it is, and a route that is several things
 * which scope is needed.
 */
export function callerOf(
  request: FastifyRequest,
  told: Omit<RequestFacts, 'signal'> = { conversation: null, clientName: null },
  scope: Scope | 'anonymous' = scopeOf(request),
): Caller {
  const { asker, cancel } = request.periscope;
  if (!asker) throw tokenMissing();
  const caller = asker.callerFor({
    conversation: conversationIn(request) ?? checked('Mcp-Session-Id', told.conversation),
    clientName: told.clientName ?? clientNameIn(request),
    signal: cancel.signal,
  });
  if (scope !== 'anonymous' && !caller.scopes.includes(scope)) throw scopeMissing(scope);
  return caller;
}

export function scopeOf(request: FastifyRequest): Scope | 'anonymous' {
  return request.routeOptions.config.scope ?? 'admin';
}

function conversationIn(request: FastifyRequest): string | null {
  const header = request.headers['x-periscope-conversation'];
  return header === undefined ? null : checked('X-Periscope-Conversation', String(header));
}

function checked(name: string, id: string | null): string | null {
  if (id !== null && !/^[\x21-\x7e]{1,128}$/.test(id)) {
    throw parameterInvalid(name, '1 to 128 printable characters without spaces');
  }
  return id;
}

/** The product of the User-Agent, without its version: an update is no other client. */
function clientNameIn(request: FastifyRequest): string | null {
  const product = /^[^\s/]{1,64}/.exec(request.headers['user-agent'] ?? '');
  return product ? product[0] : null;
}
