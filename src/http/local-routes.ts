import type { FastifyInstance } from 'fastify';
import { jsonType } from './media-types.ts';
import { callerOf } from './request-context.ts';
import type { LocalServer } from './types.ts';

/** Over the socket alone, and for administrators. */
export function addLocalRoutes(app: FastifyInstance, local: LocalServer): void {
  app.get('/local/server', async (request, reply) => {
    callerOf(request);
    return reply.type(jsonType).send(JSON.stringify(local.about()));
  });
  app.post('/local/discover', async (request, reply) => {
    const { signal } = callerOf(request);
    return reply.type(jsonType).send(JSON.stringify(await local.discover(signal)));
  });
}
