import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { PeriscopeError } from '../../src/base/errors.ts';
import { bundleForNode } from '../../src/base/testing/run-typescript.ts';
import { createGitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import {
  type CodeSearch,
  createCodeSearch,
  parseQuery,
  type QueryNode,
  type Scope,
  type SearchAnswer,
} from '../../src/search/index.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

const FILES = 120;
const files: Record<string, string | Buffer> = {
  'x.txt': `${'x'.repeat(20_000)}\n`,
  'a.txt': `${'a'.repeat(20_000)}b\n`,
  'letters.txt': `${'ab'.repeat(10_000)}\n`,
  'nul.bin': Buffer.from('needle\0\0'),
  'bad.txt': Buffer.from('needle \xff\xfe caf\xe9\n', 'latin1'),
  'breaks.txt': '\n'.repeat(20_000),
  'parentheses.txt': `${'('.repeat(300)}\n`,
};
for (let file = 0; file < FILES; file++)
  files[`some/${file}.txt`] = Array.from(
    { length: 60 },
    (_, line) => `line ${line * file} of some (((text\n`,
  ).join('');
const DOCUMENTS = Object.keys(files).length;
const TEXT_BYTES = Object.values(files).reduce((sum, file) => sum + file.length, 0);
const BUDGET_MS = 5000;

let root: string;
let periscope: RunningPeriscope;
let token: string;
let engine: CodeSearch;
let scope: Scope;
beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'periscope-hostile-search-'));
  createGitFixture({ folder: path.join(root, 'team/app.git'), bare: true }).commit(files);
  periscope = await startPeriscope({
    indexed: 'once',
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [root] }],
      access: { rules: [{ effect: 'allow', people: ['ada'], repositories: ['**'] }] },
      // One thread: whoever holds it holds up all others.
      search: { threads: 1 },
    },
  });
  token = (await periscope.token('ada')).token;
  const entry = path.resolve(import.meta.dirname, '../../src/search/engine/search-worker.ts');
  engine = await createCodeSearch(
    { folder: path.join(periscope.dataFolder, 'index'), threads: 1 },
    { clock: systemClock, workerFile: pathToFileURL(await bundleForNode(entry)) },
  );
  scope = periscope.app.catalog.repositories();
});
afterAll(async () => {
  await engine.close();
  await periscope.stop();
  rmSync(root, { recursive: true, force: true });
});

const many = (count: number, piece: (index: number) => string, between: string) =>
  Array.from({ length: count }, (_, index) => piece(index)).join(between);
const word = (index: number) => `w${((index * 2654435761) >>> 0).toString(36)}`;
const letters = Array.from({ length: 9000 }, (_, index) => word(index).at(-1)).join('');

describe('a hostile call is answered or refused in words, and the thread goes on', () => {
  check('nested counts', { query: '(a{1,20}){1,20}$', mode: 'regex' });
  check('two stars before what is not there', { query: 'x*x*y', mode: 'regex' });
  check('counts of nothing', { query: '(a?){200}a{200}c', mode: 'regex' });
  check('states without end', { query: '[ab]*a[ab]{200}c', mode: 'regex' });
  check('the most states that are allowed', { query: `${'(x?){1000}'.repeat(60)}z`, mode: 'regex' });
  check('more states', { query: `${'(x?){1000}'.repeat(900)}z`, mode: 'regex' }, 'search/regex-too-large');
  check('large classes', { query: '\\pL{1000}', mode: 'regex' }, 'search/regex-too-large');
  check('stars over line breaks', { query: '(?s)(.*\\n)*x*z', mode: 'regex' });
  check('opening parentheses', { query: '('.repeat(9000) });
  check(
    'opening parentheses as a regex',
    { query: '('.repeat(9000), mode: 'regex' },
    'search/regex-too-large',
  );
  check('pairs of parentheses', { query: `${'('.repeat(4000)}a${')'.repeat(4000)}` });
  check('groups in groups', { query: `${'(a or (b '.repeat(60)}c${'))'.repeat(60)}` });
  check('denials in denials', { query: `${'-('.repeat(40)}a${')'.repeat(40)}` });
  check('quotes', { query: '"'.repeat(9000) });
  check('backslashes', { query: '\\'.repeat(9000) });
  check('a long text', { query: letters, mode: 'literal' });
  check('a long text in any case', { query: letters, mode: 'literal', case: 'no' });
  check('alternatives', { query: many(1000, word, '|'), mode: 'regex' });
  check('words', { query: many(1200, word, ' ') });
  check('one of many words', { query: many(900, word, ' or ') });
  check('none of many words', { query: `line ${many(1100, (index) => `-${word(index)}`, ' ')}` });
  check('more than two thousand terms', { query: many(3000, () => 'a', ' ') }, 'search/query-syntax');
  check('filters', { query: many(800, (index) => `file:*${index}*`, ' ') });
  check('a glob of stars', { query: 'line', file: ['*a'.repeat(500)] });
  check('a NUL', { query: 'a\0b' }, 'operations/invalid-input');
  check('halves of characters', { query: 'needle \ud800 \udc00' });
  check('half of a character in a regex', { query: 'a\ud800b', mode: 'regex' });
  check('everything', { query: '.*', mode: 'regex', exact: true });
  check('a megabyte', { query: 'a'.repeat(1 << 20) }, 'operations/invalid-input');

  function check(name: string, input: Record<string, unknown>, code?: string) {
    it(name, async () => {
      const { call } = await periscope.conversation(token);
      const outcome = await call('codesearch', input).catch((fault: unknown) => fault);
      if (outcome instanceof PeriscopeError) {
        expect(outcome.kind).not.toBe('internal');
        expect(outcome.code).not.toBe('search/stuck');
        expect(`${outcome.message} ${outcome.next}`.length).toBeLessThan(2000);
        if (code !== undefined) expect(outcome.code).toBe(code);
      } else {
        expect(code).toBeUndefined();
        expect(JSON.stringify(outcome).length).toBeLessThan(100_000);
      }
      const after = await call('codesearch', { query: 'caf\u00e9', exact: true });
      expect(after.result).toMatchObject({ fileCount: { count: 1, exact: true }, stopped: null });
    });
  }
});

describe('the engine itself does bounded work for a hostile query, or refuses it', () => {
  check('a text of a megabyte', text('a'.repeat(1 << 20)), 'search/regex-too-large');
  check('more than a megabyte', text('a'.repeat((1 << 20) + 1)), 'search/regex-too-large');
  check('a megabyte of parentheses', regex('('.repeat(1 << 20)), 'search/regex-too-large');
  check('ten thousand alternatives', regex(many(10_000, word, '|')));
  check('two thousand words at once', {
    kind: 'all',
    of: many(2000, word, ' ')
      .split(' ')
      .map((one) => text(one)),
  });
  check('one of two thousand words', {
    kind: 'any',
    of: many(2000, word, ' ')
      .split(' ')
      .map((one) => text(one)),
  });
  check('a text of a hundred thousand letters', text(many(20_000, word, '').slice(0, 100_000)));
  check('half of a character', text('\ud800'));

  function check(name: string, query: QueryNode, code?: string) {
    it(name, async () => {
      const outcome = await search(query).catch((fault: unknown) => fault);
      if (code !== undefined) expect(outcome).toMatchObject({ code, kind: 'invalid-request' });
      else expect(outcome).not.toMatchObject({ kind: 'internal' });
      if (!(outcome instanceof PeriscopeError)) expectBounded(outcome as SearchAnswer, query);
      expect((await search(text('caf\u00e9'))).fileCount).toEqual({ count: 1, exact: true });
    });
  }

  function expectBounded({ statistics }: SearchAnswer, query: QueryNode): void {
    const terms = query.kind === 'all' || query.kind === 'any' ? query.of.length : 1;
    expect(statistics.documentsOpened).toBeLessThanOrEqual(DOCUMENTS);
    expect(statistics.textBytesScanned).toBeLessThanOrEqual(TEXT_BYTES * terms);
  }

  it('a search without time tells so, and reads nothing', async () => {
    const { root: query } = parseQuery('line or some or text', options);
    const outcome = await search(query, 0).catch((fault: unknown) => fault);
    expect(outcome).toMatchObject({ kind: 'timeout', code: 'search/too-much-to-prepare' });
  });

  it('an asker who leaves lets the thread go', async () => {
    const gone = new AbortController();
    const left = search(regex(`${'(x?){1000}'.repeat(60)}z`), BUDGET_MS, gone.signal);
    setTimeout(() => gone.abort(), 20);
    await expect(left).rejects.toMatchObject({ kind: 'cancelled' });
    expect((await search(text('caf\u00e9'))).fileCount).toEqual({ count: 1, exact: true });
  });
});

const options = { mode: 'auto', case: 'auto', nowMs: 0, repositorySets: {} } as const;

function text(source: string): QueryNode {
  return { kind: 'text', where: 'content', pattern: { source, literal: true, ignoreCase: true } };
}

function regex(source: string): QueryNode {
  return { kind: 'text', where: 'content', pattern: { source, literal: false, ignoreCase: false } };
}

function search(
  query: QueryNode,
  budgetMs = BUDGET_MS,
  signal = new AbortController().signal,
): Promise<SearchAnswer> {
  return engine.search(
    {
      query,
      scope,
      revisions: new Map(),
      output: 'lines',
      filesMax: 30,
      linesPerFileMax: 20,
      contextLines: 2,
      lineBytesMax: 400,
      exact: true,
      after: null,
      budgetMs,
    },
    signal,
  );
}
