import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/app/index.ts';
import { PeriscopeError } from '../../src/base/errors.ts';
import { createGitFixture, type GitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { openDictionaries, openManifest, openSegment, SegmentReader } from '../../src/search/index.ts';
import { type PlantedSecret, plantedSecrets } from '../../src/secrets/testing/planted-secrets.ts';
import { createNeedles } from './support/needles.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

/** Larger than what is read whole, so that it comes in pages. */
const wholeBytesMax = 1 << 20;

/** Each place has values of its own. */
let seeds = 100;
const everyValue: string[] = [];
function plant(): PlantedSecret[] {
  seeds += 1;
  const planted = plantedSecrets(seeds);
  everyValue.push(...planted.map(({ secret }) => secret));
  return planted;
}

const marked = (planted: readonly PlantedSecret[]): string =>
  planted.map(({ text }, index) => `marker${index} begins\n${text}\nmarker ends, é\n`).join('\n');

const hex = '3f786850e387550fdab836ed7e6dc881de23001b9d5e2a17c0ffee1234567890';
/** What looks like a credential and is none, each in its file. */
const lookAlikes: Record<string, string> = {
  'look/digests.txt': [
    `commit ${hex.slice(0, 40)}`,
    `sha256:${hex}`,
    `token_hash = "${hex}"`,
    `checksum: ${hex.slice(0, 32)}`,
  ].join('\n'),
  'look/ids.yaml': [
    'request_token: 123e4567-e89b-42d3-a456-426614174000',
    'client_id: 9b2c3d4e5f60718293a4b5c6d7e8f901',
    'token_id = "tok-3f786850e387"',
  ].join('\n'),
  'look/package-lock.json': [
    '{"resolved": "https://registry.acme.test/left-pad/-/left-pad-1.3.0.tgz",',
    `"integrity": "sha512-${Buffer.from(hex).toString('base64')}"}`,
  ].join('\n'),
  'look/go.sum': `acme.test/x v1.2.3 h1:${Buffer.from(hex.slice(0, 32)).toString('base64')}`,
  'look/page.html': `<script src="a.js" integrity="sha384-${Buffer.from(hex.slice(0, 48)).toString('base64')}"></script>`,
  'look/keys.ts': [
    `public_key="${Buffer.from(hex.slice(0, 44)).toString('base64')}"`,
    `-----BEGIN PUBLIC KEY-----\n${Buffer.from(hex.slice(0, 48)).toString('base64')}\n-----END PUBLIC KEY-----`,
    `ssh-ed25519 ${Buffer.from(hex.slice(0, 51)).toString('base64')} ada@acme.test`,
  ].join('\n'),
  'look/placeholders.env': [
    'API_KEY=your-api-key-here-1234567890',
    `DB_PASSWORD=\${DB_PASSWORD_2}`,
    'TOKEN=<your-token-2-here>',
    'SECRET=changeme',
    `AWS_ACCESS_KEY_ID=AKIA${'IOSFODNN7EXAMPLE'}`,
    'DATABASE_URL=postgres://user:password@localhost/db',
  ].join('\n'),
  'look/code.go': [
    'token := getToken(session1, "aB3dE5gH7jK9")',
    'if password == "" { return errPasswordTooShort8 }',
    'passwordField := "user_password_2"',
  ].join('\n'),
};

const signs = { plan: 'zephyrine quarterly plan', path: 'zephyrine-roadmap' };
const planText = Array.from(
  { length: 400 },
  (_, index) => `${signs.plan} ${index}: move the ${hex.slice(index % 40, (index % 40) + 9)}`,
).join('\n');

let folder: string;
let keys: GitFixture;
let plans: GitFixture;
let periscope: RunningPeriscope;
let token: string;
let logged = '';
const answers: { name: string; input: Record<string, unknown>; said: string }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-planted-'));
  keys = createGitFixture({ folder: path.join(folder, 'acme/keys.git'), bare: true });
  plans = createGitFixture({ folder: path.join(folder, 'acme/plans.git'), bare: true });
  plantEverywhere();
  plans.commit(
    {
      'src/shown.ts': 'export const shown = "zebra";\n',
      [`private/${signs.path}.md`]: planText,
    },
    { message: 'Begin the plan' },
  );
  const stream = new PassThrough();
  stream.on('data', (chunk) => {
    logged += chunk;
  });
  periscope = await startPeriscope({
    serve: true,
    indexed: 'always',
    logger: createLogger({ level: 'debug', format: 'json' }, stream),
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [folder] }],
      content: { wholeSizeMax: '1MiB' },
      index: { fileSizeMax: '4MiB' },
      access: { rules: [{ effect: 'allow', people: ['ada'], repositories: ['**'] }] },
    },
  });
  ({ token } = await periscope.token('ada'));
});
afterAll(async () => {
  await periscope?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Of those that can be part of a name. */
const tokenOf = (kind: string) => plant().find((one) => one.kind === kind)!.secret;
const named = { file: '', directory: '' };

function plantEverywhere(): void {
  const changed = marked(plant());
  named.file = `named/${tokenOf('GitHub ghp')}.txt`;
  named.directory = `named/${tokenOf('Stripe')}/notes.txt`;
  keys.commit(
    {
      [named.file]: 'named by a token\n',
      [named.directory]: 'named by a token\n',
      'named/plain.txt': 'plain\n',
    },
    {
      message: 'Begin with names',
      author: `Ada ${tokenOf('GitHub gho')} <${tokenOf('GitHub ghu')}@example.test>`,
    },
  );
  keys.commit({ 'src/changed.ts': changed }, { message: `Begin\n\n${marked(plant())}` });
  keys.commit(
    { 'src/changed.ts': `${changed}// more\n`, 'src/gone.ts': marked(plant()) },
    { message: marked(plant()).slice(0, 200) },
  );
  const utf16 = Buffer.from(`\ufeff${marked(plant())}`, 'utf16le');
  const utf16be = Buffer.from(`\ufeff${marked(plant())}`, 'utf16le').swap16();
  const url = plant().find(({ kind }) => kind === 'credential in a URL')!;
  keys.commit(
    {
      'src/gone.ts': null,
      'src/keys.ts': marked(plant()),
      'config/values.yaml': marked(plant()),
      'docs/setup.md': marked(plant()),
      'deploy/.env': marked(plant()),
      'win/utf16.txt': utf16,
      'win/utf16be.txt': utf16be,
      'old/latin1.properties': Buffer.from(marked(plant()), 'latin1'),
      'bin/tool.bin': Buffer.concat([Buffer.from([0, 1, 0, 2]), Buffer.from(marked(plant()))]),
      'large/dump.sql': largeFile(),
      'link-to-database': { mode: '120000', content: url.text },
      CODEOWNERS: `* ${plant()[0]!.secret}\n`,
      ...lookAlikes,
    },
    { message: 'Everything', author: 'Ada Example <ada@example.test>' },
  );
}

/** Credentials all over it, among them keys that stand across the borders of pages. */
function largeFile(): string {
  const filler = 'insert into t values (1, 2); ';
  const key = plant().find(({ kind }) => kind === 'RSA PRIVATE KEY')!;
  const pieces = plant().map(({ text }) => `${text}\n${filler.repeat(800)}\n`);
  const first = pieces.join('').slice(0, wholeBytesMax - 100);
  return `${first.slice(0, first.lastIndexOf('\n') + 1)}${key.text}\n${pieces.join('')}-- the end\n`;
}

const needles = () =>
  createNeedles(
    everyValue.flatMap((value) => [
      value,
      // Parts that are left of one are as bad.
      ...(value.length >= 24 ? [value.slice(-12)] : []),
      ...(value.length >= 32 ? [value.slice(0, value.length / 2)] : []),
    ]),
  );

/** Everything that a tool says, page after page; its refusals too. */
async function ask(name: string, input: Record<string, unknown>): Promise<string> {
  const { call } = await periscope.conversation(token);
  let said = '';
  try {
    for (let next: Record<string, unknown> = { ...input, max_tokens: 20_000 }; ; ) {
      const answer = await call(name, next);
      said += `${answer.text}\n${JSON.stringify(answer.result)}\n`;
      if (answer.cursor === null) break;
      next = { cursor: answer.cursor };
    }
  } catch (fault) {
    if (!(fault instanceof PeriscopeError)) throw fault;
    said += `${fault.code} ${fault.message} ${fault.next} ${JSON.stringify(fault.data)}`;
  }
  answers.push({ name, input, said });
  return said;
}

const repo = 'acme/keys';
const filesOf = (fixture: GitFixture) =>
  fixture.git(['ls-tree', '-r', '--name-only', 'main']).trim().split('\n');
const commitsOf = (fixture: GitFixture) => fixture.git(['rev-list', 'main']).trim().split('\n');

describe('credentials of every kind, planted everywhere', () => {
  it('there are at least 40 kinds', () => {
    expect(new Set(plantedSecrets(1).map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(40);
  });

  it('are in no answer of any tool', async () => {
    for (const output of ['lines', 'files', 'count', 'repos']) {
      for (const query of ['/[a-z0-9]/', 'begins', '/\\*{8}/']) {
        await ask('codesearch', { query, repo, output, context: 10, exact: true, max_files: 30 });
      }
    }
    for (const query of ['type:commit Begin', 'type:commit marker', 'type:diff marker']) {
      await ask('codesearch', { query, repo });
    }
    await ask('codesearch', { query: 'marker', repo, revision: commitsOf(keys)[1], context: 10 });
    await ask('codesearch_repos', {});
    for (const directory of ['', 'src', 'look', 'win', 'named']) {
      await ask('list_directory', { repo, path: directory });
    }
    await ask('list_directory', { repo, depth: 20 });
    for (const query of ['named', 'file:named', 'type:commit names', 'type:diff token'])
      await ask('codesearch', { query, repo });
    await ask('read_file', { repo, path: 'named/ghq' });
    await ask('read_file', { repo, path: 'notes.txt' });
    await ask('history', { repo, path: 'named/plain.txt', kind: 'blame' });
    await ask('history', { repo, path: 'named' });
    // Who asks for a name is told that name.
    for (const file of filesOf(keys).filter((one) => one !== named.file && one !== named.directory)) {
      const read = await ask('read_file', { repo, path: file, limit: 2000 });
      if (file.endsWith('.sql')) expect(read).toContain('-- the end');
      await ask('fetch_file', { repo, path: file });
    }
    for (const file of ['src/changed.ts', 'win/utf16.txt']) {
      await ask('history', { repo, path: file });
      await ask('history', { repo, path: file, kind: 'blame', limit: 1000 });
      await ask('history', { repo, path: file, kind: 'owners' });
    }
    for (const commit of commitsOf(keys)) {
      await ask('history', { repo, kind: 'diff', revision: commit });
      for (const file of ['src/changed.ts', 'src/gone.ts', 'src/keys.ts', 'win/utf16.txt']) {
        await ask('history', { repo, kind: 'diff', revision: commit, path: file });
        await ask('read_file', { repo, path: file, revision: commit, limit: 2000 });
      }
      await ask('scan_directory', { repo, pattern: '.', revision: commit, limit: 1000 });
    }
    await ask('history', { repo, contains: 'marker' });
    const tools = new Set(answers.filter(({ said }) => said.includes('****')).map(({ name }) => name));
    expect([...tools].sort()).toEqual([
      'codesearch',
      'fetch_file',
      'history',
      'list_directory',
      'read_file',
      'scan_directory',
    ]);
    const { foundIn } = needles();
    const leaking = answers.map(({ name, input, said }) => ({
      name,
      input,
      found: foundIn(Buffer.from(said)),
    }));
    expect(leaking.filter(({ found }) => found.length > 0)).toEqual([]);
  });

  it('and a file that is named by one is read by its name, and counted as not searchable', async () => {
    const { call } = await periscope.conversation(token);
    for (const file of [named.file, named.directory])
      expect((await call('read_file', { repo, path: file })).text).toContain('named by a token');
    expect((await call('codesearch', { query: 'named by a token', repo })).text).toContain(
      '2 credential-in-name',
    );
  });

  it('nor in what the APIs of zoekt give, plain or in base64', async () => {
    for (const body of [
      { Q: 'marker', Opts: { ChunkMatches: true, NumContextLines: 10 } },
      { Q: 'marker', Opts: { Whole: true } },
    ]) {
      const response = await fetch(`${periscope.url}/api/search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      expect(response.status).toBe(200);
      const decoded = [...text.matchAll(/"([A-Za-z0-9+/]{16,}={0,2})"/g)].map(([, base64]) =>
        Buffer.from(base64!, 'base64').toString('latin1'),
      );
      expect(decoded.join('')).toContain('marker');
      expect(needles().foundIn(Buffer.from(`${text}\n${decoded.join('\n')}`))).toEqual([]);
    }
  });

  it('and cannot be searched for: who knows one finds nothing', async () => {
    for (const { secret } of plantedSecrets(seeds).filter((_, index) => index % 8 === 0)) {
      const { call } = await periscope.conversation(token);
      const { result } = await call('codesearch', { query: secret, mode: 'literal', output: 'count' });
      expect(result).toMatchObject({ fileCount: { count: 0 } });
    }
  });

  it('what only looks like one is there as it was', async () => {
    for (const [file, text] of Object.entries(lookAlikes)) {
      const read = await ask('fetch_file', { repo, path: file });
      const scanned = await ask('scan_directory', { repo, path: file, pattern: '.' });
      for (const line of text.split('\n')) {
        expect(read).toContain(line);
        expect(scanned).toContain(line);
        const found = await ask('codesearch', {
          query: line,
          mode: 'literal',
          case: 'yes',
          repo,
          file: `/${file}`,
        });
        expect(found).toContain(`"path":"${file}"`);
      }
    }
  });

  it('are in no store: database, audit, index, directories on disk, logs', async () => {
    const stored = await storedBytes();
    expect(stored.map(([name]) => name.split('/')[0])).toEqual(
      expect.arrayContaining(['periscope.db', 'index', 'worktrees', 'row of audit', 'segment', 'log']),
    );
    const texts = stored.filter(([name]) => name.startsWith('segment'));
    expect(texts.filter(([, bytes]) => bytes.includes('marker')).length).toBeGreaterThanOrEqual(8);
    const { foundIn } = needles();
    const leaking = stored.map(([name, bytes]) => [name, foundIn(bytes)] as const);
    expect(leaking.filter(([, found]) => found.length > 0)).toEqual([]);
  });
});

describe('one committed file opts paths out', () => {
  const place = `private/${signs.path}.md`;
  const where = { repo: 'acme/plans' };
  /** What each tool says of it as long as it is shown. */
  const asks = (): [string, Record<string, unknown>, string][] => [
    ['codesearch', { ...where, query: signs.plan }, `${signs.plan} 7`],
    ['codesearch', { ...where, query: 'file:roadmap' }, place],
    ['codesearch', { query: 'quarterly', output: 'files' }, place],
    ['codesearch', { ...where, query: `type:diff "${signs.plan} 7"` }, 'Begin the plan'],
    ['list_directory', where, 'private'],
    ['list_directory', { ...where, path: 'private' }, signs.path],
    ['read_file', { ...where, path: place }, `${signs.plan} 7`],
    ['fetch_file', { ...where, path: place }, `${signs.plan} 7`],
    ['scan_directory', { ...where, pattern: 'quarterly' }, `${signs.plan} 7`],
    ['history', { ...where, path: place }, 'Begin the plan'],
    ['history', { ...where, path: place, kind: 'blame' }, 'Begin the plan'],
    ['history', { ...where, kind: 'diff', revision: commitsOf(plans).at(-1) }, `+${signs.plan} 7`],
    ['history', { ...where, contains: `${signs.plan} 7` }, 'Begin the plan'],
  ];
  const counts: Record<string, unknown>[] = [
    { query: 'zephyrine', output: 'count', exact: true },
    { query: 'zephyrine', output: 'repos' },
    { query: 'quarterly' },
  ];

  it('and is heeded by every tool at the very next call', async () => {
    for (const [name, input, sign] of asks()) {
      expect([name, input, (await ask(name, input)).includes(sign)]).toEqual([name, input, true]);
    }
    for (const input of counts) expect(await ask('codesearch', input)).toMatch(/1 file, (?:at least )?\d/);
    plans.commit({ '.periscope/ignore': 'private/\n' }, { message: 'Hide' });
    for (const [name, input, sign] of asks()) {
      expect([name, input, (await ask(name, input)).includes(sign)]).toEqual([name, input, false]);
    }
    for (const input of counts) expect(await ask('codesearch', input)).not.toMatch(/1 file, |private/);
    expect(await ask('read_file', { ...where, path: 'src/shown.ts' })).toContain('zebra');
  });

  it('and what it hides leaves every store by the next compaction', async () => {
    const { catalog, indexing } = periscope.app;
    indexing.changed(catalog.repositories().find(({ name }) => name === 'acme/plans')!);
    const left = async () =>
      (await storedBytes())
        // Who asked for what stays written down.
        .filter(([name]) => !/^(?:row of |periscope\.db|log)/.test(name))
        .filter(([name, bytes]) =>
          [signs.plan, signs.path].some((one) => name.includes(one) || bytes.includes(one)),
        );
    const untilMs = Date.now() + 60_000;
    while ((await left()).length > 0 && Date.now() < untilMs) {
      await ask('codesearch', { query: 'zebra' });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect((await left()).map(([name]) => name)).toEqual([]);
    expect((await storedBytes()).filter(([, bytes]) => bytes.includes(signs.plan))).toEqual([]);
    expect(await ask('codesearch', { query: 'zebra' })).toContain('src/shown.ts');
    for (const input of counts) expect(await ask('codesearch', input)).not.toMatch(/1 file, |private/);
  });
});

/** Whatever the data folder holds beside mirrors, in every form that it can be read in, and what was logged. */
async function storedBytes(): Promise<[string, Buffer][]> {
  const { dataFolder } = periscope;
  const files = readdirSync(dataFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('mirrors/') && statSync(path.join(dataFolder, name)).isFile())
    .map((name): [string, Buffer] => [name, readFileSync(path.join(dataFolder, name))]);
  const indexed = await Promise.all(
    files
      .filter(([name]) => name.startsWith('index/'))
      .map(([name]) => indexedBytes(path.join(dataFolder, name))),
  );
  return [
    ...files,
    ...indexed.flat(),
    ...databaseRows(path.join(dataFolder, 'periscope.db')),
    ['log', Buffer.from(logged)],
  ];
}

/** Segments block by block, manifests row by row, whether or not anything names them any more. */
async function indexedBytes(file: string): Promise<[string, Buffer][]> {
  const name = path.basename(file);
  if (name.endsWith('.man')) {
    const manifest = await openManifest(file);
    const rows = Array.from({ length: manifest.rows }, (_, row) => manifest.path(row));
    return [[`manifest/${name}`, Buffer.from(`${rows.join('\n')}\n${JSON.stringify(manifest.head)}`)]];
  }
  if (!name.endsWith('.seg')) return [];
  const sets = readdirSync(path.dirname(file))
    .filter((one) => /^dict-\w+$/.test(one))
    .map((one) => openDictionaries(path.join(path.dirname(file), one)));
  const segment = openSegment(file, new Map(sets.map((set) => [set.hash, set])));
  try {
    const reader = new SegmentReader({ ringBytes: 1 << 20 });
    return Array.from({ length: segment.blobs }, (_, blob) => [
      `segment/${name} ${segment.oid(blob)}`,
      Buffer.from(reader.blobText(segment, blob)),
    ]);
  } finally {
    segment.close();
  }
}

function databaseRows(file: string): [string, Buffer][] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
    return tables.flatMap(({ name }) =>
      database
        .prepare(`select * from "${name}"`)
        .all()
        .map((row): [string, Buffer] => [`row of ${name}`, Buffer.from(JSON.stringify(row))]),
    );
  } finally {
    database.close();
  }
}
