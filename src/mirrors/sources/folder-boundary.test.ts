import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createGitFixture } from '../testing/git-fixture.ts';
import { boundedFolder, OutsideRoot } from './folder-boundary.ts';

it('a folder that was replaced by a link to another is refused, however well that other one looks', async () => {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'periscope-boundary-')));
  try {
    for (const name of ['alice', 'bob']) {
      mkdirSync(path.join(top, name));
      createGitFixture({ folder: path.join(top, name, 'repo') }).commit({ 'a.txt': `${name}\n` });
    }
    const source = { gitDir: path.join(top, 'alice/repo/.git'), root: path.join(top, 'alice/repo') };
    expect((await boundedFolder(source)).gitDir).toBe(source.gitDir);
    renameSync(source.root, path.join(top, 'alice/moved'));
    symlinkSync(path.join(top, 'bob/repo'), source.root);
    await expect(boundedFolder(source)).rejects.toBeInstanceOf(OutsideRoot);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
});
