import { describe, expect, it } from 'vitest';
import { globFilter } from './glob-filter.ts';

describe('globs mean over whole paths what people mean by them', () => {
  const check = (globs: string[], path: string, expected: boolean) =>
    it(`${globs.join(' ')} ${expected ? 'takes' : 'leaves'} ${path}`, () =>
      expect(globFilter(globs)(path)).toBe(expected));
  check(['*.yaml'], 'a/b/c.yaml', true);
  check(['*.yaml'], 'c.yaml', true);
  check(['*.yaml'], 'c.yaml.bak', false);
  check(['src/**'], 'src/a/b.ts', true);
  check(['src/**'], 'lib/src/b.ts', false);
  check(['src/*.ts'], 'src/a/b.ts', false);
  check(['**/*.css'], 'a/b.css', true);
  check(['*.{ts,tsx}'], 'a/b.tsx', true);
  check(['!*.test.ts', '*.ts'], 'a/b.test.ts', false);
  check(['!*.test.ts'], 'a/b.go', true);
  check(['Dockerfile'], 'x/Dockerfile', true);
  check(['src'], 'src/a.ts', true);
  check(['./src/'], 'src/a.ts', true);
  check(['.github/**'], '.github/workflows/a.yml', true);
  check(['*'], '.env', true);
  check(['a[1].ts'], 'x/a[1].ts', true);
  check(['my file, v2.txt'], 'docs/my file, v2.txt', true);
  check(['*.[jt]s'], 'a/b.js', true);
  check(['*.[jt]s'], 'a/b.cs', false);
  check(['v[0-9].txt'], 'v7.txt', true);
  check([`${'*a'.repeat(12)}b`], `${'a'.repeat(60)}`, false);
  check([], 'anything', true);
});
