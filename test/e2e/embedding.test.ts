import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CountingEndpoint,
  startCountingEndpoint,
} from '../../src/indexing/testing/counting-endpoint.ts';
import { createLinked, type LinkedRepositories } from './support/linked-repositories.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

let linked: LinkedRepositories;
let endpoint: CountingEndpoint;
let periscope: RunningPeriscope;

beforeAll(async () => {
  linked = createLinked();
  endpoint = await startCountingEndpoint();
  periscope = await startPeriscope({
    indexed: 'always',
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [linked.folder] }],
      access: {
        rules: [
          { effect: 'allow', people: ['ada'], repositories: ['acme/retry', 'acme/shop'] },
          { effect: 'allow', people: ['eve'], repositories: ['**'] },
        ],
      },
      embedding: { model: 'endpoint', endpoint: { url: endpoint.url, model: 'counting', dimensions: 8 } },
      retrieval: { encodeTimeout: '5s' },
    },
  });
  const isEncoded = () => periscope.app.indexing.progress().embedding?.encoder?.state === 'done';
  for (let looks = 0; !isEncoded() && looks < 6000; looks++) await sleep(10);
  expect(periscope.app.indexing.progress().embedding?.encoder).toMatchObject({
    state: 'done',
    problem: null,
  });
  // Searches look for new vectors once a second.
  await sleep(1100);
}, 180_000);
afterAll(async () => {
  await periscope?.stop();
  await endpoint?.close();
  linked?.remove();
});

async function call(tool: string, input: Record<string, unknown>, subject = 'ada') {
  const { token } = await periscope.token(subject);
  const conversation = await periscope.conversation(token);
  return conversation.call(tool, input);
}

describe('a server embeds by itself', () => {
  it('every chunk, by the table and by the encoder, and answers with both', async () => {
    const { result } = await call('search', { question: 'how often does a checkout try again?' });
    const { chunks, ...coverage } = result['coverage'] as { chunks: number };
    expect(chunks).toBeGreaterThan(0);
    expect(coverage).toMatchObject({ inTable: chunks, encoded: chunks });
    const states = (result['stages'] as { stage: string; state: string }[]).map(({ stage, state }) => [
      stage,
      state,
    ]);
    expect(Object.fromEntries(states)).toMatchObject({
      'encode-question': 'ran',
      table: 'ran',
      encoder: 'ran',
    });
  });

  it('and says how far it is, of each repository that the asker may see', async () => {
    const { result, text } = await call('codesearch_repos', {});
    const repositories = result['repositories'] as { index: { embedding: { chunks: number } } }[];
    expect(repositories).toHaveLength(2);
    for (const { index } of repositories) {
      const { chunks } = index.embedding;
      expect(index.embedding).toEqual({ chunks, inTable: chunks, encoded: chunks });
    }
    expect(text.match(/found by meaning: 100 % {2}encoded: 100 %/g)).toHaveLength(2);
  });

  it('a question is answered in time while the endpoint is down, and says what is missing', async () => {
    endpoint.answersWith(() => ({ status: 503, body: '' }));
    const { result, text } = await call('search', { question: 'where is a card charged?' });
    endpoint.answersWith(null);
    expect((result['hits'] as unknown[]).length).toBeGreaterThan(0);
    expect(text).toMatch(/Answered without the encoder/);
  });
});
