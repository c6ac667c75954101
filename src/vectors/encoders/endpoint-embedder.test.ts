import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type EndpointEmbedderOptions, openEndpointEmbedder } from './endpoint-embedder.ts';

/** CreateEmbeddingRequest and CreateEmbeddingResponse of OpenAI's published OpenAPI description. */
const requestSchema = z.strictObject({
  input: z.array(z.string().min(1)).min(1).max(2048),
  model: z.string(),
  encoding_format: z.enum(['float', 'base64']).optional(),
  dimensions: z.int().min(1).optional(),
  user: z.string().optional(),
});
const responseSchema = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()), object: z.literal('embedding') })),
  model: z.string(),
  object: z.literal('list'),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
});
type Answer = z.infer<typeof responseSchema>;
type Handler = (
  body: z.infer<typeof requestSchema>,
  response: ServerResponse,
  request: IncomingMessage,
) => void;

const { signal } = new AbortController();
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(handle: Handler): Promise<EndpointEmbedderOptions> {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    expect([request.method, request.url]).toEqual(['POST', '/v1/embeddings']);
    handle(requestSchema.parse(JSON.parse(Buffer.concat(parts).toString())), response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/embeddings`, model: 'some-model', token: 'secret' };
}

/** By length and first letter, in an order of its own, as the schema allows. */
function answerTo(input: readonly string[], model = 'some-model'): Answer {
  const data = input.map((text, index) => ({
    index,
    object: 'embedding' as const,
    embedding: [text.length, text.charCodeAt(0), 1, 0],
  }));
  return responseSchema.parse({
    object: 'list',
    data: data.reverse(),
    model,
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });
}

function send(response: ServerResponse, value: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
}

const chunk = (body: string) => ({ name: 'n', path: 'p.ts', signature: '', body });
const prepared = (body: string) => `p n\n${body}`;

test('chunks are sent in bounded batches and come back in their order, at length 1', async () => {
  const sizes: number[] = [];
  const tokens = new Set<string | undefined>();
  let underWay = 0;
  let most = 0;
  const options = await serve(({ input }, response, request) => {
    sizes.push(input.length);
    tokens.add(request.headers.authorization);
    underWay += 1;
    most = Math.max(most, underWay);
    setTimeout(() => {
      underWay -= 1;
      send(response, answerTo(input));
    }, 5);
  });
  const embedder = await openEndpointEmbedder({ ...options, textsMax: 4, requestsMax: 2 }, signal);
  const bodies = Array.from({ length: 18 }, (_, i) => 'word '.repeat(i + 1).trim());
  const vectors = await embedder.embedDocuments(bodies.map(chunk), signal);
  vectors.forEach((vector, i) => {
    expect(vector[0]! / vector[2]!).toBeCloseTo(prepared(bodies[i]!).length, 2);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });
  expect(sizes.sort((a, b) => a - b)).toEqual([1, 2, 4, 4, 4, 4]);
  expect(most).toBeLessThanOrEqual(2);
  expect([...tokens]).toEqual(['Bearer secret']);
  expect(embedder.kind).toMatchObject({ dimensions: 4, preparation: 'encoder-1' });
  await embedder.close();
});

test('a busy endpoint is asked again, after as long as it says', async () => {
  let asked = 0;
  const options = await serve(({ input }, response) => {
    asked += 1;
    if (asked === 1) send(response, {}, 429, { 'retry-after': '2' });
    else if (asked === 2) send(response, 'down', 503);
    else send(response, answerTo(input));
  });
  const waits: number[] = [];
  const pause = async (ms: number) => {
    waits.push(ms);
  };
  const embedder = await openEndpointEmbedder({ ...options, dimensions: 4, pause }, signal);
  await embedder.embedDocuments([chunk('a')], signal);
  expect(asked).toBe(3);
  expect(waits).toEqual([2000, 1000]);
  await embedder.close();
});

describe('what is no answer is told, and not tried again', () => {
  const check = (
    title: string,
    code: string,
    answer: (input: readonly string[], response: ServerResponse) => void,
  ) =>
    test(title, async () => {
      let asked = 0;
      const options = await serve(({ input }, response) => {
        asked += 1;
        answer(input, response);
      });
      const embedder = await openEndpointEmbedder({ ...options, dimensions: 4 }, signal);
      const asking = embedder.embedDocuments([chunk('a'), chunk('b')], signal);
      await expect(asking).rejects.toMatchObject({ code, kind: 'unavailable' });
      expect(asked).toBe(1);
      await embedder.close();
    });
  const withData = (data: unknown) => (_: unknown, response: ServerResponse) => send(response, { data });
  const one = (index: number, embedding: unknown) => ({ index, embedding, object: 'embedding' });
  check('a page', 'vectors/endpoint-rubbish', (_, response) => send(response, '<html>'));
  check('no data', 'vectors/endpoint-rubbish', (_, response) => send(response, { ok: true }));
  check('too few vectors', 'vectors/endpoint-rubbish', withData([one(0, [1, 2, 3, 4])]));
  check('one text twice', 'vectors/endpoint-rubbish', withData([one(0, [1, 2, 3, 4]), one(0, [1, 2, 3, 4])]));
  check('another length', 'vectors/endpoint-rubbish', withData([one(0, [1, 2, 3]), one(1, [1, 2, 3])]));
  check('no numbers', 'vectors/endpoint-rubbish', withData([one(0, [1, 2, null, 4]), one(1, [1, 2, 3, 4])]));
  check(
    'nothing but zeros',
    'vectors/endpoint-rubbish',
    withData([one(0, [0, 0, 0, 0]), one(1, [1, 2, 3, 4])]),
  );
  check('a wrong token', 'vectors/endpoint-refused', (_, response) =>
    send(response, { error: { code: 'invalid_api_key', message: 'no' } }, 401),
  );
  check('an unknown model', 'vectors/endpoint-refused', (_, response) => send(response, { error: {} }, 404));
});

test('a question waits no longer than it may', async () => {
  const options = await serve(() => undefined);
  const embedder = await openEndpointEmbedder({ ...options, dimensions: 4, queryTimeoutMs: 60 }, signal);
  await expect(embedder.embedQuery('why', signal)).rejects.toMatchObject({
    code: 'vectors/endpoint-timeout',
    kind: 'timeout',
  });
  await embedder.close();
});

test('an endpoint that is not there is unavailable', async () => {
  const options = await serve(() => undefined);
  server!.close();
  const embedder = await openEndpointEmbedder({ ...options, dimensions: 4, triesMax: 1 }, signal);
  await expect(embedder.embedQuery('why', signal)).rejects.toMatchObject({
    code: 'vectors/endpoint-unavailable',
  });
  await expect(openEndpointEmbedder({ ...options, triesMax: 1 }, signal)).rejects.toMatchObject({
    code: 'vectors/endpoint-unavailable',
  });
  await embedder.close();
});

test('a call that is cancelled ends at once, and asks for nothing more', async () => {
  let asked = 0;
  const controller = new AbortController();
  const options = await serve(() => {
    asked += 1;
    controller.abort();
  });
  const embedder = await openEndpointEmbedder(
    { ...options, dimensions: 4, textsMax: 1, requestsMax: 1 },
    signal,
  );
  const asking = embedder.embedDocuments(['a', 'b', 'c', 'd'].map(chunk), controller.signal);
  await expect(asking).rejects.toMatchObject({ kind: 'cancelled' });
  expect(asked).toBe(1);
  await embedder.close();
});
