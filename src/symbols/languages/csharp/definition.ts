import type { ExportQuestion, GrammarLanguage, ImportDraft } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';

export const csharp: GrammarLanguage = {
  grammar: 'c_sharp',
  version: 2,
  queries: [new URL('./queries.scm', import.meta.url)],
  comments: ['comment'],
  isDocumentation: (comment) => !/copyright|SPDX-|licensed/i.test(comment),
  wrappers: ['variable_declaration', 'field_declaration', 'event_field_declaration'],
  prepare: withOneNamespace,
  kindWithin(kind, _parent, tree, definition) {
    if (kind !== 'field') return kind;
    const declaration = tree.parent[tree.parent[definition]!]!;
    return declaration >= 0 && hasModifier(tree, declaration, /^const$/) ? 'constant' : kind;
  },
  nameOf,
  isExported,
  selfNames: ['this', 'base'],
  builtins: new Set(
    (
      'nameof String Object Exception Task ValueTask List Dictionary IEnumerable IList IDictionary Func Action Type DateTime ' +
      'TimeSpan Guid CancellationToken ArgumentNullException ArgumentException InvalidOperationException NotSupportedException ' +
      'NotImplementedException Nullable Console Math Convert Enumerable EventArgs'
    ).split(' '),
  ),
  importsOf,
  typeName(text) {
    const named = text.match(/^((?:[\p{L}\p{N}_@]+(?:\.|::))*)([\p{L}\p{N}_@]+)/u);
    return named?.[2] === undefined || named[2] === 'var' || named[2] === 'dynamic' ? null : named[2];
  },
};

/** `operator +`, `operator Money`, `~Cache`: what C++ calls them, too. */
function nameOf(tree: SyntaxTree, definition: number, written: string): string {
  switch (tree.type(definition)) {
    case 'operator_declaration':
      return /^\w/.test(written) ? `operator ${written}` : `operator${written}`;
    case 'conversion_operator_declaration':
      return `operator ${tree.textOf(tree.childInField(definition, 'type'))}`;
    case 'destructor_declaration':
      return `~${written}`;
    default:
      return written;
  }
}

function hasModifier(tree: SyntaxTree, definition: number, word: RegExp): boolean {
  for (let child = tree.firstChild(definition); child >= 0; child = tree.nextSibling(child)) {
    if (tree.type(child) === 'modifier' && word.test(tree.textOf(child))) return true;
  }
  return false;
}

/** Members are private unless they say otherwise, types are not. */
function isExported({ kind, tree, definition, parent }: ExportQuestion): boolean {
  if (kind === 'namespace') return true;
  if (parent !== null && !parent.exported) return false;
  if (parent === null || parent.kind === 'namespace')
    return !hasModifier(tree, definition, /^(?:private|file)$/);
  if (parent.kind === 'method' || parent.kind === 'constructor' || parent.kind === 'function') return false;
  if (parent.kind === 'interface' || parent.kind === 'enum' || tree.type(definition) === 'parameter')
    return true;
  const declaration =
    tree.type(definition) === 'variable_declarator' ? tree.parent[tree.parent[definition]!]! : definition;
  return hasModifier(tree, declaration, /^(?:public|internal|protected)$/);
}

/** `using A.B;`, `using static A.B;`, `using C = A.B;` */
function importsOf(tree: SyntaxTree, node: number): readonly ImportDraft[] {
  const alias = tree.childInField(node, 'name');
  let named = -1;
  for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) {
    if (tree.isNamed(child) && child !== alias && tree.type(child) !== 'comment') named = child;
  }
  if (named < 0) return [];
  const module = tree
    .textOf(named)
    .replace(/^global::/, '')
    .replace(/<.*$/s, '')
    .trim();
  const local = alias < 0 ? '' : tree.textOf(alias);
  const reexport = tree.childOfType(node, 'global') >= 0;
  return [{ module, name: '*', local, reexport, relative: false, at: tree.start[named]! }];
}

/**
 * Shared sources choose their namespace by `#if`: the grammar sees several heads before one body, and nothing behind them. The first
 * one stays.
 */
function withOneNamespace(text: string): string {
  if (!text.includes('#elif') && !text.includes('#else')) return text;
  return text.replace(NAMESPACES_BY_CONDITION, (all, first: string) => {
    const kept = all.indexOf(first);
    return blank(all.slice(0, kept)) + first + blank(all.slice(kept + first.length));
  });
}

const NAMESPACES_BY_CONDITION =
  /^#if[^\n]*\n(?:\/\/[^\n]*\n|\s*\n)*([ \t]*namespace [\w.]+[ \t]*;?[ \t]*\r?\n)(?:(?:\/\/[^\n]*|\s*|#el(?:if|se)[^\n]*|#error[^\n]*|using [\w.]+;[ \t]*\r?|[ \t]*namespace [\w.]+[ \t]*;?[ \t]*\r?)\n)*#endif/gm;

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
