import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languageNamed } from '../documents/languages.ts';
import type { CodeSearch, FoundFile, ScopeRepository, SearchAnswer, SearchRequest } from '../engine/types.ts';
import type { QueryNode } from '../queries/types.ts';
import { createZoektSearch, type ZoektOptions } from './create-zoekt-search.ts';
import { type TestedServers, testedServers } from './testing/recorded-zoekt.ts';

const files = {
  'src/login.go':
    'package main\n\n// Login checks a password.\nfunc Login(name string) bool {\n\treturn name != ""\n}\n',
  'README.md': '# api\nlogin here\r\n\u00e9tude login\n',
  'docs/long.txt': `${'x'.repeat(300)} needle ${'y'.repeat(300)}\n`,
};
const fixtures = {
  a: {
    'acme/api': {
      main: files,
      release: { 'src/login.go': 'package main\nfunc Login() {}\n', 'README.md': files['README.md'] },
    },
    'acme/web': { main: { 'login.ts': 'export const login = 1;\n', 'src/app.ts': 'login();\n' } },
    'secret/vault': { main: { 'src/login.go': 'func Login() { secret() }\n', 'login.ts': 'login\n' } },
  },
  b: { 'tools/cli': { trunk: { 'main.go': 'package main\nfunc main() { Login() }\n' } } },
};

const repository = (id: number, name: string, more: Partial<ScopeRepository> = {}): ScopeRepository => {
  return { id, host: 'forge', name, archived: false, fork: false, ...more };
};
const all = [
  repository(1, 'acme/api'),
  repository(2, 'acme/web', { fork: true }),
  repository(3, 'tools/cli'),
  repository(4, 'secret/vault'),
  repository(5, 'acme/new'),
];
const visible = all.filter(({ name }) => name !== 'secret/vault');
const options: ZoektOptions = {
  urls: ['http://a', 'http://b'],
  pathPrefix: '',
  hostPrefixes: { forge: '' },
  searchTimeoutMs: 30_000,
  listTimeoutMs: 10_000,
};
const alive = new AbortController().signal;
const everything: QueryNode = { kind: 'everything' };

let servers: TestedServers;
let search: CodeSearch;
beforeAll(async () => {
  servers = await testedServers(fixtures);
  search = createZoektSearch(options, {
    fetch: servers.fetch,
    clock: { now: () => 0 },
    repositories: () => all,
  });
}, 60_000);
afterAll(async () => {
  await search.close();
  await servers.stop();
});

function text(source: string, where: 'content' | 'path' | 'either' = 'either', ignoreCase = true): QueryNode {
  return { kind: 'text', where, pattern: { source, literal: true, ignoreCase } };
}

function regex(source: string): QueryNode {
  return { kind: 'text', where: 'content', pattern: { source, literal: false, ignoreCase: false } };
}

function named(source: string): QueryNode {
  return { kind: 'repository', pattern: { source, literal: false, ignoreCase: true } };
}

function requestOf(query: QueryNode, more: Partial<SearchRequest> = {}): SearchRequest {
  return {
    query,
    scope: visible,
    revisions: new Map(),
    output: 'lines',
    filesMax: 30,
    linesPerFileMax: 10,
    contextLines: 0,
    lineBytesMax: 400,
    exact: false,
    after: null,
    budgetMs: 5000,
    ...more,
  };
}

const ask = (query: QueryNode, more: Partial<SearchRequest> = {}) =>
  search.search(requestOf(query, more), alive);

function shownFile({ repositoryId, revision, path, also, blocks }: FoundFile): string {
  const name = all.find(({ id }) => id === repositoryId)!.name;
  const lines = blocks.flat().filter(({ matched }) => matched);
  const others = also.map((place) => `+${place.revision}`).join('');
  return `${name}@${revision}${others}:${path}${lines.map(({ number }) => `:${number}`).join('')}`;
}

function shown({ files: found }: SearchAnswer): string[] {
  return found.map(shownFile).sort();
}

describe('a query finds in zoekt what it means, within the scope', () => {
  check('a text in content and path', text('login'), [
    'acme/api@main+release:README.md:2:3',
    'acme/api@main:src/login.go:3:4',
    'acme/api@release:src/login.go:2',
    'acme/web@main:login.ts:1',
    'acme/web@main:src/app.ts:1',
    'tools/cli@trunk:main.go:2',
  ]);
  check('letter case', text('Login', 'content', false), [
    'acme/api@main:src/login.go:3:4',
    'acme/api@release:src/login.go:2',
    'tools/cli@trunk:main.go:2',
  ]);
  check('a regex', regex('func \\w+\\(name'), ['acme/api@main:src/login.go:4']);
  check('a path', text('login.ts', 'path'), ['acme/web@main:login.ts']);
  check('both of two', { kind: 'all', of: [text('login'), text('password')] }, [
    'acme/api@main:src/login.go:3:4',
  ]);
  check('either of two', { kind: 'any', of: [text('password'), text('app.ts', 'path')] }, [
    'acme/api@main:src/login.go:3',
    'acme/web@main:src/app.ts',
  ]);
  check('not', { kind: 'all', of: [text('login'), { kind: 'not', of: text('.go', 'path') }, named('api')] }, [
    'acme/api@main+release:README.md:2:3',
  ]);
  check('a repository', { kind: 'all', of: [text('login'), named('^forge/tools/')] }, [
    'tools/cli@trunk:main.go:2',
  ]);
  check('no repository', { kind: 'all', of: [text('login'), named('nowhere')] }, []);
  check('a hidden repository', { kind: 'all', of: [text('login'), named('vault')] }, []);
  check('forks', { kind: 'all', of: [text('login'), { kind: 'fork', is: true }] }, [
    'acme/web@main:login.ts:1',
    'acme/web@main:src/app.ts:1',
  ]);
  check('no forks', { kind: 'all', of: [text('app'), { kind: 'not', of: { kind: 'fork', is: true } }] }, []);
  check(
    'a branch',
    {
      kind: 'all',
      of: [text('login'), { kind: 'branch', pattern: { source: 'rel', literal: true, ignoreCase: false } }],
    },
    ['acme/api@release:README.md:2:3', 'acme/api@release:src/login.go:2'],
  );
  check(
    'a language',
    { kind: 'all', of: [text('login'), { kind: 'language', language: languageNamed('go')! }] },
    ['acme/api@main:src/login.go:3:4', 'acme/api@release:src/login.go:2', 'tools/cli@trunk:main.go:2'],
  );
  check(
    'a repository that has a file',
    {
      kind: 'all',
      of: [
        text('login'),
        {
          kind: 'repository-has-file',
          path: { source: 'main.go', literal: true, ignoreCase: false },
          content: null,
        },
      ],
    },
    ['tools/cli@trunk:main.go:2'],
  );
  check('everything of one repository', { kind: 'all', of: [everything, named('web')] }, [
    'acme/web@main:login.ts',
    'acme/web@main:src/app.ts',
  ]);

  function check(name: string, query: QueryNode, expected: string[]) {
    it(name, async () => expect(shown(await ask(query))).toEqual(expected));
  }
});

it('a revision is searched instead of the branches where it is asked for', async () => {
  const query = text('login.go', 'path');
  const answer = await ask(query, { revisions: new Map([[1, 'release']]) });
  expect(shown(answer)).toEqual(['acme/api@release:src/login.go']);
});

it('lines come with what is around them, in blocks, with ranges in bytes', async () => {
  const { files: found } = await ask(text('login', 'content'), { contextLines: 1, scope: [all[0]!] });
  const readme = found.find(({ path }) => path === 'README.md')!;
  expect(readme.blocks).toEqual([
    [
      { number: 1, text: '# api', ranges: [], matched: false, cut: false },
      { number: 2, text: 'login here', ranges: [{ start: 0, end: 5 }], matched: true, cut: false },
      { number: 3, text: 'étude login', ranges: [{ start: 7, end: 12 }], matched: true, cut: false },
    ],
  ]);
  expect(readme).toMatchObject({ lineCount: 2, unmasked: true, oid: '', language: 'Markdown' });
});

it('a long line is cut around its match', async () => {
  const { files: found } = await ask(text('needle', 'content'), { lineBytesMax: 40 });
  const [line] = found[0]!.blocks[0]!;
  expect(line).toMatchObject({ cut: true, ranges: [{ start: 10, end: 16 }] });
  expect(line!.text).toBe(`${'x'.repeat(9)} needle ${'y'.repeat(23)}`);
});

it('at most so many lines of a file are given, and all are counted', async () => {
  const answer = await ask(text('login', 'content'), { linesPerFileMax: 1, scope: [all[0]!] });
  expect(shown(answer)).toContain('acme/api@main+release:README.md:2');
  expect(answer.lineCount).toEqual({ count: 5, exact: true });
});

describe('nothing tells of a repository that is not in the scope', () => {
  it('counts, facets and what was searched', async () => {
    const answer = await ask(text('login'));
    expect(answer.fileCount).toEqual({ count: 6, exact: true });
    expect(answer.facets.repositories).toEqual([
      { repositoryId: 1, files: 3 },
      { repositoryId: 2, files: 2 },
      { repositoryId: 3, files: 1 },
    ]);
    expect(answer.facets.languages).toContainEqual({ language: 'Go', files: 3 });
    expect(answer.facets.folders).toContainEqual({ repositoryId: 1, folder: 'src', files: 2 });
    expect(answer.searched).toMatchObject({ repositories: 3, documents: 7, unindexed: [5] });
    expect(answer.problems).toEqual([]);
    expect(JSON.stringify(answer)).not.toMatch(/vault|secret/);
  });

  it('a name that two repositories have is nobody\u2019s', async () => {
    const twin = repository(9, 'acme/web', { host: 'other' });
    const both = createZoektSearch(
      { ...options, hostPrefixes: { forge: '', other: '' } },
      { fetch: servers.fetch, clock: { now: () => 0 }, repositories: () => [...all, twin] },
    );
    const answer = await both.search(requestOf(text('login'), { scope: [...visible] }), alive);
    expect(shown(answer).join()).not.toContain('acme/web');
    expect(answer.searched.unindexed).toEqual([2, 5]);
  });
});

it('output repos counts by repository, output files leaves lines out, output count leaves files out', async () => {
  const byRepository = await ask(text('login'), { output: 'repos' });
  expect(byRepository.repositories).toEqual([
    { repositoryId: 1, files: 3, lines: 5 },
    { repositoryId: 2, files: 2, lines: 2 },
    { repositoryId: 3, files: 1, lines: 1 },
  ]);
  const names = await ask(text('login'), { output: 'files' });
  expect(names.files.map(({ blocks }) => blocks)).toEqual([[], [], [], [], [], []]);
  const counted = await ask(text('login'), { output: 'count' });
  expect(counted).toMatchObject({ files: [], fileCount: { count: 6, exact: true }, lineCount: { count: 8 } });
});

it('pages follow each other without gap or overlap', async () => {
  const first = await ask(text('login'), { filesMax: 4 });
  const second = await ask(text('login'), { filesMax: 4, after: first.next });
  expect(second.next).toBeNull();
  expect([...shown(first), ...shown(second)].sort()).toEqual(shown(await ask(text('login'))));
  await expect(
    ask(text('login'), { after: { generation: first.generation + 1, skip: 4 } }),
  ).rejects.toMatchObject({ code: 'search/generation-gone' });
});

it('revisions are those that zoekt has of known repositories', async () => {
  await ask(text('login'));
  const revisions = search
    .revisions(1)
    .map(({ revision, isDefault, documents }) => [revision, isDefault, documents]);
  expect(revisions).toEqual([
    ['main', true, 4],
    ['release', false, 4],
  ]);
  expect(search.revisions(3)[0]).toMatchObject({ revision: 'trunk', kind: 'branch' });
  expect(search.revisions(5)).toEqual([]);
});

it('prefixes of mirrors and of hosts are taken off', async () => {
  const prefixed = createZoektSearch(
    { ...options, urls: ['http://a'], pathPrefix: 'ac', hostPrefixes: { forge: 'me/' } },
    { fetch: servers.fetch, clock: { now: () => 0 }, repositories: () => [repository(1, 'api')] },
  );
  const answer = await prefixed.search(requestOf(text('password'), { scope: [repository(1, 'api')] }), alive);
  expect(answer.files.map(({ path }) => path)).toEqual(['src/login.go']);
});

describe('a server that fails is named with its endpoint and the default', () => {
  const html: RequestListener = (_, response) => response.end('<html>login</html>');
  check('no server', null, 'unavailable', 'ECONNREFUSED');
  check('no -rpc', html, 'unavailable', 'not JSON');
  check(
    'a login page',
    (_, response) => response.writeHead(302, { location: '/login' }).end(),
    'unavailable',
    '302',
  );
  check(
    'an error of its own',
    (_, response) => response.writeHead(500).end('{"Error":"shards are gone"}'),
    'unavailable',
    '500',
    'shards are gone',
  );
  check('JSON of something else', (_, response) => response.end('[1]'), 'unavailable', 'not JSON');
  check('an answer that does not end', (_, response) => response.write('{'), 'timeout', '0.2 seconds');

  function check(name: string, answer: RequestListener | null, kind: string, ...said: string[]) {
    it(name, async () => {
      await withServer(answer, async (url) => {
        const failing = createZoektSearch(
          { ...options, urls: [url], searchTimeoutMs: 200, listTimeoutMs: 200 },
          { fetch, clock: { now: () => 0 }, repositories: () => all },
        );
        const fault = await failing.search(requestOf(text('login')), alive).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        expect(fault).toMatchObject({ kind });
        const { message, next } = fault as { message: string; next: string };
        for (const part of [`${url}/api/list`, ...said]) expect(message).toContain(part);
        if (kind === 'unavailable') expect(next).toContain('http://127.0.0.1:6070');
        await failing.close();
      });
    });
  }
});

it('chunks say the same as lines, where a server before zoekt asks for them', async () => {
  const chunked = createZoektSearch(options, {
    fetch: (url, init) => {
      const body = JSON.parse(String(init.body)) as { Opts: object };
      return servers.fetch(url, {
        ...init,
        body: JSON.stringify({ ...body, Opts: { ...body.Opts, ChunkMatches: true } }),
      });
    },
    clock: { now: () => 0 },
    repositories: () => all,
  });
  const more = { contextLines: 1 };
  const scoreless = ({ files: found }: SearchAnswer) =>
    found.map((file) => ({ ...file, score: 0 })).sort(byPlace);
  const lines = await ask(text('login'), more);
  expect(scoreless(await chunked.search(requestOf(text('login'), more), alive))).toEqual(scoreless(lines));
});

it('one server of several that fails leaves an answer that says so', async () => {
  const half = createZoektSearch(
    { ...options, urls: ['http://a', 'http://127.0.0.1:1'] },
    {
      fetch: (url, init) => (url.startsWith('http://a/') ? servers.fetch(url, init) : fetch(url, init)),
      clock: { now: () => 0 },
      repositories: () => all,
    },
  );
  const answer = await half.search(requestOf(text('login')), alive);
  expect(answer.files.length).toBe(5);
  expect(answer.fileCount.exact).toBe(false);
  expect(answer.searched.unindexed).toEqual([3, 5]);
  expect(answer.problems[0]).toContain('http://127.0.0.1:1/api/list');
});

it('whoever goes away gets no answer', async () => {
  const gone = new AbortController();
  const running = search.search(requestOf(text('login')), gone.signal);
  gone.abort();
  await expect(running).rejects.toMatchObject({ kind: 'cancelled' });
});

async function withServer(
  answer: RequestListener | null,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(answer ?? (() => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const closed = () => new Promise((resolve) => server.close(resolve));
  if (!answer) await closed();
  try {
    await use(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    if (answer) await closed();
  }
}

function byPlace(a: FoundFile, b: FoundFile): number {
  return shownFile(a) < shownFile(b) ? -1 : 1;
}
