import { expect, test } from 'vitest';
import { PathRows } from './path-rows.ts';

/** Two classes, each sorted by bytes. */
const byClass = [['a', 'a/b.ts', 'a/b/c.ts', 'a/é.ts', 'b'], [], ['a/b.test.ts', 'z/é/deep/name.ts'], []];
const paths = byClass.flat();
const bytes = paths.map((path) => Buffer.from(path));
const manifest = {
  classStarts: Uint32Array.from([0, 5, 5, 7, 7]),
  pathStarts: Uint32Array.from([0, ...bytes.map((_, at) => Buffer.concat(bytes.slice(0, at + 1)).length)]),
  pathBytes: Buffer.concat(bytes),
};

test.each(paths.map((path, row) => [path, row]))('%s is found in its row', (path, row) => {
  expect(new PathRows().rowOf(manifest, path as string)).toBe(row);
});

test.each(['', 'A', 'a/', 'a/b', 'a/b.tsx', 'a/b.t', 'a/b/', 'a/e.ts', 'b/', 'zz', `${'a/'.repeat(5000)}é`])(
  '%s is nowhere',
  (path) => {
    expect(new PathRows().rowOf(manifest, path)).toBe(-1);
  },
);
