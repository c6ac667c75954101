import type { ExportQuestion, GrammarLanguage, ImportDraft } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';

export const php: GrammarLanguage = {
  grammar: 'php',
  version: 1,
  queries: [new URL('./queries.scm', import.meta.url)],
  comments: ['comment'],
  isDocumentation: (comment) => !/copyright|SPDX-|@license|^<\?/i.test(comment),
  wrappers: ['property_declaration', 'const_declaration'],
  kindWithin(kind, parent) {
    if (kind === 'variable' && parent !== null) return null;
    return kind;
  },
  isExported,
  selfNames: ['$this', 'this', 'self', 'static'],
  builtins: new Set(
    (
      'self static parent true false null TRUE FALSE NULL array count strlen isset empty is_null is_array is_string in_array ' +
      'array_map array_filter array_merge array_keys array_values implode explode sprintf printf str_replace substr strpos ' +
      'trim is_callable is_int is_object func_get_args call_user_func call_user_func_array define defined compact json_encode ' +
      'json_decode var_dump Exception Closure Throwable InvalidArgumentException RuntimeException DateTime ArrayAccess ' +
      'PHP_EOL __CLASS__ __DIR__ __FILE__ __LINE__ __FUNCTION__ __METHOD__ __NAMESPACE__ class'
    ).split(' '),
  ),
  importsOf,
  namespaceOf: (text) => text.trim(),
  typeName: (text) => text.match(/^[?\s]*\\?(?:\w+\\)*(\w+)/)?.[1] ?? null,
};

const functions: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

function isExported({ tree, definition, parent }: ExportQuestion): boolean {
  if (parent !== null && (!parent.exported || functions.has(parent.kind))) return false;
  const holder = /_element$/.test(tree.type(definition)) ? tree.parent[definition]! : definition;
  if (holder < 0) return true;
  const visibility = tree.childOfType(holder, 'visibility_modifier');
  return visibility < 0 || tree.textOf(visibility) !== 'private';
}

/** `use A\B as C;`, `use A\{B, C as D};`, `use function A\f;`, and `require __DIR__ . '/a.php';` */
function importsOf(tree: SyntaxTree, node: number): readonly ImportDraft[] {
  const type = tree.type(node);
  if (type !== 'namespace_use_clause') return included(tree, node);
  const alias = tree.childInField(node, 'alias');
  let named = -1;
  for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) {
    const childType = tree.type(child);
    if (child !== alias && (childType === 'name' || childType === 'qualified_name')) named = child;
  }
  if (named < 0) return [];
  const group = tree.parent[node]!;
  const prefix =
    tree.type(group) === 'namespace_use_group' ? tree.childOfType(tree.parent[group]!, 'namespace_name') : -1;
  const path = `${prefix < 0 ? '' : `${tree.textOf(prefix)}\\`}${tree.textOf(named)}`.replace(/^\\/, '');
  const cut = path.lastIndexOf('\\');
  const name = path.slice(cut + 1);
  const local = alias < 0 ? name : tree.textOf(alias);
  const draft = { reexport: false, relative: false, at: tree.start[named]! };
  return [{ ...draft, module: cut < 0 ? path : path.slice(0, cut), name: cut < 0 ? '*' : name, local }];
}

/** The string at the end of the path; what stands before it says but where the path begins. */
function included(tree: SyntaxTree, node: number): readonly ImportDraft[] {
  let string = -1;
  for (let child = node + 1; child < tree.next[node]! && child < node + 40; child++) {
    if (tree.type(child) === 'string_content') string = child;
  }
  if (string < 0) return [];
  const module = tree.textOf(string);
  if (!/\.\w+$/.test(module)) return [];
  return [
    {
      module: module.replace(/^\//, ''),
      name: '*',
      local: '',
      reexport: false,
      relative: true,
      at: tree.start[string]!,
    },
  ];
}
