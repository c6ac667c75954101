import type { FastifyInstance } from 'fastify';
import { parameterInvalid } from './errors.ts';
import { jsonType } from './media-types.ts';
import { callerOf } from './request-context.ts';
import type { HttpDeps } from './types.ts';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 1000;

/** Searches by meaning that were kept: what others asked, and so for administrators. */
export function addTraceRoutes(app: FastifyInstance, { programs }: HttpDeps): void {
  app.get<{ Querystring: Record<string, unknown> }>(
    '/api/traces',
    { config: { scope: 'admin' } },
    async (request, reply) => {
      const caller = callerOf(request);
      const { query } = request;
      const account = query['account'];
      if (account !== undefined && typeof account !== 'string') throw parameterInvalid('account', 'one name');
      const before = numberIn(query, 'before', Number.MAX_SAFE_INTEGER);
      const since = numberIn(query, 'since', Number.MAX_SAFE_INTEGER);
      const traces = await programs.listTraces(
        {
          limit: numberIn(query, 'limit', LIMIT_MAX) ?? LIMIT_DEFAULT,
          ...(before === null ? {} : { beforeId: before }),
          ...(since === null ? {} : { sinceMs: since }),
          ...(account === undefined ? {} : { account }),
          ...(query['used'] === '1' ? { used: true } : {}),
        },
        caller,
      );
      return reply.type(jsonType).send(JSON.stringify({ traces }));
    },
  );
}

function numberIn(query: Record<string, unknown>, name: string, max: number): number | null {
  const written = query[name];
  if (written === undefined) return null;
  if (
    typeof written !== 'string' ||
    !/^\d{1,16}$/.test(written) ||
    Number(written) < 1 ||
    Number(written) > max
  )
    throw parameterInvalid(name, `a whole number from 1 to ${max}`);
  return Number(written);
}
