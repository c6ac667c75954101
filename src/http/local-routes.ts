import type { FastifyInstance } from 'fastify';
import { jsonType } from './media-types.ts';
import { callerOf } from './request-context.ts';

/** What the operator's own shell asks of the running server beside the tools. */
export interface LocalServer {
  about(): AboutServer;
  /** Asks every host now. The answer is the composition root's, passed on as JSON. */
  discover(signal: AbortSignal): Promise<object>;
}

export interface AboutServer {
  /** What clients are told; null while TCP is not listened on. */
  url: string | null;
  /** Names of the hosts that it serves, those of its command line included. */
  hosts: readonly string[];
}

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
