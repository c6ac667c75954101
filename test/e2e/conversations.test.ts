import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PeriscopeError } from '../../src/base/errors.ts';
import { createGitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import type { ToolAnswer } from '../../src/operations/index.ts';
import { type Acme, createAcme } from './support/acme-repositories.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

let acme: Acme;
let periscope: RunningPeriscope;
let token: string;
beforeAll(async () => {
  acme = createAcme();
  periscope = await startPeriscope({
    indexed: 'once',
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [acme.folder] }],
      access: {
        rules: [{ effect: 'allow', people: ['ada'], repositories: ['acme/payments', 'acme/billing'] }],
      },
    },
  });
  ({ token } = await periscope.token('ada'));
});
afterAll(async () => {
  await periscope.stop();
  acme.remove();
});

interface Call {
  tool: string;
  input: Record<string, unknown>;
}

/** Plays the calls of a model one after the other; a model that reads `next` or a cursor takes what the last answer said. */
async function play(calls: readonly (Call | ((last: Outcome) => Call))[]): Promise<Outcome[]> {
  const { call } = await periscope.conversation(token);
  const outcomes: Outcome[] = [];
  for (const step of calls) {
    const { tool, input } = typeof step === 'function' ? step(outcomes.at(-1)!) : step;
    outcomes.push(
      await call(tool, input).then(
        (answer): Outcome => ({ answer, error: null }),
        (error: unknown): Outcome => ({ answer: null, error: error as PeriscopeError }),
      ),
    );
  }
  return outcomes;
}

type Outcome = { answer: ToolAnswer; error: null } | { answer: null; error: PeriscopeError };

describe('a model that calls wrongly ends at the right lines within two extra calls', () => {
  const check = (name: string, calls: Parameters<typeof play>[0], wanted: string) =>
    it(name, async () => {
      const outcomes = await play(calls);
      expect(outcomes.length).toBeLessThanOrEqual(3);
      const last = outcomes.at(-1)!;
      expect(last.error?.message ?? last.answer?.text).toContain(wanted);
    });
  const read = (input: Record<string, unknown>): Call => ({ tool: 'read_file', input });
  const line120 = 'export const line120 = 120;';

  check(
    'repository inside the path',
    [read({ path: 'acme/payments/src/auth/token.ts', offset: 120 })],
    line120,
  );
  check(
    'repository in both places',
    [read({ repo: 'payments', path: 'payments/src/auth/token.ts', offset: 120 })],
    line120,
  );
  check(
    '@repo: and a leading slash',
    [read({ repo: '@repo:acme/payments', path: '/src/auth/token.ts', offset: 120 })],
    line120,
  );
  check(
    'a browse URL with lines',
    [read({ path: 'https://git.example/acme/payments/blob/main/src/auth/token.ts#L120-L121' })],
    line120,
  );
  check(
    'a browse URL of a branch with a slash',
    [read({ repo: 'https://git.example/acme/payments/-/blob/feature/x/src/feature.ts' })],
    'export const feature',
  );
  check(
    'owner/name@ref',
    [read({ repo: 'acme/payments@v1.0.0', path: 'src/auth/Session.ts' })],
    'retryLimit = 3',
  );
  check('backslashes', [read({ repo: 'payments', path: 'src\\auth\\token.ts', offset: 120 })], line120);
  check('file:line', [read({ repo: 'payments', path: 'src/auth/token.ts:120' })], line120);
  check('wrong letter case', [read({ repo: 'payments', path: 'SRC/auth/session.ts' })], 'retryLimit = 5');
  check(
    'a question, then the place that it was answered with',
    [
      { tool: 'search', input: { query: 'how many times is it tried again', repo: 'payments' } },
      read({ repo: 'payments', path: 'src/auth/Session.ts', offset: 1, limit: 3 }),
    ],
    'retryLimit = 5',
  );
  check(
    'a name that agents know search by meaning under',
    [
      {
        tool: 'codebase_search',
        input: { query: 'the retry limit of a session', target_directories: ['src'] },
      },
    ],
    'codebase_search here; search answered instead',
  );
  check('a near repository name', [read({ repo: 'acme/paymets', path: 'src/auth/token.ts:120' })], line120);
  check('a directory given to read_file', [read({ repo: 'payments', path: 'src/auth' })], 'token.ts');
  check(
    'a file given to list_directory',
    [{ tool: 'list_directory', input: { repo: 'payments', path: 'README.md' } }],
    'Takes money.',
  );
  check(
    'origin/ before the branch',
    [read({ repo: 'payments', path: 'src/feature.ts', revision: 'origin/feature/x' })],
    'export const feature',
  );
  check(
    'a tool that is called otherwise',
    [{ tool: 'grep', input: { query: 'retryLimit', repo: 'payments', include: '*.go' } }],
    'src/main.go',
  );
  check(
    'the prefix of another client',
    [{ tool: 'mcp__periscope__search_code', input: { q: 'retryLimit', repository: 'billing' } }],
    'src/invoice.py',
  );
  check('code from anywhere', [{ tool: 'code_search', input: { query: 'def invoice' } }], 'acme/billing');
  check(
    'a pattern as grep has it, with a path in one repository: all of that directory is scanned',
    [{ tool: 'Grep', input: { pattern: 'retry\\w+', repo: 'payments', path: 'src', glob: '*.go' } }],
    '4: ',
  );
  check(
    'ripgrep with its switches',
    [
      {
        tool: 'ripgrep',
        input: { pattern: 'RETRY\\w+', '-i': true, type: 'py', output_mode: 'content', '-C': 1 },
      },
    ],
    'src/invoice.py',
  );
  check(
    'an expression that is none',
    [{ tool: 'grep', input: { pattern: 'retryLimit(' } }],
    '>4\t\tretryLimit()',
  );
  check(
    'the repository in the path of a search',
    [{ tool: 'codesearch', input: { query: 'retryLimit', path: 'acme/payments/src/auth' } }],
    'retryLimit = 5',
  );
  check(
    'a query that finds nothing: the answer says what would',
    [
      { tool: 'codesearch', input: { query: 'RETRYLIMIT' } },
      { tool: 'codesearch', input: { query: 'RETRYLIMIT', case: 'no' } },
    ],
    'retryLimit = 5',
  );
  check(
    'a definition by its name',
    [{ tool: 'codesearch', input: { query: 'sym:Session' } }],
    'export class Session {',
  );
  check('glob', [{ tool: 'glob', input: { pattern: '*.yaml', repo: 'payments' } }], 'config/values.yaml');
  check(
    'lines as strings and other names',
    [read({ repository: 'payments', file_path: 'src/auth/token.ts', start_line: '120', end_line: '121' })],
    line120,
  );
  check(
    'a misspelt file name: the error names it',
    [
      read({ repo: 'payments', path: 'src/auth/tokens.ts' }),
      ({ error }) => read({ repo: 'payments', path: /path "([^"]+)"/.exec(error!.next)![1], offset: 120 }),
    ],
    line120,
  );
  check(
    'a misspelt branch: the error names the default one',
    [
      read({ repo: 'payments', path: 'README.md', revision: 'develop' }),
      ({ error }) =>
        read({ repo: 'payments', path: 'README.md', revision: /revision "([^"]+)"/.exec(error!.next)![1] }),
    ],
    'Takes money.',
  );
  check(
    'no repository named: the error names one',
    [
      read({ path: 'README.md' }),
      { tool: 'codesearch_repos', input: {} },
      read({ repo: 'acme/payments', path: 'README.md' }),
    ],
    'Takes money.',
  );
  check(
    'a file given to scan_directory',
    [{ tool: 'scan_directory', input: { repo: 'payments', pattern: 'retry\\w+', path: 'src/main.go' } }],
    '4: ',
  );
  check('a file known by its name alone', [read({ repo: 'payments', path: 'values.yaml' })], 'replicas: 3');
  check('the path of another machine', [read({ path: '/workspace/payments/src/main.go' })], 'retryLimit()');
  check(
    'a version without its v',
    [read({ repo: 'payments', path: 'src/auth/Session.ts', revision: '1.0.0' })],
    'retryLimit = 3',
  );
  check(
    'a long file: the cursor leads on',
    [
      read({ repo: 'payments', path: 'src/auth/token.ts', limit: 300, max_tokens: 1000 }),
      ({ answer }) => read({ cursor: answer!.cursor }),
      ({ answer }) => read({ cursor: answer!.cursor }),
    ],
    'export const line220 = 220;',
  );
});

describe('the guards', () => {
  it('the same call is noted, then short, then refused; another tool resets', async () => {
    const same: Call = { tool: 'read_file', input: { repo: 'payments', path: 'README.md' } };
    const outcomes = await play([same, same, same, same, { tool: 'codesearch_repos', input: {} }, same]);
    expect(outcomes[1]!.answer?.text).toContain('same answer');
    expect(outcomes[1]!.answer?.text).toContain('Takes money.');
    expect(outcomes[2]!.answer?.text).not.toContain('Takes money.');
    expect(outcomes[3]!.error?.code).toBe('operations/repeated-call');
    expect(outcomes[5]!.answer?.text).toContain('Takes money.');
  });

  it('a retry after a failed call is never blocked', async () => {
    const failing: Call = { tool: 'read_file', input: { repo: 'payments', path: 'no/such/file.ts' } };
    const outcomes = await play([failing, failing, failing, failing, failing]);
    for (const { error } of outcomes) expect(error?.kind).toBe('path-not-found');
  });

  it('a call whose answer has changed is not a repeat', async () => {
    const { call } = await periscope.conversation(token);
    const input = { repo: 'billing', path: 'README.md' };
    await call('read_file', input);
    acme.billing.commit({ 'README.md': '# Billing, again\n' });
    const { text, notes } = await call('read_file', input);
    expect(text).toContain('Billing, again');
    expect(notes.join()).not.toContain('same answer');
  });

  it('searches that bring nothing new end in the ways out, and one that finds something is answered', async () => {
    const search = (pattern: string, repo = 'billing'): Call => ({
      tool: 'scan_directory',
      input: { repo, pattern },
    });
    const empty = ['a1', 'b2', 'c3', 'd4', 'e5', 'f6'].map((name) => search(`nowhere${name}`));
    const outcomes = await play([...empty, search('retryLimit', 'payments')]);
    expect(outcomes[4]!.answer?.text).not.toContain('Other ways');
    expect(outcomes[5]!.answer?.text).toContain('Other ways');
    expect(outcomes[6]!.answer?.text).toContain('src/main.go');
    expect(outcomes[6]!.answer?.text).not.toContain('Other ways');
  });

  it('whole files do not go to external models, slices do', async () => {
    const external = await periscope.token('ada', { destination: 'external' });
    const { call } = await periscope.conversation(external.token);
    await expect(call('fetch_file', { repo: 'payments', path: 'README.md' })).rejects.toMatchObject({
      kind: 'blocked-by-policy',
    });
    expect((await call('read_file', { repo: 'payments', path: 'README.md' })).text).toContain('Takes money.');
  });
});

it('an answer from a dirty work tree says what it does not see', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-dirty-'));
  const fixture = createGitFixture({ folder: path.join(folder, 'dirty') });
  fixture.commit({ 'a.txt': 'committed\n' });
  fixture.checkout();
  writeFileSync(path.join(fixture.folder, 'a.txt'), 'changed\n');
  writeFileSync(path.join(fixture.folder, 'new.txt'), 'new\n');
  const running = await startPeriscope({
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [folder] }],
      access: { rules: [{ effect: 'allow', people: ['ada'], repositories: ['**'] }] },
    },
  });
  try {
    const { call } = await running.conversation((await running.token('ada')).token);
    const { text } = await call('read_file', { repo: 'dirty', path: 'a.txt' });
    expect(text).toContain('main as committed; 2 changed files are not seen.');
    expect(text).toContain('committed');
    expect(text).not.toContain('\tchanged');
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
