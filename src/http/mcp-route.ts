import type { FastifyInstance } from 'fastify';
import type { McpHttpRequest } from '../mcp/index.ts';
import type { EventStreams } from './event-stream.ts';
import { callerOf } from './request-context.ts';
import type { HttpDeps } from './types.ts';

interface ParsedBody {
  text: string;
  /** Undefined where the text is no JSON: the protocol has its own words for that. */
  json: unknown;
}

/** One address for both generations of MCP. */
export function addMcpRoute(app: FastifyInstance, deps: HttpDeps, streams: EventStreams): void {
  app.register(async (mcp) => {
    mcp.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text: string, done) =>
      done(null, { text, json: jsonOf(text) } satisfies ParsedBody),
    );

    mcp.route<{ Body: ParsedBody | undefined }>({
      method: ['POST', 'GET', 'DELETE'],
      url: '/mcp',
      config: { scope: 'read' },
      handler: async (request, reply) => {
        const asked: McpHttpRequest = {
          method: request.method,
          headers: request.headers,
          text: request.body?.text ?? '',
          json: request.body?.json,
          signal: request.periscope.cancel.signal,
        };
        const caller = callerOf(request, deps.mcp.factsOf(asked));
        const { status, headers, body } = await deps.mcp.handle(asked, caller);
        if (body instanceof Uint8Array) return reply.code(status).headers(headers).send(body);
        const { credential } = request.periscope.asker!;
        await streams.send(reply, {
          status,
          headers,
          events: body,
          recheck: () => deps.authenticate(credential),
        });
        return reply;
      },
    });
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
