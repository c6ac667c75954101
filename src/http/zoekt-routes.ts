import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/index.ts';
import { asPeriscopeError, type ErrorKind } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { bodyNotJson, routeNotFound } from './errors.ts';
import { jsonType } from './media-types.ts';
import { callerOf } from './request-context.ts';
import type { Credential, ZoektBackend } from './types.ts';
import { noZoektResult, zoektList, zoektName, zoektNumber, zoektResult } from './zoekt-api-answer.ts';
import { fromZoektQuery } from './zoekt-api-query.ts';
import { readZoektList, readZoektSearch, type ZoektApiRequest } from './zoekt-api-request.ts';
import { zoektPage } from './zoekt-page.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A token may also come as the password of basic authentication, for clients that can only be given a URL. */
    takesPassword?: boolean;
  }
}

const config = { scope: 'read' as const, takesPassword: true };
/** Lines of one file: zoekt knows no bound, and everything has one. */
const LINES_PER_FILE_MAX = 1000;
/** Beyond so many files a search does not stop early. */
const STOPPING_EARLY_MAX = 300;
/** Fits every repository: an empty query lists all. */
const EVERY_REPOSITORY = 'type:repo';

/** zoekt's JSON API (its internal/json/json.go), so that its clients work here as they are. */
export function addZoektRoutes(app: FastifyInstance, backend: ZoektBackend, logger: Logger): void {
  app.register(async (api) => {
    // As Go's decoder, which looks at no media type.
    api.addContentTypeParser('*', { parseAs: 'string' }, (_, text: string, done) => done(null, text));
    api.setErrorHandler((error: FastifyError | Error, request, reply) => sendError(error, request, reply));

    api.post('/api/search', { config }, async (request, reply) => {
      const caller = callerOf(request);
      const asked = readZoektSearch(jsonIn(request.body));
      const startedMs = performance.now();
      const found = await search(asked, caller);
      const durationMs = performance.now() - startedMs;
      const Result = found ? zoektResult(found, { ...asked, durationMs }) : noZoektResult;
      return reply.type(jsonType).send(JSON.stringify({ Result }));
    });

    api.post('/api/list', { config }, async (request, reply) => {
      const caller = callerOf(request);
      const { query, field } = readZoektList(jsonIn(request.body));
      if (field !== 0 && field !== 2)
        return reply
          .code(500)
          .type(jsonType)
          .send(errorBody(`unknown list field ${field}`));
      return reply.type(jsonType).send(JSON.stringify({ List: await list(query, field, caller) }));
    });

    for (const url of ['/api/search', '/api/list']) {
      api.get(url, { config }, async (_, reply) =>
        reply.code(405).type(jsonType).send(errorBody('Only POST is supported')),
      );
    }

    api.get<{ Querystring: { q?: unknown; num?: unknown; ctx?: unknown; format?: unknown } }>(
      '/search',
      { config },
      async (request, reply) => {
        const { q, num, ctx, format } = request.query;
        if (format !== 'json') throw routeNotFound('GET', '/search without format=json');
        const asked = {
          query: textOf(q),
          num: Math.max(1, Math.min(wholeNumber(num, 50), 1000)),
          ctx: Math.min(wholeNumber(ctx, 0), 10),
        };
        const startedMs = performance.now();
        const found = await backend.searchCode(
          { query: fromZoektQuery(asked.query), filesMax: asked.num, contextLines: asked.ctx },
          callerOf(request),
        );
        const durationMs = performance.now() - startedMs;
        return reply.type(jsonType).send(JSON.stringify(zoektPage(found, { ...asked, durationMs })));
      },
    );

    api.get<{ Querystring: { r?: unknown; f?: unknown; b?: unknown; format?: unknown } }>(
      '/print',
      { config },
      async (request, reply) => {
        const { r, f, b, format } = request.query;
        if (format !== 'raw') throw routeNotFound('GET', '/print without format=raw');
        const branch = textOf(b);
        const text = await backend.readWhole(
          {
            repo: textOf(r),
            path: textOf(f),
            revision: branch === '' || branch === 'HEAD' ? undefined : branch,
          },
          callerOf(request),
        );
        return reply.type('text/plain; charset=utf-8').send(text);
      },
    );
  });

  async function search(asked: ZoektApiRequest, caller: Caller) {
    const query = fromZoektQuery(asked.query);
    const repo = asked.repositoryIds && (await namesOf(asked.repositoryIds, caller));
    // None is there: without any name everything would be searched.
    if (repo?.length === 0) return null;
    return backend.searchCode(
      {
        query,
        repo: repo ?? [],
        // Else as the query says: `type:file` wants no lines.
        output: asked.onlyEstimate ? 'count' : null,
        filesMax: asked.filesMax,
        linesPerFileMax: LINES_PER_FILE_MAX,
        contextLines: asked.contextLines,
        exact: asked.filesMax > STOPPING_EARLY_MAX,
        budgetMs: asked.budgetMs,
      },
      caller,
    );
  }

  /** Of those that the caller may see; unknown ones and hidden ones are left out alike. */
  async function namesOf(numbers: readonly number[], caller: Caller): Promise<string[]> {
    const repositories = await backend.listRepositories(EVERY_REPOSITORY, caller);
    const wanted = new Set(numbers);
    return repositories.filter((one) => wanted.has(zoektNumber(one))).map(zoektName);
  }

  async function list(asked: string, field: number, caller: Caller): Promise<object> {
    const query = fromZoektQuery(asked) || EVERY_REPOSITORY;
    const repositories = await backend.listRepositories(query, caller);
    const entries = repositories.map((repository) => {
      const revisions = backend.revisionsOf(repository.id).filter(({ kind }) => kind === 'branch');
      return { repository, revisions };
    });
    const byName = entries.sort((a, b) => (zoektName(a.repository) < zoektName(b.repository) ? -1 : 1));
    return zoektList(byName, field);
  }

  function sendError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
    const ofFramework = 'statusCode' in thrown ? thrown.statusCode : undefined;
    if (ofFramework !== undefined && ofFramework < 500) {
      return reply.code(ofFramework).type(jsonType).send(errorBody(thrown.message));
    }
    const { kind, message, next } = asPeriscopeError(thrown);
    if (kind === 'internal') {
      logger.error('http request failed', { route: request.routeOptions.url, error: thrown });
    }
    if (kind === 'unauthenticated') reply.header('www-authenticate', 'Bearer');
    return reply
      .code(statusOf[kind] ?? 500)
      .type(jsonType)
      .send(errorBody(`${message} ${next}`));
  }
}

/** zoekt itself has 400, 405 and 500; what it has no word for keeps HTTP's. */
const statusOf: Partial<Record<ErrorKind, number>> = {
  'invalid-request': 400,
  'not-found-or-no-access': 400,
  'ref-not-found': 400,
  'path-not-found': 400,
  unauthenticated: 401,
  'blocked-by-policy': 403,
  'too-large': 413,
  'rate-limited': 429,
  busy: 503,
};

/** The token in `http://any:TOKEN@server/`; null where the route takes none so, or none was sent. */
export function passwordIn(request: FastifyRequest): Credential | null {
  if (!request.routeOptions.config.takesPassword) return null;
  const basic = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(request.headers.authorization ?? '');
  if (!basic) return null;
  const [user = '', password = ''] = Buffer.from(basic[1]!, 'base64').toString().split(':', 2);
  return { kind: 'token', token: password || user };
}

function errorBody(message: string): string {
  return JSON.stringify({ Error: message });
}

function jsonIn(body: unknown): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : '');
  } catch {
    throw bodyNotJson();
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function wholeNumber(text: unknown, byDefault: number): number {
  return typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : byDefault;
}
