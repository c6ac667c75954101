import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGitFixture, type GitFixture, runFixtureGit } from '../../src/mirrors/testing/git-fixture.ts';
import { type GitHttpServer, startGitHttpServer } from '../../src/mirrors/testing/git-http-server.ts';
import { openTestMirrors, remoteSubject, type TestMirrors } from '../../src/mirrors/testing/open-mirrors.ts';

const options = { signal: new AbortController().signal };
const ttlMs = 60_000;

let folder: string;
let server: GitHttpServer;
let test: TestMirrors;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-remotes-'));
  server = await startGitHttpServer({ folder });
  test = openTestMirrors();
});
afterEach(async () => {
  await test.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function remote(name: string, more: { objectFormat?: 'sha256'; defaultBranch?: string } = {}): GitFixture {
  return createGitFixture({ folder: path.join(folder, `${name}.git`), bare: true, ...more });
}

const urlOf = (name: string) => `${server.url}/${name}.git`;

describe('a remote is mirrored and kept fresh', () => {
  it('clones once for five concurrent first reads, and writes only in the mirrors folder', async () => {
    const fixture = remote('a');
    const commit = fixture.commit({ 'a.txt': 'one\n' });
    const mirror = test.openRemote(1, urlOf('a'));
    const resolved = await Promise.all(Array.from({ length: 5 }, () => mirror.resolve(undefined, options)));
    for (const one of resolved) expect(one).toMatchObject({ commit, revision: 'main', isDefault: true });
    expect(test.mirrors.counters()).toMatchObject({ clones: 1, fetches: 0 });
    const { oid } = await mirror.entry(commit, 'a.txt', options);
    expect((await mirror.blob(oid, { ...options, bytesMax: 10 })).toString()).toBe('one\n');
    expect(readdirSync(test.folder)).toEqual(['mirrors']);
    expect(readdirSync(test.options.folder).sort()).toEqual(['1.git', 'git-home']);
  });

  it('asks again after the TTL only, and in one flight', async () => {
    const fixture = remote('a');
    fixture.commit({ 'a.txt': 'one\n' });
    const mirror = test.openRemote(1, urlOf('a'));
    const first = await mirror.resolve(undefined, options);
    const second = fixture.commit({ 'a.txt': 'two\n' });
    expect(await mirror.resolve(undefined, options)).toEqual(first);
    expect(test.mirrors.counters().fetches).toBe(0);
    test.clock.nowMs += ttlMs;
    const all = await Promise.all(Array.from({ length: 5 }, () => mirror.resolve(undefined, options)));
    expect(new Set(all.map(({ commit }) => commit))).toEqual(new Set([second]));
    expect(test.mirrors.counters().fetches).toBe(1);
    const third = fixture.commit({ 'a.txt': 'three\n' });
    const { generation } = await mirror.state(options);
    expect((await mirror.refresh(options)).generation).toBeGreaterThan(generation);
    expect((await mirror.resolve(undefined, options)).commit).toBe(third);
  });

  it('follows a renamed default branch and deletes what is gone, in the face of a/b after a', async () => {
    const fixture = remote('a', { defaultBranch: 'master' });
    const commit = fixture.commit({ 'a.txt': 'one\n' });
    for (const name of ['x', 'y', 'z', 'topic']) fixture.git(['branch', name, commit]);
    const mirror = test.openRemote(1, urlOf('a'));
    expect(await mirror.resolve(undefined, options)).toMatchObject({ revision: 'master' });
    fixture.git(['branch', '-m', 'master', 'trunk']);
    fixture.git(['branch', '-D', 'topic']);
    const moved = fixture.commit({ 'a.txt': 'two\n' }, { branch: 'topic/one', from: commit });
    test.clock.nowMs += ttlMs;
    expect(await mirror.resolve(undefined, options)).toMatchObject({ revision: 'trunk', isDefault: true });
    expect(await mirror.resolve('topic/one', options)).toMatchObject({ commit: moved });
    await expect(mirror.resolve('master', options)).rejects.toMatchObject({
      kind: 'ref-not-found',
      next: 'Call again with revision "trunk", its default branch.',
    });
  });

  it('does not read a commit that a force push took away', async () => {
    const fixture = remote('a');
    fixture.commit({ 'a.txt': 'one\n' });
    const lost = fixture.commit({ 'a.txt': 'two\n' });
    const mirror = test.openRemote(1, urlOf('a'));
    expect((await mirror.resolve(lost.slice(0, 12), options)).commit).toBe(lost);
    const kept = fixture.commit({ 'b.txt': 'other\n' }, { from: null });
    test.clock.nowMs += ttlMs;
    expect((await mirror.resolve(undefined, options)).commit).toBe(kept);
    await expect(mirror.resolve(lost, options)).rejects.toMatchObject({ kind: 'ref-not-found' });
  });

  it('mirrors SHA-256, and an empty repository that then gets its first commit in SHA-256', async () => {
    const fixture = remote('a', { objectFormat: 'sha256' });
    const mirror = test.openRemote(1, urlOf('a'));
    await expect(mirror.resolve(undefined, options)).rejects.toMatchObject({
      code: 'mirrors/empty-repository',
    });
    expect(await mirror.state(options)).toMatchObject({ empty: true, problem: null, defaultBranch: null });
    const commit = fixture.commit({ 'a.txt': 'one\n' });
    test.clock.nowMs += ttlMs;
    expect(await mirror.resolve(undefined, options)).toMatchObject({ commit });
    expect(commit).toHaveLength(64);
    expect(await mirror.list(commit, '', options)).toHaveLength(1);
    expect(await mirror.state(options)).toMatchObject({ empty: false });
  });

  it('brings neither pull requests nor replacements', async () => {
    const fixture = remote('a');
    const commit = fixture.commit({ 'a.txt': 'one\n' });
    const other = fixture.commit({ 'a.txt': 'evil\n' }, { branch: 'tmp', from: null });
    fixture.git(['update-ref', 'refs/pull/1/head', other]);
    fixture.git(['update-ref', `refs/replace/${commit}`, other]);
    fixture.git(['branch', '-D', 'tmp']);
    const mirror = test.openRemote(1, urlOf('a'));
    const { oid } = await mirror.entry((await mirror.resolve(undefined, options)).commit, 'a.txt', options);
    expect((await mirror.blob(oid, { ...options, bytesMax: 10 })).toString()).toBe('one\n');
    await expect(mirror.resolve(other, options)).rejects.toMatchObject({ kind: 'ref-not-found' });
  });

  it('goes on for the others when the one who asked first has gone', async () => {
    remote('a').commit({ 'a.txt': 'one\n' });
    const mirror = test.openRemote(1, urlOf('a'));
    const leaving = new AbortController();
    const left = mirror.resolve(undefined, { signal: leaving.signal });
    const stayed = mirror.resolve(undefined, options);
    setTimeout(() => leaving.abort(), 5);
    await expect(left).rejects.toMatchObject({ kind: 'cancelled' });
    await expect(stayed).resolves.toMatchObject({ revision: 'main' });
    expect(test.mirrors.counters().clones).toBe(1);
  });

  it('takes up its mirrors after a restart without asking, and sweeps what a killed process left', async () => {
    const fixture = remote('a');
    fixture.commit({ 'a.txt': 'one\n' });
    await test.openRemote(1, urlOf('a')).resolve(undefined, options);
    const mirrorFolder = path.join(test.options.folder, '1.git');
    const leftover = path.join(test.options.folder, `new-2-${hostPart()}-999999999-ab12`);
    mkdirSync(leftover);
    const halfPack = path.join(mirrorFolder, 'objects/pack/tmp_pack_x');
    const lock = path.join(mirrorFolder, 'refs/heads/main.lock');
    for (const file of [halfPack, lock]) {
      writeFileSync(file, '');
      utimesSync(file, 1, 1);
    }
    const requests = server.requests.length;
    const again = test.again();
    const mirror = again.open(remoteSubject(1, urlOf('a')));
    await mirror.resolve(undefined, options);
    expect(server.requests).toHaveLength(requests);
    expect(again.counters()).toMatchObject({ clones: 0, fetches: 0 });
    expect(existsSync(leftover)).toBe(false);
    const commit = fixture.commit({ 'a.txt': 'two\n' });
    await mirror.refresh(options);
    expect((await mirror.resolve(undefined, options)).commit).toBe(commit);
    expect([halfPack, lock].map((file) => existsSync(file))).toEqual([false, false]);
  });

  it('evicts the mirror unused longest from disk and clones it again when it is read', async () => {
    for (const name of ['a', 'b', 'c']) remote(name).commit({ 'a.txt': `${name}\n` });
    await test.close();
    test = openTestMirrors({ options: { diskBytesMax: 1000 } });
    const mirrors = ['a', 'b', 'c'].map((name, index) => test.openRemote(index + 1, urlOf(name)));
    for (const mirror of mirrors) {
      await mirror.resolve(undefined, options);
      test.clock.nowMs += 1000;
    }
    const left = readdirSync(test.options.folder).filter((name) => name.endsWith('.git'));
    expect(left.length).toBeLessThan(3);
    expect(left).toContain('3.git');
    const { commit } = await mirrors[0]!.resolve(undefined, options);
    expect(await mirrors[0]!.list(commit, '', options)).toHaveLength(1);
    expect(test.mirrors.counters().clones).toBe(4);
  });

  it('is tidied when many fetches have left many packs', async () => {
    const fixture = remote('a');
    fixture.commit({ 'a.txt': 'one\n' });
    const mirror = test.openRemote(1, urlOf('a'));
    await mirror.resolve(undefined, options);
    const mirrorFolder = path.join(test.options.folder, '1.git');
    const packs = () =>
      readdirSync(path.join(mirrorFolder, 'objects/pack')).filter((name) => name.endsWith('.pack'));
    const git = (args: string[], input: string) =>
      runFixtureGit(mirrorFolder, ['--git-dir=.', ...args], { input }).trim();
    for (let index = 0; index < 52; index++) {
      const oid = git(['hash-object', '-w', '--stdin'], `left over ${index}`);
      git(['pack-objects', '-q', 'objects/pack/pack'], `${oid}\n`);
    }
    expect(packs().length).toBeGreaterThan(50);
    const commit = fixture.commit({ 'a.txt': 'two\n' });
    await mirror.refresh(options);
    while (packs().length > 2) await new Promise((resolve) => setTimeout(resolve, 20));
    const { oid } = await mirror.entry(commit, 'a.txt', options);
    expect((await mirror.blob(oid, { ...options, bytesMax: 10 })).toString()).toBe('two\n');
  });

  it('tells without asking anybody what it knows', async () => {
    remote('a').commit({ 'a.txt': 'one\n' }, { atSeconds: 1_700_000_000 });
    const mirror = test.openRemote(1, urlOf('a'));
    expect(await mirror.peek(options)).toMatchObject({
      fetchedMs: null,
      lastCommit: null,
      defaultBranch: null,
    });
    expect(server.requests).toHaveLength(0);
    await mirror.resolve(undefined, options);
    test.clock.nowMs += 10 * ttlMs;
    const requests = server.requests.length;
    expect(await mirror.peek(options)).toMatchObject({
      defaultBranch: 'main',
      lastCommit: { committedMs: 1_700_000_000_000 },
    });
    expect(server.requests).toHaveLength(requests);
  });

  it('forgets a repository that is gone', async () => {
    remote('a').commit({ 'a.txt': 'one\n' });
    await test.openRemote(1, urlOf('a')).resolve(undefined, options);
    await test.mirrors.forget(1);
    expect(readdirSync(test.options.folder)).toEqual(['git-home']);
  });

  it('lists a remote’s references without a mirror', async () => {
    const commit = remote('a').commit({ 'a.txt': 'one\n' });
    const { access } = remoteSubject(1, urlOf('a')).source;
    expect(await test.mirrors.lsRemote(urlOf('a'), access, options)).toEqual({
      defaultBranch: 'main',
      refs: new Map([['refs/heads/main', commit]]),
    });
  });

  it('obeys no config of a repository around the data folder', async () => {
    const commit = remote('a').commit({ 'a.txt': 'one\n' });
    remote('evil').commit({ 'evil.txt': 'evil\n' });
    runFixtureGit(test.folder, ['init', '--quiet']);
    runFixtureGit(test.folder, ['config', `url.${urlOf('evil')}.insteadOf`, urlOf('a')]);
    // The trap is a real one: git by itself falls into it.
    expect(runFixtureGit(test.folder, ['ls-remote', '--get-url', urlOf('a')]).trim()).toBe(urlOf('evil'));
    const { access } = remoteSubject(1, urlOf('a')).source;
    const told = await test.mirrors.lsRemote(urlOf('a'), access, options);
    expect(told.refs.get('refs/heads/main')).toBe(commit);
    expect(await test.openRemote(1, urlOf('a')).resolve(undefined, options)).toMatchObject({ commit });
  });

  it('lists a remote of SHA-256 too', async () => {
    const commit = remote('b', { objectFormat: 'sha256' }).commit({ 'a.txt': 'one\n' });
    const { access } = remoteSubject(1, urlOf('b')).source;
    const told = await test.mirrors.lsRemote(urlOf('b'), access, options);
    expect(told.refs.get('refs/heads/main')).toBe(commit);
  });

  it('leaves writing to the process that holds the lease', async () => {
    remote('a').commit({ 'a.txt': 'one\n' });
    let holder: string | null = null;
    const leaseFor = (owner: string) => async () => {
      if (holder !== null) return null;
      holder = owner;
      return {
        renew: async () => holder === owner,
        async release() {
          holder = null;
        },
      };
    };
    const [one, two] = ['one', 'two'].map((owner) => test.again({ deps: { lease: leaseFor(owner) } }));
    const both = [one!, two!].map((mirrors) => mirrors.open(remoteSubject(1, urlOf('a'))));
    const resolved = await Promise.all(both.map((mirror) => mirror.resolve(undefined, options)));
    expect(resolved[0]).toEqual(resolved[1]);
    expect(one!.counters().clones + two!.counters().clones).toBe(1);
    expect(holder).toBeNull();
  });

  describe('when another process has the lease', () => {
    const leaseTtlMs = 300;
    /** One lease, as storage keeps it: it ends without renewals, and its owner may be another by then. */
    let held: { owner: string; untilMs: number } | null;
    let renewals: number;
    const leaseFor = (owner: string) => async (_: string, lastsMs: number) => {
      if (held !== null && held.owner !== owner && held.untilMs > Date.now()) return null;
      held = { owner, untilMs: Date.now() + lastsMs };
      return {
        async renew() {
          if (held?.owner !== owner) return false;
          renewals += 1;
          held.untilMs = Date.now() + lastsMs;
          return true;
        },
        async release() {
          if (held?.owner === owner) held = null;
        },
      };
    };
    const mirrorFor = (owner: string, more: { cloneTimeoutMs?: number } = {}) =>
      test
        .again({ options: more, deps: { lease: leaseFor(owner), leaseTtlMs } })
        .open(remoteSubject(1, urlOf('a')));
    beforeEach(() => {
      held = null;
      renewals = 0;
      remote('a').commit({ 'a.txt': 'one\n' });
    });

    it('and was killed with it, the next one clones as soon as it has run out', async () => {
      await leaseFor('killed')('mirror/1', leaseTtlMs);
      expect(await mirrorFor('next').resolve(undefined, options)).toMatchObject({ revision: 'main' });
      expect(held).toBeNull();
    });

    it('and still clones, callers are told to come back in a minute', async () => {
      held = { owner: 'other', untilMs: Number.POSITIVE_INFINITY };
      const mirror = mirrorFor('next', { cloneTimeoutMs: 400 });
      const waiting = { kind: 'busy', code: 'mirrors/copied-elsewhere' };
      await expect(mirror.resolve(undefined, options)).rejects.toMatchObject(waiting);
      held = null;
      // With as much time as a copy may need on a busy machine.
      expect(await mirrorFor('next').resolve(undefined, options)).toMatchObject({ revision: 'main' });
    });

    it('and still fetches, what is served says how old it is', async () => {
      const mirror = mirrorFor('next');
      const { commit } = await mirror.resolve(undefined, options);
      held = { owner: 'other', untilMs: Number.POSITIVE_INFINITY };
      test.clock.nowMs += ttlMs + 10_000;
      expect(await mirror.resolve(undefined, options)).toMatchObject({ commit });
      expect(await mirror.state(options)).toMatchObject({ problem: null });
      test.clock.nowMs += ttlMs;
      expect((await mirror.state(options)).problem).toBe(
        'Another process of Periscope is fetching acme/remote-1; this copy is 130 seconds old.',
      );
      held = null;
      expect(await mirror.state(options)).toMatchObject({ problem: null });
    });

    it('renews its own while the remote keeps it waiting, and stops when it is lost', async () => {
      server.fault = { kind: 'silent-pack' };
      const reading = mirrorFor('first').resolve(undefined, options);
      const failed = expect(reading).rejects.toMatchObject({ kind: 'busy', code: 'mirrors/lease-lost' });
      while (renewals < 4) await new Promise((resolve) => setTimeout(resolve, 20));
      held = { owner: 'thief', untilMs: Number.POSITIVE_INFINITY };
      await failed;
      expect(held.owner).toBe('thief');
      expect(readdirSync(test.options.folder)).toEqual(['git-home']);
    });
  });
});

describe('the addresses that were checked are the ones that git connects to', () => {
  it('by a name that only the given name service knows', async () => {
    const commit = remote('a').commit({ 'a.txt': 'one\n' });
    const asked: string[] = [];
    const lookup = async (hostname: string) => {
      asked.push(hostname);
      return ['127.0.0.1'];
    };
    const mirrors = test.again({ deps: { lookup } });
    const url = `http://git.invalid:${new URL(server.url).port}/a.git`;
    expect(await mirrors.open(remoteSubject(1, url)).resolve(undefined, options)).toMatchObject({ commit });
    expect(asked).toEqual(['git.invalid']);
  });
});

describe('addresses that no mirror may have are refused before anything is asked', () => {
  const lookups: Record<string, string[]> = {
    'meta.test': ['169.254.169.254'],
    'mapped.test': ['::ffff:169.254.169.254'],
    'alibaba.test': ['100.100.100.200'],
    'loop.test': ['127.0.0.1'],
    'mixed.test': ['93.184.216.34', 'fe80::1'],
  };
  const rows: [string, string, object?][] = [
    ['a scheme that runs a command', 'ext::sh -c "touch x"'],
    ['a local path', '/etc'],
    ['a file URL', 'file:///etc'],
    ['plain http', 'http://git.test/a', { allowInsecureHttp: false }],
    ['a password inside', 'https://bot:pass@git.test/a'],
    ['an option', '--upload-pack=x'],
    ['a host that is an option', 'ssh://-oProxyCommand=x/a'],
    ['a metadata address', 'https://169.254.169.254/a'],
    ['a metadata address written otherwise', 'https://0xa9fea9fe/a'],
    ['a name that leads to metadata', 'https://meta.test/a'],
    ['a mapped metadata address', 'https://mapped.test/a'],
    ['another cloud’s metadata', 'https://alibaba.test/a'],
    ['a name with one bad address of two', 'https://mixed.test/a'],
    ['the server itself', 'https://loop.test/a', { allowInsecureHttp: false }],
    ['another origin than the credential’s', 'https://git.test/a', { origin: 'https://other.test' }],
    ['another port than the credential’s', 'https://git.test:444/a', { origin: 'https://git.test' }],
  ];
  for (const [name, url, access] of rows) {
    it(name, async () => {
      const origin =
        URL.canParse(url) && /^(?:https?|ssh):/.test(url) ? new URL(url) : new URL('https://git.test');
      const mirrors = test.again({ deps: { lookup: async (host) => lookups[host] ?? ['93.184.216.34'] } });
      const { source } = remoteSubject(1, 'https://git.test/a', {
        origin: `${origin.protocol}//${origin.host}`,
        ...access,
      });
      await expect(mirrors.lsRemote(url, source.access, options)).rejects.toMatchObject({
        code: 'mirrors/address-refused',
      });
      expect(mirrors.counters().processesStarted).toBe(0);
    });
  }
});

function hostPart(): string {
  return os.hostname().replaceAll('-', '_');
}
