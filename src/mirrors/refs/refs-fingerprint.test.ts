import { afterEach, expect, it } from 'vitest';
import { createGitFixture, type GitFixture } from '../testing/git-fixture.ts';
import { createRefsFingerprint } from './refs-fingerprint.ts';

let fixture: GitFixture;
afterEach(() => fixture.remove());

/** One reference in each of so many folders. */
function spread(folders: number) {
  fixture = createGitFixture({ bare: true });
  const commit = fixture.commit({ a: 'a' });
  const lines = Array.from({ length: folders }, (_, index) => `create refs/heads/d${index}/x ${commit}\n`);
  fixture.git(['update-ref', '--stdin'], { input: lines.join('') });
  return {
    commit,
    fingerprint: createRefsFingerprint({ gitDir: fixture.gitDir, commonDir: fixture.gitDir }),
  };
}

it('a change in any of a few folders is seen at once', async () => {
  const { commit, fingerprint } = spread(10);
  const { value } = await fingerprint.take();
  expect((await fingerprint.take()).value).toBe(value);
  fixture.git(['update-ref', 'refs/heads/d3/y', commit]);
  expect((await fingerprint.take()).value).not.toBe(value);
});

it('of very many folders the first are looked at each time, and all of them soon', async () => {
  const { commit, fingerprint } = spread(2000);
  const first = await fingerprint.take();
  // The very same object: nothing was looked at anew.
  const second = await fingerprint.take();
  expect(second.value).toBe(first.value);
  expect(await fingerprint.take()).toBe(second);
  fixture.git(['update-ref', 'refs/heads/top', commit]);
  const third = await fingerprint.take();
  expect(third.value).not.toBe(first.value);
  fixture.git(['update-ref', 'refs/heads/d3/y', commit]);
  while ((await fingerprint.take()).value === third.value)
    await new Promise((resolve) => setTimeout(resolve, 20));
});
