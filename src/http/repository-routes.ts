import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parameterInvalid, routeNotFound } from './errors.ts';
import { jsonType } from './media-types.ts';
import { callerOf } from './request-context.ts';
import type { HttpDeps } from './types.ts';

const CHANGED = '/changed';
const SCIP = '/scip';

type RepositoryRequest = FastifyRequest<{ Params: { '*': string }; Querystring: Record<string, unknown> }>;

/**
 * What hooks and pipelines of a repository tell. That it has changed: who may read it may say so, it only has us look sooner. What the
 * SCIP index of a commit says: everybody who sees the repository is told it, so that this is for administrators.
 */
export function addRepositoryRoutes(app: FastifyInstance, { programs }: HttpDeps): void {
  app.register(async (api) => {
    // Bodies are read where they are wanted: an index may be large, and hooks send what they like along.
    api.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    api.post(
      '/api/repositories/*',
      { config: { scope: 'read' } },
      async (request: RepositoryRequest, reply) => {
        const place = request.params['*'];
        if (place.endsWith(CHANGED)) {
          const caller = callerOf(request);
          discard(request);
          const changed = await programs.repositoryChanged(place.slice(0, -CHANGED.length), caller);
          return reply.code(202).type(jsonType).send(JSON.stringify(changed));
        }
        if (place.endsWith(SCIP)) {
          try {
            const receipt = await upload(request, place.slice(0, -SCIP.length));
            return reply.type(jsonType).send(JSON.stringify(receipt));
          } finally {
            // Who is still sending hears of a refusal only when somebody goes on reading.
            discard(request);
          }
        }
        callerOf(request);
        throw routeNotFound(request.method, `/api/repositories/${place}`);
      },
    );
  });

  async function upload(request: RepositoryRequest, repo: string) {
    const caller = callerOf(request, undefined, 'admin');
    const commit = textIn(request, 'commit');
    if (commit === '') throw parameterInvalid('commit', 'the whole id of a commit');
    const root = textIn(request, 'root');
    const body = (request.body ?? []) as AsyncIterable<Uint8Array>;
    return programs.uploadScip({ repo, commit, root, body }, caller);
  }
}

function textIn({ query }: RepositoryRequest, name: string): string {
  const value = query[name];
  return typeof value === 'string' ? value : '';
}

function discard({ body }: FastifyRequest): void {
  const stream = body as Readable | undefined | null;
  if (stream && !stream.readableEnded && !stream.destroyed) stream.resume();
}
