import { describe, expect, it } from 'vitest';
import { createGitFixture } from './git-fixture.ts';

describe('a fixture is a real repository, the same on every machine', () => {
  it('gives the same ids each time and takes any bytes as a path', () => {
    const ids = [0, 1].map(() => {
      const fixture = createGitFixture();
      fixture.commit({
        'a.txt': 'one\n',
        'odd\\x0aname\\xff"': 'two',
        link: { mode: '120000', content: 'a.txt' },
      });
      const commit = fixture.commit({ 'a.txt': null, 'b/c.txt': 'three' });
      const names = fixture.git(['ls-tree', '-r', '--name-only', 'HEAD']);
      fixture.checkout();
      fixture.remove();
      expect(names).toBe('b/c.txt\nlink\n"odd\\nname\\377\\""\n');
      return commit;
    });
    expect(ids[0]).toMatch(/^[0-9a-f]{40}$/);
    expect(ids[0]).toBe(ids[1]);
  });

  it('makes trees that git itself would refuse, tags of tags, and SHA-256', () => {
    const fixture = createGitFixture({ objectFormat: 'sha256', bare: true });
    const oid = fixture.blob('x');
    const commit = fixture.commitTree(fixture.rawTree([{ mode: '100644', name: '..', oid }]));
    expect(commit).toMatch(/^[0-9a-f]{64}$/);
    fixture.annotatedTag('inner', commit);
    const outer = fixture.annotatedTag('outer', 'inner');
    expect(fixture.git(['rev-parse', `${outer}^{commit}`]).trim()).toBe(commit);
    fixture.remove();
  });
});
