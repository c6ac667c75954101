import type { SymbolKind } from '../../../search/index.ts';
import type { ExportQuestion, GrammarLanguage, ImportDraft } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';
import { withoutUnknownWords } from './unknown-words.ts';

/** What C and C++ have in common. */
export const cFamily = {
  comments: ['comment'],
  isDocumentation: (comment) => !/copyright|SPDX-|^\/[/*]\s*(?:clang-format|NOLINT|#)/i.test(comment),
  wrappers: ['template_declaration'],
  prepare: withoutUnknownWords,
  declared,
  bodyOf,
  kindWithin,
  isExported,
  importsOf,
  typeName,
} satisfies Partial<GrammarLanguage>;

const nameTypes: ReadonlySet<string> = new Set([
  'identifier',
  'field_identifier',
  'type_identifier',
  'namespace_identifier',
  'destructor_name',
  'operator_name',
  'operator_cast',
  'primitive_type',
]);

/** `*(*name)[3]`, `a::B::name(int)`: down through declarators to the name. */
function declared(tree: SyntaxTree, node: number): { name: number; owner: number } {
  let name = node;
  let owner = -1;
  // What stands in the parentheses of a case macro is used there.
  if (tree.type(node) === 'parenthesized_declarator' && isCaseMacro(tree, tree.parent[node]!)) {
    return { name, owner };
  }
  for (;;) {
    const type = tree.type(name);
    if (nameTypes.has(type)) return { name, owner };
    let within = tree.childInField(name, 'declarator');
    if (within < 0 && type === 'qualified_identifier') {
      owner = tree.childInField(name, 'scope');
      within = tree.childInField(name, 'name');
    } else if (within < 0 && /^template_(?:function|method|type)$/.test(type)) {
      within = tree.childInField(name, 'name');
    }
    if (within < 0 && /declarator$/.test(type)) within = lastNamedChild(tree, name);
    if (within < 0) return { name, owner };
    name = within;
  }
}

function lastNamedChild(tree: SyntaxTree, node: number): number {
  let last = -1;
  for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) {
    if (tree.isNamed(child) && tree.type(child) !== 'comment') last = child;
  }
  return last;
}

/** The body of a function or type; of a variable its value. */
function bodyOf(tree: SyntaxTree, definition: number): number {
  const body = tree.childInField(definition, 'body');
  if (body >= 0) {
    const initializers = tree.childOfType(definition, 'field_initializer_list');
    return initializers >= 0 ? initializers : body;
  }
  const type = tree.childInField(definition, 'type');
  if (tree.type(definition) === 'type_definition' && type >= 0) return tree.childInField(type, 'body');
  const value = tree.childInField(definition, 'value');
  return value >= 0 && tree.type(value) === 'initializer_list' ? value : -1;
}

const declarations: ReadonlySet<string> = new Set([
  'declaration',
  'field_declaration',
  'function_definition',
]);
const bodies: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

function kindWithin(
  kind: SymbolKind,
  parent: SymbolKind | null,
  tree: SyntaxTree,
  definition: number,
): SymbolKind | null {
  if (kind === 'variable' || kind === 'field') {
    if (parent !== null && bodies.has(parent) && kind === 'variable') return null;
    const declaration = declarationAround(tree, definition);
    // In code that the grammar could not read a function's variables seem to stand at the top.
    if (kind === 'variable' && isWithinBlock(tree, declaration)) return null;
    return isConstant(tree, declaration) && kind === 'variable' ? 'constant' : kind;
  }
  if (kind === 'function' && tree.type(definition) === 'declaration') {
    if (parent !== null && bodies.has(parent)) return null;
    // A static function itself follows in the same file.
    if (isStatic(tree, definition) || isWithinBlock(tree, definition)) return null;
  }
  if (kind === 'function' && isCaseMacro(tree, definition)) return null;
  return kind === 'function' || kind === 'method' ? functionKind(kind, parent, tree, definition) : kind;
}

/** `vmcase(OP_MOVE) {` in a body. Where a body seems not to end, because of `#if`, the functions after it still begin their lines. */
function isCaseMacro(tree: SyntaxTree, definition: number): boolean {
  if (tree.type(definition) !== 'function_definition' || !isWithinBlock(tree, definition)) return false;
  const declarator = tree.childInField(definition, 'declarator');
  if (declarator < 0 || tree.type(declarator) === 'parenthesized_declarator') return true;
  return !beginsLine(tree, definition);
}

function beginsLine(tree: SyntaxTree, node: number): boolean {
  const line = tree.text.lastIndexOf('\n', tree.start[node]! - 1) + 1;
  return !/[\s}]/.test(tree.text.charAt(line));
}

/** A function without a type of its result makes objects, or is no definition at all: a macro that is called at the top. */
function functionKind(
  kind: SymbolKind,
  parent: SymbolKind | null,
  tree: SyntaxTree,
  definition: number,
): SymbolKind | null {
  const declarator = tree.childInField(definition, 'declarator');
  if (declarator < 0) return kind;
  const { name, owner } = declared(tree, declarator);
  const belongs = owner >= 0 || (parent !== null && isType(parent));
  if (tree.childInField(definition, 'type') < 0 && tree.type(name) === 'identifier') {
    if (belongs) return 'constructor';
    return tree.type(definition) === 'declaration' ? null : kind;
  }
  return belongs ? 'method' : kind;
}

function isType(kind: SymbolKind): boolean {
  return kind === 'class' || kind === 'struct' || kind === 'enum';
}

function declarationAround(tree: SyntaxTree, definition: number): number {
  let around = definition;
  while (around > 0 && !declarations.has(tree.type(around))) around = tree.parent[around]!;
  return around;
}

function isWithinBlock(tree: SyntaxTree, declaration: number): boolean {
  for (let above = tree.parent[declaration]!; above >= 0; above = tree.parent[above]!) {
    const type = tree.type(above);
    if (type === 'compound_statement' || type === 'for_statement') return true;
    if (type === 'field_declaration_list' || type === 'declaration_list') return false;
  }
  return false;
}

function isConstant(tree: SyntaxTree, declaration: number): boolean {
  let constant = false;
  for (let child = tree.firstChild(declaration); child >= 0; child = tree.nextSibling(child)) {
    const type = tree.type(child);
    if (type === 'type_qualifier') {
      const word = tree.textOf(child);
      if (word === 'constexpr') return true;
      if (word === 'const') constant = true;
    } else if (type === 'init_declarator') {
      const declarator = tree.childInField(child, 'declarator');
      return constant && declarator >= 0 && tree.type(declarator) !== 'pointer_declarator';
    }
  }
  return false;
}

function isStatic(tree: SyntaxTree, declaration: number): boolean {
  for (let child = tree.firstChild(declaration); child >= 0; child = tree.nextSibling(child)) {
    if (tree.type(child) === 'storage_class_specifier' && tree.textOf(child) === 'static') return true;
  }
  return false;
}

function isExported({ kind, tree, definition, parent }: ExportQuestion): boolean {
  if (parent !== null && !parent.exported) return false;
  if (parent !== null && bodies.has(parent.kind)) return false;
  if (parent !== null && isType(parent.kind)) return !isPrivate(tree, definition, parent.kind);
  if (kind !== 'function' && kind !== 'variable' && kind !== 'constant') return true;
  return !isStatic(tree, declarationAround(tree, definition));
}

/** So that a class of a hundred thousand members takes no time that grows with their square. */
const MEMBERS_LOOKED_AT = 300;

/** Members of a class are private until a word says otherwise, of a struct public. */
function isPrivate(tree: SyntaxTree, definition: number, parent: SymbolKind): boolean {
  if (parent !== 'class') return false;
  let member = definition;
  for (;;) {
    const above = tree.parent[member]!;
    // Defined outside of its class: what the class says is not looked up.
    if (above < 0) return false;
    if (tree.type(above) === 'field_declaration_list') break;
    member = above;
  }
  let before = tree.previousSibling(member);
  for (let left = MEMBERS_LOOKED_AT; before >= 0 && left > 0; left--) {
    if (tree.type(before) === 'access_specifier') return tree.textOf(before) === 'private';
    before = tree.previousSibling(before);
  }
  return true;
}

function importsOf(tree: SyntaxTree, node: number): readonly ImportDraft[] {
  if (tree.type(node) === 'using_declaration') return usedNames(tree, node);
  const path = tree.childInField(node, 'path');
  if (path < 0) return [];
  const written = tree.textOf(path);
  if (!/^["<]/.test(written)) return [];
  const draft = { name: '*', local: '', reexport: false, relative: written.startsWith('"') };
  return [{ ...draft, module: written.replace(/^["<]|[">].*$/gs, ''), at: tree.start[path]! }];
}

/** `using namespace a::b` and `using a::b`. */
function usedNames(tree: SyntaxTree, node: number): readonly ImportDraft[] {
  const named = lastNamedChild(tree, node);
  if (named < 0) return [];
  const draft = { reexport: false, relative: false, at: tree.start[named]! };
  const text = tree.textOf(named);
  if (tree.childOfType(node, 'namespace') >= 0) return [{ ...draft, module: text, name: '*', local: '' }];
  const [, module, name] = text.match(/^(.*)::([\w]+)$/s) ?? [];
  return module && name ? [{ ...draft, module, name, local: name }] : [];
}

const SMART_POINTER = /(?:unique_ptr|shared_ptr|weak_ptr|scoped_refptr|intrusive_ptr)\s*<\s*([^<>]+)/;

/** `struct foo` → `foo`, `std::vector<int>` → `vector`; of a pointer that is a type of its own what it points to. */
function typeName(text: string): string | null {
  const pointed = text.length > 500 ? null : SMART_POINTER.exec(text);
  const named = (pointed?.[1] ?? text).match(
    /^[\s:*&]*(?:(?:struct|union|enum|class|typename|const|volatile)\s+)*((?:[\p{L}\p{N}_$]+(?:<[^<>]*>)?::)*)([\p{L}\p{N}_$]+)/u,
  );
  const name = named?.[2];
  return name === undefined || /^(?:struct|union|enum|class|auto|decltype)$/.test(name) ? null : name;
}
