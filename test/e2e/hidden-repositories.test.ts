import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../src/base/errors.ts';
import type { ToolAnswer } from '../../src/operations/index.ts';
import { createVaultOrganisation, type VaultOrganisation } from './support/hidden-vault.ts';

/** Whole installations whose visible repositories are the same: nothing tells bob which of them he asks. */
let absent: VaultOrganisation;
const others: VaultOrganisation[] = [];
beforeAll(async () => {
  absent = await createVaultOrganisation('absent');
  others.push(await createVaultOrganisation('indexed first'), await createVaultOrganisation('indexed last'));
}, 180_000);
afterAll(async () => {
  await Promise.all([absent, ...others].map((one) => one?.remove()));
});

const searches: Record<string, unknown>[] = [
  { query: 'needle' },
  { query: 'needle', exact: true },
  { query: 'needle', output: 'files' },
  { query: 'needle', output: 'files', max_files: 1000, exact: true },
  { query: 'needle', output: 'count' },
  { query: 'needle', output: 'repos' },
  { query: 'needle', max_files: 3, context: 0 },
  { query: 'needleShared' },
  { query: 'needleShared(2)' },
  { query: 'lateNeedle' },
  { query: 'vaultWord' },
  { query: 'vaultWord', output: 'count' },
  { query: 'OriginNeedle' },
  { query: 'NEEDLE', case: 'no' },
  { query: 'NEEDLE' },
  { query: 'needle module' },
  { query: 'needle -module' },
  { query: 'needle or lorem13' },
  { query: '/needle\\(\\d+\\)/', output: 'count' },
  { query: '/[a-z]{2}dle/' },
  { query: '/\\d{4} \\d+ lorem/', output: 'files' },
  { query: '/needle\\(.*\\);\\nvalue/' },
  { query: 'ne' },
  { query: 'needle lang:go' },
  { query: 'needle', lang: ['python'] },
  { query: 'needle', file: ['*.md'] },
  { query: 'file:needle' },
  { query: 'file:secret' },
  { query: 'file:secret0/*', output: 'count' },
  { query: 'needle repo:web' },
  { query: 'needle repo:vault' },
  { query: 'needle -repo:vault' },
  { query: 'needle repo.has.file:tagged' },
  { query: 'needle repo.has.file:secret' },
  { query: 'needle branch:release' },
  { query: 'needle archived:no fork:no', output: 'repos' },
  { query: 'type:repo web' },
  { query: 'type:repo vault' },
  { query: 'type:repo needle' },
  { query: 'type:file needle' },
  { query: 'type:commit needle' },
  { query: 'type:commit vault' },
  { query: 'type:diff needleTagged' },
  { query: 'type:diff vaultWord' },
  { query: 'select:repo needle' },
  { query: 'select:file needle' },
  { query: 'needle count:5' },
  { query: 'needle count:all' },
  { query: 'needle', repo: ['a-vault'] },
  { query: 'needle', repo: ['acme/a-vault'] },
  { query: 'needle', repo: ['acme/a-vault@main'] },
  { query: 'needle', repo: ['acme/*'], output: 'repos' },
  { query: 'needle', repo: ['*vault*'] },
  { query: 'needle', repo: ['!acme/a-vault'], output: 'count' },
  { query: 'needle', repo: ['web', 'a-vault'] },
  { query: 'needle', revision: 'main', output: 'count' },
  { query: 'needleTagged repo:web@v1.0.0' },
  { query: 'needle', repo: ['web@v1.0.0'], output: 'count' },
  { query: 'needle', revision: 'release/1', output: 'files' },
  { query: 'needle', revision: 'v1.0.0' },
  { query: 'needle', repo: ['web'], revision: 'v9' },
  { query: 'needle repo:a-vault@main' },
  { query: 'sym:Needle' },
  { query: 'sym:needle', output: 'count' },
  { query: 'select:symbol needle' },
  { query: 'needle /(/' },
  { query: 'needle(', mode: 'regex' },
];

describe('every page of a search is the same to the byte', () => {
  for (const input of searches) {
    it(JSON.stringify(input), async () => {
      const wanted = await pagesOf(absent, input);
      for (const other of others) expect(await pagesOf(other, input)).toEqual(wanted);
    });
  }
});

const graphCalls: Record<string, unknown>[] = [
  { name: 'Needle' },
  { name: 'Needle', relation: 'definitions' },
  { name: 'needle', relation: 'callers', exact: true },
  { name: 'needle', relation: 'callers', limit: 20 },
  { name: 'needle', relation: 'callers', depth: 2, limit: 5 },
  { name: 'OriginNeedle' },
  { name: 'lateNeedle', relation: 'definitions', format: 'graph' },
  { name: 'NeedleOld', relation: 'definitions' },
  { name: 'Needl' },
  { name: 'vaultWord' },
  { name: 'round', kind: ['constant', 'variable'], relation: 'definitions' },
  { repo: 'acme/web', path: 'src/round1.ts' },
  { repo: 'acme/web', path: 'lib/shared.go', relation: 'callees' },
  { repo: 'acme/a-vault' },
  { repo: 'acme/a-vault', path: 'lib/origin.go' },
];

describe('every page of the graph is the same to the byte', () => {
  for (const input of graphCalls) {
    it(JSON.stringify(input), async () => {
      const wanted = await pagesOf(absent, input, 'graph');
      for (const other of others) expect(await pagesOf(other, input, 'graph')).toEqual(wanted);
    });
  }
});

const meaningCalls: Record<string, unknown>[] = [
  { question: 'where is the needle handled' },
  { question: 'needle of a round', limit: 50 },
  { question: 'needle in late rounds', kind: ['function'] },
  { question: 'words of the vault' },
  { question: 'needle', file: ['*.go'], max_tokens: 300 },
  { question: 'needle in origin', lang: ['go'] },
  { question: 'vaultWord' },
  { question: 'where is the needle handled', repo: ['a-vault'] },
];

describe('every page of a search by meaning is the same to the byte', () => {
  for (const input of meaningCalls) {
    it(JSON.stringify(input), async () => {
      const wanted = await pagesOf(absent, input, 'search');
      for (const other of others) expect(await pagesOf(other, input, 'search')).toEqual(wanted);
    });
  }
});

it.each([
  ['list_directory', { repo: 'acme/web', path: 'src', outline: true, depth: 2 }],
  ['list_directory', { repo: 'acme/a-vault', outline: true }],
  ['read_file', { repo: 'acme/web', path: 'lib/shared.go', symbol: 'Needle' }],
  ['read_file', { repo: 'acme/web', path: 'lib/shared.go', symbol: 'Origin' }],
  ['read_file', { repo: 'acme/a-vault', path: 'lib/shared.go', symbol: 'Needle' }],
] as const)('%s is the same: %j', async (tool, input) => {
  const wanted = await oneOf(absent, tool, input);
  for (const other of others) expect(await oneOf(other, tool, input)).toEqual(wanted);
});

it.each([{}, { query: 'a' }, { query: 'vault' }, { query: 'web', sort: 'recent' }])(
  'the list of repositories is the same: %j',
  async (input) => {
    const wanted = await oneOf(absent, 'codesearch_repos', input);
    for (const other of others) expect(await oneOf(other, 'codesearch_repos', input)).toEqual(wanted);
  },
);

const zoektCalls: [string, unknown][] = [
  ['/api/search', { Q: 'needle' }],
  ['/api/search', { Q: 'needle', Opts: { ChunkMatches: true, NumContextLines: 2 } }],
  ['/api/search', { Q: 'needle', Opts: { MaxDocDisplayCount: 10 } }],
  ['/api/search', { Q: 'needle', Opts: { MaxDocDisplayCount: 5000 } }],
  ['/api/search', { Q: 'needleShared' }],
  ['/api/search', { Q: 'vaultWord' }],
  ['/api/search', { Q: 'lorem1[0-9] needle', Opts: { MaxDocDisplayCount: 20 } }],
  ['/api/search', { Q: 'needle repo:vault' }],
  ['/api/search', { Q: 'needle', RepoIDs: [1, 2, 3, 4] }],
  [
    '/api/search',
    { Q: 'needle', RepoIDs: [zoektNumberOf('local/acme/tools'), zoektNumberOf('local/acme/a-vault')] },
  ],
  ['/api/search', { Q: 'needle', Opts: { EstimateDocCount: true } }],
  ['/api/search', { Q: 'needle(' }],
  ['/api/search', { Q: 'type:repo needle' }],
  ['/api/list', { Q: '' }],
  ['/api/list', { Q: 'repo:vault' }],
  ['/api/list', { Q: 'needle' }],
  ['/api/list', { Q: '', Opts: { Field: 2 } }],
  ['/search?format=json&q=needle&num=20', undefined],
  ['/print?format=raw&r=local/acme/a-vault&f=README.md', undefined],
  ['/print?format=raw&r=local/acme/web&f=README.md', undefined],
];

/** FNV-1a, as zoekt's API of ours numbers repositories. */
function zoektNumberOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 1;
}

describe('zoekt\u2019s API answers the same, documents opened (FilesLoaded) included', () => {
  for (const [url, body] of zoektCalls) {
    it(`${url} ${JSON.stringify(body)}`, async () => {
      const wanted = await zoektAnswer(absent, url, body);
      for (const other of others) expect(await zoektAnswer(other, url, body)).toEqual(wanted);
    });
  }
});

it('a revision that is asked for the first time is as far from being indexed, whoever else has its files', async () => {
  const wanted = await pendingOf(absent);
  expect(wanted).toBeGreaterThan(0);
  for (const other of others) expect(await pendingOf(other)).toBe(wanted);
  const input = { query: 'needleOld', repo: ['web@v0.9.0'] };
  const pages = await pagesOf(absent, input);
  for (const other of others) expect(await pagesOf(other, input)).toEqual(pages);
});

async function pendingOf({ periscope: { app } }: VaultOrganisation): Promise<number> {
  const web = app.catalog.repositories().find(({ name }) => name === 'acme/web')!;
  const signal = AbortSignal.timeout(20_000);
  const { commit } = await app.catalog.mirror(web).resolve('v0.9.0', { signal });
  return (await app.indexing.ensureRevision(web, commit, { signal, budgetMs: 20_000 })).pending;
}

it('who may see the hidden one does find it there', async () => {
  for (const { periscope, ada } of others) {
    const { call } = await periscope.conversation(ada);
    const { text } = await call('codesearch', { query: 'vaultWord', output: 'count' });
    expect(text).toContain('acme/a-vault');
  }
});

const PAGES_MAX = 60;

/** As bob gets them, one after the other; what a cursor says is secret, how long it is is not. */
async function pagesOf(
  { periscope, bob }: VaultOrganisation,
  input: Record<string, unknown>,
  tool = 'codesearch',
) {
  await untilNothingIsPending({ periscope, bob }, input);
  const { call } = await periscope.conversation(bob);
  const pages: unknown[] = [];
  try {
    let answer = await call(tool, input);
    for (;;) {
      pages.push(comparable(answer));
      if (answer.cursor === null || pages.length === PAGES_MAX) return pages;
      answer = await call(tool, { cursor: answer.cursor });
    }
  } catch (fault) {
    return [...pages, said(fault)];
  }
}

async function oneOf(
  { periscope, bob }: VaultOrganisation,
  tool: string,
  input: Record<string, unknown>,
): Promise<unknown> {
  const { call } = await periscope.conversation(bob);
  try {
    return comparable(await call(tool, input));
  } catch (fault) {
    return said(fault);
  }
}

function comparable(answer: ToolAnswer): unknown {
  const { cursor, ...rest } = answer;
  const text = JSON.stringify(rest);
  return [timeless(cursor === null ? text : text.replaceAll(cursor, '')), cursor?.length ?? null];
}

function said(fault: unknown): unknown {
  if (!(fault instanceof PeriscopeError)) throw fault;
  const { kind, code, message, next, data } = fault;
  return { kind, code, message, next, data };
}

/** A revision that was asked for the first time is there a moment later. */
async function untilNothingIsPending(
  { periscope, bob }: Pick<VaultOrganisation, 'periscope' | 'bob'>,
  input: Record<string, unknown>,
): Promise<void> {
  if (!/v\d\.\d\.0/.test(JSON.stringify(input))) return;
  const untilMs = Date.now() + 20_000;
  for (;;) {
    const { call } = await periscope.conversation(bob);
    const { result } = await call('codesearch', input);
    if ((result['searched'] as { pending: number }).pending === 0) return;
    if (Date.now() > untilMs) throw new Error('the revision was not indexed in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function zoektAnswer({ periscope, bob }: VaultOrganisation, url: string, body: unknown) {
  const response = await fetch(`${periscope.url}${url}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${bob}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return `${response.status} ${timeless(await response.text())}`;
}

/** How long it took, and when each repository was indexed. */
function timeless(text: string): string {
  return text
    .replace(/"(?:indexedMs|Duration|IndexTimeUnix)":\d+/g, '')
    .replace(/"IndexTime":"[^"]*"/g, '')
    .replace(/indexed \d+ \w+ ago/g, '');
}
