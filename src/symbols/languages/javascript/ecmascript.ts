import type { SymbolKind } from '../../../search/index.ts';
import type { ExportQuestion, GrammarLanguage, ImportDraft } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';

/** What the grammars of JavaScript, TypeScript and TSX have in common. */
export const ecmascript = {
  comments: ['comment'],
  isDocumentation: (comment) => !/^\/[/*]\s*(?:eslint|prettier|tslint|@ts-|istanbul|#region)/.test(comment),
  attributes: ['decorator'],
  wrappers: [
    'export_statement',
    'ambient_declaration',
    'lexical_declaration',
    'variable_declaration',
    'expression_statement',
  ],
  kindWithin,
  isExported,
  importsOf: exportedByAnotherName,
  selfNames: ['this'],
  builtins: new Set(
    (
      'Array ArrayBuffer BigInt Boolean DataView Date Error EvalError Float32Array Float64Array Function Int16Array ' +
      'Int32Array Int8Array Intl JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String ' +
      'Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array WeakMap WeakSet parseInt parseFloat isNaN ' +
      'isFinite setTimeout clearTimeout setInterval clearInterval require Record Partial Readonly ReadonlyArray Required Pick ' +
      'Omit Exclude Extract NonNullable ReturnType Parameters InstanceType PromiseLike Iterable Iterator AsyncIterable JSON URL'
    ).split(' '),
  ),
} satisfies Partial<GrammarLanguage>;

/** `export { a as b }`: handed on by a module without a name, which is the file itself. */
function exportedByAnotherName(tree: SyntaxTree, specifier: number): ImportDraft[] {
  const name = tree.childInField(specifier, 'name');
  const alias = tree.childInField(specifier, 'alias');
  return [
    {
      module: '',
      name: tree.textOf(name),
      local: tree.textOf(alias),
      reexport: true,
      relative: true,
      at: tree.start[name]!,
    },
  ];
}

const functionTypes: ReadonlySet<string> = new Set([
  'function_declaration',
  'generator_function_declaration',
  'function_expression',
  'generator_function',
  'arrow_function',
  'method_definition',
  'class_static_block',
]);

/** Variables, and what is assigned to members, are symbols at the top of a file or namespace alone; `require` binds an import. */
function kindWithin(
  kind: SymbolKind,
  _parent: SymbolKind | null,
  tree: SyntaxTree,
  definition: number,
): SymbolKind | null {
  const type = tree.type(definition);
  if (kind === 'method' && type === 'function_expression')
    return definesProperty(tree, definition) ? kind : null;
  const isVariable =
    type === 'variable_declarator' ||
    type === 'shorthand_property_identifier_pattern' ||
    type === 'identifier';
  const isAssigned = type === 'assignment_expression';
  const inObject =
    (kind === 'method' || type === 'pair') &&
    tree.parent[definition]! >= 0 &&
    tree.type(tree.parent[definition]!) === 'object';
  if (!isVariable && !isAssigned && !inObject) return kind;
  if (isAssigned && assignsToPrototype(tree, definition)) return kind;
  // `this.x = …` declares a field where the object is made.
  if (kind === 'property' && isAssigned) return isInConstructor(tree, definition) ? 'property' : null;
  if (!isAtTop(tree, definition)) return null;
  if (!isVariable) return kind;
  const declarator =
    type === 'variable_declarator' ? definition : tree.ancestorOfType(definition, declarators);
  const value = tree.childInField(declarator, 'value');
  if (value >= 0 && /^require\(/.test(tree.text.slice(tree.start[value]!, tree.start[value]! + 8))) {
    // `require('debug')('name')` is a value of its own, no module.
    const text = tree.text.slice(tree.start[value]!, tree.end[value]!);
    return /^require\([^()]*\)(?:\.[\w$]+)?$/.test(text) ? null : kind;
  }
  return kind;
}

/** `Foo.prototype.bar = …` declares a member wherever it stands. */
function assignsToPrototype(tree: SyntaxTree, definition: number): boolean {
  const left = tree.childInField(definition, 'left');
  return /^[\w$.]+\.prototype\.[\w$]+$/.test(tree.text.slice(tree.start[left]!, tree.end[left]!));
}

/** `Object.defineProperties(Foo.prototype, { bar: { value: function bar() {} } })`, wherever it stands. */
function definesProperty(tree: SyntaxTree, definition: number): boolean {
  const call = tree.ancestorOfType(definition, calls);
  const called = call < 0 ? -1 : tree.childInField(call, 'function');
  if (called < 0) return false;
  return /[dD]efinePropert(?:y|ies)$/.test(tree.textOf(called).slice(-60));
}

function isInConstructor(tree: SyntaxTree, definition: number): boolean {
  const around = tree.ancestorOfType(definition, functionTypes);
  const name = around < 0 ? -1 : tree.childInField(around, 'name');
  return name >= 0 && tree.type(around) === 'method_definition' && tree.textOf(name) === 'constructor';
}

const calls: ReadonlySet<string> = new Set(['call_expression']);
const declarators: ReadonlySet<string> = new Set(['variable_declarator']);
const transparent: ReadonlySet<string> = new Set([
  'variable_declarator',
  'lexical_declaration',
  'variable_declaration',
  'export_statement',
  'ambient_declaration',
  'object_pattern',
  'array_pattern',
  'pair_pattern',
  'object_assignment_pattern',
  'object',
  'arguments',
  'call_expression',
  'expression_statement',
  'assignment_expression',
  'sequence_expression',
  'pair',
]);

/** At the top of the file or of a namespace, also within the function that wraps a whole file: `(function () { … })()`. */
function isAtTop(tree: SyntaxTree, definition: number): boolean {
  for (let node = definition; ; ) {
    let above = tree.parent[node]!;
    while (above >= 0 && transparent.has(tree.type(above))) above = tree.parent[above]!;
    if (above < 0 || tree.type(above) === 'program') return true;
    if (tree.type(above) !== 'statement_block') return false;
    const holder = tree.parent[above]!;
    if (namespaces.has(tree.type(holder))) return true;
    const wrapper = tree.parent[holder]!;
    if (!wrapping.has(tree.type(holder)) || tree.type(wrapper) !== 'parenthesized_expression') return false;
    node = wrapper;
  }
}

const namespaces: ReadonlySet<string> = new Set(['internal_module', 'module', 'ambient_declaration']);
const wrapping: ReadonlySet<string> = new Set(['function_expression', 'arrow_function']);

function isExported({ name, kind, tree, definition, parent }: ExportQuestion): boolean {
  const own = tree.type(definition);
  if (own === 'assignment_expression' && (kind !== 'property' || assignsToPrototype(tree, definition)))
    return true;
  if (own === 'function_expression' && kind === 'method') return true;
  if (kind === 'namespace' && parent === null && /^["']/.test(name)) return true;
  if (parent === null || parent.kind === 'namespace') {
    for (let above = tree.parent[definition]!; above >= 0; above = tree.parent[above]!) {
      const type = tree.type(above);
      if (type === 'export_statement') return true;
      if (type === 'ambient_declaration' && tree.parent[above] === 0) return true;
      if (type === 'statement_block' || type === 'program') return false;
    }
    return false;
  }
  if (!parent.exported || parent.kind === 'function' || parent.kind === 'method') return false;
  if (name.startsWith('#')) return false;
  const modifier = tree.childOfType(definition, 'accessibility_modifier');
  return modifier < 0 || tree.textOf(modifier) !== 'private';
}
