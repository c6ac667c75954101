import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answerer,
  evaluate,
  exportedPair,
  type LabelledPair,
  parsePairs,
  proveWeights,
  type RankingSettings,
  rankingOf,
} from '../../src/retrieval/index.ts';
import { plantedSecrets } from '../../src/secrets/testing/planted-secrets.ts';
import { createLinked, type LinkedRepositories } from './support/linked-repositories.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

let linked: LinkedRepositories;
let periscope: RunningPeriscope;

beforeAll(async () => {
  linked = createLinked();
  periscope = await startPeriscope({
    indexed: 'once',
    serve: true,
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [linked.folder] }],
      access: {
        rules: [
          { effect: 'allow', people: ['ada'], repositories: ['acme/retry', 'acme/shop', 'acme/go*'] },
          { effect: 'allow', people: ['eve', 'root'], repositories: ['**'] },
        ],
      },
      traces: { optOut: { accounts: ['quiet'] } },
    },
  });
}, 180_000);
afterAll(async () => {
  await periscope?.stop();
  linked?.remove();
});

const conversationOf = async (subject: string) =>
  periscope.conversation((await periscope.token(subject)).token);
const kept = (more: Record<string, unknown> = {}) =>
  periscope.app.programs.listTraces({ limit: 1000, ...more }, periscope.app.localCaller());
const question = 'how often does a checkout try again?';

type Hit = { repository: string; path: string; startLine: number; endLine: number };
const hitsOf = ({ result }: { result: Record<string, unknown> }) => result['hits'] as Hit[];

describe('a search by meaning', () => {
  it('is kept, and what is read of it in the same conversation is attached to it', async () => {
    const { call, caller } = await conversationOf('eve');
    const hits = hitsOf(await call('search', { question, lang: ['typescript'], limit: 5 }));
    const [first] = hits;
    await call('read_file', {
      repo: first!.repository,
      path: first!.path,
      offset: first!.startLine,
      limit: 3,
    });
    await call('graph', {
      repo: [first!.repository],
      path: first!.path,
      line: first!.startLine,
      relation: 'outline',
    });
    // In another conversation, and of what was not cited: attached to nothing.
    const other = await conversationOf('eve');
    await other.call('fetch_file', { repo: first!.repository, path: first!.path });
    await call('read_file', { repo: first!.repository, path: 'package.json' }).catch(() => null);

    const [trace] = await kept({ account: caller.account });
    expect(trace).toMatchObject({
      question,
      conversation: caller.conversation.id,
      parameters: { lang: ['typescript'], limit: 5 },
      narrowedTo: null,
    });
    expect(trace!.ranking).toContain('keywords');
    expect(trace!.citations.map(({ path: of }) => of)).toEqual(hits.map(({ path: of }) => of));
    expect(trace!.citations[0]!.usedBy).toContain('read_file');
    expect(trace!.citations[0]!.features['termCoverage']).toBeGreaterThan(0);
    const unused = trace!.citations.filter(({ path: of }) => of !== first!.path);
    expect(unused.flatMap(({ usedBy }) => usedBy)).toEqual([]);
  });

  it('that codesearch answered, that failed, or that an account opted out of is not kept', async () => {
    const before = (await kept()).length;
    const { call } = await conversationOf('eve');
    await call('search', { question: 'CheckoutRetrier' });
    await call('search', { question: 'try again', repo: ['acme/nowhere'] }).catch(() => null);
    await (await conversationOf('quiet')).call('search', { question });
    expect(await kept()).toHaveLength(before);
  });

  it('is kept once, also when its later pages are read', async () => {
    const { call } = await conversationOf('ada');
    const before = (await kept()).length;
    const first = await call('search', { question: 'try again', max_tokens: 300 });
    if (first.cursor) await call('search', { cursor: first.cursor });
    expect(await kept()).toHaveLength(before + 1);
  });
});

describe('kept searches over HTTP', () => {
  const asked = async (subject: string, scopes: readonly ('read' | 'admin')[], query = '') => {
    const { token } = await periscope.token(subject, { scopes });
    const response = await fetch(`${periscope.url}/api/traces${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const body = (await response.json()) as { traces?: { question: string }[] };
    return { status: response.status, body };
  };

  it('are for administrators, and never show more than these may see themselves', async () => {
    const { call } = await conversationOf('eve');
    const hits = hitsOf(
      await call('search', { question: 'who keeps the keys of the vault and tries again' }),
    );
    expect(hits.map(({ repository }) => repository)).toContain('acme/vault');
    expect((await asked('ada', ['read'])).status).toBe(403);
    const seen = await asked('ada', ['read', 'admin']);
    expect(seen.status).toBe(200);
    expect(seen.body.traces!.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen.body)).not.toMatch(/vault/i);
    const all = await asked('root', ['read', 'admin']);
    expect(JSON.stringify(all.body)).toMatch(/acme\/vault/);
    expect((await asked('root', ['read', 'admin'], '?limit=0')).status).toBe(400);
    expect((await asked('root', ['read', 'admin'], '?limit=1')).body.traces).toHaveLength(1);
  });
});

describe('what is kept', () => {
  it('holds no line of the indexed code and no planted credential, to the byte', async () => {
    const { call } = await conversationOf('eve');
    const lines = new Set<string>();
    for (const [name, repository] of [
      ['acme/retry', linked.retry],
      ['acme/shop', linked.shop],
    ] as const) {
      for (const of of repository.git(['ls-tree', '-r', '--name-only', 'main']).trim().split('\n')) {
        const { result } = await call('fetch_file', { repo: name, path: of, max_tokens: 20_000 });
        const text = (result['lines'] as string[] | undefined) ?? [];
        for (const line of text) lines.add(line.trim());
        await call('search', { question: `what does this do?\n${text.join('\n')}`.slice(0, 3900) });
      }
    }
    for (const line of lines) if (line !== '') await call('search', { question: `where else is ${line}` });
    const planted = plantedSecrets(21).filter(({ text }) => text.length < 2000);
    for (const { text } of planted) await call('search', { question: `it fails with ${text}\nwhy` });
    expect((await kept()).length).toBeGreaterThan(50);

    const bytes = ['periscope.db', 'periscope.db-wal']
      .map((name) => readFileSync(path.join(periscope.dataFolder, name), 'latin1'))
      .join('\n');
    const rows = JSON.stringify(await kept());
    const held = [...lines].filter(
      (line) => line.length >= 12 && line.includes(' ') && (bytes.includes(line) || rows.includes(line)),
    );
    expect(held).toEqual([]);
    const leaked = planted.filter(({ secret }) => bytes.includes(secret) || rows.includes(secret));
    expect(leaked.map(({ kind }) => kind)).toEqual([]);
  });
});

describe('an evaluation on the running index', () => {
  const { signal } = new AbortController();
  const answer: Answerer<RankingSettings> = (pair, ranking, { limit }) =>
    periscope.app.trials.rankedPlaces(pair, ranking, limit, periscope.app.localCaller());

  it('replays exported pairs: what was read is found again', async () => {
    const traces = await kept({ used: true });
    const exported = traces.flatMap(
      (trace) => exportedPair(trace, (id) => trace.repositories[id] ?? null) ?? [],
    );
    expect(exported.length).toBeGreaterThan(0);
    const pairs = parsePairs(exported.map((pair) => JSON.stringify(pair)).join('\n'), 'exported');
    const before = (await kept()).length;
    const ranking = periscope.app.ranking!;
    const { compared, stages } = await evaluate(
      pairs,
      { first: rankingOf('keywords', ranking), second: ranking },
      answer,
      { signal, stages: true },
    );
    expect(compared).toMatchObject({ questions: pairs.length, failed: 0 });
    expect(compared.second['recall@10']).toBeGreaterThan(0);
    expect(stages[0]).toMatchObject({ stage: 'keywords', gain: { first: { MRR: 0 } } });
    expect(stages.at(-1)!.gain.second).toEqual(compared.second);
    // Nothing of an evaluation is kept.
    expect(await kept()).toHaveLength(before);
  });

  it('fits weights to real features, and says what it found', async () => {
    const { places: hits } = await answer(
      { question, repositories: null, parameters: {} },
      periscope.app.ranking!,
      {
        ...{ limit: 50, signal },
      },
    );
    const pairs = Array.from({ length: 80 }, (_, at): LabelledPair => {
      const { repository, path: of, lines } = hits[at % hits.length]!;
      const wanted = [{ repository, path: of, lines }];
      return { question: `${question} ${of} ${at}`, repositories: null, parameters: {}, wanted };
    });
    const proof = await proveWeights(pairs, periscope.app.ranking!, answer, { signal, at: new Date(0) });
    expect(proof.verdict).not.toBe('too-few');
    if (proof.verdict === 'too-few') return;
    expect(proof.fitted.lossAfter).toBeLessThanOrEqual(proof.fitted.lossBefore);
    expect(proof.verdict).toBe(proof.heldOut.difference.MRR.low > 0 ? 'gain' : 'no-gain');
  });
});

it('questions, chunks, vectors and traces are counted for monitoring', async () => {
  const { token } = await periscope.token('root', { scopes: ['read', 'admin'] });
  const page = await fetch(`${periscope.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const text = await page.text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  expect(metric('periscope_meaning_questions_total')).toBeGreaterThan(50);
  expect(metric('periscope_traces_kept_total')).toBeGreaterThan(50);
  for (const name of [
    'periscope_index_chunks',
    'periscope_index_vectors_table',
    'periscope_index_vectors_encoder',
    'periscope_encoder_chunks_total',
    'periscope_encoder_failures_total',
    'periscope_meaning_questions_without_encoder_total',
    'periscope_traces_dropped_total',
  ])
    expect(metric(name), name).toBeGreaterThanOrEqual(0);
});

describe('a path that is opted out later', () => {
  it('is cited to nobody any more, from the commit on', async () => {
    const cited = async () =>
      (await kept()).flatMap(({ citations, repositories }) =>
        citations.map((of) => `${repositories[of.repositoryId]}:${of.path}`),
      );
    const shop = (await cited()).filter((one) => one.includes('acme/shop:'));
    expect(shop.length).toBeGreaterThan(0);
    linked.shop.commit({ '.periscope/ignore': '*\n!.periscope\n' });
    expect((await cited()).filter((one) => one.includes('acme/shop:'))).toEqual([]);
    expect((await cited()).filter((one) => one.includes('acme/retry:')).length).toBeGreaterThan(0);
  });
});
