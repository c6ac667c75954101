import type { Socket } from 'node:net';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { asPeriscopeError, PeriscopeError } from '../base/errors.ts';
import { createShares } from '../base/shares.ts';
import { addDocumentRoutes } from './document-routes.ts';
import { errorAnswer } from './error-answer.ts';
import {
  bodyNotJson,
  bodyTooLarge,
  hostRefused,
  malformedRequest,
  mediaTypeRefused,
  originRefused,
  routeNotFound,
  tooManyOfOneAsker,
  tooManyRequests,
} from './errors.ts';
import { createEventStreams } from './event-stream.ts';
import { addHealthRoutes, addResourceMetadata, resourceMetadataPath } from './health-routes.ts';
import { createHostCheck } from './host-check.ts';
import { addLocalRoutes } from './local-routes.ts';
import { addMcpRoute } from './mcp-route.ts';
import { jsonType } from './media-types.ts';
import { createOriginCheck, type OriginVerdict } from './origin-check.ts';
import { addRepositoryRoutes } from './repository-routes.ts';
import { credentialOf, scopeOf } from './request-context.ts';
import { addToolRoutes } from './tool-routes.ts';
import { addTraceRoutes } from './trace-routes.ts';
import type { HttpDeps, HttpOptions, SocketServerOptions } from './types.ts';
import { addZoektRoutes, passwordIn } from './zoekt-routes.ts';

/** Which listener the requests come from, and with it how far their senders are trusted. */
export type HttpAppOptions =
  | ({ listener: 'tcp' } & HttpOptions)
  | ({ listener: 'socket' } & SocketServerOptions);

export interface HttpApp {
  fastify: FastifyInstance;
  /** Ends open streams, lets running requests finish within the grace, cancels what is left. */
  close(): Promise<void>;
}

/** Of all requests in work, one asker has at most one part of so many: one token cannot turn away everybody else. */
const ASKERS = 4;
const LEAST_SHARE = 8;

/** The routes, and what every request passes before one: Host, Origin, a bound on their number, a live token. */
export function createHttpApp(options: HttpAppOptions, deps: HttpDeps): HttpApp {
  const running = new Set<AbortController>();
  const shares = createShares(Math.max(LEAST_SHARE, Math.floor(options.requestsInFlightMax / ASKERS)));
  const streams = createEventStreams(options.tokenRecheckMs);
  const admits = admission(options);
  const publicUrl = options.listener === 'tcp' ? (options.publicUrl?.replace(/\/+$/, '') ?? null) : null;
  const baseUrlOf = (request: FastifyRequest) => publicUrl ?? `http://${request.headers.host}`;

  const fastify = Fastify({
    logger: false,
    bodyLimit: options.bodyBytesMax,
    requestTimeout: options.requestTimeoutMs,
    // Our own close decides when connections go.
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
  });
  fastify.removeAllContentTypeParsers();
  fastify.decorateRequest('periscope');
  fastify.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply));
  fastify.setNotFoundHandler((request) => {
    throw routeNotFound(request.method, pathOf(request));
  });

  fastify.addHook('onRequest', async (request, reply) => {
    const cancel = new AbortController();
    request.periscope = { cancel, asker: null };
    watch(request, reply, cancel);
    if (admits(request, reply) === 'answered') return reply;
    // Health is told however busy we are: a prober that is turned away would have us restarted.
    if (request.is404 || scopeOf(request) === 'anonymous') return;
    if (running.size > options.requestsInFlightMax) throw tooManyRequests();
    const credential = passwordIn(request) ?? credentialOf(request, options.listener);
    const leave = shares.enter(credential.kind === 'token' ? credential.token : '');
    if (!leave) throw tooManyOfOneAsker();
    reply.raw.once('close', leave);
    request.periscope.asker = { credential, callerFor: await deps.authenticate(credential) };
  });

  addHealthRoutes(fastify, deps);
  addResourceMetadata(fastify, baseUrlOf);
  addToolRoutes(fastify, deps, streams);
  addRepositoryRoutes(fastify, deps);
  addTraceRoutes(fastify, deps);
  addDocumentRoutes(fastify, deps.operations, { version: options.version, publicUrl });
  addMcpRoute(fastify, deps, streams);
  if (deps.zoekt) addZoektRoutes(fastify, deps.zoekt, deps.logger);
  if (options.listener === 'socket' && deps.local) addLocalRoutes(fastify, deps.local);

  return {
    fastify,
    async close() {
      streams.endAll();
      const late = setTimeout(() => {
        for (const cancel of running) cancel.abort();
        fastify.server.closeAllConnections();
      }, options.closeGraceMs);
      try {
        await fastify.close();
      } finally {
        clearTimeout(late);
      }
    },
  };

  function watch(request: FastifyRequest, reply: FastifyReply, cancel: AbortController): void {
    running.add(cancel);
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    reply.raw.once('close', () => {
      running.delete(cancel);
      const left = !reply.raw.writableFinished;
      if (left) cancel.abort();
      const done = {
        route: request.is404 ? 'none' : (request.routeOptions.url ?? 'none'),
        method: request.method,
        status: left ? 499 : reply.raw.statusCode,
      };
      deps.metrics.countRequest({ ...done, seconds: reply.elapsedTime / 1000 });
      deps.logger.debug('http request', { ...done, ms: Math.round(reply.elapsedTime) });
    });
  }

  function sendError(thrown: FastifyError | PeriscopeError, request: FastifyRequest, reply: FastifyReply) {
    const error = ownError(thrown, request, options.bodyBytesMax);
    if (error.kind === 'internal') {
      deps.logger.error('http request failed', { route: request.routeOptions?.url, error: thrown });
    }
    const { status, headers, body } = errorAnswer(error);
    if (error.kind === 'unauthenticated') {
      reply.header('www-authenticate', challenge(request, baseUrlOf(request)));
    }
    return reply.code(status).headers(headers).type(jsonType).send(body);
  }
}

/** Host and Origin. A browser that asks beforehand whether it may call is answered here. */
function admission(options: HttpAppOptions) {
  const hosts = options.listener === 'tcp' ? createHostCheck(options) : null;
  const originVerdict: (origin: string, host: string | undefined) => OriginVerdict =
    options.listener === 'tcp' ? createOriginCheck(options) : () => 'refused';

  return (request: FastifyRequest, reply: FastifyReply): 'answered' | 'admitted' => {
    const { host, origin } = request.headers;
    if (hosts && !hosts.allows(host, request.socket.localAddress)) throw hostRefused(host ?? '');
    if (origin === undefined) return 'admitted';
    const verdict = originVerdict(origin, host);
    if (verdict === 'refused') throw originRefused(origin);
    if (verdict === 'own') return 'admitted';
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'Mcp-Session-Id, Retry-After, WWW-Authenticate',
      vary: 'Origin',
    });
    if (request.method !== 'OPTIONS') return 'admitted';
    reply.code(204).headers({
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
      'access-control-max-age': '600',
    });
    reply.send();
    return 'answered';
  };
}

/** What the framework threw, in our words. */
function ownError(thrown: FastifyError | PeriscopeError, request: FastifyRequest, bodyBytesMax: number) {
  if (thrown instanceof PeriscopeError) return thrown;
  switch (thrown.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(bodyBytesMax);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return mediaTypeRefused(request.headers['content-type'] ?? '');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return malformedRequest(thrown.message);
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return bodyNotJson();
    default:
      return thrown.statusCode === 400 && thrown instanceof SyntaxError
        ? bodyNotJson()
        : asPeriscopeError(thrown);
  }
}

function challenge(request: FastifyRequest, baseUrl: string): string {
  const path = pathOf(request) === '/mcp' ? '/mcp' : '';
  const failed = request.headers.authorization === undefined ? '' : 'error="invalid_token", ';
  return `Bearer ${failed}resource_metadata="${baseUrl}${resourceMetadataPath}${path}"`;
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0]!.slice(0, 200);
}

/** Bytes that are no HTTP, or headers that never end: no request exists yet, so the answer is written by hand. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { body } = errorAnswer(
    malformedRequest(`The request cannot be read (${error.code ?? 'malformed'}).`),
  );
  const status =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? '408 Request Timeout'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${jsonType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
