import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import { createGitFixture, type GitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import {
  type GitHttpServer,
  type ServerFault,
  startGitHttpServer,
} from '../../src/mirrors/testing/git-http-server.ts';
import { openTestMirrors, remoteSubject, type TestMirrors } from '../../src/mirrors/testing/open-mirrors.ts';
import { processesOf } from '../../src/mirrors/testing/processes-of.ts';

const options = { signal: new AbortController().signal };
const credentials = { username: 'bot', password: 'bot-pass-word' };
const access = { username: 'bot', secret: async () => credentials.password };

let folder: string;
let server: GitHttpServer;
let elsewhere: GitHttpServer;
let test: TestMirrors;
let fixture: GitFixture;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-faults-'));
  server = await startGitHttpServer({ folder, credentials });
  elsewhere = await startGitHttpServer({ folder });
  fixture = createGitFixture({ folder: path.join(folder, 'a.git'), bare: true });
  fixture.commit({ 'a.txt': 'one\n' });
  for (const name of ['x', 'y', 'z']) fixture.git(['branch', name]);
  test = openTestMirrors();
});
afterEach(async () => {
  await test.close();
  await server.close();
  await elsewhere.close();
  rmSync(folder, { recursive: true, force: true });
});

const urlOf = (name: string) => `${server.url}/${name}.git`;
/** A process on the same folder that waits a moment only; the others have time enough on a busy machine. */
const impatient = () => test.again({ options: { fetchTimeoutMs: 700, cloneTimeoutMs: 700 } });
const subject = () => remoteSubject(1, urlOf('a'), access);

interface FaultRow {
  name: string;
  fault: () => ServerFault;
  kind: string;
  code: string;
  next: RegExp;
}

const operator = /^The operator has to /;
const rows: FaultRow[] = [
  {
    name: 'accepts and never answers',
    fault: () => ({ kind: 'silent' }),
    kind: 'timeout',
    code: 'timeout',
    next: /^Call again/,
  },
  {
    name: 'trickles',
    fault: () => ({ kind: 'trickle' }),
    kind: 'timeout',
    code: 'timeout',
    next: /^Call again/,
  },
  {
    name: 'answers 401',
    fault: () => ({ kind: 'status', status: 401 }),
    kind: 'unavailable',
    code: 'remote-refuses-credential',
    next: operator,
  },
  {
    name: 'answers 403',
    fault: () => ({ kind: 'status', status: 403 }),
    kind: 'unavailable',
    code: 'remote-refuses-credential',
    next: operator,
  },
  {
    name: 'answers 404',
    fault: () => ({ kind: 'status', status: 404 }),
    kind: 'not-found-or-no-access',
    code: 'remote-not-found',
    next: /ask the operator/,
  },
  {
    name: 'answers 429',
    fault: () => ({ kind: 'status', status: 429 }),
    kind: 'busy',
    code: 'remote-busy',
    next: /^Wait a minute and call the same tool again/,
  },
  {
    name: 'answers 503',
    fault: () => ({ kind: 'status', status: 503 }),
    kind: 'busy',
    code: 'remote-busy',
    next: /^Wait a minute and call the same tool again/,
  },
  {
    name: 'answers 500',
    fault: () => ({ kind: 'status', status: 500 }),
    kind: 'unavailable',
    code: 'remote-unreachable',
    next: /^Call again in a minute/,
  },
  {
    name: 'redirects to another host',
    fault: () => ({ kind: 'redirect', to: elsewhere.url }),
    kind: 'unavailable',
    code: 'remote-redirects',
    next: operator,
  },
  {
    name: 'vanishes in mid-fetch',
    fault: () => ({ kind: 'vanish' }),
    kind: 'unavailable',
    code: 'remote-unreachable',
    next: /^Call again in a minute/,
  },
  {
    name: 'goes silent in mid-fetch',
    fault: () => ({ kind: 'silent-pack' }),
    kind: 'timeout',
    code: 'timeout',
    next: /^Call again/,
  },
];

describe('a remote that fails gives its error, leaves nothing running and the mirror as it was', () => {
  for (const row of rows) {
    it(`a first read of a remote that ${row.name}`, async () => {
      server.fault = row.fault();
      const mirror = (row.kind === 'timeout' ? impatient() : test.mirrors).open(subject());
      await expect(mirror.resolve(undefined, options)).rejects.toMatchObject({
        kind: row.kind,
        code: `mirrors/${row.code}`,
        next: expect.stringMatching(row.next),
      });
      expect(processesOf(test.folder)).toEqual([]);
      await expect(mirror.resolve(undefined, options)).rejects.toMatchObject({ kind: row.kind });
      expect(elsewhere.requests.filter((request) => request.authorization !== null)).toEqual([]);
    });

    it(`a later read of a remote that ${row.name}`, async () => {
      const patient = test.openRemote(1, urlOf('a'), access);
      const before = await patient.resolve(undefined, options);
      const mirror = row.kind === 'timeout' ? impatient().open(subject()) : patient;
      const refs = await mirror.refs(options);
      server.fault = row.fault();
      // A megabyte that does not compress, so that the connection breaks within the pack.
      fixture.commit({ 'large.bin': noise(1_000_000) });
      test.clock.nowMs += test.options.fetchTtlMs;

      expect(await mirror.resolve(undefined, options)).toEqual(before);
      expect(await mirror.refs(options)).toEqual(refs);
      const state = await mirror.state(options);
      expect(state.problem).toMatch(/remote|took longer/);
      expect(processesOf(test.folder).filter((line) => !line.includes('cat-file'))).toEqual([]);
      expect(elsewhere.requests.filter((request) => request.authorization !== null)).toEqual([]);

      server.fault = null;
      const healed = await patient.refresh(options);
      expect(healed.problem).toBeNull();
      expect((await patient.resolve(undefined, options)).commit).not.toBe(before.commit);
    });
  }

  it('a first read of a remote that answers an empty 200 says that nothing was told', async () => {
    server.fault = { kind: 'empty' };
    await expect(test.openRemote(1, urlOf('a'), access).resolve(undefined, options)).rejects.toMatchObject({
      kind: 'ref-not-found',
      code: 'mirrors/empty-repository',
      next: expect.stringContaining('something else may answer at its address'),
    });
    expect(processesOf(test.folder)).toEqual([]);
  });

  it('a remote that answers an empty 200 takes no reference away, however often it does', async () => {
    const mirror = test.openRemote(1, urlOf('a'), access);
    const refs = await mirror.refs(options);
    expect(refs).toHaveLength(4);
    server.fault = { kind: 'empty' };
    for (let round = 0; round < 3; round++) {
      test.clock.nowMs += test.options.fetchTtlMs;
      expect(await mirror.refs(options)).toEqual(refs);
      expect((await mirror.state(options)).problem).toContain('0 of its 4 branches and tags');
    }
  });

  it('a remote that lost most of its branches is believed when it says so again later', async () => {
    const mirror = test.openRemote(1, urlOf('a'), access);
    await mirror.refs(options);
    for (const name of ['x', 'y', 'z']) fixture.git(['branch', '-D', name]);
    test.clock.nowMs += test.options.fetchTtlMs;
    expect(await mirror.refs(options)).toHaveLength(4);
    expect((await mirror.state(options)).problem).toContain('1 of its 4 branches and tags');
    test.clock.nowMs += test.options.fetchTtlMs;
    expect(await mirror.refs(options)).toHaveLength(1);
    expect((await mirror.state(options)).problem).toBeNull();
  });

  it('nobody waits for a dead remote but its own readers, and it is left alone for a while', async () => {
    createGitFixture({ folder: path.join(folder, 'b.git'), bare: true }).commit({ 'b.txt': 'b\n' });
    server.fault = { kind: 'silent' };
    const mirror = impatient().open(subject());
    const dead = mirror.resolve(undefined, options);
    const failed = expect(dead).rejects.toMatchObject({ kind: 'timeout' });
    const other = test.openRemote(2, `${elsewhere.url}/b.git`);
    expect(await other.resolve(undefined, options)).toMatchObject({ revision: 'main' });
    await failed;
    const requests = server.requests.length;
    for (let round = 0; round < 5; round++) {
      await expect(mirror.resolve(undefined, options)).rejects.toMatchObject({ kind: 'timeout' });
    }
    expect(server.requests).toHaveLength(requests);
    test.clock.nowMs += 30_000;
    await mirror.resolve(undefined, options).catch(() => {});
    expect(server.requests.length).toBeGreaterThan(requests);
  });

  it('a port where nobody listens, and a name that nobody knows', async () => {
    const { url } = elsewhere;
    await elsewhere.close();
    await expect(test.openRemote(1, `${url}/a.git`).resolve(undefined, options)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'mirrors/remote-unreachable',
    });
    const mirrors = test.again({ deps: { lookup: () => Promise.reject(new Error('ENOTFOUND')) } });
    await expect(
      mirrors.open(remoteSubject(2, 'http://nowhere.test/a.git')).resolve(undefined, options),
    ).rejects.toMatchObject({ kind: 'unavailable', code: 'mirrors/host-unknown' });
  });

  it('closing ends what is under way', async () => {
    server.fault = { kind: 'silent' };
    const waiting = test.openRemote(1, urlOf('a'), access).resolve(undefined, options);
    const ended = expect(waiting).rejects.toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await test.mirrors.close();
    await ended;
    expect(processesOf(test.folder)).toEqual([]);
  });
});

function noise(length: number): Buffer {
  const random = new SeededRandom(5);
  return Buffer.from(Uint8Array.from({ length }, () => random.below(256)));
}
