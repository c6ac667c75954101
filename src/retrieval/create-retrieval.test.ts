import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestRepository } from '../search/engine/testing/small-index.ts';
import { filePattern, languageNamed } from '../search/index.ts';
import type { Extractor } from '../symbols/extractor/create-extractor.ts';
import { type Extraction, graphRepository, testExtractor } from '../symbols/graph/testing/graph-index.ts';
import { crossEncoderUnavailable } from './errors.ts';
import type { CrossEncoder } from './reranking/cross-encoder.ts';
import {
  everyStage,
  letterKind,
  letterVector,
  RetrievalIndex,
  shownHits,
} from './testing/retrieval-index.ts';
import type { RetrievalAnswer } from './types.ts';

let extract: Extraction;
let extractor: Extractor;
beforeAll(async () => {
  ({ extract, extractor } = await testExtractor());
});
afterAll(() => extractor.close());
let index: RetrievalIndex;
afterEach(() => index.close());

const session = `import { store } from './store';

/** Gives an expired session a new token. */
export function refreshSession(session: Session): Session {
  const token = newToken(session.user);
  return { ...session, token };
}

/** A token that nobody can guess. */
export function newToken(user: User): string {
  return randomText(user);
}
`;
const login = `import { refreshSession } from './session';

/** Lets somebody in whose password fits. */
export function login(user: User, password: string) {
  if (!fits(user, password)) throw new Error('no');
  return refreshSession({ user });
}
`;
const mail = `/** Sends a letter to a customer, and waits until the server has taken it. */
export function sendLetter(customer: Customer, text: string) {
  return server.take(customer.address, text);
}
`;
const acme = graphRepository(1, 'acme/app', {
  'src/session.ts': session,
  'src/login.ts': login,
  'src/mail.ts': mail,
  'docs/sessions.md': '# Sessions\n\nAn expired session is refreshed with a new token.\n',
});
const fork = {
  ...graphRepository(2, 'bob/app', { 'src/session.ts': session, 'lib/mail.ts': mail }),
  fork: true,
};

async function created(repositories: readonly TestRepository[] = [acme, fork]): Promise<RetrievalIndex> {
  index = await RetrievalIndex.create(extract);
  await index.publish(repositories);
  return index;
}

const question = 'how is an expired session refreshed?';
const scope = [acme, fork];
const stateOf = ({ stages }: RetrievalAnswer, wanted: string) => stages.find(({ stage }) => stage === wanted);

describe('words alone find what a question is about', () => {
  it('and the answer says that there are no vectors', async () => {
    await created();
    const answer = await index.ask({ question, scope });
    expect(shownHits(answer)[0]).toBe('1:src/session.ts#refreshSession');
    expect(answer.hits[0]!.because[0]).toMatchObject({ by: 'keywords', rank: 1 });
    expect(answer.coverage).toMatchObject({ documents: 6, texts: 4, unread: 0, unchunked: 0, inTable: null });
    expect(stateOf(answer, 'table')).toMatchObject({
      state: 'left-out',
      why: expect.stringMatching(/no vectors are kept/),
    });
    expect(stateOf(answer, 'encoder')).toMatchObject({ state: 'off' });
  });

  it('a chunk of several repositories comes once, with the other places', async () => {
    await created();
    const [first] = (await index.ask({ question, scope })).hits;
    expect(first).toMatchObject({ alsoCount: 1, also: [{ repositoryId: 2, path: 'src/session.ts' }] });
    expect(first!.place).toMatchObject({ repositoryId: 1, startLine: 1, endLine: 8 });
  });

  it('nothing is found where nothing has the words, and before anything is indexed', async () => {
    await created();
    expect((await index.ask({ question: 'zzz qqqq', scope })).hits).toEqual([]);
    const none = await index.ask({ question, scope }, {}, { index: { ask: async () => null } });
    expect(none.coverage).toMatchObject({ documents: 0, unindexed: [1, 2] });
  });

  it('what is not indexed or not cut yet is counted', async () => {
    const branch = {
      ...acme.branches[0]!,
      files: new Map([...acme.branches[0]!.files, ['new.ts', 'pending' as const]]),
    };
    await created([{ ...acme, branches: [branch] }]);
    const answer = await index.ask({ question, scope });
    expect(answer.coverage).toMatchObject({ documents: 5, unread: 1, unindexed: [2] });
  });
});

describe('filters hold for every stage', () => {
  const cases: [string, object, (path: string) => boolean][] = [
    ['paths', { paths: [filePattern(['docs/**'])] }, (path) => path.startsWith('docs/')],
    ['paths left out', { withoutPaths: [filePattern(['src/**'])] }, (path) => !path.startsWith('src/')],
    ['languages', { languages: [languageNamed('markdown')!] }, (path) => path.endsWith('.md')],
    ['kinds', { kinds: ['function'] }, (path) => path.endsWith('.ts')],
  ];
  for (const [title, filters, fits] of cases) {
    it(title, async () => {
      await created();
      await index.embed([acme, fork], () => true);
      const answer = await index.ask({ question, scope, filters }, {}, withLetters());
      const paths = answer.hits.map(({ place }) => place.path);
      expect(paths.length).toBeGreaterThan(0);
      expect(paths.filter((path) => !fits(path))).toEqual([]);
    });
  }

  it('the place that is shown is one that fits', async () => {
    await created();
    const filters = { paths: [filePattern(['lib/**'])] };
    const answer = await index.ask({ question: 'send a letter to a customer', scope, filters });
    expect(shownHits(answer)).toEqual(['2:lib/mail.ts#sendLetter']);
    expect(answer.hits[0]!.alsoCount).toBe(0);
    expect(answer.coverage).toMatchObject({ documents: 1, texts: 1 });
  });
});

function withLetters() {
  return { encoder: { kind: letterKind, embedQuery: async (text: string) => letterVector(text) } };
}

describe('vectors find what no word of the question names', () => {
  it('by the table, of all chunks', async () => {
    await created();
    await index.embed([acme, fork]);
    const answer = await index.ask({
      question: 'dispatch an email message',
      scope,
      ranking: { keywords: false },
    });
    expect(shownHits(answer)).toContain('1:src/mail.ts#sendLetter');
    expect(answer.hits[0]!.because[0]).toMatchObject({ by: 'table', rank: 1 });
    expect(answer.coverage.inTable).toBe(answer.coverage.chunks);
    expect(answer.coverage.encoded).toBeNull();
  });

  it('in one list while the encoder has seen a part, each by the best vector that it has', async () => {
    await created();
    await index.embed([acme, fork], (path) => path === 'src/mail.ts');
    const answer = await index.ask(
      { question: 'letter', scope, ranking: { keywords: false } },
      {},
      withLetters(),
    );
    expect(answer.coverage).toMatchObject({ encoded: 1, inTable: answer.coverage.chunks });
    const by = new Map(answer.hits.map(({ name, because }) => [name, because[0]?.by]));
    expect(by.get('sendLetter')).toBe('encoder');
    expect(by.get('refreshSession')).toBe('table');
  });

  it('in two lists once it has seen everything', async () => {
    await created();
    await index.embed([acme, fork], () => true);
    const answer = await index.ask({ question, scope, ranking: { keywords: false } }, {}, withLetters());
    expect(answer.coverage.encoded).toBe(answer.coverage.chunks);
    expect(answer.hits.every(({ because }) => because.some(({ by }) => by === 'encoder'))).toBe(true);
  });

  for (const [title, embedQuery, why] of [
    ['an encoder that fails', () => Promise.reject(crossEncoderUnavailable('it is away')), /does not answer/],
    ['an encoder that never answers', () => new Promise<never>(() => {}), /within 20 ms/],
  ] as const) {
    it(`${title} is gone on without, and the answer says so`, async () => {
      await created();
      await index.embed([acme, fork], () => true);
      const answer = await index.ask(
        { question, scope },
        { encodeMs: 20 },
        { encoder: { kind: letterKind, embedQuery } },
      );
      expect(shownHits(answer)[0]).toBe('1:src/session.ts#refreshSession');
      expect(stateOf(answer, 'encode-question')).toMatchObject({
        state: 'left-out',
        why: expect.stringMatching(why),
      });
      expect(stateOf(answer, 'encoder')).toMatchObject({
        state: 'left-out',
        why: expect.stringMatching(why),
      });
    });
  }
});

describe('the graph leads on from the first hits', () => {
  it('to who calls them, what they call and what stands beside them', async () => {
    await created();
    const ranking = { scorer: false };
    const answer = await index.ask({ question: 'expired session token', scope: [acme], ranking });
    const reasons = new Map(
      answer.hits.map(({ name, because }) => [name, because.find(({ by }) => by === 'graph')]),
    );
    expect(reasons.get('login')).toEqual({ by: 'graph', relation: 'calls', of: 'refreshSession' });
    expect(reasons.get('newToken')).toEqual({ by: 'graph', relation: 'called', of: 'refreshSession' });
  });
});

describe('where a change is told, files are found by all that they have of it', () => {
  const spread = graphRepository(3, 'acme/queue', {
    'src/worker.ts': `export function startWorker(queue: Queue) {
  return queue.subscribe('retry');
}

export function stopWorker(queue: Queue) {
  return queue.drain('delay');
}

export function workerDelay(queue: Queue) {
  return queue.retry.delay * 2;
}
`,
    'src/once.ts': `export function retryDelay(queue: number) {
  return queue;
}
`,
  });
  const told = 'Limit the retry delay of a worker queue';
  const filesOf = ({ hits }: RetrievalAnswer) => [...new Set(hits.map(({ place }) => place.path))];

  it('the one that is about it in several places comes first, by its best chunk', async () => {
    await created([spread]);
    const ranking = { expansion: false, scorer: false };
    const added = await index.ask({ question: told, scope: [spread], ranking });
    expect(filesOf(added)).toEqual(['src/worker.ts', 'src/once.ts']);
    const each = await index.ask({
      question: told,
      scope: [spread],
      ranking: { ...ranking, files: false },
    });
    expect(added.hits.map(({ name }) => name).sort()).toEqual(each.hits.map(({ name }) => name).sort());
    const ofFile = each.hits.filter(({ place }) => place.path === 'src/worker.ts');
    expect(added.hits[0]!.name).toBe(ofFile[0]!.name);
    expect(added.hits[0]!.score).toBeGreaterThan(ofFile[0]!.score);
    expect(stateOf(added, 'files')).toMatchObject({ state: 'ran', count: added.hits.length });
  });

  it('a question, and one for a kind of symbol, is answered place by place', async () => {
    await created([spread]);
    const asked = await index.ask({ question: 'where is the retry delay of a queue', scope: [spread] });
    expect(stateOf(asked, 'files')).toMatchObject({ state: 'off' });
    const filters = { kinds: ['function'] as const };
    const narrowed = await index.ask({ question: told, scope: [spread], filters });
    expect(stateOf(narrowed, 'files')).toMatchObject({ state: 'off' });
  });
});

describe('each stage can be switched off', () => {
  for (const stage of [
    'keywords',
    'table',
    'encoder',
    'expansion',
    'scorer',
    'files',
    'nearDuplicates',
  ] as const) {
    it(stage, async () => {
      await created();
      await index.embed([acme, fork], () => true);
      const answer = await index.ask({ question, scope, ranking: { [stage]: false } }, {}, withLetters());
      const name = stage === 'nearDuplicates' ? 'near-duplicates' : stage;
      expect(stateOf(answer, name)).toMatchObject({ state: 'off', count: 0 });
      expect(answer.hits.length).toBeGreaterThan(0);
    });
  }

  it('and all of them together find nothing', async () => {
    await created();
    const off = { keywords: false, table: false, encoder: false, expansion: false, scorer: false };
    expect((await index.ask({ question, scope, ranking: off })).hits).toEqual([]);
  });
});

describe('a cross-encoder orders what the scorer left', () => {
  const reading = (scores: CrossEncoder['scores']): CrossEncoder => ({ scores, close: async () => {} });

  it('it reads path, name and text, and its order is the answer', async () => {
    await created();
    const read: string[] = [];
    const crossEncoder = reading(async (_, texts) => {
      read.push(...texts);
      return Float64Array.from(texts, (text) => (text.includes('sendLetter') ? 1 : 0));
    });
    const answer = await index.ask({ question: `${question} letter`, scope }, {}, { crossEncoder });
    expect(shownHits(answer)[0]).toBe('1:src/mail.ts#sendLetter');
    expect(read.some((text) => text.startsWith('src/session.ts\nrefreshSession\nimport'))).toBe(true);
    expect(stateOf(answer, 'cross-encoder')).toMatchObject({ state: 'ran', count: read.length });
  });

  it('without it the order stays, and the answer says why', async () => {
    await created();
    const before = await index.ask({ question, scope });
    const crossEncoder = reading(() => Promise.reject(crossEncoderUnavailable('it is away')));
    const answer = await index.ask({ question, scope }, {}, { crossEncoder });
    expect(answer.hits).toEqual(before.hits);
    expect(stateOf(answer, 'cross-encoder')).toMatchObject({
      state: 'left-out',
      why: expect.stringContaining('away'),
    });
  });

  it('what may not be shown any more is not sent to it', async () => {
    await created();
    const read: string[] = [];
    const crossEncoder = reading(async (_, texts) => {
      read.push(...texts);
      return new Float64Array(texts.length);
    });
    const admits = async (places: readonly { path: string }[]) =>
      places.map(({ path }) => path !== 'src/session.ts');
    const answer = await index.ask({ question, scope, admits }, {}, { crossEncoder });
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter((text) => text.includes('refreshSession(session'))).toEqual([]);
    expect(shownHits(answer).filter((hit) => hit.includes('src/session.ts'))).toEqual([]);
  });
});

describe('where there are too many chunks to encode in advance', () => {
  const candidates = (cosines: (texts: readonly string[]) => Promise<number[]>) => ({
    candidates: {
      cosines: (_: string, list: readonly { text: { name: string; body: string } }[]) =>
        cosines(list.map(({ text }) => `${text.name} ${text.body}`)),
    },
  });

  it('those that a question brings are read for it', async () => {
    await created();
    const reads = candidates(async (texts) => texts.map((text) => (text.includes('sendLetter') ? 9 : 0)));
    const answer = await index.ask({ question: `${question} letter`, scope }, { embeddedMax: 3 }, reads);
    expect(shownHits(answer)[0]).toBe('1:src/mail.ts#sendLetter');
    expect(answer.hits[0]!.features.cosine).toBe(9);
    expect(stateOf(answer, 'encode-candidates')).toMatchObject({ state: 'ran' });
  });

  it('and nothing is read where there are few', async () => {
    await created();
    const reads = candidates(() => Promise.reject(new Error('asked')));
    const answer = await index.ask({ question, scope }, { embeddedMax: 100 }, reads);
    expect(stateOf(answer, 'encode-candidates')).toMatchObject({ state: 'off' });
  });

  it('one that takes too long is not waited for', async () => {
    await created();
    const before = await index.ask({ question, scope });
    const reads = candidates(() => new Promise(() => {}));
    const answer = await index.ask({ question, scope }, { embeddedMax: 3, candidatesMs: 20 }, reads);
    expect(answer.hits).toEqual(before.hits);
    expect(stateOf(answer, 'encode-candidates')).toMatchObject({
      state: 'left-out',
      why: expect.stringContaining('20 ms'),
    });
  });
});

describe('what says nearly the same comes once', () => {
  const many = Array.from({ length: 30 }, (_, at) => `  const part${at} = take(session, ${at});`).join('\n');
  const refresh = (more: string) => `export function renewSession(session: Session) {\n${many}\n${more}}\n`;
  const vendored = graphRepository(3, 'acme/old', { 'vendor/x/renew.ts': refresh('  return 1;\n') });
  const own = graphRepository(1, 'acme/new', { 'src/renew.ts': refresh('') });

  it('the best place of it first, the others named', async () => {
    await created([own, vendored]);
    const all = { question: 'renew session', scope: [own, vendored] };
    const answer = await index.ask(all);
    expect(shownHits(answer)).toEqual(['1:src/renew.ts#renewSession']);
    expect(answer.hits[0]).toMatchObject({
      similarCount: 1,
      similar: [{ repositoryId: 3, path: 'vendor/x/renew.ts' }],
    });
    const each = await index.ask({ ...all, ranking: { ...everyStage, nearDuplicates: false } });
    expect(each.hits.length).toBe(2);
  });
});

describe('a large symbol takes one place', () => {
  const part = (at: number) =>
    `  // Sends piece ${at} of the file to the client.\n  const piece${at} = file.piece(${at});\n  client.send(piece${at}, headers, { etag: ${at}, last: false });\n\n`;
  const large = `/** Sends a file to the client. */\nexport function sendFile(file: File, client: Client) {\n${Array.from({ length: 60 }, (_, at) => part(at)).join('')}}\n`;
  const other = 'export function sendMessage(client: Client) {\n  client.send("hello");\n}\n';

  it('with its further lines named, and others move up', async () => {
    const own = graphRepository(1, 'acme/files', {
      'src/send.ts': large,
      'src/message.ts': other,
      'src/guard.h': '#ifndef SEND_FILE_CLIENT_H\n',
    });
    await created([own]);
    const answer = await index.ask({ question: 'send a file to the client', scope: [own] });
    expect(shownHits(answer)).toEqual([
      '1:src/send.ts#sendFile',
      '1:src/message.ts#sendMessage',
      // Last, though it has every word of the question.
      '1:src/guard.h#',
    ]);
    const [first] = answer.hits;
    expect(first).toMatchObject({ signatureLine: 2, similarCount: 0 });
    expect(first!.slices.length).toBeGreaterThan(2);
  });
});
