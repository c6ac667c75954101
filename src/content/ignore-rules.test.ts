import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../base/testing/seeded-random.ts';
import { createGitFixture, type GitFixture } from '../mirrors/testing/git-fixture.ts';
import { parseIgnoreRules } from './ignore-rules.ts';

const limits = { patternsMax: 5000, wildcardBytesMax: 32 * 1024 };

describe('a pattern hides what git would ignore', () => {
  check('a name, at any depth', 'a.env', {
    'a.env': true,
    'b/c/a.env': true,
    'a.env/x': true,
    'a.envs': false,
  });
  check('an ending', '*.pem', { 'x.pem': true, 'd/.pem': true, 'x.pem/y': true, 'x.pems': false });
  check('a directory alone', 'build/', { build: false, 'build/': true, 'build/x': true, 'a/build/x': true });
  check('from the root', '/a', { a: true, 'b/a': false });
  check('a slash within it means from the root', 'a/b', { 'a/b': true, 'c/a/b': false });
  check('stars never cross a slash', 'a/*/c', { 'a/b/c': true, 'a/b/d/c': false });
  check('two stars do, or stand for nothing', 'a/**/c', { 'a/c': true, 'a/b/d/c': true, 'b/a/c': false });
  check('below a directory, not itself', 'a/**', { a: false, 'a/b': true, 'a/b/c': true });
  check('in front', '**/a/b', { 'a/b': true, 'x/y/a/b': true, 'a/x/b': false });
  check('two stars beside other letters are one', 'a**b', { axb: true, ab: true, 'a/b': false });
  check('one character', 'a?c', { abc: true, ac: false, 'a/c': false });
  check('a class', 'a[b-d!]e', { ace: true, 'a!e': true, aee: false });
  check('a class turned round', 'a[!b]c', { abc: false, axc: true, 'a/c': false });
  check('a class by name', 'x[[:digit:]]', { x1: true, xa: false });
  check('a bracket first in a class', '[]a]', { ']': true, a: true, b: false });
  check('an escape', '\\#a\n\\!b\nc\\ \n\\*', {
    '#a': true,
    '!b': true,
    'c ': true,
    c: false,
    '*': true,
    x: false,
  });
  check('trailing spaces, comments, CRLF and a BOM aside', '\ufeffa  \r\n# b\r\n\r\nc\r\n', {
    a: true,
    '# b': false,
    b: false,
    c: true,
  });
  check('the last one that matches decides', '*.log\n!keep.log\n', { 'a.log': true, 'keep.log': false });
  check('nothing below a hidden directory comes back', 'a/\n!a/b\n', { 'a/b': true });
  check('what is below one that came back does', '/*\n!/a\n/a/*\n!/a/b\n', {
    c: true,
    'a/c': true,
    'a/b': false,
  });
  check('letters in their case', 'README', { README: true, readme: false });
  check('what git cannot read matches nothing', 'a[b\nc\\\n', { 'a[b': false, c: false, 'c\\': false });
  check('bytes, as git compares them', 'é\n??x', { é: true, éx: true });

  function check(title: string, text: string, expected: Record<string, boolean>) {
    it(title, () => {
      const rules = parseIgnoreRules(Buffer.from(text).toString('latin1'), limits)!;
      const found = Object.keys(expected).map((path) => {
        const bytes = Buffer.from(path.replace(/\/$/, '')).toString('latin1');
        return [path, rules.excludes(bytes, path.endsWith('/'))];
      });
      expect(Object.fromEntries(found)).toEqual(expected);
    });
  }
});

describe('git itself agrees', () => {
  let fixture: GitFixture;
  beforeAll(() => {
    fixture = createGitFixture();
  });
  afterAll(() => fixture.remove());

  const seed = 20261130;
  it(`on random patterns and paths (seed ${seed})`, () => {
    const random = new SeededRandom(seed);
    const parts = ['a', 'b', 'ab', '*', '**', '?', '[ab]', '[!a]', 'a*', '*b', '\\a', '**a', 'c'];
    const names = ['a', 'b', 'ab', 'aa', 'ba', 'c', 'abc'];
    const joined = (segments: number, from: readonly string[], more: readonly string[]) =>
      Array.from({ length: 1 + random.below(segments) }, () => random.pick(from) + random.pick(more)).join(
        '/',
      );
    const pattern = () =>
      random.pick(['', '', '!']) +
      random.pick(['', '/']) +
      joined(3, parts, ['', '', 'b']) +
      random.pick(['', '', '/']);
    const paths = [...Array.from({ length: 60 }, () => joined(4, names, [''])), sentinel];
    for (let round = 0; round < 80; round++) {
      // Git fails where it ignores nothing.
      const text = `${Array.from({ length: 1 + random.below(4) }, pattern).join('\n')}\n${sentinel}\n`;
      const rules = parseIgnoreRules(text, limits)!;
      const hidden = paths.filter((one) => rules.excludes(one, false));
      expect({ text, hidden }).toEqual({ text, hidden: ignoredByGit(text, paths) });
    }
  });

  const sentinel = 'sentinel';

  /** None of the paths is there, so git takes each for a file's and its parents for directories. */
  function ignoredByGit(text: string, paths: readonly string[]): string[] {
    const file = path.join(fixture.gitDir, 'info', 'exclude');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    const fields = fixture
      .git(['--work-tree=.', 'check-ignore', '--no-index', '--verbose', '--non-matching', '-z', '--stdin'], {
        input: paths.map((one) => `${one}\0`).join(''),
      })
      .split('\0');
    return paths.filter((_, index) => {
      const matched = fields[index * 4 + 2]!;
      return matched !== '' && !matched.startsWith('!');
    });
  }
});

describe('a hostile file costs little', () => {
  it('however many stars a pattern has', () => {
    const rules = parseIgnoreRules(`${'*a'.repeat(40)}*b\n${'**/'.repeat(40)}x\n`, limits)!;
    expect(rules.excludes('a'.repeat(250), false)).toBe(false);
    expect(rules.excludes(`${'a/'.repeat(250)}a`, false)).toBe(false);
  });

  it('and is not taken when it has too many patterns, or too much of those that take steps', () => {
    expect(parseIgnoreRules('a\n'.repeat(5000), limits)?.patterns).toBe(5000);
    expect(parseIgnoreRules('a\n'.repeat(5001), limits)).toBeNull();
    expect(parseIgnoreRules(`${'a*'.repeat(50)}\n`.repeat(400), limits)).toBeNull();
  });
});
