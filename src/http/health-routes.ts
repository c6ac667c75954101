import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonType } from './media-types.ts';
import { callerOf } from './request-context.ts';
import type { HttpDeps } from './types.ts';

/** For machines that watch us: health and readiness for everyone, figures for administrators. */
export function addHealthRoutes(app: FastifyInstance, { readiness, metrics }: HttpDeps): void {
  const config = { scope: 'anonymous' as const };

  app.get('/healthz', { config }, async (_request, reply) => reply.type(jsonType).send('{"alive":true}'));

  app.get('/readyz', { config }, async (_request, reply) => {
    const { ready, missing } = readiness();
    return reply
      .code(ready ? 200 : 503)
      .type(jsonType)
      .send(JSON.stringify({ ready, missing }));
  });

  app.get('/metrics', { config: { scope: 'admin' } }, async (request, reply) => {
    callerOf(request);
    return reply.header('content-type', metrics.contentType).send(await metrics.text());
  });
}

/** Where clients of the OAuth kind look up how to prove themselves (RFC 9728). We name no server that hands out tokens: ours are made by the operator. */
export function addResourceMetadata(
  app: FastifyInstance,
  baseUrlOf: (request: FastifyRequest) => string,
): void {
  for (const path of ['', '/mcp']) {
    app.get(`${resourceMetadataPath}${path}`, { config: { scope: 'anonymous' } }, async (request, reply) =>
      reply.type(jsonType).send(
        JSON.stringify({
          resource: `${baseUrlOf(request)}${path === '' ? '/' : path}`,
          resource_name: 'Periscope',
          bearer_methods_supported: ['header'],
          scopes_supported: ['read', 'admin'],
        }),
      ),
    );
  }
}

export const resourceMetadataPath = '/.well-known/oauth-protected-resource';
