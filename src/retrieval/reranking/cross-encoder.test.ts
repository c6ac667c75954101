import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type CrossEncoder, type CrossEncoderOptions, createCrossEncoder } from './cross-encoder.ts';

interface Asked {
  path: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
}

type Reply = (asked: Asked, response: ServerResponse) => void;

let server: Server | null = null;
let encoder: CrossEncoder | null = null;
afterEach(async () => {
  await encoder?.close();
  encoder = null;
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  server = null;
});

/** A real endpoint that answers as it is told, and what it was asked. */
async function serving(reply: Reply, options: Partial<CrossEncoderOptions> = {}): Promise<Asked[]> {
  const asked: Asked[] = [];
  server = createServer((request: IncomingMessage, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        authorization: request.headers.authorization,
        body: JSON.parse(text) as Record<string, unknown>,
      };
      asked.push(one);
      reply(one, response);
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  encoder = createCrossEncoder({
    dialect: 'tei',
    url: `http://127.0.0.1:${port}/rerank`,
    model: null,
    token: null,
    timeoutMs: 5000,
    ...options,
  });
  return asked;
}

function json(value: unknown, status = 200): Reply {
  return (_, response) => response.writeHead(status).end(JSON.stringify(value));
}

const alive = new AbortController().signal;
const texts = ['first', 'second', 'third'];
const scored = () => encoder!.scores('which?', texts, alive);

describe('scores come in the order of the texts', () => {
  it('in the dialect of text-embeddings-inference', async () => {
    const asked = await serving(
      json([
        { index: 2, score: 0.9 },
        { index: 0, score: -3 },
        { index: 1, score: 0.1 },
      ]),
    );
    expect([...(await scored())]).toEqual([-3, 0.1, 0.9]);
    expect(asked).toEqual([
      { path: '/rerank', authorization: undefined, body: { query: 'which?', texts, truncate: true } },
    ]);
  });

  it("in Cohere's, with a model and a token", async () => {
    const asked = await serving(
      json({
        results: [
          { index: 1, relevance_score: 0.5 },
          { index: 0, relevance_score: 0.4 },
          { index: 2, relevance_score: 0.3 },
        ],
      }),
      { dialect: 'cohere', model: 'rerank-1', token: async () => 'k' },
    );
    expect([...(await scored())]).toEqual([0.4, 0.5, 0.3]);
    expect(asked[0]?.authorization).toBe('Bearer k');
    expect(asked[0]?.body).toEqual({ model: 'rerank-1', query: 'which?', documents: texts, top_n: 3 });
  });

  it('of several requests where there are many texts, each cut', async () => {
    const asked = await serving(
      ({ body }, response) => {
        const given = body['texts'] as string[];
        response.end(JSON.stringify(given.map((text, index) => ({ index, score: Number(text) }))));
      },
      { textsMax: 2, charactersMax: 1 },
    );
    const scores = await encoder!.scores('?', ['1x', '2x', '3x', '4x', '5x'], alive);
    expect([...scores]).toEqual([1, 2, 3, 4, 5]);
    expect(asked.length).toBe(3);
  });

  it('nothing is asked for no texts', async () => {
    const asked = await serving(json([]));
    expect((await encoder!.scores('?', [], alive)).length).toBe(0);
    expect(asked).toEqual([]);
  });
});

describe('what is no list of scores is refused', () => {
  const rubbish: [string, unknown][] = [
    ['no list', { error: 'x' }],
    ['nothing', null],
    ['too few', [{ index: 0, score: 1 }]],
    ['one twice', [0, 0, 1].map((index) => ({ index, score: 1 }))],
    ['a place outside', [0, 1, 7].map((index) => ({ index, score: 1 }))],
    ['half a place', [0, 1, 1.5].map((index) => ({ index, score: 1 }))],
    ['a score in words', [0, 1, 2].map((index) => ({ index, score: 'high' }))],
    ['no score', [0, 1, 2].map((index) => ({ index, score: null }))],
    ['the other dialect', { results: [0, 1, 2].map((index) => ({ index, relevance_score: 1 })) }],
  ];
  for (const [title, answer] of rubbish) {
    it(title, async () => {
      await serving(json(answer));
      await expect(scored()).rejects.toMatchObject({ code: 'retrieval/cross-encoder-rubbish' });
    });
  }

  it('a number that JSON cannot hold', async () => {
    await serving((_, response) =>
      response.end('[{"index":0,"score":1e999},{"index":1,"score":1},{"index":2,"score":1}]'),
    );
    await expect(scored()).rejects.toMatchObject({ code: 'retrieval/cross-encoder-rubbish' });
  });

  it('no JSON', async () => {
    await serving((_, response) => response.end('<html>maintenance</html>'));
    await expect(scored()).rejects.toMatchObject({ code: 'retrieval/cross-encoder-rubbish' });
  });

  it('an answer without end', async () => {
    await serving((_, response) => {
      response.writeHead(200);
      const send = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        if (!response.destroyed) response.once('drain', send);
      };
      send();
    });
    await expect(scored()).rejects.toMatchObject({ code: 'retrieval/cross-encoder-rubbish' });
  });
});

describe('an endpoint in trouble is told from a wrong configuration', () => {
  const rows: [number, string][] = [
    [401, 'retrieval/cross-encoder-refused'],
    [422, 'retrieval/cross-encoder-refused'],
    [429, 'retrieval/cross-encoder-unavailable'],
    [503, 'retrieval/cross-encoder-unavailable'],
  ];
  for (const [status, code] of rows) {
    it(`status ${status}`, async () => {
      await serving(json({ error: 'const secret = 1' }, status));
      const fault = await scored().catch((error: unknown) => error);
      expect(fault).toMatchObject({ code });
      expect(String((fault as Error).message)).not.toContain('secret');
    });
  }

  it('down', async () => {
    await serving(json([]));
    await new Promise<void>((resolve) => server!.close(() => resolve()));
    await expect(scored()).rejects.toMatchObject({ code: 'retrieval/cross-encoder-unavailable' });
  });

  it('slow: it is waited for no longer than said', async () => {
    await serving(() => {}, { timeoutMs: 30 });
    await expect(scored()).rejects.toMatchObject({ code: 'retrieval/cross-encoder-timeout' });
  });

  it('a body that never ends comes to the same', async () => {
    await serving(
      (_, response) => {
        response.writeHead(200).write('[');
      },
      { timeoutMs: 30 },
    );
    await expect(scored()).rejects.toMatchObject({ code: 'retrieval/cross-encoder-timeout' });
  });

  it('whoever does not want the answer any more does not wait', async () => {
    const asking = new AbortController();
    await serving(() => asking.abort());
    await expect(encoder!.scores('?', texts, asking.signal)).rejects.toMatchObject({ kind: 'cancelled' });
  });
});
