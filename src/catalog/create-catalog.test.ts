import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '../base/logger.ts';
import {
  createHosts,
  type Host,
  type HostListing,
  type HostRepository,
  type RepositoryLocation,
} from '../hosts/index.ts';
import { createMirrors, type Mirror, type MirrorSubject, type MirrorsOptions } from '../mirrors/index.ts';
import { createGitFixture, runFixtureGit } from '../mirrors/testing/git-fixture.ts';
import { openStorage, type Storage, type StorageOptions } from '../storage/index.ts';
import { overEachDatabase } from '../storage/testing/each-database.ts';
import { createCatalog } from './create-catalog.ts';
import type { Catalog, CatalogOptions } from './types.ts';

const never = { discoveryIntervalMs: 0, discoveryTimeoutMs: 5000, reloadIntervalMs: 0 };
const { signal } = new AbortController();

overEachDatabase('the catalog', (databases) => {
  it('serves what was known at once after a start, while its host is down', async () => {
    const data = await databases.fresh();
    const first = await start(data, { acme: listing('a', 'b') });
    await first.catalog.discover({ signal });
    const before = first.catalog.repositories();
    await first.close();

    const second = await start(data, { acme: new Error('down') });
    expect(second.catalog.repositories()).toEqual(before);
    expect(names(second.catalog)).toEqual(['a', 'b']);
    const [status] = await second.catalog.discover({ signal });
    expect(status).toMatchObject({ host: 'acme', lastGoodMs: 1000, problemMs: 1000 });
    expect(status?.problem).toContain('fault of its own');
    expect(names(second.catalog)).toEqual(['a', 'b']);
    await second.close();
  });

  it('one dead or silent host does not keep the others out, and its last good answer stays', async () => {
    const { catalog, hosts, close } = await start(
      await databases.fresh(),
      { silent: listing('s'), dead: listing('d'), good: listing('g') },
      { discoveryTimeoutMs: 50 },
    );
    await catalog.discover({ signal });
    hosts['silent']!.answer = 'silence';
    hosts['dead']!.answer = new Error('down');
    hosts['good']!.answer = listing('g', 'g2');
    const statuses = await catalog.discover({ signal });
    expect(names(catalog)).toEqual(['s', 'd', 'g', 'g2']);
    expect(statuses.map(({ host, problem }) => [host, problem !== null])).toEqual([
      ['silent', true],
      ['dead', true],
      ['good', false],
    ]);
    expect(statuses[0]?.problem).toContain('did not give its list within 50 ms');

    hosts['dead']!.answer = listing('d');
    expect((await catalog.discover({ signal, host: 'dead' }))[1]?.problem).toBeNull();
    await close();
  });

  it('keeps the id through a rename, and the former name leads to it', async () => {
    const { catalog, hosts, close } = await start(await databases.fresh(), {
      acme: { repositories: [repository('x', { externalId: '1' })], problems: [] },
    });
    await catalog.discover({ signal });
    const [before] = catalog.repositories();
    hosts['acme']!.answer = { repositories: [repository('y', { externalId: '1' })], problems: [] };
    await catalog.discover({ signal });
    expect(catalog.repositories()).toEqual([{ ...before, name: 'y', aliases: ['x'] }]);
    // Back again, the name is live and no alias.
    hosts['acme']!.answer = { repositories: [repository('x', { externalId: '1' })], problems: [] };
    await catalog.discover({ signal });
    expect(catalog.repositories()).toEqual([{ ...before, aliases: ['y'] }]);
    await close();
  });

  it('two may swap names, former names stay whoever has them now, and the newest owner of one has it', async () => {
    const { catalog, hosts, close } = await start(await databases.fresh(), {
      acme: {
        repositories: [repository('a', { externalId: '1' }), repository('b', { externalId: '2' })],
        problems: [],
      },
    });
    await catalog.discover({ signal });
    const idOf = (externalName: string) =>
      catalog.repositories().find(({ name }) => name === externalName)?.id;
    const [one, two] = [idOf('a'), idOf('b')];
    hosts['acme']!.answer = {
      repositories: [repository('b', { externalId: '1' }), repository('a', { externalId: '2' })],
      problems: [],
    };
    await catalog.discover({ signal });
    expect([idOf('b'), idOf('a')]).toEqual([one, two]);
    expect(catalog.repositories().map(({ name, aliases }) => [name, aliases])).toEqual([
      ['a', ['b']],
      ['b', ['a']],
    ]);

    hosts['acme']!.answer = {
      repositories: [repository('c', { externalId: '1' }), repository('d', { externalId: '2' })],
      problems: [],
    };
    await catalog.discover({ signal });
    expect(catalog.repositories().map(({ id, name, aliases }) => [id, name, aliases])).toEqual([
      [one, 'c', ['b']],
      [two, 'd', ['a']],
    ]);
    await close();
  });

  it('what one who sees a renamed repository is told of it does not depend on who took its name', async () => {
    const told = async (data: StorageOptions, later: string[]) => {
      const before = { repositories: [repository('x', { externalId: '1' })], problems: [] };
      const { catalog, hosts, close } = await start(data, { acme: before });
      await catalog.discover({ signal });
      hosts['acme']!.answer = {
        repositories: [repository('y', { externalId: '1' }), ...later.map((name) => repository(name, {}))],
        problems: [],
      };
      await catalog.discover({ signal });
      const seen = catalog.repositories().find(({ name }) => name === 'y');
      await close();
      return seen;
    };
    expect(await told(await databases.fresh(), ['x'])).toEqual(await told(await databases.fresh(), ['z']));
  });

  it('keeps by which further names a repository is decided about', async () => {
    const data = await databases.fresh();
    const first = await start(data, {
      acme: {
        repositories: [repository('wt', { gitDir: '/srv/wt', alsoNamed: ['team/a'] }), repository('b', {})],
        problems: [],
      },
    });
    await first.catalog.discover({ signal });
    await first.close();
    const second = await start(data, { acme: new Error('down') });
    expect(second.catalog.repositories().map(({ name, alsoNamed }) => [name, alsoNamed])).toEqual([
      ['b', undefined],
      ['wt', ['team/a']],
    ]);
    await second.close();
  });

  it('never gives an id twice, and gives a repository that comes back its own', async () => {
    const { catalog, hosts, close } = await start(await databases.fresh(), { acme: listing('a', 'b') });
    await catalog.discover({ signal });
    const ids = new Map(catalog.repositories().map(({ name, id }) => [name, id]));
    hosts['acme']!.answer = listing('c');
    await catalog.discover({ signal });
    expect(names(catalog)).toEqual(['c']);
    const third = catalog.repositories()[0]!.id;
    expect([...ids.values()]).not.toContain(third);
    hosts['acme']!.answer = listing('a', 'c');
    await catalog.discover({ signal });
    expect(catalog.repositories().map(({ id }) => id)).toEqual([ids.get('a'), third]);
    await close();
  });

  it('what was not looked at is not gone', async () => {
    const { catalog, hosts, close } = await start(await databases.fresh(), {
      acme: {
        repositories: [
          repository('a', { externalId: '/mnt/x/a' }),
          repository('b', { externalId: '/srv/b' }),
          repository('c', { externalId: '/srv/c' }),
        ],
        problems: [],
      },
    });
    await catalog.discover({ signal });
    hosts['acme']!.answer = {
      repositories: [repository('c', { externalId: '/srv/c' })],
      problems: [{ what: '/mnt/x', why: 'It is not mounted.', next: 'Mount it.' }],
      unseenPrefixes: ['/mnt/x/'],
    };
    const [status] = await catalog.discover({ signal });
    expect(names(catalog)).toEqual(['a', 'c']);
    expect(status?.problems.map(({ what }) => what)).toEqual(['/mnt/x']);
    await close();
  });

  it('the array and what is in it stay the same objects until something changes', async () => {
    const { catalog, hosts, close } = await start(await databases.fresh(), { acme: listing('a', 'b') });
    expect(catalog.generation()).toBe(0);
    await catalog.discover({ signal });
    const [array, generation] = [catalog.repositories(), catalog.generation()];
    await catalog.discover({ signal });
    expect(catalog.repositories()).toBe(array);
    expect(catalog.generation()).toBe(generation);

    hosts['acme']!.answer = listing('a', 'b', 'c');
    await catalog.discover({ signal });
    expect(catalog.repositories()).not.toBe(array);
    expect(catalog.repositories()[0]).toBe(array[0]);
    expect(catalog.generation()).toBeGreaterThan(generation);
    expect(array).toHaveLength(2);
    await close();
  });

  it('another process follows, by asking the database and no host', async () => {
    const data = await databases.fresh();
    const indexer = await start(data, { acme: listing('a') });
    const web = await start(data, { acme: 'silence' }, { discovers: false, reloadIntervalMs: 5 });
    expect(names(web.catalog)).toEqual([]);
    await indexer.catalog.discover({ signal });
    await until(() => names(web.catalog).length === 1);
    expect(web.catalog.repositories()).toEqual(indexer.catalog.repositories());
    expect(web.catalog.generation()).toBe(indexer.catalog.generation());

    indexer.hosts['acme']!.answer = new Error('down');
    await indexer.catalog.discover({ signal });
    await until(() => web.catalog.hosts()[0]?.problem !== null);
    await web.catalog.discover({ signal });
    expect(web.hosts['acme']!.asked).toBe(0);
    await indexer.close();
    await web.close();
  });

  it('two processes that discover the same host at once give each repository one id', async () => {
    const data = await databases.fresh();
    const many = listing(...Array.from({ length: 1200 }, (_, at) => `r${String(at).padStart(4, '0')}`));
    const one = await start(data, { acme: many });
    const two = await start(data, { acme: many });
    await Promise.all([one.catalog.discover({ signal }), two.catalog.discover({ signal })]);
    await one.catalog.discover({ signal });
    await two.catalog.discover({ signal });
    expect(one.catalog.hosts()[0]?.problem).toBeNull();
    expect(two.catalog.hosts()[0]?.problem).toBeNull();
    expect(one.catalog.repositories()).toHaveLength(1200);
    expect(two.catalog.repositories()).toEqual(one.catalog.repositories());
    await one.close();
    await two.close();
  });
});

it('of a host whose folders are gone the operator learns which, and callers do not', async () => {
  const data = mkdtempSync(path.join(tmpdir(), 'periscope-catalog-'));
  const gone = path.join(data, 'gone');
  const clock = { now: () => 1000 };
  const logged: string[] = [];
  const logger = {
    ...silentLogger,
    warn: (message: string, fields?: object) => logged.push(`${message} ${JSON.stringify(fields)}`),
  };
  const storage = await openStorage(
    { kind: 'sqlite', file: path.join(data, 'periscope.db') },
    { clock, logger },
  );
  const hosts = createHosts([{ kind: 'folder', name: 'local', folders: [gone], depthMax: 3 }], {
    lsRemote: () => Promise.reject(new Error('not asked')),
    clock,
  });
  const mirrors = { open: () => ({}) as Mirror };
  const catalog = await createCatalog(never, { storage, hosts, mirrors, clock, logger });
  const [status] = await catalog.discover({ signal });
  expect(status?.problem).toMatch(/^None of the folders of host "local" can be read\./);
  expect(status?.problem).not.toContain(path.sep);
  expect(status?.problems.map(({ what }) => what)).toEqual([gone]);
  expect(logged.filter((line) => line.includes(gone))).toHaveLength(1);
  await catalog.close();
  await storage.close();
  rmSync(data, { recursive: true, force: true });
});

overEachDatabase('asking hosts', (databases) => {
  it('is one flight however many ask, and one who leaves does not end it', async () => {
    const { catalog, hosts, close } = await start(await databases.fresh(), { acme: listing('a') });
    let answer: (value: HostListing) => void = () => {};
    hosts['acme']!.answer = new Promise<HostListing>((resolve) => {
      answer = resolve;
    });
    const leaving = new AbortController();
    const left = catalog.discover({ signal: leaving.signal });
    const staying = Promise.all([catalog.discover({ signal }), catalog.discover({ signal, host: 'acme' })]);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    answer(listing('b'));
    await staying;
    expect(names(catalog)).toEqual(['b']);
    expect(hosts['acme']!.asked).toBe(1);
    await close();
  });

  it('happens again at its interval, and ends with the catalog', async () => {
    const { catalog, hosts, close } = await start(
      await databases.fresh(),
      { acme: listing('a') },
      { discoveryIntervalMs: 5 },
    );
    await until(() => hosts['acme']!.asked >= 3);
    expect(names(catalog)).toEqual(['a']);
    await close();
    const asked = hosts['acme']!.asked;
    await new Promise((resolve) => setTimeout(resolve, 25));
    expect(hosts['acme']!.asked).toBe(asked);
  });

  it('ends with the catalog even while a host is silent', async () => {
    const { catalog, close } = await start(await databases.fresh(), { acme: 'silence' });
    const asking = catalog.discover({ signal });
    asking.catch(() => {});
    await close();
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('refuses a host that is not configured', async () => {
    const { catalog, close } = await start(await databases.fresh(), { acme: listing('a') });
    await expect(catalog.discover({ signal, host: 'other' })).rejects.toMatchObject({
      code: 'catalog/unknown-host',
      next: expect.stringContaining('acme'),
    });
    await close();
  });
});

overEachDatabase('a repository', (databases) => {
  it('is not served when its host, or its place, is no longer configured', async () => {
    const data = await databases.fresh();
    const before = await start(data, { acme: listing('a', 'b'), other: listing('c') });
    await before.catalog.discover({ signal });
    await before.close();
    const after = await start(data, { acme: listing('a') });
    after.hosts['acme']!.serves = (location) => location.kind === 'remote' && location.url.endsWith('/a');
    await after.catalog.discover({ signal });
    expect(names(after.catalog)).toEqual(['a']);
    await after.close();
  });

  it('has one mirror until its name or its place changes', async () => {
    const { catalog, hosts, opened, close } = await start(await databases.fresh(), {
      acme: {
        repositories: [
          repository('a', { externalId: '1' }),
          repository('f', { externalId: '2', gitDir: '/srv/f' }),
        ],
        problems: [],
      },
    });
    await catalog.discover({ signal });
    const [a, f] = catalog.repositories();
    const mirror = catalog.mirror(a!);
    expect(catalog.mirror(a!)).toBe(mirror);
    catalog.mirror(f!);
    expect(opened).toEqual([
      {
        id: a!.id,
        name: 'a',
        source: {
          kind: 'remote',
          url: 'https://acme.example/1',
          access: expect.objectContaining({ origin: 'https://acme.example' }),
        },
      },
      { id: f!.id, name: 'f', source: { kind: 'folder', gitDir: '/srv/f', workTree: null, root: '/srv' } },
    ]);

    hosts['acme']!.answer = {
      repositories: [repository('a', { externalId: '1', defaultBranch: 'trunk' })],
      problems: [],
    };
    await catalog.discover({ signal });
    expect(catalog.mirror(catalog.repositories()[0]!)).toBe(mirror);
    hosts['acme']!.answer = { repositories: [repository('b', { externalId: '1' })], problems: [] };
    await catalog.discover({ signal });
    expect(catalog.mirror(catalog.repositories()[0]!)).not.toBe(mirror);
    await close();
  });

  it('has the page that its host gives it', async () => {
    const { catalog, close } = await start(await databases.fresh(), { acme: listing('a') });
    await catalog.discover({ signal });
    const [a] = catalog.repositories();
    expect(catalog.permalink(a!, 'c0ffee', 'x.ts', { start: 1, end: 2 })).toBe('acme:a@c0ffee:x.ts#1-2');
    expect(catalog.permalink({ ...a!, host: 'gone' }, 'c0ffee', 'x.ts', null)).toBeNull();
    await close();
  });
});

it('leads from a folder to the commit of each of its repositories', async () => {
  const data = mkdtempSync(path.join(tmpdir(), 'periscope-catalog-'));
  const clock = { now: () => Date.now() };
  const commits = ['one', 'two'].map((name) =>
    createGitFixture({ folder: path.join(data, 'src', name) }).commit({ 'a.txt': name }),
  );
  // A linked worktree, and a repository whose only commit is borrowed.
  runFixtureGit(path.join(data, 'src/two'), ['worktree', 'add', '-q', '-b', 'w', '../worktree']);
  runFixtureGit(path.join(data, 'src'), ['clone', '-q', '--shared', '--bare', 'one', 'x-borrower']);
  commits.push(commits[1]!, commits[0]!);
  const storage = await openStorage(
    { kind: 'sqlite', file: path.join(data, 'periscope.db') },
    { clock, logger: silentLogger },
  );
  const mirrors = createMirrors(mirrorsOptions(data), { clock, logger: silentLogger });
  const hosts = createHosts(
    [{ kind: 'folder', name: 'local', folders: [path.join(data, 'src')], depthMax: 3 }],
    { lsRemote: mirrors.lsRemote, clock },
  );
  const catalog = await createCatalog(never, { storage, hosts, mirrors, clock, logger: silentLogger });
  await catalog.discover({ signal });
  const resolved = await Promise.all(
    catalog.repositories().map((one) => catalog.mirror(one).resolve(undefined, { signal })),
  );
  expect(resolved.map(({ commit }) => commit)).toEqual(commits);
  expect(catalog.repositories().map(({ name, alsoNamed }) => [name, alsoNamed])).toEqual([
    ['one', undefined],
    ['two', undefined],
    ['worktree', ['two']],
    ['x-borrower', ['one']],
  ]);
  await catalog.close();
  await mirrors.close();
  await storage.close();
  rmSync(data, { recursive: true, force: true });
});

function mirrorsOptions(data: string): MirrorsOptions {
  return {
    folder: path.join(data, 'mirrors'),
    worktreeFolder: path.join(data, 'worktrees'),
    fetchTtlMs: 0,
    fetchTimeoutMs: 10_000,
    cloneTimeoutMs: 10_000,
    readTimeoutMs: 10_000,
    diskBytesMax: 0,
    worktreesMax: 1,
    worktreeBytesMax: 1 << 20,
    batchProcessesMax: 2,
    processesMax: 2,
  };
}

type Answer = HostListing | Error | 'silence' | Promise<HostListing>;

interface TestHost {
  answer: Answer;
  asked: number;
  serves: (location: RepositoryLocation) => boolean;
}

async function start(
  data: StorageOptions,
  answers: Record<string, Answer>,
  options: Partial<CatalogOptions> = {},
) {
  const clock = { now: () => 1000 };
  const storage: Storage = await openStorage(data, { clock, logger: silentLogger });
  const hosts: Record<string, TestHost> = {};
  const opened: MirrorSubject[] = [];
  for (const [name, answer] of Object.entries(answers))
    hosts[name] = { answer, asked: 0, serves: () => true };
  const catalog = await createCatalog(
    { ...never, ...options },
    {
      storage,
      hosts: Object.entries(hosts).map(([name, host]) => hostOf(name, host)),
      mirrors: {
        open(subject) {
          opened.push(subject);
          return { subject } as unknown as Mirror;
        },
      },
      clock,
      logger: silentLogger,
    },
  );
  return {
    catalog,
    hosts,
    opened,
    async close() {
      await catalog.close();
      await storage.close();
    },
  };
}

/** A host whose answers the test decides. Silence does not heed its signal, as a hung file system would not. */
function hostOf(name: string, host: TestHost): Host {
  return {
    name,
    kind: 'git',
    async list() {
      host.asked += 1;
      if (host.answer === 'silence') return new Promise(() => {});
      if (host.answer instanceof Error) throw host.answer;
      return host.answer;
    },
    remoteAccess: () => ({
      origin: `https://${name}.example`,
      username: null,
      secret: null,
      sshKeyFile: null,
      sshKnownHostsFile: null,
      caFile: null,
      proxy: null,
      allowInsecureHttp: false,
    }),
    permalink: (repository, commit, path, lines) =>
      `${name}:${repository.fullName}@${commit}:${path}${lines ? `#${lines.start}-${lines.end}` : ''}`,
    serves: (location) => host.serves(location),
  };
}

function listing(...fullNames: string[]): HostListing {
  return { repositories: fullNames.map((name) => repository(name, {})), problems: [] };
}

function repository(
  fullName: string,
  {
    externalId = fullName,
    gitDir,
    alsoNamed,
    defaultBranch = 'main',
  }: { externalId?: string; gitDir?: string; alsoNamed?: string[]; defaultBranch?: string },
): HostRepository {
  return {
    externalId,
    fullName,
    location:
      gitDir === undefined
        ? { kind: 'remote', url: `https://acme.example/${externalId}` }
        : { kind: 'folder', gitDir, workTree: null, root: '/srv', ...(alsoNamed ? { alsoNamed } : {}) },
    defaultBranch,
    archived: false,
    fork: true,
    visibility: 'private',
    webUrl: null,
  };
}

const names = (catalog: Catalog): string[] => catalog.repositories().map(({ name }) => name);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
