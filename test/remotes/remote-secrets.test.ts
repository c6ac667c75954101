import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scrubSecrets, secretForms } from '../../src/mirrors/git/secret-scrub.ts';
import { createGitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { type GitHttpServer, startGitHttpServer } from '../../src/mirrors/testing/git-http-server.ts';
import { openTestMirrors, remoteSubject, type TestMirrors } from '../../src/mirrors/testing/open-mirrors.ts';
import { allCommandLines } from '../../src/mirrors/testing/processes-of.ts';

const options = { signal: new AbortController().signal };
const username = 'x-access-token';
const token = 'tok/en+with:odd?chars_0123456789';
const forms = secretForms({ username, secret: token });

let folder: string;
let server: GitHttpServer;
let test: TestMirrors;
const logged: string[] = [];

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-secrets-'));
  createGitFixture({ folder: path.join(folder, 'a.git'), bare: true }).commit({ 'a.txt': 'one\n' });
  server = await startGitHttpServer({ folder, credentials: { username, password: token } });
  const log = (message: string, fields?: object) => void logged.push(`${message} ${inspect(fields)}`);
  const logger = { debug: log, info: log, warn: log, error: log };
  test = openTestMirrors({ deps: { logger } });
});
afterEach(async () => {
  await test.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a token goes to its own host and nowhere else', () => {
  it('is in no command line, file, log or error while it is used, refused and used in vain', async () => {
    const seen: string[] = [];
    const watching = setInterval(() => seen.push(allCommandLines()), 5);
    const good = test.openRemote(1, `${server.url}/a.git`, { secret: async () => token });
    await good.resolve(undefined, options);
    server.credentials = { username, password: 'rotated' };
    const failures = [
      await fail(test.openRemote(2, `${server.url}/a.git`, { secret: async () => token })),
      await fail(test.openRemote(3, `${server.url}/none.git`, { secret: async () => token })),
    ];
    server.fault = { kind: 'silent' };
    const impatient = test.again({ options: { fetchTimeoutMs: 700 } });
    failures.push(
      await fail(impatient.open(remoteSubject(4, `${server.url}/a.git`, { secret: async () => token }))),
    );
    clearInterval(watching);

    expect(server.requests.some(({ authorization }) => authorization?.includes(forms.find(isBasic)!))).toBe(
      true,
    );
    expect(seen.join('').includes('ls-remote')).toBe(true);
    expect(logged.length).toBeGreaterThan(0);
    const texts = [...seen, ...logged, ...failures, ...filesBelow(test.folder)];
    for (const form of forms) expect(texts.some((text) => text.includes(form))).toBe(false);
  });

  it('is refused for the caller as the operator’s matter', async () => {
    const mirror = test.openRemote(1, `${server.url}/a.git`, { secret: async () => 'wrong' });
    await expect(mirror.resolve(undefined, options)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'mirrors/remote-refuses-credential',
      next: expect.stringMatching(/^The operator has to give the host a working credential/),
    });
  });

  it('is fetched anew for each command, so a rotated one works at once', async () => {
    let current = token;
    const mirror = test.openRemote(1, `${server.url}/a.git`, { secret: async () => current });
    await mirror.resolve(undefined, options);
    current = 'new-token';
    server.credentials = { username, password: current };
    expect((await mirror.refresh(options)).problem).toBeNull();
  });

  it('cannot be read: the operator is told, the cause stays in the log', async () => {
    const mirror = test.openRemote(1, `${server.url}/a.git`, {
      secret: async () => {
        throw new Error('exec failed');
      },
    });
    await expect(mirror.resolve(undefined, options)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'mirrors/secret-unreadable',
    });
  });

  it('is scrubbed from what git says in every form', () => {
    for (const form of forms) {
      expect(scrubSecrets(`before ${form} after`, { username, secret: token })).toBe('before [secret] after');
    }
  });
});

function isBasic(form: string): boolean {
  return Buffer.from(form, 'base64').toString() === `${username}:${token}`;
}

async function fail(mirror: ReturnType<TestMirrors['openRemote']>): Promise<string> {
  return mirror.resolve(undefined, options).then(
    () => 'no failure',
    (error: unknown) => inspect(error, { depth: 10 }),
  );
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true })
    .map((name) => path.join(root, String(name)))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'));
}
