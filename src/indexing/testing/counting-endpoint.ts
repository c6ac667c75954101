import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OpenAI-compatible endpoint of embeddings that counts what it is sent. Its vectors depend on the text alone. */
export interface CountingEndpoint {
  url: string;
  /** How often each text came. */
  texts: Map<string, number>;
  requests(): number;
  /** What it does with a request: null answers as it should. */
  answersWith(fault: ((texts: readonly string[]) => { status: number; body: string } | null) | null): void;
  close(): Promise<void>;
}

export async function startCountingEndpoint(dimensions = 8): Promise<CountingEndpoint> {
  const texts = new Map<string, number>();
  let requests = 0;
  let fault: ((texts: readonly string[]) => { status: number; body: string } | null) | null = null;
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString('utf8');
    });
    request.on('end', () => {
      const { input } = JSON.parse(body) as { input: string[] };
      requests += 1;
      const answer = fault?.(input) ?? null;
      if (answer !== null) {
        response.writeHead(answer.status).end(answer.body);
        return;
      }
      for (const text of input) texts.set(text, (texts.get(text) ?? 0) + 1);
      const data = input.map((text, index) => ({ index, embedding: letters(text, dimensions) }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/embeddings`,
    texts,
    requests: () => requests,
    answersWith(next) {
      fault = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function letters(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.01);
  for (const letter of text) vector[letter.charCodeAt(0) % dimensions]! += 1;
  return vector;
}
