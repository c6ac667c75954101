import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processesOf } from '../testing/processes-of.ts';
import { gitEnvironment } from './git-environment.ts';
import { createGitHome, type GitHome } from './git-home.ts';
import { createGitRunner, type GitCommand, type GitRunner } from './git-process.ts';

let folder: string;
let home: GitHome;
let runner: GitRunner;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-runner-'));
  home = createGitHome(path.join(folder, 'home'));
  runner = createGitRunner({ cwd: home.emptyFolder, processesMax: 1 });
});
afterEach(async () => {
  await runner.close();
  rmSync(folder, { recursive: true, force: true });
});

const command = (more: Partial<GitCommand>): GitCommand => ({
  what: 'A test',
  args: ['version'],
  env: gitEnvironment(home),
  lane: 'local',
  timeoutMs: 20_000,
  stdoutBytesMax: 1000,
  ...more,
});
/** An alias lets git start children of its own. */
const shell = (script: string) => ['-c', `alias.x=!${script}`, 'x'];

describe('a git process is bounded in time, output and number', () => {
  it('gives its output and its exit code', async () => {
    const output = await runner.run(command({}));
    expect(output).toMatchObject({ code: 0, cut: false, stderr: '' });
    expect(output.stdout.toString()).toMatch(/^git version /);
    expect(await runner.run(command({ args: ['no-such-command'] }))).toMatchObject({ code: 1 });
  });

  it('is ended with everything that it started when its time is over', async () => {
    const running = runner.run(command({ args: shell('sleep 60 & sleep 60'), timeoutMs: 200 }));
    await expect(running).rejects.toMatchObject({
      kind: 'timeout',
      message: 'A test took longer than 200 ms.',
    });
    expect(processesOf(folder)).toEqual([]);
  });

  it('is ended with everything that it started when the caller goes', async () => {
    const leaving = new AbortController();
    const running = runner.run(command({ args: shell('sleep 60 & sleep 60'), signal: leaving.signal }));
    setTimeout(() => leaving.abort(), 100);
    await expect(running).rejects.toMatchObject({ kind: 'cancelled' });
    expect(processesOf(folder)).toEqual([]);
  });

  it('is cut when it says too much', async () => {
    const output = await runner.run(command({ args: shell('yes') }));
    expect(output).toMatchObject({ code: null, cut: true });
    expect(output.stdout).toHaveLength(1000);
    expect(processesOf(folder)).toEqual([]);
  });

  it('waits its turn, and too many waiting are told to come back', async () => {
    const all = Array.from({ length: 400 }, () => runner.run(command({})));
    const outcomes = await Promise.allSettled(all);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toMatchObject({ kind: 'busy' });
    expect(outcomes.length - refused.length).toBeGreaterThan(250);
  });

  it('cannot be started: the operator is told what to install', async () => {
    const nowhere = { ...gitEnvironment(home), PATH: folder };
    await expect(runner.run(command({ env: nowhere }))).rejects.toMatchObject({
      code: 'mirrors/git-missing',
    });
  });

  it('takes its last argument as any bytes', async () => {
    const bytes = Buffer.from([0x2d, 0xff, 0x27, 0x5c, 0x0a, 0x25, 0x0a]);
    const args = ['-c', `alias.x=!printf '%s.'`, 'x'];
    expect((await runner.run(command({ args, lastOption: bytes }))).stdout).toEqual(
      Buffer.concat([bytes, Buffer.from('.')]),
    );
  });

  it('takes nothing but whole ids where git would still read options', async () => {
    const started = runner.processesStarted();
    for (const id of [
      '--output=evil',
      '',
      'HEAD',
      'a'.repeat(39),
      `${'a'.repeat(40)}\n`,
      `^${'a'.repeat(40)}`,
    ]) {
      await expect(runner.run(command({ objectIds: [id] }))).rejects.toMatchObject({
        code: 'mirrors/object-id',
      });
    }
    expect(runner.processesStarted()).toBe(started);
  });

  it('keeps a place for reads while long searches of histories wait for theirs', async () => {
    const leaving = new AbortController();
    const searches = Array.from({ length: 9 }, () =>
      runner.run(command({ args: shell('sleep 60'), lane: 'history', signal: leaving.signal })),
    );
    expect(await runner.run(command({}))).toMatchObject({ code: 0 });
    expect(await runner.run(command({ lane: 'network' }))).toMatchObject({ code: 0 });
    leaving.abort();
    await Promise.all(searches.map((search) => expect(search).rejects.toMatchObject({ kind: 'cancelled' })));
  });
});

describe('the askpass script answers its own host alone', () => {
  const variables = {
    PERISCOPE_GIT_USERNAME: 'bot',
    PERISCOPE_GIT_SECRET: 'se cret',
    PERISCOPE_GIT_USERNAME_PROMPT: `Username for 'https://git.test': `,
    PERISCOPE_GIT_PASSWORD_PROMPT: `Password for 'https://bot@git.test': `,
    PERISCOPE_GIT_PASSWORD_PROMPT_ENCODED: `Password for 'https://bot@git.test': `,
  };
  const rows: [prompt: string, answer: string | null][] = [
    [`Username for 'https://git.test': `, 'bot\n'],
    [`Password for 'https://bot@git.test': `, 'se cret\n'],
    [`Password for 'https://bot@evil.test': `, null],
    [`Password for 'https://bot@git.test.evil.test': `, null],
    [`Password for 'https://x@evil.test/'https://bot@git.test': `, null],
    [`Password for 'http://bot@git.test': `, null],
    ['', null],
  ];
  for (const [prompt, answer] of rows) {
    it(prompt === '' ? 'nothing' : prompt, () => {
      let said: string | null = null;
      try {
        said = execFileSync(home.askpass, [prompt], { env: variables }).toString();
      } catch {
        // It refused.
      }
      expect(said).toBe(answer);
    });
  }

  it('holds no secret itself and is nobody else’s to read', () => {
    expect(statSync(home.askpass).mode & 0o777).toBe(0o700);
  });
});
