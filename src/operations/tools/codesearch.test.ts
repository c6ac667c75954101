import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../base/errors.ts';
import { estimateTokens } from '../present.ts';
import { type MemoryDocument, memoryCodeSearch } from '../testing/memory-code-search.ts';
import { searchContext } from '../testing/search-context.ts';
import { visibleRepository } from '../testing/visible-repository.ts';
import type { OperationResult, Position } from '../types.ts';

const payments = visibleRepository('acme/payments');
const billing = visibleRepository('acme/billing');
const visible = [payments, billing];
const documents: MemoryDocument[] = [
  {
    repositoryId: payments.id,
    path: 'src/session.ts',
    text: 'a\nb\nretryLimit = 5;\nc\nd\n-\ne\nf\nretryLimit\n',
  },
  { repositoryId: payments.id, path: 'src/retry.go', text: 'package retry\n' },
  { repositoryId: billing.id, path: 'src/invoice.py', text: 'return retryLimit\ntest(\n' },
];

function searchOver(all = documents) {
  const search = memoryCodeSearch([...all]);
  return { search, ...searchContext({ visible, search }) };
}

async function errorOf(work: Promise<unknown>): Promise<string> {
  const fault = await work.then(
    () => null,
    (error: unknown) => error,
  );
  return fault instanceof PeriscopeError ? `${fault.code}: ${fault.next}` : String(fault);
}

describe('an answer is read from its text alone', () => {
  it('says what was understood and searched, then each file below its repository, matches marked', async () => {
    const { text } = await searchOver().ask({ query: 'retryLimit' });
    expect(text.split('\n')).toEqual([
      '2 files, 3 lines for text "retryLimit" (exact case) (searched 2 repositories, 3 files)',
      expect.stringMatching(/^acme\/billing@main \(commit 0{7}/),
      'src/invoice.py  1 line  https://acme/billing/src/invoice.py#L1',
      '>1\treturn retryLimit',
      ' 2\ttest(',
      expect.stringMatching(/^acme\/payments@main/),
      'src/session.ts  2 lines  https://acme/payments/src/session.ts#L3',
      ' 1\ta',
      ' 2\tb',
      '>3\tretryLimit = 5;',
      ' 4\tc',
      ' 5\td',
      '…',
      ' 7\te',
      ' 8\tf',
      '>9\tretryLimit',
    ]);
  });

  const check = (name: string, input: Record<string, unknown>, wanted: string[], unwanted: string[] = []) =>
    it(name, async () => {
      const { text } = await searchOver().ask(input);
      for (const part of wanted) expect(text).toContain(part);
      for (const part of unwanted) expect(text).not.toContain(part);
    });
  check('text that looks like a regular expression', { query: 'test(' }, ['text "test("', '>2\ttest(']);
  check('no context', { query: 'retryLimit', context: 0 }, ['>3\tretryLimit'], [' 2\tb']);
  check(
    'files alone',
    { query: 'retryLimit', output: 'files' },
    ['src/session.ts  2 lines'],
    ['>3', 'https:'],
  );
  check('counts', { query: 'retryLimit', output: 'count' }, [
    '2 repositories, 2 files, 3 lines',
    'acme/payments  1 file',
  ]);
  check('repositories', { query: 'retryLimit', output: 'repos' }, ['acme/payments  1 file, 2 lines']);
  check(
    'one repository',
    { query: 'retryLimit', repo: 'payments' },
    [' in acme/payments', 'session.ts'],
    ['invoice'],
  );
  check('a path filter', { query: 'retryLimit', file: '*.py' }, ['invoice.py'], ['session.ts']);
  check('a filter in the query', { query: 'retryLimit repo:acme/bill*' }, ['invoice.py'], ['session.ts']);
  check('found by its path', { query: 'file:retry.go' }, ['src/retry.go']);
  check('blanks alone as text', { query: '  ', mode: 'literal' }, ['text "  "']);
  check(
    'files without a text where a filter stands beside it',
    { query: '-retryLimit file:src/*' },
    ['src/retry.go'],
    ['session'],
  );
  check('files without a text of a named repository', { query: '-retryLimit', repo: 'payments' }, [
    'src/retry.go',
  ]);
  check('a broken expression that stands somewhere as text', { query: 'test(', mode: 'regex' }, [
    'Searched as text',
    '>2\ttest(',
  ]);
  it('and for programs with everything', async () => {
    const { result } = await searchOver().ask({ query: '"retryLimit ="' });
    expect(result).toMatchObject({
      output: 'lines',
      fileCount: { count: 1, exact: true },
      searched: { repositories: 2, documents: 3, unindexed: [], skipped: {}, pending: 0 },
      files: [
        {
          repository: 'acme/payments',
          path: 'src/session.ts',
          permalink: 'https://acme/payments/src/session.ts#L3',
          blocks: [
            {
              permalink: 'https://acme/payments/src/session.ts#L1',
              lines: [
                { line: 1, text: 'a', matched: false, ranges: [], cut: false },
                { line: 2, text: 'b', matched: false, ranges: [], cut: false },
                {
                  line: 3,
                  text: 'retryLimit = 5;',
                  matched: true,
                  ranges: [{ start: 0, end: 12 }],
                  cut: false,
                },
                { line: 4, text: 'c', matched: false, ranges: [], cut: false },
                { line: 5, text: 'd', matched: false, ranges: [], cut: false },
              ],
            },
          ],
        },
      ],
    });
    expect(JSON.stringify(result)).not.toContain('generation');
  });
});

describe('who listens', () => {
  it('gets the first files of a search that takes its time, then all', async () => {
    const { ask, search } = searchOver();
    search.told.stopped = 'enough';
    const first: OperationResult[] = [];
    const { found } = await ask({ query: 'retryLimit', exact: true }, { first });
    expect([first.length, first[0]?.rows.length, found]).toEqual([1, 2, true]);
  });
  it('gets one answer of a quick one', async () => {
    const first: OperationResult[] = [];
    const { found } = await searchOver().ask({ query: 'retryLimit', exact: true }, { first });
    expect([first.length, found]).toEqual([0, true]);
  });
});

describe('what was not searched is said', () => {
  const check = (name: string, told: Record<string, unknown>, wanted: string[], query = 'retryLimit') =>
    it(name, async () => {
      const { search, ask } = searchOver();
      Object.assign(search.told, told);
      const { text } = await ask({ query });
      for (const part of wanted) expect(text).toContain(part);
    });
  check('repositories without an index', { unindexed: [billing.id] }, [
    'not indexed yet and was not searched: acme/billing',
    'scan_directory',
  ]);
  check('skipped files', { skipped: { binary: 2, 'too-large': 1 } }, [
    'not in the index: 2 binary, 1 too-large',
  ]);
  check('files that are on their way', { pending: 7 }, ['still being indexed: 7 files']);
  check('time', { stopped: 'budget' }, ['at least 2 files', "search's 5 s were over"]);
  check('good enough', { stopped: 'enough' }, ['at least 2 files', '"exact": true']);
  check('a broken part', { problems: ['one segment is broken'] }, ['one segment is broken']);
  check('nothing found in part of it is not nothing', { pending: 7 }, ['not everything was searched'], 'zzz');
  check('nothing at all to search', { documents: 0 }, ['Nothing was searched'], 'zzz');
});

describe('an empty answer leads on', () => {
  const check = (name: string, input: Record<string, unknown>, wanted: string[]) =>
    it(name, async () => {
      const { text, found } = await searchOver().ask(input);
      expect(found).toBe(false);
      for (const part of wanted) expect(text).toContain(part);
    });
  check('with another letter case', { query: 'RetryLimit' }, ['With "case": "no": 2 files, 3 lines.']);
  check('as text', { query: 'retryLimit = 5;|zzz', mode: 'literal' }, ['With "mode": "regex": 1 file']);
  check('without the path filter', { query: 'retryLimit', file: '*.rs' }, ['Without "file": 2 files']);
  check('in other repositories', { query: 'invoice retryLimit', repo: 'payments' }, [
    'In all repositories, without "repo": 1 file',
  ]);
  check('with other ways when nothing would', { query: 'zzz' }, ['codesearch_repos']);
});

describe('what cannot be asked is refused with what can', () => {
  const check = (name: string, input: Record<string, unknown>, ...wanted: string[]) =>
    it(name, async () => {
      const told = await errorOf(searchOver().ask(input));
      for (const part of wanted) expect(told).toContain(part);
    });
  check('nothing', {}, 'operations/query-missing');
  check('blanks', { query: '  ' }, 'operations/query-missing');
  check(
    'nothing but what is left out',
    { query: '-foo' },
    'operations/nothing-positive',
    '"-foo"',
    'file:*.go',
  );
  check('an unknown repository', { query: 'x', repo: 'vault' }, 'operations/repository-not-found');
  check('a broken expression', { query: 'zzz(', mode: 'regex' }, 'search/regex');
  check('lookaround', { query: '(?<=a)b', mode: 'regex' }, 'search/regex');
});

describe('pages never overlap and together are everything', () => {
  const many: MemoryDocument[] = Array.from({ length: 95 }, (_, index) => ({
    repositoryId: index % 2 === 0 ? payments.id : billing.id,
    path: `src/file${String(index).padStart(2, '0')}.ts`,
    text: `needle ${'x'.repeat((index * 37) % 300)}\n${'other\n'.repeat(6)}needle again\n`,
  }));
  const pathsOf = (result: Record<string, unknown>) =>
    (result['files'] as { repository: string; path: string }[]).map((one) => `${one.repository}/${one.path}`);

  for (const tokens of [400, 1000, 2500, 20_000]) {
    it(`in answers of ${tokens} tokens`, async () => {
      const { ask } = searchOver(many);
      const seen: string[] = [];
      let after: Position | null = null;
      do {
        const answer = await ask({ query: 'needle' }, { after, tokens });
        expect(estimateTokens(answer.text)).toBeLessThanOrEqual(tokens + 60);
        seen.push(...pathsOf(answer.result));
        after = answer.position;
      } while (after !== null);
      expect(seen).toHaveLength(95);
      expect(new Set(seen).size).toBe(95);
    });
  }

  it('when something else is indexed meanwhile, too', async () => {
    const { ask, search } = searchOver(many);
    const first = await ask({ query: 'needle' }, { tokens: 1000 });
    search.publish();
    const second = await ask({ query: 'needle' }, { after: first.position, tokens: 1000 });
    const both = [...pathsOf(first.result), ...pathsOf(second.result)];
    expect(new Set(both).size).toBe(both.length);
  });

  it('when time is over at another place each time, too', async () => {
    const { ask, search } = searchOver(many);
    Object.assign(search.told, { stopped: 'budget' });
    const seen: string[] = [];
    let after: Position | null = null;
    for (let turn = 0; ; turn++) {
      search.turn = turn;
      const answer = await ask({ query: 'needle' }, { after, tokens: 700 });
      seen.push(...pathsOf(answer.result));
      after = answer.position;
      if (after === null) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(60);
  });

  it('and a cursor of other repositories says that it is outdated', async () => {
    const first = await searchOver(many).ask({ query: 'needle' }, { tokens: 1000 });
    const search = memoryCodeSearch([...many]);
    const { ask } = searchContext({ visible: [payments], search });
    expect(await errorOf(ask({ query: 'needle' }, { after: first.position }))).toContain(
      'operations/cursor-outdated',
    );
  });
});

it('what has been opted out since it was indexed is in no answer', async () => {
  const search = memoryCodeSearch([...documents]);
  const policy = { optedOut: (path: string) => path.startsWith('src/session'), mask: () => 0 };
  const { ask } = searchContext({ visible, search, policy });
  const { text, result } = await ask({ query: 'retryLimit' });
  expect(text).not.toContain('session');
  expect(JSON.stringify(result)).not.toContain('session');
  expect(text).toContain('invoice.py');
});
