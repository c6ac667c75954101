import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../src/base/errors.ts';
import { createLinked, type LinkedRepositories } from './support/linked-repositories.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

let linked: LinkedRepositories;
let periscope: RunningPeriscope;
let reranker: Server;
/** What the reranking endpoint answers with. */
let rerank: (texts: readonly string[]) => unknown = () => null;
let read: string[] = [];

beforeAll(async () => {
  linked = createLinked();
  reranker = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const { texts } = JSON.parse(text) as { texts: string[] };
      read = texts;
      const answer = rerank(texts);
      if (answer !== null) response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => reranker.listen(0, '127.0.0.1', resolve));
  const { port } = reranker.address() as AddressInfo;
  periscope = await startPeriscope({
    indexed: 'once',
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [linked.folder] }],
      access: {
        rules: [
          { effect: 'allow', people: ['ada'], repositories: ['acme/retry', 'acme/shop', 'acme/go*'] },
          { effect: 'allow', people: ['eve'], repositories: ['**'] },
        ],
      },
      retrieval: {
        crossEncoder: { dialect: 'tei', url: `http://127.0.0.1:${port}/rerank`, timeout: '200ms' },
      },
    },
  });
}, 180_000);
afterAll(async () => {
  await periscope?.stop();
  reranker?.closeAllConnections();
  reranker?.close();
  linked?.remove();
});

async function ask(input: Record<string, unknown>, subject = 'ada') {
  const { token } = await periscope.token(subject);
  const { call } = await periscope.conversation(token);
  return call('search', input);
}

const inOrder = (texts: readonly string[]) => texts.map((_, index) => ({ index, score: -index }));

describe('a question is answered by places with reasons', () => {
  it('labelled, with lines, what was searched and the next step', async () => {
    rerank = inOrder;
    const { text, result } = await ask({ question: 'how often does a checkout try again?' });
    expect(text).toMatch(/^\d+ places? for "how often does a checkout try again\?" \(searched \d repositor/);
    expect(text).toContain('Next: read_file {"repo": ');
    expect(text).toMatch(/found by words: /);
    expect(text).toMatch(/acme\/shop@main \(commit [0-9a-f]{10}\)\n/);
    expect(text).not.toMatch(/vault/i);
    const hits = result['hits'] as { repository: string; path: string; lines: { line: number }[] }[];
    expect(hits[0]).toMatchObject({ repository: 'acme/shop', startLine: expect.any(Number) });
    expect(hits[0]!.lines.length).toBeGreaterThan(0);
    expect(result['coverage']).toMatchObject({ unindexed: [], unread: 0, unchunked: 0 });
  });

  it('filters narrow it', async () => {
    rerank = inOrder;
    const { result } = await ask({ question: 'try again', lang: ['go'], kind: ['function'] });
    const hits = result['hits'] as { path: string; kind: string }[];
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.every(({ path, kind }) => path.endsWith('.go') && kind === 'function')).toBe(true);
  });

  it('explained, it says what each stage took', async () => {
    rerank = inOrder;
    const { text } = await ask({ question: 'try again', explain: true });
    expect(text).toMatch(/stages: keywords [\d.]+ ms \(\d+\), /);
  });

  it('without a question there is nothing to find', async () => {
    const fault = await ask({ question: '  ' }).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: 'operations/question-missing' });
    expect(fault).toBeInstanceOf(PeriscopeError);
  });

  it('a cut answer goes on where it ended', async () => {
    rerank = inOrder;
    const asked = { question: 'try again', max_tokens: 300 };
    const first = await ask(asked);
    expect(first.cursor).not.toBeNull();
    const rest = await ask({ cursor: first.cursor });
    const shown = ({ result }: typeof first) =>
      (result['hits'] as { path: string; startLine: number }[]).map(
        ({ path, startLine }) => `${path}:${startLine}`,
      );
    expect(shown(rest).length).toBeGreaterThan(0);
    expect(shown(rest).filter((place) => shown(first).includes(place))).toEqual([]);
  });
});

describe('a question that is none', () => {
  for (const question of ['???!!!', 'how is the what of it', 'qwoeiu zmxncb']) {
    it(`${question} is told to be far from everything, with no next step`, async () => {
      rerank = inOrder;
      const { text, result } = await ask({ question });
      expect(text).toMatch(/English words work best/);
      expect(text).not.toContain('Next:');
      expect(result['near']).toBe(false);
    });
  }
});

describe('filters within a question', () => {
  it('are taken as the parameters, and the answer says so', async () => {
    rerank = inOrder;
    const { text, result } = await ask({ question: 'try again lang:go repo:acme/go*' });
    const hits = result['hits'] as { repository: string; path: string }[];
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.every(({ repository, path }) => path.endsWith('.go') && /^acme\/go/.test(repository))).toBe(
      true,
    );
    expect(text).toContain('Taken out of the question as filters: lang:go, repo:acme/go*.');
  });
});

describe('what looks exact goes to codesearch', () => {
  it('and the answer says so', async () => {
    const { text, result } = await ask({ question: 'CheckoutRetrier' });
    expect(text).toContain('looks like an identifier, so codesearch answered');
    expect(result['answeredBy']).toBe('codesearch');
    expect((result['files'] as { path: string }[]).length).toBeGreaterThan(0);
  });

  it('of a pasted stack trace the frame whose file is here', async () => {
    const trace =
      'TypeError: no text says this\n    at run (/srv/src/checkout.ts:1:1)\n    at main (/srv/x/y.js:2:1)';
    const { text, result } = await ask({ question: trace });
    expect(text).toContain(
      'Its message stands nowhere just so. That is its innermost frame; the other one was left aside.',
    );
    expect(result['answeredBy']).toBe('codesearch');
  });

  it('what stands nowhere just so is looked for by meaning', async () => {
    rerank = inOrder;
    const { text, result } = await ask({ question: 'checkoutRetrierFactory' });
    expect(text).toContain('stands nowhere just so');
    expect(result['answeredBy']).toBe('search');
  });
});

describe('an endpoint that reranks', () => {
  it('orders the answer', async () => {
    rerank = (texts) => texts.map((text, index) => ({ index, score: text.includes('.go\n') ? 1 : 0 }));
    const { result } = await ask({ question: 'try again' });
    expect((result['hits'] as { path: string }[])[0]!.path).toMatch(/\.go$/);
    expect(read.join()).not.toMatch(/vault/i);
  });

  for (const [title, answer, said] of [
    ['that is slow is not waited for', () => null, 'did not answer within 200 ms'],
    ['that answers rubbish is not believed', () => ({ ok: true }), 'no list of scores'],
  ] as const) {
    it(title, async () => {
      rerank = answer;
      const { text, found } = await ask({ question: 'how often does a checkout try again?' });
      expect(found).toBe(true);
      expect(text).toContain('Answered without reranking by the cross-encoder: ');
      expect(text).toContain(said);
    });
  }
});
