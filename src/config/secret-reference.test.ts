import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { splitCommand } from './secret-command.ts';
import { type SecretSources, secretOf } from './secret-reference.ts';

let folder: string;
let nowMs: number;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'periscope-secret-'));
  nowMs = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sources = (more: Partial<SecretSources> = {}): SecretSources => ({
  env: { PATH: process.env['PATH'], TOKEN: 's3cret', EMPTY: '' },
  resolvePath: (written) => path.resolve(folder, written),
  clock: { now: () => nowMs },
  execCacheMs: 1000,
  execTimeoutMs: 10_000,
  ...more,
});

describe('a reference gives its secret', () => {
  const check = (reference: string, expected: string) =>
    it(reference, async () => {
      await writeFile(path.join(folder, 'token'), 's3cret\n');
      await writeFile(path.join(folder, 'lines'), 'a\nb\r\n');
      expect(await secretOf(reference, sources())()).toBe(expected);
    });
  check('env:TOKEN', 's3cret');
  check('file:token', 's3cret');
  check('file:lines', 'a\nb');
  check('exec:printf s3cret\\n', 's3cret');
  check('exec:echo "a  b" \'$HOME\'', 'a  b $HOME');
});

describe('a secret that cannot be had says why and shows nothing', () => {
  const check = (reference: string, why: RegExp, more: Partial<SecretSources> = {}) =>
    it(reference, async () => {
      await writeFile(path.join(folder, 'empty'), '\n');
      const failed = secretOf(reference, sources(more))();
      await expect(failed).rejects.toMatchObject({ kind: 'unavailable', code: 'config/secret-unavailable' });
      await expect(failed).rejects.toThrow(why);
    });
  check('env:NOT_SET', /is not set/);
  check('env:EMPTY', /is empty/);
  check('file:missing', /cannot be read \(ENOENT\)/);
  check('file:empty', /the file is empty/);
  check('exec:/no/such/command', /cannot be started \(ENOENT\)/);
  check('exec:sh -c "echo secret >&2; exit 3"', /ended with exit code 3/);
  check('exec:true', /printed nothing/);
  check('exec:sh -c "yes | head -c 100000"', /printed over 65536 bytes/);
  check('exec:""', /names no command/);
});

it('a command that does not end is ended with all that it started', async () => {
  const pidFile = path.join(folder, 'pid');
  const secret = secretOf(
    `exec:sh -c "sleep 60 & echo $! > ${pidFile}; wait"`,
    sources({ execTimeoutMs: 500 }),
  );
  await expect(secret()).rejects.toThrow(/did not end within 0.5 s/);
  const pid = Number(await readFile(pidFile, 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

it('a command is run once for all that ask within its time, and again after a failure', async () => {
  const log = path.join(folder, 'log');
  const secret = secretOf(`exec:sh -c "echo run >> ${log}; echo s3cret"`, sources());
  const runs = async () => (await readFile(log, 'utf8')).split('\n').length - 1;
  await Promise.all([secret(), secret(), secret()]);
  expect(await runs()).toBe(1);
  nowMs = 1001;
  await secret();
  expect(await runs()).toBe(2);

  const failing = secretOf(`exec:sh -c "echo run >> ${log}; exit 1"`, sources());
  await expect(failing()).rejects.toThrow();
  await expect(failing()).rejects.toThrow();
  expect(await runs()).toBe(4);
});

describe('a command line is parted without a shell', () => {
  for (const [line, words] of [
    ['vault read -field=token secret/x', ['vault', 'read', '-field=token', 'secret/x']],
    ['  a   b ', ['a', 'b']],
    [`pass "two words" 'and "quotes"' x"y z"`, ['pass', 'two words', 'and "quotes"', 'xy z']],
    ['echo $HOME; rm -rf | x', ['echo', '$HOME;', 'rm', '-rf', '|', 'x']],
  ] as const) {
    it(line, () => expect(splitCommand(line)).toEqual(words));
  }
});

/** A killed process whose new parent has not asked after it yet is still listed, as a zombie. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
