import type { ExportQuestion, GrammarLanguage, ImportDraft } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';

export const ruby: GrammarLanguage = {
  grammar: 'ruby',
  version: 1,
  queries: [new URL('./queries.scm', import.meta.url)],
  comments: ['comment'],
  isDocumentation: (comment) =>
    !/copyright|frozen_string_literal|^#!|rubocop:(?:disable|enable)/i.test(comment),
  wrappers: ['argument_list'],
  bodyOf(tree, definition) {
    for (let child = tree.firstChild(definition); child >= 0; child = tree.nextSibling(child)) {
      const type = tree.type(child);
      if (type === 'body_statement' || type === 'comment' || (type === '=' && endsInParameters(tree, child)))
        return child;
      const block = type === 'call' ? tree.childInField(child, 'block') : -1;
      if (block >= 0 && tree.type(definition) === 'assignment') return block;
    }
    return -1;
  },
  declared(tree, node) {
    if (tree.type(node) !== 'scope_resolution') return { name: node, owner: -1 };
    const name = tree.childInField(node, 'name');
    return { name: name < 0 ? node : name, owner: -1 };
  },
  kindWithin(kind, parent, tree, definition) {
    if (kind === 'method' && parent === null) return 'function';
    if (kind === 'field' && (parent === null || bodies.has(parent))) return null;
    if (kind === 'constant' && insideMethod(tree, definition)) return null;
    return kind;
  },
  isExported,
  selfNames: ['self'],
  builtins: new Set(
    (
      'load autoload require_dependency puts print raise require require_relative p pp lambda proc loop catch throw format sprintf block_given? attr_reader ' +
      'attr_writer attr_accessor include extend prepend private public protected module_function private_constant ' +
      'private_class_method define_method alias_method freeze super new String Array Hash Integer Float Symbol Object Class ' +
      'Module Struct StandardError ArgumentError NotImplementedError RuntimeError Set Time Date Proc Kernel Regexp Exception ' +
      'nil? dup ENV ARGV'
    ).split(' '),
  ),
  importsOf,
  typeName: (text) => text.match(/^(?:::)?(?:\w+::)*([A-Z]\w*)(?:\.new)?$/)?.[1] ?? null,
};

const bodies: ReadonlySet<string> = new Set(['method', 'function', 'constructor']);
/** The `=` of `def name(a) = value`. */
function endsInParameters(tree: SyntaxTree, equals: number): boolean {
  return methods.has(tree.type(tree.parent[equals]!));
}

const methods: ReadonlySet<string> = new Set(['method', 'singleton_method']);

function insideMethod(tree: SyntaxTree, definition: number): boolean {
  return tree.ancestorOfType(definition, methods) >= 0;
}

/** What follows `private` alone on a line is private; `private def a` and `private :a` are not told apart here. */
function isExported({ kind, tree, definition, parent }: ExportQuestion): boolean {
  if (parent !== null && !parent.exported) return false;
  if (kind !== 'method') return true;
  const above = tree.parent[definition]!;
  if (above >= 0 && tree.type(above) === 'argument_list') {
    const call = tree.parent[above]!;
    return (
      call < 0 || !/^(?:private|protected)\b/.test(tree.text.slice(tree.start[call]!, tree.start[call]! + 10))
    );
  }
  if (tree.type(definition) === 'singleton_method') return true;
  let before = tree.previousSibling(definition);
  for (let left = MEMBERS_LOOKED_AT; before >= 0 && left > 0; left--) {
    if (tree.type(before) === 'identifier') {
      const word = tree.textOf(before);
      if (word === 'private' || word === 'protected') return false;
      if (word === 'public') return true;
    }
    before = tree.previousSibling(before);
  }
  return true;
}

const MEMBERS_LOOKED_AT = 500;

/** `require 'a'`, `require_relative './a'`, `load 'a.rb'`, `autoload :A, 'a'` */
function importsOf(tree: SyntaxTree, node: number): readonly ImportDraft[] {
  const method = tree.childInField(node, 'method');
  const list = tree.childInField(node, 'arguments');
  if (method < 0 || list < 0) return [];
  const word = tree.textOf(method);
  let path = -1;
  let name = '*';
  for (let child = tree.firstChild(list); child >= 0; child = tree.nextSibling(child)) {
    if (tree.type(child) === 'simple_symbol') name = tree.textOf(child).slice(1);
    if (tree.type(child) === 'string') path = tree.childOfType(child, 'string_content');
  }
  // A path that is put together at run time tells nothing.
  if (path < 0 || tree.childOfType(tree.parent[path]!, 'interpolation') >= 0) return [];
  const written = tree.textOf(path);
  const relative = word === 'require_relative' || written.startsWith('.');
  const local = word === 'autoload' && name !== '*' ? name : '';
  return [
    {
      module: written,
      name: local === '' ? '*' : name,
      local,
      reexport: false,
      relative,
      at: tree.start[path]!,
    },
  ];
}
