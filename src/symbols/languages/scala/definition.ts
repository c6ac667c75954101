import type { ExportQuestion, GrammarLanguage, ImportDraft } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';

export const scala: GrammarLanguage = {
  grammar: 'scala',
  version: 1,
  queries: [new URL('./queries.scm', import.meta.url)],
  comments: ['comment', 'block_comment'],
  isDocumentation: (comment) => !/copyright|SPDX-|licensed (?:to|under)/i.test(comment),
  bodyOf(tree, definition) {
    const equals = tree.type(definition) === 'function_definition' ? tree.childOfType(definition, '=') : -1;
    return equals >= 0 ? equals : tree.childInField(definition, 'body');
  },
  kindWithin(kind, parent, tree, definition) {
    if (kind === 'function') return parent !== null && types.has(parent) ? 'method' : kind;
    if (kind !== 'property' || tree.type(definition) === 'class_parameter') return kind;
    const around = tree.parent[definition]!;
    const holder = around < 0 ? '' : tree.type(around);
    const isMember = /_body$/.test(holder);
    // In blocks it is a local variable.
    if (!isMember && holder !== 'compilation_unit') return null;
    if (!/^val/.test(tree.type(definition))) return isMember ? kind : 'variable';
    return parent === null || parent === 'object' ? 'constant' : kind;
  },
  isExported,
  selfNames: ['this'],
  builtins: new Set(
    (
      'this super _ String Int Long Boolean Unit Any AnyRef Nothing Double Float Byte Short Char Array Seq List Map Set Option ' +
      'Some None Nil Either Left Right Try Success Failure Future Exception Throwable println require assert classOf'
    ).split(' '),
  ),
  importsOf,
};

const types: ReadonlySet<string> = new Set(['class', 'trait', 'object', 'enum', 'enum-member']);
const functions: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

function isExported({ tree, definition, parent }: ExportQuestion): boolean {
  if (parent !== null && (!parent.exported || functions.has(parent.kind))) return false;
  const modifiers = tree.childOfType(definition, 'modifiers');
  if (modifiers >= 0 && /\bprivate\b(?!\[(?!this))/.test(tree.textOf(modifiers))) return false;
  if (tree.type(definition) !== 'class_parameter') return true;
  // What a constructor takes is a member for others where it says so, or of a case class.
  if (tree.childOfType(definition, 'val') >= 0 || tree.childOfType(definition, 'var') >= 0) return true;
  const holder = tree.parent[tree.parent[definition]!]!;
  return holder >= 0 && tree.childOfType(holder, 'case') >= 0;
}

/** `import a.b.C`, `import a.b.{C, D => E, _}`, `import a.b._`, `import a.b.*` */
function importsOf(tree: SyntaxTree, node: number): readonly ImportDraft[] {
  const path: number[] = [];
  let selectors = -1;
  let wildcard = false;
  for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) {
    const type = tree.type(child);
    if (type === 'identifier') path.push(child);
    else if (type === 'namespace_selectors') selectors = child;
    else if (type === 'namespace_wildcard') wildcard = true;
  }
  const [first] = path;
  if (first === undefined) return [];
  const words = path.map((one) => tree.textOf(one));
  const draft = { reexport: false, relative: false, at: tree.start[first]! };
  if (wildcard) return [{ ...draft, module: words.join('.'), name: '*', local: '' }];
  if (selectors >= 0) return selected(tree, selectors, words.join('.'));
  const name = words.pop()!;
  if (words.length === 0) return [{ ...draft, module: name, name: '*', local: name }];
  return [{ ...draft, module: words.join('.'), name, local: name }];
}

function selected(tree: SyntaxTree, selectors: number, module: string): ImportDraft[] {
  const drafts: ImportDraft[] = [];
  for (let child = tree.firstChild(selectors); child >= 0; child = tree.nextSibling(child)) {
    const draft = { module, reexport: false, relative: false, at: tree.start[child]! };
    const type = tree.type(child);
    if (type === 'identifier') drafts.push({ ...draft, name: tree.textOf(child), local: tree.textOf(child) });
    if (type === 'namespace_wildcard') drafts.push({ ...draft, name: '*', local: '' });
    if (/_renamed_identifier$/.test(type)) {
      const name = tree.childInField(child, 'name');
      const alias = tree.childInField(child, 'alias');
      if (name < 0 || alias < 0) continue;
      const local = tree.textOf(alias);
      // `{D => _}` hides D.
      if (local !== '_') drafts.push({ ...draft, name: tree.textOf(name), local });
    }
  }
  return drafts;
}
