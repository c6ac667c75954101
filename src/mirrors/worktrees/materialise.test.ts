import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGitFixture, type GitFixture } from '../testing/git-fixture.ts';
import { openTestMirrors, type TestMirrors } from '../testing/open-mirrors.ts';
import type { Mirror } from '../types.ts';

const options = { signal: new AbortController().signal };

let fixture: GitFixture;
let test: TestMirrors;
let mirror: Mirror;
let commit: string;

beforeEach(() => {
  fixture = createGitFixture({ bare: true });
  commit = fixture.commit({
    'one/a': 'a'.repeat(100),
    'two/a': 'b'.repeat(100),
    'three/a': 'c'.repeat(100),
    'large/a': Buffer.alloc(9 * 1024 * 1024, 'x'),
  });
  test = openTestMirrors({ options: { worktreesMax: 2, worktreeBytesMax: 10 * 1024 * 1024 } });
  mirror = test.openFolder(fixture);
});
afterEach(async () => {
  await test.close();
  fixture.remove();
});

describe('directories on disk are kept within bounds', () => {
  it('the one unused longest goes from disk too, and none that is in use', async () => {
    const one = await mirror.materialise(commit, 'one', options);
    const two = await mirror.materialise(commit, 'two', options);
    const three = await mirror.materialise(commit, 'three', options);
    expect([one, two, three].map(({ folder }) => existsSync(folder))).toEqual([true, true, true]);
    two.release();
    two.release();
    await gone(two.folder);
    expect([one, three].map(({ folder }) => existsSync(folder))).toEqual([true, true]);
    one.release();
    three.release();
    const again = await mirror.materialise(commit, 'one', options);
    expect(again.folder).toBe(one.folder);
    expect(test.mirrors.counters().materialisations).toBe(3);
    again.release();
  });

  it('branches that share a tree share its directory', async () => {
    const other = fixture.commit({ 'unrelated.txt': 'x' }, { branch: 'other', from: commit });
    const [one, two] = [
      await mirror.materialise(commit, 'one', options),
      await mirror.materialise(other, 'one', options),
    ];
    expect(one.folder).toBe(two.folder);
    one.release();
    expect(existsSync(two.folder)).toBe(true);
    two.release();
  });

  it('bytes count as well as number; a directory that alone is too large is refused before it is written', async () => {
    const large = await mirror.materialise(commit, 'large', options);
    expect(large.files).toMatchObject([{ sizeBytes: 9 * 1024 * 1024 }]);
    large.release();
    fixture.commit({ 'more/a': Buffer.alloc(2 * 1024 * 1024, 'y') });
    const { commit: newer } = await mirror.resolve(undefined, options);
    (await mirror.materialise(newer, 'more', options)).release();
    await gone(large.folder);
    await expect(mirror.materialise(newer, '', options)).rejects.toMatchObject({ kind: 'too-large' });
    await expect(mirror.materialise(newer, 'more/a', options)).rejects.toMatchObject({
      kind: 'path-not-found',
    });
  });

  it('a caller who leaves releases what he waited for', async () => {
    const leaving = new AbortController();
    const left = mirror.materialise(commit, 'large', { signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ kind: 'cancelled' });
    for (const name of ['one', 'two', 'three']) (await mirror.materialise(commit, name, options)).release();
    const kept = await mirror.materialise(commit, 'one', options);
    kept.release();
    expect(directoriesOnDisk().length).toBeLessThanOrEqual(2);
  });

  it('what nobody waits for any more is not written on, and leaves nothing', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `d${index}`);
    const files = names.flatMap((name) =>
      Array.from({ length: 40 }, (_, index) => [`${name}/${index}`, `${name} ${index}`] as const),
    );
    const wide = fixture.commit(Object.fromEntries(files));
    const leaving = new AbortController();
    const left = names.map((name) => mirror.materialise(wide, name, { signal: leaving.signal }));
    setTimeout(() => leaving.abort(), 20);
    await Promise.allSettled(left);
    for (const name of ['one', 'two']) (await mirror.materialise(wide, name, options)).release();
    while (directoriesOnDisk().length > 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(directoriesOnDisk().filter((name) => name.endsWith('.new'))).toEqual([]);
    expect(test.mirrors.counters().materialisations).toBeLessThan(names.length);
  });

  it('one that is given up and asked for again is written whole', async () => {
    const leaving = new AbortController();
    const left = mirror.materialise(commit, 'large', { signal: leaving.signal });
    setTimeout(() => leaving.abort(), 5);
    await left.catch(() => {});
    const kept = await mirror.materialise(commit, 'large', options);
    expect(statSync(kept.files[0]!.file!).size).toBe(9 * 1024 * 1024);
    kept.release();
  });

  it('what a former process left is swept, and what this one made goes with it', async () => {
    const left = path.join(
      test.options.worktreeFolder,
      `of-${os.hostname().replaceAll('-', '_')}-999999999-ab12`,
    );
    mkdirSync(left, { recursive: true });
    (await mirror.materialise(commit, 'one', options)).release();
    expect(existsSync(left)).toBe(false);
    await test.mirrors.close();
    expect(readdirSync(test.options.worktreeFolder)).toEqual([]);
  });
});

function directoriesOnDisk(): string[] {
  return readdirSync(test.options.worktreeFolder).flatMap((own) =>
    readdirSync(path.join(test.options.worktreeFolder, own)),
  );
}

/** Removal goes on after the answer. */
async function gone(folder: string): Promise<void> {
  while (existsSync(folder)) await new Promise((resolve) => setTimeout(resolve, 5));
}
