import { describe, expect, it } from 'vitest';
import type { TextDocument } from '../../content/index.ts';
import type { GraphNode } from '../../symbols/index.ts';
import { definedAs, documentedFrom, firstLineWith, nearDefinitions } from './defined-lines.ts';

function node(
  container: string,
  kind: GraphNode['symbolKind'],
  startLine: number,
  endLine: number,
): GraphNode {
  return {
    kind: 'symbol',
    name: container.slice(container.lastIndexOf('.') + 1),
    container,
    symbolKind: kind,
    exported: true,
    signature: null,
    language: null,
    ecosystem: null,
    version: null,
    place: {
      repositoryId: 1,
      revision: 'main',
      commit: '',
      path: 'a.ts',
      line: startLine,
      startLine,
      endLine,
      alsoCount: 0,
    },
  };
}

const outline = [
  node('Session', 'class', 1, 20),
  node('Session.refresh', 'method', 5, 8),
  node('refresh', 'function', 30, 32),
  node('parse', 'function', 40, 40),
  node('parse', 'function', 41, 41),
  node('parse', 'function', 42, 50),
  node('Policy', 'struct', 60, 62),
  node('Policy', 'implementation', 64, 90),
];

describe('a name means one definition of its file where it can', () => {
  const check = (symbol: string, expected: string[]) =>
    it(symbol, () =>
      expect(
        definedAs(symbol, outline).map(({ kind, startLine, endLine }) => `${kind} ${startLine}-${endLine}`),
      ).toEqual(expected),
    );
  check('Session', ['class 1-20']);
  check('Session.refresh', ['method 5-8']);
  check('Session#refresh()', ['method 5-8']);
  check('session::refresh', ['method 5-8']);
  check('(s *Session) refresh', ['method 5-8']);
  check('*Session.refresh', ['method 5-8']);
  check('refresh', ['function 30-32']);
  check('parse', ['function 40-50']);
  check('Policy', ['struct 60-62']);
  check('a.ts.Session', ['class 1-20']);
  check('nothing', []);
});

it('near ones are told with their lines, else what stands at the top', () => {
  expect(nearDefinitions('refesh', outline)).toEqual([
    { name: 'Session.refresh', line: 5 },
    { name: 'refresh', line: 30 },
  ]);
  expect(nearDefinitions('zzz', outline).map(({ name }) => name)).toContain('Session');
});

const documentOf = (text: string) =>
  ({
    text: () => Buffer.from(text),
    lines: (first: number, count: number) => ({
      lines: text.split('\n').slice(first - 1, first - 1 + count),
    }),
  }) as unknown as TextDocument;

describe('the comment above a definition belongs to it', () => {
  const check = (name: string, text: string, startLine: number, expected: number) =>
    it(name, () => expect(documentedFrom(documentOf(text), startLine)).toBe(expected));
  check('none', 'a\n\nb\n', 3, 3);
  check('lines', 'a\n// one\n// two\nfunc b\n', 4, 2);
  check('a block', 'a\n/**\n * one\n */\nb\n', 5, 2);
  check('a block without stars', 'a\n/*\none\n\ntwo\n*/\nb\n', 7, 2);
  check('of a shell', '#!/bin/sh\n\n# one\nb() {\n', 4, 3);
  check('an include is none', '#include <a.h>\nint b;\n', 2, 2);
  check('after a blank line is none', '// of the file\n\nb\n', 3, 3);
});

it('where there are no symbols the first place of the word is told', () => {
  expect(firstLineWith('Foo.bar', documentOf('rebar\n x bar\n'))).toBe(2);
  expect(firstLineWith('baz', documentOf('bar'))).toBeNull();
});
