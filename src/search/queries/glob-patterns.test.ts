import { describe, expect, it } from 'vitest';
import { compileRegex } from '../regex/regex.ts';
import { branchPattern, filePattern, repositoryPattern } from './glob-patterns.ts';
import type { TextPattern } from './types.ts';

describe('globs over paths', () => {
  check('*.yaml', ['a.yaml', 'x/y/a.YAML'], ['a.yaml.bak', 'a.yml', 'yaml/b']);
  check('src/**', ['src/a', 'src/b/c.ts'], ['src', 'x/src/a', 'srcs/a']);
  check('src/*.ts', ['src/a.ts'], ['src/b/a.ts', 'x/src/a.ts']);
  check('/src/*.ts', ['src/a.ts'], ['src/b/a.ts', 'x/src/a.ts']);
  check('/*.ts', ['a.ts'], ['src/a.ts']);
  check('**/*.css', ['a.css', 'x/y/a.css'], ['a.css/b']);
  check('src/**/a.ts', ['src/a.ts', 'src/x/y/a.ts'], ['src/xa.ts']);
  check('src/app', ['src/app', 'src/app/a.ts', 'web/src/app/a.ts'], ['src/apple', 'mysrc/app']);
  check('/src/app', ['src/app', 'src/app/a.ts'], ['web/src/app/a.ts']);
  check('./src/app', ['src/app/a.ts'], ['web/src/app/a.ts']);
  check('Makefile', ['Makefile', 'x/makefile', 'Makefile/x'], ['Makefile.am']);
  check('docs/', ['docs/a', 'x/docs/a'], ['docs', 'mydocs/a']);
  check('*.{ts,tsx}', ['a.ts', 'b/a.tsx'], ['a.tsxx']);
  check('{a,b{c,d}}.go', ['a.go', 'bc.go', 'bd.go'], ['b.go']);
  check('{a.go', ['{a.go'], ['a.go']);
  check('[id].tsx', ['[id].tsx', 'app/[id].tsx'], ['id.tsx']);
  check('*.[ch]', ['a.c', 'a.h', 'a.[ch]'], ['a.ch', 'a.x']);
  check('[a-c]?.go', ['ax.go', 'cx.go'], ['dx.go', 'a/.go', '-x.go']);
  check('[!a].go', ['b.go'], ['a.go']);
  check('[...slug].ts', ['[...slug].ts'], ['slug.ts']);
  check('app/(auth)/page.tsx', ['app/(auth)/page.tsx'], ['app/auth/page.tsx']);
  check('a b,c.txt', ['a b,c.txt'], ['a b']);
  check('\\*.go', ['*.go'], ['a.go']);
  check('日本*.md', ['日本語.md'], ['本.md']);
  check('a.+$^|(x', ['a.+$^|(x'], ['aa']);
  check('**', ['a', 'a/b'], []);

  it('several are alternatives', () => {
    expect(fits(filePattern(['*.go', 'src/**']), 'src/x')).toBe(true);
    expect(fits(filePattern(['*.go', 'src/**']), 'a.go')).toBe(true);
    expect(fits(filePattern(['*.go', 'src/**']), 'a.ts')).toBe(false);
  });

  it('letter case counts when asked', () => expect(fits(filePattern(['*.go'], false), 'A.GO')).toBe(false));

  function check(glob: string, fitting: readonly string[], others: readonly string[]) {
    it(glob, () => {
      for (const path of fitting) expect(`${path} ${fits(filePattern([glob]), path)}`).toBe(`${path} true`);
      for (const path of others) expect(`${path} ${fits(filePattern([glob]), path)}`).toBe(`${path} false`);
    });
  }
});

describe('names of repositories', () => {
  for (const [glob, name, expected] of [
    ['flask', 'pallets/flask', true],
    ['flask', 'flask', true],
    ['flask', 'pallets/flask-admin', false],
    ['pallets/flask', 'github.com/pallets/flask', true],
    ['https://github.com/pallets/flask.git', 'github.com/pallets/flask', true],
    ['pallets/*', 'pallets/flask', true],
    ['pallets/*', 'pallets/group/flask', false],
    ['pallets/**', 'pallets/group/flask', true],
    ['pallets/', 'pallets/flask', true],
    ['*-api', 'acme/pay-api', true],
  ] as const) {
    it(`${glob} and ${name}`, () => expect(fits(repositoryPattern([glob]), name)).toBe(expected));
  }
});

it('a glob over branches means the whole name', () => {
  expect(fits(branchPattern('release/*'), 'release/1')).toBe(true);
  expect(fits(branchPattern('release/*'), 'x/release/1')).toBe(false);
  expect(fits(branchPattern('release/*'), 'Release/1')).toBe(false);
});

function fits(pattern: TextPattern, name: string): boolean {
  return compileRegex(pattern.source, pattern).test(Buffer.from(name));
}
