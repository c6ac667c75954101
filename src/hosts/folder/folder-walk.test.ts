import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { walkFolder } from './folder-walk.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'periscope-walk-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const { signal } = new AbortController();

it('looks at a bounded number of directories, says so, and finds what is outside of work trees first', async () => {
  directories('a-huge/.git', ...Array.from({ length: 50 }, (_, at) => `a-huge/deep/${at}`));
  directories('team/b/.git', 'team/c/.git');
  const walk = await walkFolder(root, { depthMax: 6, directoriesMax: 10, excluded: [], signal });
  expect(walk.candidates.map(({ below }) => below)).toEqual(['a-huge', 'team/b', 'team/c']);
  expect(walk.directoriesRead).toBe(10);
  expect(walk.problems).toEqual([
    expect.objectContaining({ why: 'Looking for repositories stopped after 10 directories.' }),
  ]);
  expect(walk.unseen).toEqual([`${root}/`]);
});

it('reads every directory once, and none below a bare repository, in .git or in node_modules', async () => {
  directories(
    'work/.git/objects',
    'work/src/lib',
    'work/node_modules/x/y',
    'bare.git/objects/pack',
    'bare.git/refs',
  );
  const walk = await walkFolder(root, { depthMax: 6, directoriesMax: 1000, excluded: [], signal });
  // The folder itself, work, work/src, work/src/lib, bare.git and, as no HEAD makes it a repository, its three.
  expect(walk.directoriesRead).toBe(8);
});

function directories(...names: string[]) {
  for (const name of names) mkdirSync(path.join(root, name), { recursive: true });
}
