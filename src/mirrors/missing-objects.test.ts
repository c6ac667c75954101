import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../base/logger.ts';
import { createGitFixture, type GitFixture } from './testing/git-fixture.ts';
import { openTestMirrors, type TestMirrors } from './testing/open-mirrors.ts';
import type { Mirror } from './types.ts';

const options = { signal: new AbortController().signal };

describe('a clone that lacks objects of its history', () => {
  const logged: [string, unknown][] = [];
  let fixture: GitFixture;
  let test: TestMirrors;
  let mirror: Mirror;
  let tip: string;
  let lost: string;

  beforeAll(() => {
    fixture = createGitFixture();
    const logger = {
      ...silentLogger,
      warn: (message: string, fields?: unknown) => void logged.push([message, fields]),
    };
    test = openTestMirrors({ deps: { logger } });
    fixture.commit({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    lost = fixture.git(['rev-parse', 'main:a.txt']).trim();
    tip = fixture.commit({ 'a.txt': 'two\n' });
    rmSync(path.join(fixture.gitDir, 'objects', lost.slice(0, 2), lost.slice(2)));
    mirror = test.openFolder(fixture);
  });
  afterAll(async () => {
    await test.close();
    fixture.remove();
  });

  const query = () => ({ commit: tip, path: '', skip: 0, limit: 10, followRenames: false });
  const rows: [what: string, ask: () => Promise<unknown>][] = [
    ['a search in the changes', () => mirror.history({ ...query(), pickaxe: 'zzz' }, options)],
    [
      'the history of lines',
      () => mirror.history({ ...query(), path: 'a.txt', lines: { start: 1, end: 1 } }, options),
    ],
    ['a change', () => mirror.diff({ commit: tip, path: '', contextLines: 3, bytesMax: 1000 }, options)],
    ['who changed a line', () => mirror.blame({ commit: tip, path: 'a.txt', start: 1, end: 1 }, options)],
  ];
  for (const [what, ask] of rows) {
    it(`is named as such by ${what}, and nobody is told to call again`, async () => {
      const error = await ask().catch((fault: unknown) => fault);
      expect(error).toMatchObject({ kind: 'ref-not-found', code: 'mirrors/objects-missing' });
      expect(error).toMatchObject({ message: expect.stringContaining('acme/folder does not hold') });
      expect((error as { next: string }).next).not.toMatch(/call again/i);
    });
  }

  it('has what git said in the log, with the repository, once and not for every caller', async () => {
    logged.length = 0;
    const ask = () => mirror.history({ ...query(), pickaxe: 'yyy' }, options).catch(() => {});
    test.clock.nowMs += 61_000;
    for (let time = 0; time < 3; time++) await ask();
    expect(logged).toEqual([
      [
        'a repository could not be read',
        {
          repository: 'acme/folder',
          code: 'mirrors/objects-missing',
          said: expect.stringContaining(lost),
        },
      ],
    ]);
    test.clock.nowMs += 61_000;
    await ask();
    expect(logged).toHaveLength(2);
  });

  it('still reads what it holds', async () => {
    expect(await mirror.history(query(), options)).toHaveLength(2);
    expect(await mirror.history({ ...query(), path: 'b.txt' }, options)).toHaveLength(1);
  });
});
