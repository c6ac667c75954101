import type { ExportQuestion, GrammarLanguage, ImportDraft } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';

export const swift: GrammarLanguage = {
  grammar: 'swift',
  version: 1,
  queries: [new URL('./queries.scm', import.meta.url)],
  comments: ['comment', 'multiline_comment'],
  isDocumentation: (comment) => !/copyright|SPDX-|licensed under|^\/\/ ?swift-tools|MARK:/i.test(comment),
  bodyOf(tree, definition) {
    const body = tree.childInField(definition, 'body');
    if (body >= 0) return body;
    const computed = tree.childOfType(definition, 'computed_property');
    return computed >= 0 ? computed : tree.childOfType(definition, 'protocol_property_requirements');
  },
  kindWithin(kind, parent, tree, definition) {
    if (kind === 'function') return parent !== null && types.has(parent) ? 'method' : kind;
    if (kind !== 'property' || tree.type(definition) !== 'property_declaration') return kind;
    const around = tree.parent[definition]!;
    const holder = around < 0 ? '' : tree.type(around);
    if (/_body$/.test(holder)) return kind;
    // In functions and closures it is a local variable.
    if (holder !== 'source_file') return null;
    const binding = tree.childOfType(definition, 'value_binding_pattern');
    return binding >= 0 && tree.textOf(binding) === 'let' ? 'constant' : 'variable';
  },
  isExported,
  selfNames: ['self', 'Self'],
  builtins: new Set(
    (
      'self Self super String Int Int64 Int32 UInt8 UInt16 UInt32 UInt64 UInt Bool Double Float Void Any AnyObject Array ' +
      'Dictionary Set Optional Error Never Character Equatable Hashable Sendable Codable Comparable CustomStringConvertible ' +
      'available discardableResult testable inlinable usableFromInline escaping autoclosure objc inline frozen Test Suite ' +
      'precondition preconditionFailure fatalError assert assertionFailure print min max type'
    ).split(' '),
  ),
  importsOf,
  typeName: (text) =>
    text.match(/^(?:(?:any|some|inout|borrowing|consuming)\s+|@\w+\s+)*((?:\w+\.)*)(\w+)/)?.[2] ?? null,
};

const types: ReadonlySet<string> = new Set(['class', 'struct', 'enum', 'interface', 'implementation']);
const functions: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

/** Unless a word says otherwise, what stands in a file can be used in its module. */
function isExported({ tree, definition, parent }: ExportQuestion): boolean {
  if (parent !== null && (!parent.exported || functions.has(parent.kind))) return false;
  const modifiers = tree.childOfType(definition, 'modifiers');
  if (modifiers < 0) return true;
  for (let child = tree.firstChild(modifiers); child >= 0; child = tree.nextSibling(child)) {
    if (tree.type(child) === 'visibility_modifier' && /^(?:file)?private$/.test(tree.textOf(child)))
      return false;
  }
  return true;
}

/** `import A`, `import struct A.B`, `@_exported import A` */
function importsOf(tree: SyntaxTree, node: number): readonly ImportDraft[] {
  const named = tree.childOfType(node, 'identifier');
  if (named < 0) return [];
  const path = tree.textOf(named);
  const modifiers = tree.childOfType(node, 'modifiers');
  const reexport = modifiers >= 0 && tree.textOf(modifiers).includes('@_exported');
  const draft = { reexport, relative: false, at: tree.start[named]! };
  const isOne = /^import\s+(?:struct|class|enum|protocol|func|var|let|typealias)\b/.test(
    tree.text
      .slice(
        tree.start[node]! + (modifiers < 0 ? 0 : tree.end[modifiers]! - tree.start[node]!),
        tree.end[node]!,
      )
      .trimStart(),
  );
  const cut = path.lastIndexOf('.');
  if (!isOne || cut < 0) return [{ ...draft, module: path, name: '*', local: '' }];
  const name = path.slice(cut + 1);
  return [{ ...draft, module: path.slice(0, cut), name, local: name }];
}
