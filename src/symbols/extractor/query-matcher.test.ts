import { beforeAll, describe, expect, it } from 'vitest';
import { type Language, Parser } from 'web-tree-sitter';
import { loadGrammar } from './grammars.ts';
import { compileQuery } from './query-matcher.ts';
import { SyntaxTree } from './syntax-tree.ts';
import { startTreeSitter, type TreeSitterMemory } from './tree-sitter-memory.ts';

let memory: TreeSitterMemory;
let language: Language;
beforeAll(async () => {
  memory = await startTreeSitter();
  language = await loadGrammar('javascript');
});

const source = 'class A extends b.C { m(x, y) {} static n = [1, z]; }\nf(1, g("s"));\nlet q = h, r;';

/** Each fit as `pattern: capture=text …`. */
function fits(query: string): string[] {
  const parser = new Parser();
  parser.setLanguage(language);
  const parsed = parser.parse(source)!;
  const tree = new SyntaxTree(language);
  tree.read(parsed, source, memory);
  parsed.delete();
  parser.delete();
  const found: string[] = [];
  const matcher = compileQuery(query, language, tree);
  matcher.run(
    tree,
    ({ pattern, captures: numbers, nodes, count }) => {
      const captures = Array.from(
        { length: count },
        (_, i) => `${matcher.captureNames[numbers[i]!]}=${tree.textOf(nodes[i]!)}`,
      );
      found.push(`${pattern}: ${captures.join(' ')}`);
    },
    () => {},
  );
  return found;
}

describe('queries are read as tree-sitter reads them', () => {
  const check = (title: string, query: string, expected: string[]) =>
    it(title, () => expect(fits(query)).toEqual(expected));

  check('a node with a field', '(call_expression function: (identifier) @f)', ['0: f=f', '0: f=g']);
  check('every child that fits', '(formal_parameters (identifier) @p)', ['0: p=x', '0: p=y']);
  check('pairs of siblings in their order', '(formal_parameters (identifier) @a (identifier) @b)', [
    '0: a=x b=y',
  ]);
  check('the first child', '(arguments . (_) @a)', ['0: a=1', '0: a="s"']);
  check('the last child', '(arguments (_) @a .)', ['0: a=g("s")', '0: a="s"']);
  check('children side by side', '(arguments (number) @n . (call_expression) @c)', ['0: n=1 c=g("s")']);
  check('a child that may be missing', '(variable_declarator name: (_) @n value: (_)? @v)', [
    '0: n=q v=h',
    '0: n=r',
  ]);
  check('a field that must be missing', '(variable_declarator !value) @d', ['0: d=r']);
  check('all that repeat', '(array (_)* @a)', ['0: a=1 a=z']);
  check('at least one', '(formal_parameters (number)+ @n)', []);
  check('alternatives', '(arguments [(number) (string)] @a)', ['0: a=1', '0: a="s"']);
  check('alternatives with captures of their own', '[(number) @n (string) @s]', [
    '0: n=1',
    '0: n=1',
    '0: s="s"',
  ]);
  check('an anonymous node', '(field_definition "static" property: (_) @p)', ['0: p=n']);
  check('equal text', '((identifier) @i (#eq? @i "z"))', ['0: i=z']);
  check('text that is not one of', '((identifier) @i (#not-any-of? @i "x" "y" "b" "f" "g" "q" "r"))', [
    '0: i=A',
    '0: i=z',
    '0: i=h',
  ]);
  check('text that fits', '(class_declaration name: (_) @n (#match? @n "^[A-Z]$"))', ['0: n=A']);
  check('several patterns, at each node in their order', '(string) @s (arguments) @a (string) @t', [
    '1: a=(1, g("s"))',
    '1: a=("s")',
    '0: s="s"',
    '2: t="s"',
  ]);

  it('tells what is wrong, and where', () => {
    expect(() => fits('(class_declaration)\n(no_such_node)')).toThrow(
      'query, line 2: the grammar has no node "no_such_node"',
    );
    expect(() => fits('(class_declaration nosuch: (_))')).toThrow('has no field "nosuch"');
    expect(() => fits('((identifier) @a (#is? @a "b"))')).toThrow('the predicate #is? is not known');
  });
});
