import { describe, expect, it } from 'vitest';
import { documentClass } from './document-class.ts';

describe('source comes before tests, documents and what others wrote', () => {
  check(0, [
    'src/flask/app.py',
    'lib/attest/x.go',
    'cmd/main.go',
    'Makefile',
    'build/webpack.config.js',
    'deploy/values.yaml',
  ]);
  check(0, [
    'CMakeLists.txt',
    'requirements-dev.txt',
    'app/templates/login.html',
    'src/app/login.component.html',
  ]);
  check(0, ['src/docs/render.ts', 'gen/generator.go', 'src/latest.ts', 'contest/rules.go', 'Dockerfile']);
  check(0, ['app/models/vendor/invoice.rb', 'src/main/java/com/acme/vendor/Vendor.java']);
  check(1, [
    'tests/test_app.py',
    'pkg/app_test.go',
    'src/app.spec.ts',
    'src/a.test.tsx',
    'spec/models/user_spec.rb',
  ]);
  check(1, [
    'src/test/java/a/B.java',
    'core/FooTest.java',
    'My.App.Tests/Foo.cs',
    'pkg/testdata/a.go',
    'examples/a.js',
  ]);
  check(2, [
    'README.md',
    'docs/conf.py',
    'package.json',
    'LICENSE',
    'LICENSE-MIT',
    'tests/fixtures/a.json',
    'assets/logo.svg',
  ]);
  check(3, [
    'vendor/x/y.go',
    'web/jquery.min.js',
    'package-lock.json',
    'go.sum',
    'Cargo.lock',
    'web/node_modules/a/b.js',
  ]);
  check(3, [
    'api/v1/user.pb.go',
    'api/user_pb2.py',
    'dist/index.js',
    'pkg/zz_generated.deepcopy.go',
    'static/app.js.map',
  ]);
  check(3, [
    'third_party/zlib/inflate.c',
    'deps/v8/src/api.cc',
    'src/__snapshots__/a.snap',
    'lib/vendor/rack.rb',
  ]);

  function check(expected: number, paths: readonly string[]) {
    for (const path of paths)
      it(`${path} is ${expected}`, () => expect(documentClass(path, 2000)).toBe(expected));
  }
});

it('what is too long to be written by hand comes last', () => {
  expect(documentClass('src/tables.c', 600_000)).toBe(3);
  expect(documentClass('src/checker.ts', 400_000)).toBe(0);
  expect(documentClass('data/cities.json', 400_000)).toBe(3);
});

it('takes steps in proportion to the length of a path', () => {
  for (const path of [
    'a/'.repeat(20_000),
    'test_'.repeat(20_000),
    `src/${'docs'.repeat(20_000)}`,
    `models/${'vendor/'.repeat(2000)}`,
  ])
    expect(documentClass(path)).toBeGreaterThanOrEqual(0);
});
