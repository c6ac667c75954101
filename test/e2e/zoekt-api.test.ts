import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Acme, createAcme } from './support/acme-repositories.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

let acme: Acme;
let periscope: RunningPeriscope;
let local: string;
let external: string;
beforeAll(async () => {
  acme = createAcme();
  const many = Array.from({ length: 60 }, (_, file): [string, string] => [
    `many/file${file}.txt`,
    `${`common word\n${'other\n'.repeat(25)}`.repeat(8)}${file}\n`,
  ]);
  acme.billing.commit({
    ...Object.fromEntries(many),
    'deploy/login.sh': 'curl -H "Authorization: token ghp_0123456789abcdefghijABCDEFGHIJ012345"\n',
  });
  periscope = await startPeriscope({
    serve: true,
    indexed: 'once',
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [acme.folder] }],
      access: {
        rules: [{ effect: 'allow', people: ['ada', 'eve'], repositories: ['acme/payments', 'acme/billing'] }],
      },
    },
  });
  local = (await periscope.token('ada')).token;
  external = (await periscope.token('eve', { destination: 'external' })).token;
});
afterAll(async () => {
  await periscope.stop();
  acme.remove();
});

interface Asked {
  authorization?: string;
  method?: string;
}

/** As a client of zoekt sends it: no media type is promised. */
async function send(path: string, body?: unknown, { authorization, method }: Asked = {}) {
  const response = await fetch(`${periscope.url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { authorization: authorization ?? `Bearer ${local}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

interface ApiFile {
  FileName: string;
  Repository: string;
  RepositoryID: number;
  LineMatches?: {
    Line: string;
    LineNumber: number;
    LineFragments: { LineOffset: number; MatchLength: number }[];
  }[];
  ChunkMatches?: {
    Content: string;
    ContentStart: { LineNumber: number };
    Ranges: { Start: { LineNumber: number; Column: number } }[];
  }[];
}

async function search(body: object, asked: Asked = {}) {
  const { status, text } = await send('/api/search', body, asked);
  expect(status, text).toBe(200);
  const { Result } = JSON.parse(text) as {
    Result: { Files: ApiFile[]; FileCount: number; MatchCount: number };
  };
  return Result;
}

const decoded = (base64: string) => Buffer.from(base64, 'base64').toString();
const placeOf = ({ Repository, FileName }: ApiFile) => `${Repository}:${FileName}`;

describe('a search finds what the token may see', () => {
  it('by lines', async () => {
    const { Files, FileCount, MatchCount } = await search({ Q: 'retryLimit' });
    expect(Files.map(placeOf).sort()).toEqual([
      'local/acme/billing:src/invoice.py',
      'local/acme/payments:src/auth/Session.ts',
      'local/acme/payments:src/main.go',
    ]);
    expect([FileCount, MatchCount]).toEqual([3, 3]);
    const session = Files.find(({ FileName }) => FileName.endsWith('Session.ts'))!;
    expect(session.LineMatches).toMatchObject([
      { LineNumber: 2, LineFragments: [{ LineOffset: 2, MatchLength: 10 }] },
    ]);
    expect(decoded(session.LineMatches![0]!.Line)).toBe('  retryLimit = 5;\n');
  });
  it('by chunks, with lines around', async () => {
    const { Files } = await search({
      Q: 'retryLimit f:\\.ts$',
      Opts: { ChunkMatches: true, NumContextLines: 1 },
    });
    const [chunk] = Files[0]!.ChunkMatches!;
    expect(decoded(chunk!.Content)).toBe('export class Session {\n  retryLimit = 5;\n}\n');
    expect(chunk!.ContentStart.LineNumber).toBe(1);
    expect(chunk!.Ranges).toMatchObject([{ Start: { LineNumber: 2, Column: 3 } }]);
  });
  it('whatever the letter case of the keys', async () => {
    const body = { q: 'retryLimit', opts: { MAXDOCDISPLAYCOUNT: 1, chunkmatches: true } };
    const { Files } = await search(body);
    expect(Files).toHaveLength(1);
    expect(Files[0]).toHaveProperty('ChunkMatches');
  });
  it('with the token as the password, or as the name, of a URL', async () => {
    for (const authorization of [basic('zoekt', local), basic(local, '')])
      expect((await search({ Q: 'retryLimit' }, { authorization })).FileCount).toBe(3);
  });
  it('of the repositories whose numbers are given', async () => {
    const { text } = await send('/api/list', { Q: 'repo:billing' });
    const list = JSON.parse(text) as { List: { Repos: { Repository: { ID: number } }[] } };
    const { ID } = list.List.Repos[0]!.Repository;
    const { Files } = await search({ Q: 'retryLimit', RepoIDs: [ID] });
    expect(Files.map(placeOf)).toEqual(['local/acme/billing:src/invoice.py']);
    expect(Files[0]!.RepositoryID).toBe(ID);
  });
  it('with credentials masked', async () => {
    const { Files } = await search({ Q: 'Authorization' });
    expect(decoded(Files[0]!.LineMatches![0]!.Line)).not.toContain('ghp_');
  });
});

it('repositories are listed with their branches', async () => {
  const { status, text } = await send('/api/list', { q: '' });
  expect(status).toBe(200);
  const { List } = JSON.parse(text) as { List: { Repos: { Repository: Record<string, unknown> }[] } };
  expect(List.Repos.map(({ Repository }) => Repository)).toMatchObject([
    { Name: 'local/acme/billing', Branches: [{ Name: 'main' }] },
    { Name: 'local/acme/payments', Branches: [{ Name: 'main' }] },
  ]);
});

describe('a whole file is printed as fetch_file gives it', () => {
  const print = (place: Record<string, string>, asked: Asked = {}) =>
    send(`/print?${new URLSearchParams({ format: 'raw', ...place })}`, undefined, asked);

  it('to the byte', async () => {
    const place = { r: 'local/acme/payments', f: 'with space/a b.txt', b: 'HEAD' };
    expect(await print(place)).toEqual({ status: 200, text: 'no line break at the end' });
  });
  it('of a branch', async () => {
    const place = { r: 'local/acme/payments', f: 'src/feature.ts', b: 'feature/x' };
    expect((await print(place)).text).toBe('export const feature = true;\n');
  });
  it('with credentials masked', async () => {
    const { status, text } = await print({ r: 'local/acme/billing', f: 'deploy/login.sh' });
    expect(status).toBe(200);
    expect(text).toMatch(/^curl .*\*{20,}/);
    expect(text).not.toContain('ghp_');
  });
  it('not of a hidden repository, which is answered as one that never was', async () => {
    const hidden = await print({ r: 'local/acme/vault', f: 'README.md' });
    const never = await print({ r: 'local/acme/vxuqt', f: 'README.md' });
    expect(hidden.status).toBe(400);
    expect(hidden.text.replaceAll('vault', '·')).toBe(never.text.replaceAll('vxuqt', '·'));
  });
  it('not to who may have no whole files', async () => {
    const place = { r: 'local/acme/payments', f: 'README.md' };
    const { status, text } = await print(place, { authorization: `Bearer ${external}` });
    expect([status, text]).toEqual([403, expect.stringContaining('fetch_file gives whole files')]);
  });
  it('not where there is none', async () => {
    const { status, text } = await print({ r: 'local/acme/payments', f: 'src' });
    expect([status, JSON.parse(text)]).toEqual([400, { Error: expect.stringContaining('is a directory') }]);
  });
});

it('who asks for an external model gets as much as codesearch would give, however much is asked', async () => {
  const asked = { authorization: basic('zoekt', external) };
  const body = { Q: 'common', Opts: { MaxDocDisplayCount: 5000, NumContextLines: 100 } };
  const { Files, FileCount } = await search(body, asked);
  expect(FileCount).toBe(60);
  expect(Files.length).toBeLessThanOrEqual(30);
  for (const { LineMatches } of Files) expect(LineMatches!.length).toBeLessThanOrEqual(5);
  expect((await search(body)).Files).toHaveLength(60);
  const page = JSON.parse((await send('/search?format=json&q=common&num=1000', undefined, asked)).text) as {
    result: { FileMatches: unknown[] };
  };
  expect(page.result.FileMatches.length).toBeLessThanOrEqual(30);
});

describe('an error is said in zoekt\u2019s form', () => {
  check('another method', '/api/search', undefined, 405);
  check('no JSON', '/api/search', '{', 400);
  check('no query', '/api/search', { Q: '' }, 400);
  check('a broken query', '/api/search', { Q: 'a (b' }, 400);
  check('a broken expression', '/api/search', { Q: 'a[' }, 400);
  check('a time that is a text', '/api/search', { Q: 'a', Opts: { MaxWallTime: '5s' } }, 400);
  check('a form of list that is unknown', '/api/list', { Q: '', Opts: { Field: 1 } }, 500);
  check('no token', '/api/search', { Q: 'a' }, 401, 'Basic');
  check('a token that never was', '/api/search', { Q: 'a' }, 401, basic('zoekt', 'psc_never'));

  function check(name: string, path: string, body: unknown, status: number, authorization?: string) {
    it(name, async () => {
      const answer = await send(path, body, authorization === undefined ? {} : { authorization });
      expect([answer.status, Object.keys(JSON.parse(answer.text) as object)]).toEqual([status, ['Error']]);
    });
  }
});
