import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ToolAnswerJson } from '../contract/index.ts';
import type { Operations, ToolAnswer } from '../operations/index.ts';
import { bodyNotJson, parameterInvalid } from './errors.ts';
import { jsonType, textType } from './media-types.ts';
import { callerOf } from './request-context.ts';

const mentionsDefault = 20;
const mentionsMax = 200;

/** The operations over JSON, and the picker's data. */
export function addToolRoutes(app: FastifyInstance, operations: Operations): void {
  const config = { scope: 'read' as const };
  app.register(async (api) => {
    const parseJson = api.getDefaultJsonParser('error', 'error');
    api.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
      if (text === '') done(null, undefined);
      else parseJson(request, text, done);
    });

    const listed = JSON.stringify({ tools: operations.list() });
    api.get('/api/tools', { config }, async (request, reply) => {
      callerOf(request);
      return reply.type(jsonType).send(listed);
    });

    api.post<{ Params: { name: string }; Querystring: { text?: unknown } }>(
      '/api/tools/:name',
      { config },
      async (request, reply) => {
        const { name } = request.params;
        const answer = await operations.handle({ name, input: request.body ?? {} }, callerOf(request));
        if (wantsText(request)) return reply.type(textType).send(answer.text);
        const json = answerJson(answer);
        if (request.query.text === '1') json.text = answer.text;
        return reply.type(jsonType).send(JSON.stringify(json));
      },
    );

    api.get<{ Querystring: { q?: unknown; limit?: unknown } }>(
      '/api/mentions',
      { config },
      async (request, reply) => {
        const { q = '', limit } = request.query;
        if (typeof q !== 'string') throw parameterInvalid('q', 'one text');
        const mentions = await operations.mentions(q, callerOf(request), limitOf(limit));
        return reply.type(jsonType).send(JSON.stringify(mentions));
      },
    );

    api.post('/api/mentions/expand', { config }, async (request, reply) => {
      const text = await operations.expandMentions(textIn(request.body), callerOf(request));
      return reply.type(jsonType).send(JSON.stringify({ text }));
    });
  });
}

function wantsText(request: FastifyRequest): boolean {
  return request.headers.accept?.startsWith('text/plain') === true;
}

function limitOf(limit: unknown): number {
  if (limit === undefined) return mentionsDefault;
  const count = typeof limit === 'string' && /^\d{1,6}$/.test(limit) ? Number(limit) : 0;
  if (count < 1) throw parameterInvalid('limit', 'a whole number of at least 1');
  return Math.min(count, mentionsMax);
}

function textIn(body: unknown): string {
  if (typeof body !== 'object' || body === null) throw bodyNotJson();
  const text = (body as { text?: unknown }).text;
  if (typeof text !== 'string') throw parameterInvalid('text', 'a text');
  return text;
}

function answerJson({ tool, result, notes, cut, cursor, found }: ToolAnswer): ToolAnswerJson {
  return { tool, result, notes: [...notes], cut, cursor, found };
}
