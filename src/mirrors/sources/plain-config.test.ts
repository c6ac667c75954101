import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFixtureGit } from '../testing/git-fixture.ts';
import { plainSettings } from './plain-config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function gitSettings(text: string): string[][] {
  const file = path.join(folder, 'config');
  writeFileSync(file, text);
  return runFixtureGit(folder, ['config', '--file', file, '--no-includes', '-z', '--list'])
    .split('\0')
    .slice(0, -1)
    .map((entry) => [entry.slice(0, entry.indexOf('\n')), entry.slice(entry.indexOf('\n') + 1)]);
}

describe('a plain config', () => {
  it.each([
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n',
    '[Core]\r\n\tFileMode=false\r\n# said\r\n; so\r\n\r\n[extensions]\r\nobjectFormat = sha256\r\n',
    '[remote "Origin.x y"]\n  url = https://example.test/a b.git\n  fetch = +refs/heads/*:refs/heads/*\n[core]\n  eol =\n',
    '',
  ])('%j is what git says it is', (text) => {
    expect(plainSettings(text)).toEqual(gitSettings(text));
  });

  it.each([
    '[core]\n\tbare\n',
    '[core]\n\teol = "lf"\n',
    '[core]\n\teol = lf # or so\n',
    '[core]\n\teol = l\\\nf\n',
    '[core] bare = true\n',
    '[core.sub]\n\tbare = true\n',
    '[remote "a\\"b"]\n\turl = x\n',
    'bare = true\n',
  ])('%j is left to git', (text) => {
    expect(plainSettings(text)).toBeNull();
  });
});
