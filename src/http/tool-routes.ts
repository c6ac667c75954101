import type { FastifyInstance, FastifyRequest } from 'fastify';
import { asPeriscopeError } from '../base/errors.ts';
import type { ToolAnswerJson } from '../contract/index.ts';
import type { Listen, ToolAnswer } from '../operations/index.ts';
import { errorAnswer } from './error-answer.ts';
import { bodyNotJson, parameterInvalid } from './errors.ts';
import type { EventStreams } from './event-stream.ts';
import { eventsType, jsonType, textType } from './media-types.ts';
import { callerOf } from './request-context.ts';
import type { HttpDeps } from './types.ts';

const mentionsDefault = 20;
const mentionsMax = 200;

/** The operations over JSON, and the picker's data. */
export function addToolRoutes(app: FastifyInstance, deps: HttpDeps, streams: EventStreams): void {
  const { operations } = deps;
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
        const call = { name: request.params.name, input: request.body ?? {} };
        const caller = callerOf(request);
        const json = (answer: ToolAnswer) => answerJson(answer, request.query.text === '1');
        if (wants(request, eventsType)) {
          const events = answerEvents((listen) => operations.handle(call, caller, listen), json);
          await streams.send(reply, {
            status: 200,
            headers: { 'content-type': eventsType },
            events,
            recheck: () => deps.authenticate(request.periscope.asker!.credential),
          });
          return reply;
        }
        const answer = await operations.handle(call, caller);
        if (wants(request, 'text/plain')) return reply.type(textType).send(answer.text);
        return reply.type(jsonType).send(JSON.stringify(json(answer)));
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

function wants(request: FastifyRequest, mediaType: string): boolean {
  return request.headers.accept?.startsWith(mediaType) === true;
}

/** `first` where something is known before the whole, then `answer`; or `error`, in the form that a response would have. */
function answerEvents(
  handle: (listen: Listen) => Promise<ToolAnswer>,
  json: (answer: ToolAnswer) => ToolAnswerJson,
): ReadableStream<Uint8Array> {
  let ended = false;
  return new ReadableStream({
    async start(stream) {
      const send = (event: string, data: string) => {
        if (!ended) stream.enqueue(Buffer.from(`event: ${event}\ndata: ${data}\n\n`));
      };
      try {
        const answer = await handle({ onFirst: (first) => send('first', JSON.stringify(json(first))) });
        send('answer', JSON.stringify(json(answer)));
      } catch (fault) {
        send('error', errorAnswer(asPeriscopeError(fault)).body);
      }
      if (!ended) stream.close();
    },
    cancel() {
      ended = true;
    },
  });
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

function answerJson(
  { tool, result, notes, cut, cursor, found, text }: ToolAnswer,
  withText: boolean,
): ToolAnswerJson {
  return { tool, result, notes: [...notes], cut, cursor, found, ...(withText ? { text } : {}) };
}
