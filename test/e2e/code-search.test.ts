import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../src/base/errors.ts';
import { type Acme, createAcme } from './support/acme-repositories.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

let acme: Acme;
let periscope: RunningPeriscope;
let token: string;
beforeAll(async () => {
  acme = createAcme();
  periscope = await startPeriscope({
    serve: true,
    indexed: 'always',
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

async function search(input: Record<string, unknown>): Promise<string> {
  const { call } = await periscope.conversation(token);
  try {
    return (await call('codesearch', input)).text;
  } catch (fault) {
    if (!(fault instanceof PeriscopeError)) throw fault;
    return `${fault.code} ${fault.message} ${fault.next}`;
  }
}

const check = (name: string, input: Record<string, unknown>, wanted: string[], unwanted: string[] = []) =>
  it(name, async () => {
    const text = await search(input);
    for (const part of wanted) expect(text).toContain(part);
    for (const part of unwanted) expect(text).not.toContain(part);
  });

describe('code is found in every repository that the asker sees, and in no other', () => {
  check(
    'text, with what was searched and how it was read',
    { query: 'retryLimit' },
    [
      '3 files, 3 lines for text "retryLimit" (exact case) (searched 2 repositories, 9 files)',
      'acme/payments@main (commit ',
      '>2\t  retryLimit = 5;',
      'acme/billing@main',
    ],
    ['vault'],
  );
  check('an expression', { query: 'func \\w+\\(', mode: 'regex' }, ['src/main.go', '>3\tfunc main() {']);
  check('text that is no expression', { query: 'retryLimit()' }, ['src/main.go'], ['Session']);
  check('a language', { query: 'retryLimit', lang: 'python' }, ['invoice.py'], ['main.go']);
  check('a path with a blank', { query: 'line break', file: 'with space/*' }, ['with space/a b.txt']);
  check('paths alone', { query: 'file:*.yaml' }, ['config/values.yaml']);
  check('counts', { query: 'retryLimit', output: 'count' }, ['2 repositories, 3 files, 3 lines']);
  check('repositories', { query: 'select:repo invoice' }, ['acme/billing'], ['payments']);
  check('nothing, with a way on', { query: 'RetryLimit' }, ['With "case": "no": 3 files']);
  check('a broken query, with the place', { query: 'a /(/' }, ['search/regex', '^']);
  it('a revision that is no indexed branch, as soon as its files are in the index', async () => {
    const asked = { query: 'retryLimit', repo: 'payments@v1.0.0' };
    await until(async () => !(await search(asked)).includes('still being indexed'));
    const text = await search(asked);
    expect(text).toContain('acme/payments@v1.0.0 (commit ');
    expect(text).toContain('retryLimit = 3');
    expect(text).not.toContain('retryLimit = 5');
  });
  check('a revision in the query', { query: 'retryLimit repo:payments@v1.0.0' }, ['retryLimit = 3']);
  check(
    'a branch that is not indexed',
    { query: 'feature', repo: 'payments', revision: 'origin/feature/x' },
    ['src/feature.ts', 'read feature/x'],
  );
  check('a revision that only one has', { query: 'retryLimit', revision: 'v1.0.0' }, [
    'retryLimit = 3',
    'Left out, because without such a revision: 1 repository.',
  ]);
  check('a revision that none has', { query: 'x', revision: 'v9' }, ['operations/revision-nowhere']);
});

describe('commits are found by what they say and by what they change', () => {
  check('a word of the message', { query: 'type:commit raise limit' }, [
    'acme/payments',
    'Raise the retry limit',
  ]);
  check('a repository', { query: 'type:commit repo:billing raise' }, ['No commit fits']);
  check(
    'what was added or removed',
    { query: 'type:diff "retryLimit = 5"' },
    ['Raise the retry limit'],
    ['billing'],
  );
  check('of an author that nobody is', { query: 'type:commit author:nobody' }, ['No commit fits']);
  check('an expression over changes', { query: 'type:diff /retry\\w+/' }, [
    'operations/diff-text',
    'one word',
  ]);
});

it('pages of a real index never overlap and are everything, also when something else is indexed meanwhile', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 70 }, (_, index) => [`many/file${index}.txt`, `needle ${'x'.repeat(index)}\n`]),
  );
  acme.billing.commit(files, { message: 'Many' });
  changed('acme/billing');
  await until(async () => (await search({ query: 'needle', output: 'count' })).includes('70 files'));
  const { call } = await periscope.conversation(token);
  const seen: string[] = [];
  let answer = await call('codesearch', { query: 'needle', max_tokens: 700 });
  for (let pages = 1; ; pages++) {
    const { files } = answer.result as { files: { path: string }[] };
    seen.push(...files.map(({ path }) => path));
    if (answer.cursor === null) break;
    if (pages === 2) {
      // What the asker does not see moves the index on.
      const generation = indexedMsOf('acme/vault');
      acme.secret!.commit({ 'src/more.ts': 'needle\n' }, { message: 'More' });
      changed('acme/vault');
      await until(async () => indexedMsOf('acme/vault') !== generation);
    }
    answer = await call('codesearch', { cursor: answer.cursor });
  }
  expect(seen).toHaveLength(70);
  expect(new Set(seen).size).toBe(70);
});

it('a change is searchable soon after somebody says so', async () => {
  acme.payments.commit({ 'src/fresh.ts': 'export const freshlyPushed = 1;\n' }, { message: 'Fresh' });
  const response = await fetch(`${periscope.url}/api/repositories/acme/payments/changed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  expect([response.status, await response.json()]).toEqual([202, { repository: 'acme/payments' }]);
  await until(async () => (await search({ query: 'freshlyPushed' })).includes('src/fresh.ts'));
});

it('what is opted out is gone from the next answer on, before the index follows', async () => {
  acme.billing.commit({ 'private/plan.txt': 'secretPlan\n' }, { message: 'Plan' });
  changed('acme/billing');
  await until(async () => (await search({ query: 'secretPlan' })).includes('private/plan.txt'));
  acme.billing.commit({ '.periscope/ignore': 'private/\n' }, { message: 'Hide' });
  expect(await search({ query: 'secretPlan' })).not.toContain('private/plan.txt');
});

it('a client that accepts events gets the answer as one', async () => {
  const response = await fetch(`${periscope.url}/api/tools/codesearch`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: 'retryLimit' }),
  });
  const events = (await response.text()).split('\n\n').filter((event) => event !== '');
  expect(events.map((event) => event.split('\n')[0])).toEqual(['event: answer']);
  expect(events[0]).toContain('src/main.go');
});

it('an answer that a push has changed is not said to be the same', async () => {
  const { call } = await periscope.conversation(token);
  const asked = { query: 'pushedMeanwhile' };
  await call('codesearch', asked);
  expect((await call('codesearch', asked)).text).toContain('this is the same answer');
  acme.payments.commit({ 'src/meanwhile.ts': 'pushedMeanwhile\n' }, { message: 'Meanwhile' });
  changed('acme/payments');
  await until(async () => (await search(asked)).includes('src/meanwhile.ts'));
  const text = (await call('codesearch', asked)).text;
  expect(text).toContain('src/meanwhile.ts');
  expect(text).not.toContain('same answer');
});

describe('every place of a file that lies in several is told', () => {
  beforeAll(async () => {
    const text = 'copiedEverywhere = 1;\n';
    acme.payments.commit({ 'copies/a.ts': text, 'copies/b.ts': text, 'copies/c.ts': text }, { message: 'A' });
    acme.billing.commit({ 'copies/a.ts': text, 'other/d.ts': text }, { message: 'B' });
    // What the asker does not see is no place.
    acme.secret!.commit({ 'copies/a.ts': text }, { message: 'C' });
    for (const name of ['acme/payments', 'acme/billing', 'acme/vault']) changed(name);
    const all = { query: 'copiedEverywhere', output: 'count' };
    await until(async () => (await search(all)).includes('5 files'));
  });
  const query = 'copiedEverywhere';
  // Texts of two repositories may be one text of the index, or one for each.
  check('beside its lines', { query }, [
    ' at 5 places',
    'same content: acme/',
    'acme/payments@main:copies/b.ts',
  ]);
  check('where files are listed', { query, output: 'files' }, [
    'copies/a.ts',
    'acme/payments@main:copies/b.ts',
    'acme/payments@main:copies/c.ts',
    'other/d.ts',
  ]);
  check('and counted', { query, output: 'count' }, [
    '2 repositories, 5 files, 5 lines (',
    'without copies)',
    'acme/payments  3 files, 3 lines',
    'acme/billing  2 files, 2 lines',
  ]);
  it('for programs too', async () => {
    const { call } = await periscope.conversation(token);
    const { result } = await call('codesearch', { query, output: 'count' });
    expect(result).toMatchObject({
      fileCount: { count: 5, exact: true },
      contentCount: { exact: true },
      repositories: [
        { repository: 'acme/payments', files: 3, lines: 3 },
        { repository: 'acme/billing', files: 2, lines: 2 },
      ],
    });
    const response = await fetch(`${periscope.url}/api/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ Q: query }),
    });
    const { Result } = (await response.json()) as { Result: { Files: unknown[]; FileCount: number } };
    expect([Result.Files.length, Result.FileCount]).toEqual([5, 5]);
  });
});

describe('what finds nothing says why', () => {
  check('a repository that there is not', { query: 'retryLimit repo:nonesuch' }, [
    'No repository that you can read fits repo:nonesuch.',
  ]);
  check('one whose name is a slip, or hidden', { query: 'retryLimit repo:acme/vault or repo:biling x' }, [
    'fits repo:acme/vault.',
    'fits repo:biling. Names like it: acme/billing.',
  ]);
  check(
    'one that there is',
    { query: 'retryLimit -repo:nonesuch repo:pay' },
    ['src/main.go'],
    ['No repository'],
  );
});

check('repositories alone', { query: 'type:repo' }, ['2 repositories', 'acme/payments  ', 'acme/billing  ']);

function changed(name: string): void {
  periscope.app.indexing.changed(periscope.app.catalog.repositories().find((one) => one.name === name)!);
}

function indexedMsOf(name: string): number | null {
  const { id } = periscope.app.catalog.repositories().find((one) => one.name === name)!;
  return periscope.app.indexing.status(id).indexedMs;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const untilMs = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > untilMs) throw new Error('it did not come about in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
