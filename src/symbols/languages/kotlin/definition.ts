import type { ExportQuestion, GrammarLanguage, ImportDraft } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';

export const kotlin: GrammarLanguage = {
  grammar: 'kotlin',
  version: 2,
  queries: [new URL('./queries.scm', import.meta.url)],
  comments: ['line_comment', 'block_comment'],
  isDocumentation: (comment) => !/copyright|SPDX-/i.test(comment),
  bodyOf(tree, definition) {
    for (let child = tree.firstChild(definition); child >= 0; child = tree.nextSibling(child)) {
      if (bodies.has(tree.type(child))) return child;
    }
    return -1;
  },
  kindWithin(kind, parent, tree, definition) {
    if (kind === 'function') return parent !== null && types.has(parent) ? 'method' : kind;
    if (kind !== 'property' || tree.type(definition) !== 'property_declaration') return kind;
    const around = tree.parent[definition]!;
    const isMember = around >= 0 && /class_body$/.test(tree.type(around));
    // In functions, lambdas and initializers it is a local variable.
    if (!isMember && !(around >= 0 && tree.parent[around]! < 0)) return null;
    if (hasModifier(tree, definition, /^const$/)) return 'constant';
    if (isMember) return kind;
    return tree.childOfType(definition, 'val') >= 0 ? 'constant' : 'variable';
  },
  nameOf: (tree, definition, written) => (isNamelessCompanion(tree, definition) ? 'Companion' : written),
  // They are called by the class.
  handsMembersOut: isNamelessCompanion,
  isExported,
  selfNames: ['this'],
  builtins: new Set(
    (
      'it field String Int Long Boolean Unit Any Nothing Double Float Byte Short Char Array List Map Set MutableList ' +
      'MutableMap MutableSet Pair Exception println listOf mutableListOf mapOf mutableMapOf setOf emptyList emptyMap arrayOf ' +
      'require requireNotNull check checkNotNull error lazy run let apply also with TODO Suppress JvmStatic JvmField Throws'
    ).split(' '),
  ),
  importsOf,
};

const bodies: ReadonlySet<string> = new Set(['function_body', 'class_body', 'enum_class_body', 'block']);
const types: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'enum',
  'object',
  'annotation',
  'enum-member',
]);
const functions: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

function hasModifier(tree: SyntaxTree, definition: number, word: RegExp): boolean {
  const modifiers = tree.childOfType(definition, 'modifiers');
  if (modifiers < 0) return false;
  for (let child = tree.firstChild(modifiers); child >= 0; child = tree.nextSibling(child)) {
    if (word.test(tree.textOf(child))) return true;
  }
  return false;
}

function isNamelessCompanion(tree: SyntaxTree, definition: number): boolean {
  return tree.type(definition) === 'companion_object' && tree.childInField(definition, 'name') < 0;
}

function isExported({ tree, definition, parent }: ExportQuestion): boolean {
  if (parent !== null && (!parent.exported || functions.has(parent.kind))) return false;
  return !hasModifier(tree, definition, /^private$/);
}

/** `import a.b.C`, `import a.b.C as D`, `import a.b.*` */
function importsOf(tree: SyntaxTree, node: number): readonly ImportDraft[] {
  const named = tree.childOfType(node, 'qualified_identifier');
  if (named < 0) return [];
  const path = tree.textOf(named).replace(/\s+/g, '');
  const draft = { reexport: false, relative: false, at: tree.start[named]! };
  if (tree.childOfType(node, '*') >= 0) return [{ ...draft, module: path, name: '*', local: '' }];
  const cut = path.lastIndexOf('.');
  const name = path.slice(cut + 1);
  const alias = tree.childOfType(node, 'identifier');
  const local = alias < 0 ? name : tree.textOf(alias);
  return [{ ...draft, module: cut < 0 ? path : path.slice(0, cut), name: cut < 0 ? '*' : name, local }];
}
