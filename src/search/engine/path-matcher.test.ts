import { describe, expect, it } from 'vitest';
import { attachManifest } from '../manifests/manifest.ts';
import type { ManifestRow } from '../manifests/types.ts';
import { encodeManifest } from '../manifests/write-manifest.ts';
import type { TextPattern } from '../queries/types.ts';
import { compileRegex } from '../regex/regex.ts';
import { PathMatcher } from './path-matcher.ts';
import { pathScore } from './path-score.ts';

const paths = [
  'README.md',
  'src/Foo.rs',
  'src/foo_test.rs',
  'src/kelvin.ts',
  'src/naïve.rs',
  'srcfoo/bar',
  'x',
];

function manifest() {
  const rows = paths.map((path): ManifestRow => {
    const rest = { skipped: null, language: 0, executable: false, maskedSpans: 0, interpreter: 0 } as const;
    return { path, oid: '0'.repeat(40), blobId: 1, class: 0, ...rest };
  });
  const head = { repositoryId: 1, commit: '', committedMs: 0, policyKey: '', objectsBy: null, optedOut: 0 };
  const { bytes } = encodeManifest({ head, rows });
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return attachManifest({ file: 'test', shared });
}

function matcherOf(source: string, { literal = false, ignoreCase = false } = {}): PathMatcher {
  const regexOf = (pattern: TextPattern) => compileRegex(pattern.source, pattern);
  return new PathMatcher({ source, literal, ignoreCase }, regexOf);
}

describe('paths are found by every way that may be taken', () => {
  function check(source: string, options: { literal?: boolean; ignoreCase?: boolean }, expected: string[]) {
    it(`${source} ${JSON.stringify(options)}`, () => {
      const matcher = matcherOf(source, options);
      const all = manifest();
      const tested = paths.filter((_, row) => matcher.test(all, row));
      expect(tested).toEqual(expected);
      const { rows, next } = matcher.matchingRows(all, 0, all.rows);
      expect(rows.map((row) => all.path(row))).toEqual(expected);
      expect(next).toBe(all.rows);
      expect(expected.length === 0 || matcher.mayMatch(all)).toBe(true);
      if (matcher.literals) {
        const candidates = matcher.candidates(all, 100, 0).map((row) => all.path(row));
        expect(candidates).toEqual(expect.arrayContaining(expected));
      }
    });
  }
  check('foo', { literal: true }, ['src/foo_test.rs', 'srcfoo/bar']);
  check('foo', { literal: true, ignoreCase: true }, ['src/Foo.rs', 'src/foo_test.rs', 'srcfoo/bar']);
  check('c/F', { literal: true }, ['src/Foo.rs']);
  check('\\.rs$', {}, ['src/Foo.rs', 'src/foo_test.rs', 'src/naïve.rs']);
  check('(^|/)src/', {}, ['src/Foo.rs', 'src/foo_test.rs', 'src/kelvin.ts', 'src/naïve.rs']);
  check('\\Asrc.*\\.ts\\z', {}, ['src/kelvin.ts']);
  check('kelvin', { ignoreCase: true }, ['src/kelvin.ts']);
  check('ïve', { literal: true }, ['src/naïve.rs']);
  check('foo|README', {}, ['README.md', 'src/foo_test.rs', 'srcfoo/bar']);
  check('barx', { literal: true }, []);
});

describe('a path that matches is worth', () => {
  const rows: [string, string, number][] = [
    ['src/handler.ts', 'handler', 7000],
    ['handler', 'handler', 7000],
    ['src/handler.ts', 'handler.ts', 7000],
    ['src/handler_x.ts', 'handler', 5500],
    ['src/x_handler.ts', 'handler', 5500],
    ['src/x_handler_y.ts', 'handler', 4000],
    ['src/handler/x.ts', 'handler', 500],
    ['src/handlers/x.ts', 'handler', 50],
  ];
  for (const [path, source, score] of rows) {
    it(`${score} for ${source} in ${path}`, () => {
      expect(pathScore(path, matcherOf(source, { literal: true }))).toBe(score);
    });
  }
});
