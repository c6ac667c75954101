import { errorKinds } from '../base/errors.ts';
import type { OperationDescription } from '../operations/index.ts';

type Json = Record<string, unknown>;

/** The HTTP surface as OpenAPI 3.1, whose schemas are the JSON Schema that the operations speak. */
export function openApiDocument(
  operations: readonly OperationDescription[],
  { version, url }: { version: string; url: string },
): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Periscope',
      version,
      description: 'Sight of every repository of an organisation, within what the token may read.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url }],
    security: [{ token: [] }],
    tags: [
      { name: 'tools', description: 'What can be asked.' },
      { name: 'mentions', description: "The picker's data." },
      { name: 'server', description: 'The server itself.' },
    ],
    paths: {
      ...Object.fromEntries(
        operations.map((operation) => [`/api/tools/${operation.name}`, toolPath(operation)]),
      ),
      ...otherPaths,
    },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'psc_..., made by "periscope token create".' },
      },
      parameters: {
        Conversation: {
          name: 'X-Periscope-Conversation',
          in: 'header',
          required: false,
          description: 'Names the conversation, so that repeated calls in it are recognised.',
          schema: { type: 'string', maxLength: 128 },
        },
      },
      responses: { Error: jsonResponse('What failed and the one next action.', ref('schemas', 'Error')) },
      schemas: { Error: errorSchema, Mentions: mentionsSchema },
    },
  };
}

function toolPath(operation: OperationDescription): Json {
  const { name, title, description, inputSchema, outputSchema } = operation;
  const answer = object({
    tool: { type: 'string', description: 'The tool that answered.' },
    result: plain(outputSchema),
    notes: { type: 'array', items: { type: 'string' } },
    cut: { type: 'boolean', description: 'Something was left out; cursor continues.' },
    cursor: { type: ['string', 'null'] },
    found: { type: 'boolean', description: 'Whether there was anything to show.' },
  });
  const text = { type: 'string', description: 'The answer as a model reads it.' };
  return {
    parameters: [
      ref('parameters', 'Conversation'),
      {
        name: 'text',
        in: 'query',
        description: '1 adds the answer as a model reads it.',
        schema: { enum: ['1'] },
      },
    ],
    post: {
      operationId: name,
      tags: ['tools'],
      summary: title,
      description,
      requestBody: { required: false, content: { 'application/json': { schema: plain(inputSchema) } } },
      responses: {
        200: {
          description: 'The answer.',
          content: {
            'application/json': {
              schema: { ...answer, properties: { ...(answer['properties'] as Json), text } },
            },
            'text/plain': { schema: text },
            'text/event-stream': {
              schema: {
                type: 'string',
                description:
                  'Events: first (what is known before the whole, at most once), then answer or error.',
              },
            },
          },
        },
        default: ref('responses', 'Error'),
      },
    },
  };
}

const errorSchema: Json = object({
  error: object({
    kind: { enum: Object.keys(errorKinds) },
    code: { type: 'string' },
    message: { type: 'string' },
    next: { type: 'string', description: 'The one thing to do now.' },
    retry: { type: 'boolean', description: 'Whether the very same call may succeed later.' },
    data: { type: 'object' },
  }),
});

const mentionsSchema: Json = object({
  mentions: {
    type: 'array',
    items: object({
      name: { type: 'string' },
      host: { type: 'string' },
      defaultBranch: { type: ['string', 'null'] },
      insert: { type: 'string', description: 'What to put into the message.' },
    }),
  },
  reason: { type: ['string', 'null'], description: 'Why the list may be short or empty.' },
});

const otherPaths: Json = {
  '/api/tools': {
    get: operation('listTools', 'tools', 'Every tool with its schemas', { type: 'object' }),
  },
  '/api/mentions': {
    get: {
      ...operation('listMentions', 'mentions', 'Repositories to mention', ref('schemas', 'Mentions')),
      parameters: [
        { name: 'q', in: 'query', schema: { type: 'string' }, description: 'Part of the name.' },
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 200, default: 20 } },
      ],
    },
  },
  '/api/mentions/expand': {
    post: {
      ...operation(
        'expandMentions',
        'mentions',
        'What a model is told about the repositories that a text mentions',
        object({ text: { type: 'string' } }),
      ),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: object({ text: { type: 'string' } }) } },
      },
    },
  },
  '/api/repositories/{name}/changed': {
    post: {
      operationId: 'repositoryChanged',
      tags: ['repositories'],
      summary: 'Says that a repository has changed, so that it is looked at now; once a second at most',
      parameters: [
        {
          name: 'name',
          in: 'path',
          required: true,
          schema: { type: 'string' },
          description: 'owner/name; the slash may be written as %2F.',
        },
      ],
      responses: {
        202: jsonResponse('Taken.', object({ repository: { type: 'string' } })),
        default: ref('responses', 'Error'),
      },
    },
  },
  '/api/repositories/{name}/scip': {
    post: {
      operationId: 'uploadScip',
      tags: ['repositories'],
      summary:
        'Takes in the SCIP index of a commit, in place of what was said of it before; needs the scope admin',
      parameters: [
        {
          name: 'name',
          in: 'path',
          required: true,
          schema: { type: 'string' },
          description: 'owner/name; the slash may be written as %2F.',
        },
        {
          name: 'commit',
          in: 'query',
          required: true,
          schema: { type: 'string', pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$' },
          description: 'The whole id of the commit that was indexed.',
        },
        {
          name: 'root',
          in: 'query',
          schema: { type: 'string' },
          description: 'Folder that the index was made in, where that is not the whole repository.',
        },
      ],
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
      responses: {
        200: jsonResponse(
          'What was kept.',
          object({
            repository: { type: 'string' },
            commit: { type: 'string' },
            documents: { type: 'integer' },
            occurrences: { type: 'integer' },
            symbols: { type: 'integer' },
            leftOut: {
              type: 'object',
              description:
                'Counted: paths and places that the commit does not have, symbols that cannot be read.',
            },
            maskedNames: { type: 'integer', description: 'Names that looked like credentials.' },
            published: {
              type: 'boolean',
              description: 'False: the process that writes the index takes it over as soon as it can.',
            },
          }),
        ),
        default: ref('responses', 'Error'),
      },
    },
  },
  '/api/traces': {
    get: {
      operationId: 'listTraces',
      tags: ['administration'],
      summary:
        'Searches by meaning that were kept, newest first: those whose every place the asker may see; needs the scope admin',
      parameters: [
        {
          name: 'limit',
          in: 'query',
          schema: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
          description: 'Most searches in the answer.',
        },
        {
          name: 'before',
          in: 'query',
          schema: { type: 'integer', minimum: 1 },
          description: 'Goes on behind the search of this id.',
        },
        {
          name: 'since',
          in: 'query',
          schema: { type: 'integer', minimum: 1 },
          description: 'Only searches since then, in milliseconds since 1970.',
        },
        {
          name: 'account',
          in: 'query',
          schema: { type: 'string' },
          description: 'Only searches of this account.',
        },
        {
          name: 'used',
          in: 'query',
          schema: { type: 'string', enum: ['1'] },
          description: '1: only searches of which a place was read or walked from afterwards.',
        },
      ],
      responses: {
        200: jsonResponse(
          'The searches, with their places, scores and features.',
          object({ traces: { type: 'array', items: { type: 'object' } } }),
        ),
        default: ref('responses', 'Error'),
      },
    },
  },
  '/healthz': {
    get: { ...operation('health', 'server', 'Whether the process lives', { type: 'object' }), security: [] },
  },
  '/readyz': {
    get: {
      ...operation('readiness', 'server', 'Whether it can answer, and what is missing (503)', {
        type: 'object',
      }),
      security: [],
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      tags: ['server'],
      summary: 'Figures for Prometheus; needs the scope admin',
      responses: {
        200: { description: 'Prometheus text.', content: { 'text/plain': { schema: { type: 'string' } } } },
        default: ref('responses', 'Error'),
      },
    },
  },
};

function operation(operationId: string, tag: string, summary: string, schema: Json): Json {
  return {
    operationId,
    tags: [tag],
    summary,
    responses: { 200: jsonResponse(summary, schema), default: ref('responses', 'Error') },
  };
}

function jsonResponse(description: string, schema: Json): Json {
  return { description, content: { 'application/json': { schema } } };
}

function object(properties: Json): Json {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function ref(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The dialect is said once for the whole document. */
function plain({ $schema: _dialect, ...schema }: Json): Json {
  return schema;
}
