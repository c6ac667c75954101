import type { FastifyInstance } from 'fastify';
import type { Operations } from '../operations/index.ts';
import { apiPage, apiPagePolicy } from './api-page.ts';
import { htmlType, jsonType } from './media-types.ts';
import { openApiDocument } from './openapi.ts';
import { callerOf } from './request-context.ts';

/** The API told of itself. Both documents are made once. */
export function addDocumentRoutes(
  app: FastifyInstance,
  operations: Operations,
  { version, publicUrl }: { version: string; publicUrl: string | null },
): void {
  const config = { scope: 'read' as const };
  const document = JSON.stringify(openApiDocument(operations.list(), { version, url: publicUrl ?? '/' }));
  const page = apiPage(operations.list(), publicUrl ?? '');

  app.get('/openapi.json', { config }, async (request, reply) => {
    callerOf(request);
    return reply.type(jsonType).send(document);
  });
  app.get('/api', { config }, async (request, reply) => {
    callerOf(request);
    return reply.type(htmlType).header('content-security-policy', apiPagePolicy).send(page);
  });
}
