import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../src/base/errors.ts';
import { createGitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { describeOperations } from '../../src/operations/index.ts';
import { type Acme, createAcme } from './support/acme-repositories.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

/** The hidden repository's name and one that never was, of the same length: answers may differ in nothing but this. */
const hidden = 'acme/vault';
const never = 'acme/vxuqt';

let acme: Acme;
let periscope: RunningPeriscope;
let bob: string;
beforeAll(async () => {
  acme = createAcme();
  periscope = await startPeriscope({
    serve: true,
    indexed: 'once',
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [acme.folder] }],
      access: {
        rules: [
          { effect: 'allow', people: ['ada'], repositories: ['**'] },
          { effect: 'allow', people: ['bob'], repositories: ['acme/payments'] },
        ],
      },
    },
  });
  bob = (await periscope.token('bob')).token;
});
afterAll(async () => {
  await periscope.stop();
  acme.remove();
});

/** Every operation, with the asked name in every place that a name can stand. A new operation must be named here. */
const probes: Record<string, (name: string) => Record<string, unknown>[]> = {
  // A name among the words of a question means something, as every word does: that is asked below, where it hides and where it is not.
  search: (name) => [
    { question: 'where is the retry limit set', repo: name },
    { question: 'where is the retry limit set', repo: name.slice(5) },
    { question: 'where is the retry limit set', repo: `${name}*` },
    { question: 'where is the retry limit set', repo: [name, 'acme/payments'] },
    { question: 'where is the retry limit set', repo: `!${name}` },
    { question: 'where is the retry limit set', repo: `${name}@main`, explain: false },
    { question: 'where is the retry limit set', repo: name, revision: 'main' },
    { question: 'where is the retry limit set', file: `${name}/src` },
  ],
  codesearch: (name) => [
    { query: 'retryLimit', repo: name },
    { query: 'retryLimit', repo: name.slice(5) },
    { query: 'retryLimit', repo: `${name}*` },
    { query: 'retryLimit', repo: name.toUpperCase() },
    { query: 'retryLimit', repo: [name, 'acme/payments'] },
    { query: 'retryLimit', repo: `!${name}` },
    { query: 'retryLimit', repo: `${name}@main` },
    { query: 'retryLimit', repo: name, revision: 'main', output: 'count' },
    { query: 'retryLimit', file: `${name}/src` },
    { query: 'retryLimit', file: `/home/bob/${name.slice(5)}/src` },
    { query: `retryLimit repo:${name}` },
    { query: `retryLimit repo:${name}@main` },
    { query: `retryLimit -repo:${name}`, output: 'repos' },
    { query: `type:repo ${name.slice(5)}` },
    { query: `type:commit repo:${name}` },
    { query: `${name.slice(5)}Keys`, exact: true },
  ],
  codesearch_repos: (name) => [{}, { query: name }, { query: name.slice(5) }, { query: `${name}*` }],
  graph: (name) => [
    { name: 'vaultKeys', repo: name },
    { name: 'vaultKeys', within: name },
    { name: `vaultKeys@${name}` },
    { name: `@${name} vaultKeys` },
    { repo: name },
    { repo: name, relation: 'dependencies' },
    { repo: name, path: 'src/keys.ts', line: 1 },
    { repo: name, path: 'src/keys.ts', relation: 'outline' },
    { name: `${name}/src/keys.ts:1` },
    { name: `https://git.example/${name}/blob/main/src/keys.ts#L1` },
    { name: `${name.slice(5)}Keys` },
    { name: `${name.slice(5)}Keys`, relation: 'definitions', format: 'graph' },
    { name, relation: 'dependents' },
    { name: 'retryLimit', repo: [name, 'acme/payments'] },
  ],
  list_directory: (name) => [
    { repo: name, outline: true },
    { repo: name },
    { repo: name, path: 'src' },
    { path: `${name}/src` },
  ],
  read_file: (name) => [
    { repo: name, path: 'src/keys.ts', symbol: 'vaultKeys' },
    { repo: name, path: 'README.md' },
    { repo: name.slice(5), path: 'README.md' },
    { path: `${name}/README.md` },
    { repo: `https://git.example/${name}/blob/main/README.md` },
    { repo: `${name}@main`, path: 'src/keys.ts:1' },
    { repo: `@repo:${name}`, path: 'nowhere' },
    { repo: `local/${name}`, path: 'README.md' },
    { repo: name.slice(0, -1), path: 'README.md' },
    { repo: name.toUpperCase(), path: 'README.md' },
  ],
  fetch_file: (name) => [{ repo: name, path: 'README.md' }],
  scan_directory: (name) => [
    { repo: name, pattern: 'vaultKeys' },
    { repo: name, pattern: '(' },
  ],
  history: (name) => [
    { repo: name },
    { repo: name, kind: 'diff', revision: 'main' },
    { repo: name, path: 'README.md', kind: 'blame' },
    { repo: name, path: 'README.md', kind: 'owners' },
  ],
};

describe('to an identity without a grant a hidden repository and one that never was are the same to the byte', () => {
  it('every operation is probed', () =>
    expect(Object.keys(probes).sort()).toEqual(
      describeOperations()
        .map(({ name }) => name)
        .sort(),
    ));

  for (const [tool, inputs] of Object.entries(probes)) {
    for (const index of inputs(hidden).keys()) {
      it(`${tool} ${JSON.stringify(inputs('NAME')[index])}`, async () => {
        const before = gitWork();
        const asked = await answerOf(tool, inputs(hidden)[index]!);
        const after = gitWork();
        const wanted = await answerOf(tool, inputs(never)[index]!);
        expect(neutral(asked, hidden)).toBe(neutral(wanted, never));
        expect(asked).not.toContain('vaultKeys =');
        // Listing and searching what is visible looks at git; a probe by name must not.
        if (!/^(?:codesearch|graph$|search$)/.test(tool)) expect(after).toEqual(before);
      });
    }
  }

  const http = async (path: string, body?: unknown) => {
    const response = await fetch(`${periscope.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${bob}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const headers = [...response.headers].filter(([name]) => !['date', 'content-length'].includes(name));
    return `${response.status} ${JSON.stringify(headers)} ${await response.text()}`;
  };
  const surfaces: [string, (name: string) => Promise<string>][] = [
    ['HTTP tool', (name) => http('/api/tools/read_file', { repo: name, path: 'README.md' })],
    ['HTTP mentions', (name) => http(`/api/mentions?q=${encodeURIComponent(name)}`)],
    ['HTTP expansion of a mention', (name) => http('/api/mentions/expand', { text: `see @repo:${name}` })],
    [
      'MCP tool',
      (name) =>
        http('/mcp', {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'read_file', arguments: { repo: name, path: 'README.md' } },
        }),
    ],
    ['HTTP tool list', () => http('/api/tools')],
  ];
  for (const [surface, ask] of surfaces) {
    it(surface, async () =>
      expect(neutral(await ask(hidden), hidden)).toBe(neutral(await ask(never), never)),
    );
  }
});

describe('a hidden repository that is there changes nothing', () => {
  it('answers about what is visible are the same to the byte without it', async () => {
    const bare = createAcme({ secret: false });
    const without = await startPeriscope({
      indexed: 'once',
      config: {
        hosts: [{ kind: 'folder', name: 'local', folders: [bare.folder] }],
        access: { rules: [{ effect: 'allow', people: ['bob'], repositories: ['acme/payments'] }] },
      },
    });
    try {
      const other = (await without.token('bob')).token;
      const calls: [string, Record<string, unknown>][] = [
        ['codesearch_repos', {}],
        ['codesearch_repos', { query: 'a' }],
        ['read_file', { repo: 'vaul', path: 'x' }],
        ['scan_directory', { repo: 'payments', pattern: 'retryLimit' }],
        ['codesearch', { query: 'retryLimit' }],
        ['codesearch', { query: 'retryLimit', exact: true }],
        ['codesearch', { query: 'retryLimit', output: 'count' }],
        ['codesearch', { query: 'main', output: 'repos' }],
        ['codesearch', { query: 'package file:*.go', output: 'files' }],
        ['codesearch', { query: 'vaultKeys' }],
        ['codesearch', { query: 'RETRYLIMIT(' }],
        ['codesearch', { query: '/[a-z]+Limit/', case: 'yes' }],
        ['codesearch', { query: 'type:commit first' }],
        ['codesearch', { query: 'x', repo: 'vaul' }],
        ['codesearch', { query: '/(/' }],
        ['codesearch', { query: 'sym:vaultKeys' }],
        ['codesearch', { query: 'sym:session' }],
        ['search', { question: 'where is the retry limit set' }],
        ['search', { question: 'keys of the vault', limit: 50 }],
        ['search', { question: `keys of the vault in ${hidden}` }],
        ['search', { question: '"vaultKeys"' }],
        ['search', { question: `${hidden}/src/keys.ts` }],
        ['search', { question: 'vaultKeys' }],
        ['graph', { name: 'vaultKeys' }],
        ['graph', { name: 'retryLimit' }],
        ['graph', { name: 'retryLimit', relation: 'callers' }],
        ['graph', { name: 'main', relation: 'definitions' }],
        ['graph', { name: 'main', relation: 'callees', format: 'graph' }],
        ['graph', { name: 'Sesion' }],
        ['graph', { repo: 'payments' }],
        ['graph', { repo: 'payments', path: 'src/main.go' }],
        ['graph', { repo: 'payments', path: 'src/main.go', line: 4 }],
        ['list_directory', { repo: 'payments', path: 'src', outline: true }],
        ['read_file', { repo: 'payments', path: 'src/auth/Session.ts', symbol: 'Session' }],
      ];
      for (const [tool, input] of calls) {
        expect(timeless(await answerOf(tool, input))).toBe(
          timeless(await answerOf(tool, input, without, other)),
        );
      }
    } finally {
      await without.stop();
      bare.remove();
    }
  });
});

it('who may write in one place of a folder shows nothing of another, and the data folder shows nothing at all', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-places-'));
  const secret = createGitFixture({ folder: path.join(folder, 'team/secret') });
  secret.commit({ 'README.md': 'vaultKeys' });
  createGitFixture({ folder: path.join(folder, 'alice/own') }).commit({ 'README.md': 'hers' });
  secret.git(['worktree', 'add', '-q', '-b', 'wt', '../../alice/wt']);
  mkdirSync(path.join(folder, 'alice/gf'));
  writeFileSync(path.join(folder, 'alice/gf/.git'), 'gitdir: ../../team/secret/.git\n');
  const running = await startPeriscope({
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [folder, '.'] }],
      access: {
        rules: [
          { effect: 'allow', people: ['alice'], repositories: ['alice/**'] },
          { effect: 'allow', people: ['ada'], repositories: ['**'] },
        ],
      },
    },
  });
  try {
    createGitFixture({ folder: path.join(running.dataFolder, 'mirrors/7.git'), bare: true });
    await running.app.catalog.discover({ signal: AbortSignal.timeout(10_000) });
    const seenBy = async (person: string) => {
      const { caller } = await running.conversation((await running.token(person)).token);
      return (await running.app.gate.visible(caller, running.app.catalog.repositories())).map(
        ({ name }) => name,
      );
    };
    expect(await seenBy('alice')).toEqual(['alice/own']);
    expect(await seenBy('ada')).toEqual(['alice/own', 'alice/wt', 'team/secret']);
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a revoked token fails on its next call, on the same connection too', async () => {
  const { token, id } = await periscope.token('bob');
  const ask = () =>
    fetch(`${periscope.url}/api/tools`, { headers: { authorization: `Bearer ${token}` } }).then(
      ({ status }) => status,
    );
  expect(await ask()).toBe(200);
  await periscope.app.tokens.revoke(id, periscope.app.localCaller());
  expect(await ask()).toBe(401);
});

it('nobody is anonymous', async () => {
  for (const path of ['/api/tools', '/api/mentions', '/metrics', '/openapi.json']) {
    expect((await fetch(`${periscope.url}${path}`)).status, path).toBe(401);
  }
});

async function answerOf(
  tool: string,
  input: Record<string, unknown>,
  running = periscope,
  token = bob,
): Promise<string> {
  const { call } = await running.conversation(token);
  try {
    const answer = await call(tool, input);
    return JSON.stringify(answer);
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    const { kind, code, message, next, data } = error;
    return JSON.stringify({ kind, code, message, next, data });
  }
}

function neutral(text: string, name: string): string {
  const short = name.slice(5);
  const shown = [
    name,
    encodeURIComponent(name),
    name.slice(0, -1),
    short,
    short.slice(0, -1),
    name.toUpperCase(),
    short.toUpperCase(),
  ];
  return shown.reduce((result, form) => result.replaceAll(form, '·'), text);
}

/** When each was indexed is no part of what is compared. */
function timeless(text: string): string {
  return text.replace(/"indexedMs":\d+/g, '').replace(/indexed \d+ s ago/g, '');
}

/** Everything that git is asked is counted here. */
function gitWork() {
  return periscope.app.mirrorCounters();
}
