import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../base/errors.ts';
import type { Config } from './config.ts';
import { type ConfigFault, shownFault } from './config-fault.ts';
import { type LoadConfigOptions, loadConfig } from './load-config.ts';
import { printableConfig } from './printable-config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'periscope-config-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const base = { env: {}, cwd: '/cwd', homeFolder: '/home/ada' };

async function load(yaml: string, options: Partial<LoadConfigOptions> = {}): Promise<Config> {
  const file = path.join(folder, 'periscope.yaml');
  await writeFile(file, yaml);
  return loadConfig({ ...base, file, ...options });
}

async function faultsOf(yaml: string): Promise<string[]> {
  const error = await load(yaml).catch((fault: unknown) => fault);
  if (!(error instanceof PeriscopeError)) throw new Error(`no fault in ${yaml}`);
  return (error.data['faults'] as ConfigFault[]).map(shownFault);
}

describe('each fault is told with its line and its key', () => {
  const check = (name: string, yaml: string, expected: string[]) =>
    it(name, async () => expect(await faultsOf(yaml)).toEqual(expected));

  check('an empty file', '# nothing\n', ['must be a list of keys that begins with "version: 1"']);
  check('no version', 'roles: [web]\n', ['version: is missing: must be 1']);
  check('a version of later', 'version: 2\nnewKey: 1\n', [
    'line 1: version: is of a newer Periscope, and this one reads version 1: install the newer one, or write the file anew as version 1',
  ]);
  check('a misspelt key', 'version: 1\nmirrors:\n  fetch-ttl: 3s\n', [
    'line 3: mirrors.fetch-ttl: is not a key; did you mean fetchTtl?',
  ]);
  check('a key like no other', 'version: 1\ncatalog:\n  qqq: 3s\n', [
    'line 3: catalog.qqq: is not a key of this section, which has discoveryInterval, discoveryTimeout',
  ]);
  check(
    'a key of another kind of host',
    'version: 1\nhosts:\n  - kind: folder\n    name: a\n    folder: [x]\n    folders: [x]\n',
    ['line 5: hosts[0].folder: is not a key; did you mean folders?'],
  );
  check(
    'zoekt servers and repositories that cannot be told apart',
    'version: 1\nsearch:\n  zoekt:\n    urls: [ftp://a, "http://u:p@b"]\n    hostPrefixes:\n      a: x/\n      b: x/\n',
    [
      'line 4: search.zoekt.urls[0]: must be an http or https URL',
      'line 4: search.zoekt.urls[1]: must not hold a user name or password',
      'line 7: search.zoekt.hostPrefixes.b: is the prefix of a too',
    ],
  );
  check(
    'no stage that finds anything',
    'version: 1\nretrieval:\n  stages: {keywords: false, table: false, encoder: false}\n',
    [
      'line 3: retrieval.stages: must leave one of keywords, table and encoder on: the others only order what these find',
    ],
  );
  check('several at once', 'version: 1\nroles: [web, boss]\nhttp:\n  listen:\n    port: 99999\nlog: loud\n', [
    'line 2: roles[1]: must be web or indexer or worker',
    'line 5: http.listen.port: must be at most 65535',
    'line 6: log: must be a section with keys',
  ]);
  check('a section without anything in it', 'version: 1\nmirrors:\nlog:\n  level: info\n', [
    'line 2: mirrors: has no value: give one, or remove the key',
  ]);
  check('a time without a unit', 'version: 1\nmirrors:\n  fetchTtl: 30\n  readTimeout: 0\n', [
    'line 3: mirrors.fetchTtl: must be a time with its unit, such as 30s, 5m, 1h or 7d, or 0',
    'line 4: mirrors.readTimeout: must be at least 1s',
  ]);
  check('a host of no known kind', 'version: 1\nhosts:\n  - kind: svn\n  - name: b\n', [
    'line 3: hosts[0].kind: must be folder or git',
    'line 4: hosts[1].kind: is missing: must be folder or git',
  ]);
  check(
    'URLs that cannot be mirrored, beside a missing name',
    [
      'version: 1',
      'hosts:',
      '  - kind: git',
      '    urls:',
      '      - git.example/acme/a.git',
      '      - https://ada:hunter2@git.example/acme/b.git',
      '      - http://git.example/acme/c.git',
      '      - file:///srv/d.git',
      '      - ext::sh -c x',
      '      - https://git.example/acme/fine.git',
      '      - git@git.example:acme/fine.git',
    ].join('\n'),
    [
      'line 3: hosts[0].name: is missing: must be text',
      'line 5: hosts[0].urls[0]: must be an https or ssh URL, or git@host:owner/name',
      'line 6: hosts[0].urls[1]: holds a user name or password: put them into username and secret',
      'line 7: hosts[0].urls[2]: is plain http: use https, or set allowInsecureHttp for this host',
      'line 8: hosts[0].urls[3]: names a folder: use a host of kind folder for it',
      'line 9: hosts[0].urls[4]: must be an https or ssh URL',
    ],
  );
  check(
    'one secret for two servers, one name for two hosts',
    [
      'version: 1',
      'hosts:',
      '  - kind: git',
      '    name: a',
      '    secret: env:T',
      '    urls: [https://one.example/x.git, https://two.example/x.git]',
      '  - { kind: folder, name: a, folders: [x] }',
    ].join('\n'),
    [
      'line 6: hosts[0].urls: name 2 servers, and one secret must not go to several: make a host of each',
      'line 7: hosts[1].name: is the name of another host too',
    ],
  );
  check(
    'a rule for nobody',
    "version: 1\naccess:\n  rules:\n    - effect: allow\n      repositories: ['**']\n",
    ['line 4: access.rules[0]: is for nobody: name people or groups, or "*" in people for everyone'],
  );
  check('a key given twice', 'version: 1\nlog: {}\nlog: {}\n', ['line 3: YAML: Map keys must be unique']);
  check('an open bracket', 'version: 1\nroles: [web\nlog: {}\n', [
    'line 3: YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ]);
});

describe('a secret in the file is refused and never repeated', () => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  for (const [name, yaml] of [
    [
      'as the secret',
      `version: 1\nhosts: [{kind: git, name: a, urls: [https://a.example/b], secret: ${secret}}]`,
    ],
    ['in a URL', `version: 1\nhosts: [{kind: git, name: a, urls: ['https://x:${secret}@a.example/b']}]`],
    [
      'in the proxy',
      `version: 1\nhosts: [{kind: git, name: a, urls: [https://a.example/b], proxy: 'http://u:${secret}@p'}]`,
    ],
    ['in the database URL', `version: 1\nstorage: {kind: postgres, url: 'postgres://u:${secret}@db/x'}`],
    ['after a quote left open', `version: 1\nlog: "x" ${secret}\n`],
    ['as an alias', `version: 1\nlog: *${secret}\n`],
    ['as a tag', `version: 1\nlog: !${secret} x\n`],
  ] as const) {
    it(name, async () => {
      const error = await load(yaml).catch((fault: unknown) => fault);
      if (!(error instanceof PeriscopeError)) throw new Error('no fault');
      expect(error.code).toBe('config/faults');
      expect(JSON.stringify([error.message, error.next, error.data])).not.toContain(secret);
    });
  }

  it('and shows as its reference when the config is printed', async () => {
    const config = await load(
      'version: 1\nhosts: [{kind: git, name: a, urls: [https://a.example/b], secret: env:T}]',
      { env: { T: 'hunter2' } },
    );
    const [host] = config.hosts;
    expect(host?.kind === 'git' && (await host.secret?.())).toBe('hunter2');
    const printed = JSON.stringify(printableConfig(config));
    expect(printed).toContain('"secret":"env:T"');
    expect(printed).not.toContain('hunter2');
  });
});

describe('what was written becomes what is meant', () => {
  it('without any file, folders of the command line are one host and the operator sees all of it', async () => {
    const config = await loadConfig({
      env: {},
      cwd: '/cwd',
      homeFolder: folder,
      overrides: { folders: ['repos', '~/more'], listenPort: 0 },
    });
    expect(config.file).toBeNull();
    expect(config.hosts).toEqual([
      { kind: 'folder', name: 'local', folders: ['/cwd/repos', `${folder}/more`], depthMax: 6 },
    ]);
    expect(config.access.rules).toEqual([
      { effect: 'allow', people: ['operator'], groups: [], repositories: ['**'] },
    ]);
    expect(config.http.listen).toEqual({ host: '127.0.0.1', port: 0 });
    expect(config.roles).toEqual(['web', 'indexer', 'worker']);
    expect(config.storage).toEqual({ kind: 'sqlite', file: `${folder}/.periscope/periscope.db` });
    expect(config.mirrors.fetchTtlMs).toBe(60_000);
  });

  it('paths start at the file, ~ at home, those of the command line at the current folder', async () => {
    const config = await load(
      'version: 1\ndataFolder: data\nhosts: [{kind: folder, name: w, folders: [src, ~/src, /abs, "~"]}]\n',
    );
    expect(config.dataFolder.folder).toBe(path.join(folder, 'data'));
    expect(config.hosts[0]).toMatchObject({
      folders: [path.join(folder, 'src'), '/home/ada/src', '/abs', '/home/ada'],
    });
    const overridden = await load('version: 1\ndataFolder: data\n', { overrides: { dataFolder: 'here' } });
    expect(overridden.dataFolder.folder).toBe('/cwd/here');
  });

  it('rules that are written, even none, replace the default', async () => {
    expect((await load('version: 1\naccess: {rules: []}\n')).access.rules).toEqual([]);
  });

  it('times and sizes are milliseconds and bytes', async () => {
    const config = await load(
      [
        'version: 1',
        'mirrors: {fetchTtl: 0, fetchTimeout: 1.5m, diskSizeMax: 10MB}',
        'content: {cacheSizeMax: 1GiB}',
        'audit: {retention: 7d}',
      ].join('\n'),
    );
    expect([config.mirrors.fetchTtlMs, config.mirrors.fetchTimeoutMs]).toEqual([0, 90_000]);
    expect([config.mirrors.diskBytesMax, config.content.cacheBytesMax]).toEqual([10_000_000, 2 ** 30]);
    expect(config.audit.retentionMs).toBe(604_800_000);
  });

  it('a file host named like the folders of the command line is refused', async () => {
    const yaml = 'version: 1\nhosts: [{kind: folder, name: local, folders: [a]}]\n';
    await expect(load(yaml, { overrides: { folders: ['b'] } })).rejects.toThrow(/hosts\[0\]\.name/);
  });
});

describe('the config is found where the operator put it and nowhere else', () => {
  it('in the data folder when no file is named', async () => {
    await writeFile(path.join(folder, 'periscope.yaml'), 'version: 1\nlog: {level: debug}\n');
    const config = await loadConfig({ ...base, env: { PERISCOPE_DATA: folder } });
    expect([config.file, config.log.level]).toEqual([path.join(folder, 'periscope.yaml'), 'debug']);
  });

  it('never in the current folder, which may be an untrusted repository', async () => {
    await writeFile(path.join(folder, 'periscope.yaml'), 'version: 1\nlog: {level: debug}\n');
    const config = await loadConfig({ ...base, cwd: folder, homeFolder: path.join(folder, 'home') });
    expect([config.file, config.log.level]).toEqual([null, 'info']);
  });

  it('a named file must be there', async () => {
    const missing = loadConfig({ ...base, env: { PERISCOPE_CONFIG: path.join(folder, 'no.yaml') } });
    await expect(missing).rejects.toMatchObject({ code: 'config/unreadable', kind: 'invalid-request' });
  });
});
