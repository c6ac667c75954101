import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createGitFixture } from '../testing/git-fixture.ts';
import { gitEnvironment } from './git-environment.ts';
import { createGitHome } from './git-home.ts';
import { createGitRunner } from './git-process.ts';

it('a folder is read although its trust cannot be written down', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-home-'));
  const fixture = createGitFixture({ bare: true });
  fixture.commit({ a: 'a' });
  if (process.getuid?.() === 0) chownSync(fixture.gitDir, 65534, 65534);
  const home = createGitHome(folder);
  const name = createHash('sha256').update(fixture.gitDir).digest('hex').slice(0, 24);
  // A folder where the file would be written: as good as a full disk.
  mkdirSync(path.join(folder, 'config', `${name}.${process.pid}.new`));
  expect(home.configTrusting(fixture.gitDir)).toBe(home.plainConfig);
  const runner = createGitRunner({ cwd: home.emptyFolder, processesMax: 1 });
  const output = await runner.run({
    what: 'A test',
    args: [`--git-dir=${fixture.gitDir}`, 'for-each-ref', '--format=%(refname)'],
    env: gitEnvironment(home, { trusted: fixture.gitDir }),
    lane: 'local',
    timeoutMs: 20_000,
    stdoutBytesMax: 1000,
  });
  expect(output).toMatchObject({ code: 0, stdout: Buffer.from('refs/heads/main\n') });
  await runner.close();
  fixture.remove();
  rmSync(folder, { recursive: true });
});

it('a second start writes nothing that is there already', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-home-'));
  createGitHome(folder);
  const written = () =>
    readdirSync(folder, { recursive: true }).map((name) => statSync(path.join(folder, String(name))).mtimeMs);
  const before = written();
  createGitHome(folder);
  expect(written()).toEqual(before);
  rmSync(folder, { recursive: true });
});
