import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../src/base/errors.ts';
import { connectHttp } from '../../src/mcp/testing/mcp-clients.ts';
import type { ToolAnswer } from '../../src/operations/index.ts';
import { createLinked, type LinkedRepositories } from './support/linked-repositories.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

let linked: LinkedRepositories;
let bare: LinkedRepositories;
let periscope: RunningPeriscope;
let without: RunningPeriscope;
let ada: string;

const visible = ['acme/retry', 'acme/shop', 'acme/go*'];
const configOf = (folder: string) => ({
  hosts: [{ kind: 'folder', name: 'local', folders: [folder] }],
  access: {
    rules: [
      { effect: 'allow', people: ['ada'], repositories: visible },
      { effect: 'allow', people: ['eve'], repositories: ['**'] },
    ],
  },
});

beforeAll(async () => {
  linked = createLinked();
  bare = createLinked({ secret: false });
  periscope = await startPeriscope({ serve: true, indexed: 'once', config: configOf(linked.folder) });
  without = await startPeriscope({ indexed: 'once', config: configOf(bare.folder) });
  ada = (await periscope.token('ada')).token;
}, 180_000);
afterAll(async () => {
  await periscope?.stop();
  await without?.stop();
  linked?.remove();
  bare?.remove();
});

async function ask(
  tool: string,
  input: Record<string, unknown>,
  running = periscope,
  token = ada,
): Promise<ToolAnswer | string> {
  const { call } = await running.conversation(token);
  try {
    return await call(tool, input);
  } catch (fault) {
    if (!(fault instanceof PeriscopeError)) throw fault;
    return `${fault.code}: ${fault.message} ${fault.next}`;
  }
}

async function textOf(tool: string, input: Record<string, unknown>): Promise<string> {
  const answer = await ask(tool, input);
  return typeof answer === 'string' ? answer : answer.text;
}

const check = (
  name: string,
  input: Record<string, unknown>,
  wanted: readonly string[],
  unwanted: readonly string[] = [],
  tool = 'graph',
) =>
  it(name, async () => {
    const text = await textOf(tool, input);
    for (const part of wanted) expect(text).toContain(part);
    for (const part of [...unwanted, 'vault', 'Vault']) expect(text).not.toContain(part);
  });

describe('a use in one repository meets its definition in another', () => {
  check('in npm, through a re-export', { name: 'Retrier' }, [
    '2 places use class Retrier',
    'class Retrier  acme/retry@main:src/retrier.ts:4',
    'acme/shop@main (commit ',
    'class CheckoutRetrier: extends\n>3\texport class CheckoutRetrier extends Retrier {}',
    'function checkout: new\n>6\t  const retrier = new Retrier(3);',
  ]);
  check('in Go, through a module', { name: 'retry.Do', relation: 'callers' }, [
    '1 caller of function Do',
    'acme/gosvc@main',
    '>6\t\tretry.Do(func() error { return nil })',
  ]);
  check('from the place of a use', { repo: 'shop', path: 'src/checkout.ts:6', relation: 'definitions' }, [
    'acme/retry@main',
    '>4\texport class Retrier {',
  ]);
  check('two steps out', { name: 'checkout', relation: 'callees', depth: 2 }, [
    'function waitMs: call at src/checkout.ts:8',
    '2 steps away: acme/retry@main',
  ]);
  check('two steps in', { name: 'waitMs', relation: 'callers', depth: 2 }, [
    'method Retrier.run: call',
    '2 steps away: acme/shop@main',
    'method Session.refresh: call',
  ]);
  check('who depends on a package, at which version', { name: '@acme/retry', relation: 'dependents' }, [
    '1 dependent of package @acme/retry 2.1.0',
    'package shop 1.0.0 wants @acme/retry ^2.0.0',
  ]);
  check('who depends on a Go module', { name: 'example.com/acme/golib', relation: 'dependents' }, [
    'example.com/acme/golib v1.4.0',
    'acme/gosvc@main',
  ]);
  check('who depends on a repository', { repo: 'acme/retry' }, [
    'package shop 1.0.0 wants @acme/retry ^2.0.0',
  ]);
  check('what a file imports', { repo: 'shop', path: 'src/checkout.ts', relation: 'imports' }, [
    'src/index.ts: import × 2 at src/checkout.ts:1',
  ]);
  check('who imports a file', { repo: 'shop', path: 'src/checkout.ts', relation: 'imported by' }, [
    '1 importer of src/checkout.ts',
    ">1\timport { checkout } from './checkout.js';",
  ]);
});

describe('an edge that is not certain says so, with its reason', () => {
  check('by the type of the receiver', { name: 'Retrier.run', relation: 'callers' }, [
    ')  likely: by the type of what stands before it\nsrc/checkout.ts\n',
    '>7\t  await retrier.run(async () => {});',
  ]);
  check('a certain one says nothing', { name: 'waitMs', relation: 'callers' }, [], ['likely', 'possible']);
});

describe('what weak models write is understood', () => {
  check('who calls', { symbol: 'waitMs', relation: 'who calls' }, ['2 callers of function waitMs']);
  check('extends', { name: 'CheckoutRetrier', relation: 'extends' }, [
    'class Retrier: extends at src/checkout.ts:3',
  ]);
  check('implementations', { name: 'Retrier', relation: 'implementations' }, [
    'class CheckoutRetrier: extends',
  ]);
  check('used by', { name: 'Retrier', relation: 'used by' }, ['2 places use class Retrier']);
  check('a direction', { name: 'checkout', relation: 'calls', direction: 'incoming' }, [
    '1 caller of function checkout',
  ]);
  check('a repository behind the name', { name: 'Session@acme/shop', relation: 'definitions' }, [
    'src/session.ts',
  ]);
  check(
    'the repository of the uses in the place of the definition',
    { name: 'waitMs', repo: 'shop' },
    ['"waitMs" is not defined in acme/shop: these are its uses there.', '>8\t  await waitMs(1);'],
    ['>10\t'],
  );
  check('a path as file', { repo: 'shop', file: 'src/session.ts' }, [
    '2 symbols of acme/shop:src/session.ts',
  ]);
  check(
    'a path as name, its repository in front',
    { name: 'acme/shop/src/session.ts', relation: 'outline' },
    ['2 symbols of acme/shop:src/session.ts'],
  );
  check('a path as name, its repository beside it', { name: 'session.ts', repo: 'shop' }, [
    '2 symbols of acme/shop:src/session.ts',
  ]);
  check(
    'all but some files',
    { name: 'waitMs', relation: 'callers', file: '!src/checkout.ts' },
    ['method Retrier.run: call'],
    ['function checkout: call'],
  );
  check('a relation within the name', { name: 'callers of waitMs' }, ['2 callers of function waitMs']);
  check('a call as it is written', { name: 'waitMs(1)', relation: 'callers' }, [
    '2 callers of function waitMs',
  ]);
  check(
    'find_references',
    { symbol: 'Retrier' },
    ['graph answered instead', '2 places use'],
    [],
    'find_references',
  );
  check(
    'go_to_definition',
    { repo: 'shop', path: 'src/checkout.ts', line: 8 },
    ['export async function waitMs'],
    [],
    'go_to_definition',
  );
  check(
    'call_hierarchy',
    { name: 'checkout', direction: 'outgoing' },
    ['3 callees of function checkout'],
    [],
    'call_hierarchy',
  );
});

describe('an answer is never empty without a reason and a way on', () => {
  check('an ambiguous name lists what it may mean, and how to ask for one', { name: 'refresh' }, [
    '"refresh" may mean 2 definitions',
    '* method Session.refresh  acme/shop@main:src/session.ts:4',
    'To ask for one of them: {"name": "Session.refresh", "relation": "references"}',
  ]);
  check('an unknown name has near ones', { name: 'Retrierr' }, [
    'Names like it: Retrier.',
    '{"name": "Retrier"',
  ]);
  check('one that a repository has in other letters', { name: 'session', repo: 'shop' }, [
    'Names like it: Session.',
    '{"name": "Session", "relation": "references"}',
  ]);
  check('an unknown package has near packages', { name: '@acme/retri', relation: 'dependents' }, [
    'Packages like it: @acme/retry.',
  ]);
  check('what no language defines is found as text', { name: 'legacyRetry' }, [
    'No definition of "legacyRetry" is known.',
    'docs/notes.txt',
    '>1\tThe legacyRetry script is called by cron.',
  ]);
  check('a place in a language without symbols', { repo: 'retry', path: 'docs/notes.txt', line: 1 }, [
    'its language is not one that is read for symbols',
    '>1\tThe legacyRetry script',
  ]);
  check('nothing to start from', {}, ['operations/graph-start-missing', '{"name": "Session.refresh"']);
  check('a kind that is none', { name: 'Retrier', kind: 'klass' }, [
    'operations/unknown-kind',
    'class, interface',
  ]);
  check('a directory', { repo: 'shop', path: 'src' }, ['operations/graph-of-directory', '"outline": true']);
});

it('pages never overlap, and together are everything', async () => {
  const { call } = await periscope.conversation(ada);
  const seen: string[] = [];
  let answer = await call('graph', { name: 'waitMs', limit: 1, max_tokens: 400 });
  for (;;) {
    for (const place of answer.result['places'] as { found: { container: string }[] }[])
      seen.push(...place.found.map(({ container }) => container));
    if (answer.cursor === null || seen.length > 10) break;
    answer = await call('graph', { cursor: answer.cursor });
  }
  const { result } = await call('graph', { name: 'waitMs' });
  const whole = (result['places'] as { found: { container: string }[] }[]).flatMap(({ found }) =>
    found.map(({ container }) => container),
  );
  expect(seen.sort()).toEqual(whole.sort());
});

it('a page draws from nodes and edges', async () => {
  const answer = (await ask('graph', { name: 'Retrier', format: 'graph' })) as ToolAnswer;
  const { nodes, edges, targets } = answer.result as {
    nodes: { id: string; name: string }[];
    edges: { from: string; to: string; kind: string }[];
    targets: string[];
  };
  const nameOf = (id: string) => nodes.find((node) => node.id === id)?.name;
  expect(targets.map(nameOf)).toEqual(['Retrier']);
  expect(edges.map(({ from, to, kind }) => [nameOf(from), kind, nameOf(to)])).toEqual([
    ['CheckoutRetrier', 'extends', 'Retrier'],
    ['checkout', 'new', 'Retrier'],
  ]);
});

describe('definitions are searched, read and listed by name', () => {
  check(
    'sym:',
    { query: 'sym:Retrier lang:typescript' },
    ['>4\texport class Retrier {'],
    ['new Retrier'],
    'codesearch',
  );
  check(
    'select:symbol',
    { query: 'select:symbol retrier' },
    ['2 files, 2 lines', '>3\texport class CheckoutRetrier'],
    [' 5\t'],
    'codesearch',
  );
  check(
    'one definition with its comment',
    { repo: 'retry', path: 'src/retrier.ts', symbol: 'Retrier.run' },
    ['method Retrier.run', 'lines 7-13 of 14', '/** Runs the work until it goes well. */', '13\t  }'],
    ['Tries again'],
    'read_file',
  );
  check(
    'a name that is none',
    { repo: 'retry', path: 'src/retrier.ts', symbol: 'runn' },
    ['operations/symbol-not-found', 'Retrier.run (line 8)'],
    [],
    'read_file',
  );
  check(
    'one definition whose file is not named',
    { repo: 'retry', symbol: 'Retrier.run' },
    ['src/retrier.ts', 'method Retrier.run', 'lines 7-13 of 14'],
    ['list_directory answered'],
    'read_file',
  );
  check(
    'a name that none of its files defines',
    { repo: 'retry', path: 'src', symbol: 'Retrierr' },
    ['operations/symbol-not-found', 'Names like it: Retrier.', '"symbol": "Retrier"}'],
    [],
    'read_file',
  );
  check(
    'a file without symbols',
    { repo: 'retry', path: 'docs/notes.txt', symbol: 'legacyRetry' },
    ['operations/symbols-unread', 'offset 1'],
    [],
    'read_file',
  );
  check(
    'a directory with the symbols of its files',
    { repo: 'shop', path: 'src', outline: true },
    ['    class CheckoutRetrier, function checkout, function refresh', '    class Session'],
    [],
    'list_directory',
  );
});

it('the official MCP client asks it by name', async () => {
  const { client } = await connectHttp('stateless 2026-07-28', `${periscope.url}/mcp`, ada);
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('graph');
    expect(client.getInstructions()).toContain('graph walks the structure');
    const answer = await client.callTool({
      name: 'graph',
      arguments: { name: 'Retrier', relation: 'subtypes' },
    });
    expect(JSON.stringify(answer)).toContain('export class CheckoutRetrier extends Retrier');
  } finally {
    await client.close();
  }
});

describe('to who does not see it, a repository that uses the same changes nothing', () => {
  const calls: [string, Record<string, unknown>][] = [
    ['graph', { name: 'Retrier' }],
    ['graph', { name: 'Retrier', exact: true, format: 'graph' }],
    ['graph', { name: 'Retrier', relation: 'subtypes' }],
    ['graph', { name: 'waitMs', relation: 'callers', depth: 3 }],
    ['graph', { name: 'waitMs', limit: 1 }],
    ['graph', { name: 'Session' }],
    ['graph', { name: 'Session', relation: 'definitions' }],
    ['graph', { name: 'vaultKeys' }],
    ['graph', { name: 'VaultRetrier', relation: 'supertypes' }],
    ['graph', { name: 'Open', relation: 'definitions' }],
    ['graph', { name: 'vaultKey' }],
    ['graph', { name: '@acme/retry', relation: 'dependents' }],
    ['graph', { name: 'example.com/acme/golib', relation: 'dependents' }],
    ['graph', { name: '@acme/retry', relation: 'importers' }],
    ['graph', { name: 'vault', relation: 'dependencies' }],
    ['graph', { repo: 'acme/retry' }],
    ['graph', { repo: 'acme/retry', path: 'src/index.ts', relation: 'importers' }],
    ['graph', { repo: 'acme/vault' }],
    ['graph', { repo: 'acme/vault', path: 'src/keys.ts' }],
    ['codesearch', { query: 'sym:Session' }],
    ['codesearch', { query: 'sym:vaultKeys' }],
    ['codesearch', { query: 'select:symbol retrier', output: 'count' }],
    ['list_directory', { repo: 'acme/retry', path: 'src', outline: true }],
    ['list_directory', { repo: 'acme/vault', outline: true }],
    ['read_file', { repo: 'acme/retry', path: 'src/retrier.ts', symbol: 'Retrier' }],
    ['read_file', { repo: 'acme/vault', path: 'src/keys.ts', symbol: 'vaultKeys' }],
  ];
  for (const [tool, input] of calls)
    it(`${tool} ${JSON.stringify(input)}`, async () => {
      const other = (await without.token('ada')).token;
      expect(comparable(await ask(tool, input))).toEqual(comparable(await ask(tool, input, without, other)));
    });

  it('who sees it does find it there', async () => {
    const eve = (await periscope.token('eve')).token;
    const answer = (await ask('graph', { name: 'Retrier' }, periscope, eve)) as ToolAnswer;
    expect(answer.text).toContain('class VaultRetrier: extends');
  });
});

it('what is opted out meanwhile is in no answer', async () => {
  const own = createLinked({ secret: false });
  const running = await startPeriscope({ indexed: 'once', config: configOf(own.folder) });
  try {
    const { token } = await running.token('ada');
    own.shop.commit({ '.periscope/ignore': 'src/session.ts\n' }, { message: 'Keep sessions to ourselves' });
    const { text, result } = (await ask(
      'graph',
      { name: 'checkout', relation: 'callers' },
      running,
      token,
    )) as ToolAnswer;
    for (const told of [text, JSON.stringify(result)]) expect(told).not.toContain('session.ts');
    expect(
      await ask('graph', { name: 'Session.refresh', relation: 'definitions' }, running, token),
    ).not.toMatchObject({ found: true });
  } finally {
    await running.stop();
    own.remove();
  }
});

/** Commits of the two installations are the same only as far as their repositories are made in the same second. */
function comparable(answer: ToolAnswer | string): unknown {
  if (typeof answer === 'string') return answer;
  const { cursor, ...rest } = answer;
  const text = JSON.stringify(rest).replace(/\b[0-9a-f]{10,40}\b/g, 'COMMIT');
  return [cursor === null ? text : text.replaceAll(cursor, ''), cursor?.length ?? null];
}
