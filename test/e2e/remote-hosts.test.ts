import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitFixture, type GitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { type GitHttpServer, startGitHttpServer } from '../../src/mirrors/testing/git-http-server.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

let folder: string;
let large: GitFixture;
let server: GitHttpServer;
let other: GitHttpServer;
let periscope: RunningPeriscope;
let token: string;
const secret = 'a-read-only-secret';

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-remotes-'));
  large = createGitFixture({ folder: path.join(folder, 'acme/large.git'), bare: true });
  // Bytes that do not compress: the mirror is really a few megabytes.
  large.commit({
    'README.md': '# Large\n',
    'blob.bin': randomBytesOf(4_000_000),
    'src/a.ts': 'export const a = 1;\n',
  });
  createGitFixture({ folder: path.join(folder, 'acme/other.git'), bare: true }).commit({
    'README.md': '# Other\n',
  });
  const credentials = { username: 'bot', password: secret };
  server = await startGitHttpServer({ folder, credentials });
  other = await startGitHttpServer({ folder });
  const secretFile = path.join(folder, 'secret');
  writeFileSync(secretFile, secret);
  periscope = await startPeriscope({
    serve: true,
    config: {
      hosts: [
        {
          kind: 'git',
          name: 'forge',
          urls: [`${server.url}/acme/large.git`],
          username: 'bot',
          secret: `file:${secretFile}`,
          allowInsecureHttp: true,
        },
        { kind: 'git', name: 'second', urls: [`${other.url}/acme/other.git`], allowInsecureHttp: true },
      ],
      mirrors: { fetchTtl: '0s', fetchTimeout: '3s', cloneTimeout: '10s' },
      access: { rules: [{ effect: 'allow', people: ['ada'], repositories: ['**'] }] },
    },
  });
  token = (await periscope.token('ada')).token;
});
afterAll(async () => {
  await periscope.stop();
  await server.close();
  await other.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = async (repo: string, input: Record<string, unknown> = {}) =>
  (await periscope.conversation(token)).call('read_file', { repo, path: 'README.md', ...input });

describe('a repository of a git server', () => {
  it('is listed before it was ever fetched, without a clone', async () => {
    const { text } = await (await periscope.conversation(token)).call('codesearch_repos', {});
    expect(text).toContain('acme/large');
    expect(text).toContain('not fetched yet');
    expect(periscope.app.mirrorCounters().clones).toBe(0);
  });

  it('five concurrent first reads run one clone, and no file is written outside its mirror', async () => {
    const before = filesBelow(periscope.dataFolder).filter(isOutsideMirror);
    const answers = await Promise.all(Array.from({ length: 5 }, () => read('acme/large')));
    for (const { text } of answers) expect(text).toContain('# Large');
    expect(periscope.app.mirrorCounters().clones).toBe(1);
    expect(filesBelow(periscope.dataFolder).filter(isOutsideMirror)).toEqual(before);
    expect(statSync(path.join(periscope.dataFolder, 'mirrors')).isDirectory()).toBe(true);
  });

  it('a push is read by the next call', async () => {
    large.commit({ 'README.md': '# Large, pushed\n' });
    expect((await read('acme/large')).text).toContain('# Large, pushed');
  });

  it('the secret is nowhere in the data folder', () => {
    for (const file of filesBelow(periscope.dataFolder)) {
      expect(
        existsSync(file) && statSync(file).isFile() ? readable(file).includes(secret) : false,
        file,
      ).toBe(false);
    }
  });

  const faults: [string, NonNullable<GitHttpServer['fault']>][] = [
    ['accepts and never answers', { kind: 'silent' }],
    ['trickles', { kind: 'trickle' }],
    ['answers an empty 200', { kind: 'empty' }],
    ['answers 401', { kind: 'status', status: 401 }],
    ['answers 404', { kind: 'status', status: 404 }],
    ['answers 503', { kind: 'status', status: 503 }],
  ];
  for (const [name, fault] of faults) {
    it(`that ${name} is read from the copy, which says so, while the other host goes on`, async () => {
      server.fault = fault;
      try {
        const [copy, second] = await Promise.all([read('acme/large'), read('acme/other')]);
        expect(copy.text).toContain('# Large, pushed');
        expect(copy.notes.join(' ')).toContain('Answered from the copy');
        expect(JSON.stringify(copy)).not.toContain(secret);
        expect(second.text).toContain('# Other');
        expect(second.notes.join(' ')).not.toContain('Answered from the copy');
      } finally {
        server.fault = null;
      }
    });
  }
});

it('a first copy that takes longer than a call says to come back', async () => {
  const slow = await startGitHttpServer({ folder });
  const running = await startPeriscope({
    config: {
      hosts: [{ kind: 'git', name: 'slow', urls: [`${slow.url}/acme/other.git`], allowInsecureHttp: true }],
      operations: { timeout: '1s' },
      access: { rules: [{ effect: 'allow', people: ['ada'], repositories: ['**'] }] },
    },
  });
  try {
    slow.fault = { kind: 'silent' };
    const { call } = await running.conversation((await running.token('ada')).token);
    const input = { repo: 'acme/other', path: 'README.md' };
    await expect(call('read_file', input)).rejects.toMatchObject({
      kind: 'busy',
      code: 'operations/not-ready-yet',
    });
  } finally {
    await running.stop();
    await slow.close();
  }
});

function isOutsideMirror(file: string): boolean {
  const below = path.relative(periscope.dataFolder, file);
  return !below.startsWith(`mirrors${path.sep}`) && !below.startsWith('periscope.db');
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true })
    .map((file) => path.join(root, String(file)))
    .sort();
}

function readable(file: string): string {
  const { size } = statSync(file);
  return size > 50_000_000 ? '' : readFileSync(file, 'latin1');
}

function randomBytesOf(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 7;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}
