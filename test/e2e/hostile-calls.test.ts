import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../src/base/errors.ts';
import { createGitFixture, type GitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

let folder: string;
let fixture: GitFixture;
let periscope: RunningPeriscope;
let token: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-hostile-calls-'));
  fixture = createGitFixture({ folder: path.join(folder, 'team/app') });
  fixture.commit({
    'a.txt': 'one\ntwo\n',
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: 'x\n',
    CODEOWNERS: `${'*a'.repeat(12)}b @nobody\n* @all\n`,
  });
  fixture.checkout();
  for (let index = 0; index < 300; index++)
    writeFileSync(path.join(fixture.folder, `untracked-${index}`), 'x');
  periscope = await startPeriscope({
    indexed: 'once',
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [folder] }],
      access: { rules: [{ effect: 'allow', people: ['ada'], repositories: ['**'] }] },
    },
  });
  token = (await periscope.token('ada')).token;
});
afterAll(async () => {
  await periscope.stop();
  rmSync(folder, { recursive: true, force: true });
});

const long = (piece: string, times: number) => piece.repeat(times);

/** Each once took seconds to hours of the main thread, or answered megabytes. */
const calls: [string, string, Record<string, unknown>][] = [
  ['slashes without end', 'read_file', { repo: `a${long('/', 100_000)}b`, path: 'a.txt' }],
  [
    'a URL of a thousand parts',
    'read_file',
    { repo: `https://git.example/${long('a/', 900)}x`, path: 'a.txt' },
  ],
  ['a path of a thousand parts', 'read_file', { repo: 'team/app', path: long('a/', 2000) }],
  ['braces that never close', 'list_directory', { repo: 'team/app', file: [long('{', 500)] }],
  [
    'globs without end',
    'list_directory',
    { repo: 'team/app', file: Array.from({ length: 20_000 }, () => '*a*') },
  ],
  ['a glob that backtracks', 'list_directory', { repo: 'team/app', file: [`${long('*a', 12)}b`] }],
  ['a pattern that backtracks', 'scan_directory', { repo: 'team/app', pattern: '(a+)+$' }],
  [
    'a pattern of nested counts',
    'scan_directory',
    { repo: 'team/app', pattern: '((a{1,100}){1,100}){1,100}' },
  ],
  ['a query without end', 'codesearch', { query: long('a ', 500_000) }],
  ['a query of many words', 'codesearch', { query: long('ab ', 3000) }],
  ['parentheses without end', 'codesearch', { query: long('(', 9000) }],
  ['alternatives without end', 'codesearch', { query: `/${long('a|', 4000)}b/` }],
  ['nested counts in a search', 'codesearch', { query: '((a{1,100}){1,100}){1,100}', mode: 'regex' }],
  ['a search that backtracks', 'codesearch', { query: '(a{1,20}){1,20}$', mode: 'regex' }],
  ['filters without end', 'codesearch', { query: 'a', file: Array.from({ length: 20_000 }, () => '*a*') }],
  ['repositories without end', 'codesearch', { query: 'a', repo: Array.from({ length: 9000 }, () => '*') }],
  ['a repository glob that backtracks', 'codesearch', { query: 'a', repo: `${long('*a', 200)}b` }],
  ['text that is no UTF-16', 'codesearch', { query: '\ud800 \udc00' }],
  ['a context without end', 'codesearch', { query: 'one', context: 1e9 }],
  ['a cursor of somebody', 'codesearch', { cursor: `2.${long('A', 20_000)}` }],
  ['owners whose pattern backtracks', 'history', { repo: 'team/app', kind: 'owners', path: long('a', 60) }],
  ['lines without end in the address', 'read_file', { repo: 'team/app', path: 'a.txt:1-8000000000000' }],
  [
    'a line that no number holds',
    'history',
    { repo: 'team/app', kind: 'blame', path: 'a.txt:99999999999999999999' },
  ],
  ['a date that no calendar holds', 'history', { repo: 'team/app', until: '+275760-09-13' }],
  ['a text that no argument holds', 'history', { repo: 'team/app', contains: long('x', 200_000) }],
  ['an author that no argument holds', 'history', { repo: 'team/app', author: long('x', 200_000) }],
  ['a NUL written as an escape', 'read_file', { repo: 'team/app', path: 'a\\x00b' }],
  ['an option for a revision', 'history', { repo: 'team/app', kind: 'diff', revision: '--output=/tmp/x' }],
  [
    'keys without end',
    'read_file',
    Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 1])),
  ],
  [
    'keys of every object',
    'read_file',
    JSON.parse('{"__proto__": {"repo": "x"}, "constructor": 1, "repo": "team/app", "path": "a.txt"}'),
  ],
  ['a tool name without end', `${long('x', 900_000)}__grep`, {}],
  ['a mention without end', 'codesearch_repos', { query: `@repo:${long('.', 100_000)}a` }],
];

describe('no call, however it is written, is an internal fault or a long answer', () => {
  for (const [name, tool, input] of calls) {
    it(name, async () => {
      const { call } = await periscope.conversation(token);
      const outcome = await call(tool, input).catch((error: unknown) => error);
      if (outcome instanceof PeriscopeError) {
        expect(outcome.kind).not.toBe('internal');
        expect(`${outcome.message} ${outcome.next}`.length).toBeLessThan(2000);
      } else expect(JSON.stringify(outcome).length).toBeLessThan(40_000);
    });
  }

  it('mentions without end are told in a moment', async () => {
    const { caller } = await periscope.conversation(token);
    const text = `@repo:${long('.', 100_000)}a`;
    expect((await periscope.app.operations.expandMentions(text, caller)).length).toBeLessThan(10_000);
  });
});

it('a caller who goes away at any moment ends no more than the own call', async () => {
  const callerFor = await periscope.app.authenticate({ kind: 'token', token });
  for (let delayMs = 0; delayMs < 40; delayMs++) {
    const gone = new AbortController();
    const caller = callerFor({ conversation: `gone-${delayMs}`, clientName: 'test', signal: gone.signal });
    const call = periscope.app.operations.handle(
      { name: 'scan_directory', input: { repo: 'team/app', pattern: `x${delayMs}` } },
      caller,
    );
    setTimeout(() => gone.abort(), delayMs / 4);
    await call.catch((error: unknown) => expect(error).toMatchObject({ kind: 'cancelled' }));
  }
  const { call } = await periscope.conversation(token);
  expect((await call('read_file', { repo: 'team/app', path: 'a.txt' })).text).toContain('two');
});
