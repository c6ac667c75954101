import type { FastifyInstance } from 'fastify';
import { routeNotFound } from './errors.ts';
import { jsonType } from './media-types.ts';
import { callerOf } from './request-context.ts';
import type { HttpDeps } from './types.ts';

const CHANGED = '/changed';

/** A hint that a repository has changed, for hooks and scripts. Who may read it may say so: it only has us look sooner. */
export function addRepositoryRoutes(app: FastifyInstance, { programs }: HttpDeps): void {
  app.register(async (api) => {
    // Hooks send what they like along; the name says all.
    api.addContentTypeParser('*', { parseAs: 'string' }, (_request, _text, done) => done(null));

    api.post<{ Params: { '*': string } }>(
      '/api/repositories/*',
      { config: { scope: 'read' } },
      async (request, reply) => {
        const place = request.params['*'];
        const caller = callerOf(request);
        if (!place.endsWith(CHANGED)) throw routeNotFound(request.method, `/api/repositories/${place}`);
        const changed = await programs.repositoryChanged(place.slice(0, -CHANGED.length), caller);
        return reply.code(202).type(jsonType).send(JSON.stringify(changed));
      },
    );
  });
}
