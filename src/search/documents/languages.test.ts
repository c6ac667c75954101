import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { languageTable } from './language-table.ts';
import { languageName, languageNamed, languageOf, nearLanguages } from './languages.ts';

it('numbers of languages never change: manifests on disk hold them', () => {
  // Rows are only appended. Pin those that were added by raising both figures.
  const pinned = 147;
  const names = languageTable.slice(0, pinned).map(({ name }) => name);
  expect(languageTable.length).toBe(pinned);
  expect(createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16)).toBe('704f632b55bb5bc6');
});

describe('the language of a file', () => {
  check('cmd/main.go', 'Go');
  check('web/App.tsx', 'TypeScript');
  check('a/b.c', 'C');
  check('a/B.HPP', 'C++');
  check('views/a.blade.php', 'Blade');
  check('a.php', 'PHP');
  check('deploy/Dockerfile', 'Dockerfile');
  check('Dockerfile.prod', 'Dockerfile');
  check('go.mod', 'Go Module');
  check('CMakeLists.txt', 'CMake');
  check('notes.txt', 'Text');
  check('.gitignore', 'Ignore List');
  check('a.tar.gz', null);
  check('a.b.c.d.e.f.py', 'Python');
  check('bin/run', null);
  check('', null);
  check('.', null);
  check('bin/run', 'Shell', '#!/bin/sh -e');
  check('bin/run', 'Python', '#!/usr/bin/env python3.11');
  check('bin/run', 'Python', '#!/usr/bin/env -S A=1 python3 -u');
  check('bin/run', null, '#!');
  check('a.go', 'Go', '#!/bin/sh');

  function check(path: string, expected: string | null, firstLine = '') {
    it(`${path} ${firstLine}`, () => expect(languageName(languageOf(path, firstLine))).toBe(expected));
  }
});

describe('a language by any of its names', () => {
  for (const [written, expected] of [
    ['golang', 'Go'],
    ['GO', 'Go'],
    ['ts', 'TypeScript'],
    ['.tsx', 'TypeScript'],
    ['c++', 'C++'],
    ['cs', 'C#'],
    ['py', 'Python'],
    ['terraform', 'HCL'],
    ['plain text', 'Text'],
    ['pyi', 'Python'],
    ['klingon', null],
    ['constructor', null],
  ] as const) {
    it(written, () => expect(languageName(languageNamed(written) ?? 0)).toBe(expected));
  }
});

it('every name and alias leads to its language', () => {
  for (const { name, aliases } of languageTable) {
    for (const written of [name, ...aliases])
      expect(`${written}: ${languageName(languageNamed(written) ?? 0)}`).toBe(`${written}: ${name}`);
  }
});

it('near names for a misspelled language', () => {
  expect(nearLanguages('pyhton')[0]).toBe('Python');
  expect(nearLanguages('javascrip')[0]).toBe('JavaScript');
  expect(nearLanguages('qqqq')).toEqual([]);
});
