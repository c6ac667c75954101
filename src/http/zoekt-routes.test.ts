import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../base/errors.ts';
import type { CodeQuery, FoundCode } from '../operations/index.ts';
import { createZoektSearch } from '../search/zoekt/create-zoekt-search.ts';
import { createHttpServer } from './http-server.ts';
import { type Asked, adaToken, ask, httpOptions, testDeps } from './testing/running-server.ts';
import type { HttpServer, ZoektBackend } from './types.ts';

const repository = {
  id: 7,
  host: 'forge',
  name: 'acme/api',
  aliases: [],
  defaultBranch: 'main',
  archived: false,
  fork: false,
  visibility: 'private',
  webUrl: null,
} as unknown as NonNullable<ReturnType<FoundCode['repositories']['get']>>;

const line = (number: number, text: string, start = -1, end = -1) => {
  const matched = start >= 0;
  return { number, text, ranges: matched ? [{ start, end }] : [], matched, cut: false };
};
const place = { repositoryId: 7, revision: 'main', commit: 'c0ffee', path: 'src/é.ts' };
const file: FoundCode['answer']['files'][number] = {
  ...place,
  oid: 'aabb',
  language: 'TypeScript',
  score: 550,
  matchedPath: false,
  matchedSymbol: false,
  pathRanges: [],
  lineCount: 2,
  lineCountExact: true,
  blocks: [[line(1, 'import x;'), line(2, 'é retry();', 3, 8), line(3, '}')], [line(9, 'retry', 0, 5)]],
  also: [
    { ...place, revision: 'dev' },
    { ...place, repositoryId: 8 },
  ],
  alsoCount: 2,
};
const byPath = {
  ...file,
  path: 'retry.ts',
  pathRanges: [{ start: 0, end: 5 }],
  blocks: [],
  also: [],
  matchedPath: true,
};

/** What comes of the name: our own number would tell how many there are beside it. */
const apiNumber = 1909875796;

/** What was asked of the operations, newest last. */
const asked: (Partial<CodeQuery> & { query: string })[] = [];
const backend: ZoektBackend = {
  async searchCode(query) {
    asked.push(query);
    if (query.query.includes('broken')) {
      throw new PeriscopeError('invalid-request', 'search/query-syntax', 'The query is broken.', 'Mend it.');
    }
    return {
      answer: {
        generation: 1,
        files: query.output === 'repos' ? [] : [file, byPath],
        repositories: query.output === 'repos' ? [{ repositoryId: 7, files: 2, lines: 2 }] : [],
        fileCount: { count: 2, exact: true },
        lineCount: { count: 2, exact: true },
        facets: { repositories: [], languages: [], folders: [] },
        searched: { repositories: 1, documents: 5, unindexed: [], skipped: {}, pending: 0 },
        stopped: query.query.includes('common') ? 'enough' : null,
        next: null,
        problems: [],
        notes: [],
        statistics: {
          candidates: 3,
          documentsOpened: 2,
          blocksDecoded: 0,
          blocksCached: 0,
          postingLists: 1,
          postingBytes: 10,
          contentBytesRead: 20,
          textBytesScanned: 0,
          ms: {},
        },
      },
      repositories: new Map([[7, repository]]),
      notes: [],
    } as unknown as FoundCode;
  },
  async listRepositories(query) {
    asked.push({ query, output: 'repos' });
    return [repository];
  },
  async readWhole({ repo, path, revision }) {
    if (path === 'gone.ts')
      throw new PeriscopeError('path-not-found', 'operations/x', 'It is gone.', 'Look.');
    return Buffer.from(`${repo} ${path} ${revision}\n`);
  },
  revisionsOf: () => [
    revision('dev', false),
    revision('main', true),
    { ...revision('v1', false), kind: 'visited' as const },
  ],
};

function revision(name: string, isDefault: boolean) {
  const kind = 'branch' as const;
  return {
    revision: name,
    kind,
    isDefault,
    commit: `${name}0`,
    committedMs: 1000,
    indexedMs: 2000,
    documents: 3,
  };
}

let server: HttpServer;
let port: number;
const parts = testDeps();
beforeAll(async () => {
  server = createHttpServer(httpOptions, { ...parts.deps, zoekt: backend });
  ({ port } = await server.listen());
});
afterAll(async () => {
  await server.close();
  await parts.mcp.close();
  parts.metrics.close();
});

const send = (path: string, body?: unknown, more: Partial<Asked> = {}) =>
  ask({ port, path, ...(body === undefined ? {} : { body }), ...more });
const search = async (body: object) =>
  (await send('/api/search', body)).json()['Result'] as Record<string, unknown>;
const text = (base64: unknown) => Buffer.from(String(base64), 'base64').toString();

describe('a search is answered in zoekt\u2019s forms', () => {
  it('by lines, without being asked for a form', async () => {
    const result = await search({ Q: 'retry', Opts: { NumContextLines: 1 } });
    expect(result).toMatchObject({
      FileCount: 2,
      MatchCount: 2,
      FilesSkipped: 0,
      ShardsSkipped: 0,
      Crashes: 0,
    });
    const [first, second] = result['Files'] as Record<string, unknown>[];
    expect(first).toMatchObject({
      FileName: 'src/é.ts',
      Repository: 'forge/acme/api',
      RepositoryID: apiNumber,
      Version: 'c0ffee',
      Language: 'TypeScript',
      Branches: ['main', 'dev'],
      Checksum: 'qrs=',
      Score: 550,
    });
    const [match, other] = first!['LineMatches'] as Record<string, unknown>[];
    expect([text(match!['Line']), text(match!['Before']), text(match!['After'])]).toEqual([
      'é retry();\n',
      'import x;\n',
      '}\n',
    ]);
    expect(match).toMatchObject({
      LineNumber: 2,
      LineStart: 10,
      LineEnd: 22,
      FileName: false,
      LineFragments: [{ LineOffset: 3, Offset: 13, MatchLength: 5, SymbolInfo: null }],
    });
    expect(other).toMatchObject({ LineNumber: 9 });
    expect(second!['LineMatches']).toMatchObject([
      { FileName: true, LineNumber: 0, LineFragments: [{ LineOffset: 0, MatchLength: 5 }] },
    ]);
  });

  it('by chunks', async () => {
    const result = await search({ Q: 'retry', Opts: { ChunkMatches: true, NumContextLines: 1 } });
    const [first, second] = result['Files'] as Record<string, unknown>[];
    const [chunk] = first!['ChunkMatches'] as Record<string, unknown>[];
    expect(first).not.toHaveProperty('LineMatches');
    expect(text(chunk!['Content'])).toBe('import x;\né retry();\n}\n');
    expect(chunk).toMatchObject({
      ContentStart: { ByteOffset: 0, LineNumber: 1, Column: 1 },
      Ranges: [
        {
          Start: { ByteOffset: 13, LineNumber: 2, Column: 3 },
          End: { ByteOffset: 18, LineNumber: 2, Column: 8 },
        },
      ],
      BestLineMatch: 2,
    });
    expect(second!['ChunkMatches']).toMatchObject([{ FileName: true, BestLineMatch: 0 }]);
  });

  it('each matching line is a chunk where no lines around are wanted', async () => {
    const neighbours = [line(4, 'retry', 0, 5), line(5, 'retry', 0, 5)];
    const before = file.blocks;
    Object.assign(file, { blocks: [neighbours] });
    const result = await search({ Q: 'retry', Opts: { ChunkMatches: true } });
    Object.assign(file, { blocks: before });
    const [first] = result['Files'] as { ChunkMatches: { ContentStart: { LineNumber: number } }[] }[];
    expect(first!.ChunkMatches.map(({ ContentStart }) => ContentStart.LineNumber)).toEqual([4, 5]);
  });

  it('what was left out is said by counts', async () => {
    expect(await search({ Q: 'common' })).toMatchObject({ FilesSkipped: 1 });
  });

  it('at most so many matches', async () => {
    const result = await search({ Q: 'retry', Opts: { MaxMatchDisplayCount: 1 } });
    const files = result['Files'] as { LineMatches: unknown[] }[];
    expect(files.map(({ LineMatches }) => LineMatches.length)).toEqual([1]);
  });

  it('as the page gives it', async () => {
    const answer = await send('/search?q=retry&num=5&ctx=1&format=json');
    const { FileMatches } = answer.json()['result'] as { FileMatches: Record<string, unknown>[] };
    expect(FileMatches[0]).toMatchObject({
      FileName: 'src/é.ts',
      Repo: 'forge/acme/api',
      Branches: ['main', 'dev'],
    });
    expect((FileMatches[0]!['Matches'] as unknown[])[0]).toMatchObject({
      LineNum: 2,
      Fragments: [{ Pre: 'é ', Match: 'retry', Post: '();\n' }],
      Before: 'import x;\n',
      After: '}\n',
    });
  });
});

describe('a request is read as Go reads it', () => {
  check(
    'options in any letter case',
    { q: 'a', opts: { maxdocdisplaycount: 3, NUMCONTEXTLINES: 2 } },
    {
      query: '"a"',
      filesMax: 3,
      contextLines: 2,
      exact: false,
    },
  );
  check(
    'unknown keys',
    { Q: 'a', Trace: 1, Opts: { DebugScore: true, UseDocumentRanks: 'x' } },
    { query: '"a"' },
  );
  check('no bound', { Q: 'a', Opts: null }, { filesMax: 1000, exact: true, budgetMs: null });
  check('a wall time in nanoseconds', { Q: 'a', Opts: { MaxWallTime: 2_500_000_000 } }, { budgetMs: 2500 });
  check('an estimate', { Q: 'a', Opts: { EstimateDocCount: true } }, { output: 'count' });
  check('numbers of repositories', { Q: 'a', RepoIDs: [apiNumber, 999] }, { repo: ['forge/acme/api'] });

  function check(name: string, body: object, expected: object) {
    it(name, async () => {
      expect((await send('/api/search', body)).status).toBe(200);
      expect(asked.at(-1)).toMatchObject(expected);
    });
  }

  it('no known repository finds nothing, and not everything', async () => {
    const before = asked.length;
    expect(await search({ Q: 'a', RepoIDs: [999] })).toMatchObject({ Files: [], FileCount: 0 });
    expect(asked.slice(before).map(({ query }) => query)).toEqual(['type:repo']);
  });

  it('whatever its media type', async () => {
    const plain = { headers: { 'content-type': 'text/plain' } };
    expect((await send('/api/search', '{"Q":"a"}', plain)).status).toBe(200);
  });
});

describe('repositories are listed', () => {
  it('whole', async () => {
    const { List } = (await send('/api/list', { Q: '' })).json() as { List: Record<string, unknown> };
    expect(List['Repos']).toMatchObject([
      {
        Repository: {
          ID: apiNumber,
          Name: 'forge/acme/api',
          Branches: [
            { Name: 'main', Version: 'main0' },
            { Name: 'dev', Version: 'dev0' },
          ],
          LatestCommitDate: '1970-01-01T00:00:01.000Z',
        },
        IndexMetadata: { IndexTime: '1970-01-01T00:00:02.000Z' },
        Stats: { Documents: 3 },
      },
    ]);
    expect(List['Stats']).toMatchObject({ Repos: 1, Documents: 3 });
  });
  it('in short', async () => {
    const { List } = (await send('/api/list', { Q: 'r:api', Opts: { Field: 2 } })).json() as {
      List: unknown;
    };
    expect(List).toMatchObject({
      Repos: [],
      ReposMap: { [apiNumber]: { IndexTimeUnix: 2, HasSymbols: false } },
    });
    expect(asked.at(-1)).toMatchObject({ query: 'repo:/api/', output: 'repos' });
  });
});

describe('a whole file is printed raw', () => {
  check('r=forge/acme/api&f=src/a.ts', 200, 'forge/acme/api src/a.ts undefined\n');
  check('r=forge/acme/api&f=src/a.ts&b=HEAD', 200, 'forge/acme/api src/a.ts undefined\n');
  check('r=forge/acme/api&f=src/a.ts&b=v1', 200, 'forge/acme/api src/a.ts v1\n');
  check('r=forge/acme/api&f=gone.ts', 400, '{"Error":"It is gone. Look."}');

  function check(place: string, status: number, body: string) {
    it(place, async () => {
      const answer = await send(`/print?format=raw&${place}`);
      expect([answer.status, answer.text]).toEqual([status, body]);
      expect(answer.headers['content-type']).toMatch(status === 200 ? /^text\/plain/ : /json/);
    });
  }
});

describe('errors have zoekt\u2019s form and status', () => {
  check('another method', '/api/search', undefined, 405, 'Only POST is supported');
  check('no JSON', '/api/search', '{', 400, 'not valid JSON');
  check('no query', '/api/search', {}, 400, 'missing query');
  check(
    'a wall time with a unit',
    '/api/search',
    { Q: 'a', Opts: { MaxWallTime: '5s' } },
    400,
    'whole number',
  );
  check('a query that cannot be read', '/api/search', { Q: 'f:' }, 400, 'no value');
  check('a query that is refused', '/api/search', { Q: 'broken' }, 400, 'The query is broken. Mend it.');
  check('a form of list that there is not', '/api/list', { Q: '', Opts: { Field: 1 } }, 500, 'list field 1');
  check('no token', '/api/search', { Q: 'a' }, 401, 'no token', { token: null });
  check('a wrong token', '/api/list', { Q: 'a' }, 401, 'not valid', { token: 'psc_none' });
  check('too much', '/api/search', { Q: 'a'.repeat(200_000) }, 413, 'too large');

  function check(
    name: string,
    path: string,
    body: unknown,
    status: number,
    said: string,
    more: Partial<Asked> = {},
  ) {
    it(name, async () => {
      const answer = await send(path, body, more);
      expect(answer.status).toBe(status);
      expect(answer.json()['Error']).toContain(said);
    });
  }
});

describe('a token may be the password of a URL, here and nowhere else', () => {
  const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(user).toString('base64')}` });
  it('as password', async () => {
    const more = { token: null, headers: basic(`zoekt:${adaToken}`) };
    expect((await send('/api/search', { Q: 'a' }, more)).status).toBe(200);
  });
  it('as user name', async () => {
    const more = { token: null, headers: basic(`${adaToken}:`) };
    expect((await send('/api/list', { Q: 'a' }, more)).status).toBe(200);
  });
  it('but not of a tool', async () => {
    const more = { token: null, headers: basic(`zoekt:${adaToken}`) };
    expect((await send('/api/tools', undefined, more)).status).toBe(401);
  });
});

it('our own zoekt engine understands what we answer', async () => {
  const scope = [{ id: 7, host: 'forge', name: 'acme/api', archived: false, fork: false }];
  const client = createZoektSearch(
    {
      urls: [`http://127.0.0.1:${port}`],
      pathPrefix: '',
      hostPrefixes: {},
      searchTimeoutMs: 5000,
      listTimeoutMs: 5000,
    },
    {
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${adaToken}` } }),
      clock: { now: () => 0 },
      repositories: () => scope,
    },
  );
  const answer = await client.search(
    {
      query: { kind: 'text', where: 'either', pattern: { source: 'retry', literal: true, ignoreCase: true } },
      scope,
      revisions: new Map(),
      output: 'lines',
      filesMax: 10,
      linesPerFileMax: 10,
      contextLines: 1,
      lineBytesMax: 400,
      exact: false,
      after: null,
      budgetMs: 1000,
    },
    new AbortController().signal,
  );
  await client.close();
  expect(answer.files.find(({ path }) => path === file.path)).toMatchObject({
    blocks: file.blocks,
    also: [{ revision: 'dev', commit: 'dev0' }],
  });
  expect(answer.files.find(({ path }) => path === byPath.path)).toMatchObject({
    pathRanges: byPath.pathRanges,
  });
});
