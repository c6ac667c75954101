import type { SymbolKind } from '../../../search/index.ts';
import type { GrammarLanguage, ImportDraft } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';

export const go: GrammarLanguage = {
  grammar: 'go',
  version: 1,
  queries: [new URL('./queries.scm', import.meta.url)],
  comments: ['comment'],
  isDocumentation: (comment) => !/^\/\/(?:go:|nolint|\s*\+build)/.test(comment),
  wrappers: ['const_declaration', 'var_declaration', 'var_spec_list', 'type_declaration'],
  kindWithin,
  isExported: ({ name, kind, parent }) =>
    kind === 'package' || (/^\p{Lu}/u.test(name) && (parent === null || parent.kind !== 'function')),
  finishImport,
  typeName,
  builtins: new Set(
    (
      'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 ' +
      'uint16 uint32 uint64 uintptr append cap clear close complex copy delete imag len make max min new panic print println ' +
      'real recover'
    ).split(' '),
  ),
};

const functions: ReadonlySet<string> = new Set([
  'function_declaration',
  'method_declaration',
  'func_literal',
]);

/** Variables and constants within functions are local, and a blank name names nothing. */
function kindWithin(
  kind: SymbolKind,
  _parent: SymbolKind | null,
  tree: SyntaxTree,
  definition: number,
): SymbolKind | null {
  if (kind !== 'constant' && kind !== 'variable') return kind;
  return tree.ancestorOfType(definition, functions) >= 0 ? null : kind;
}

/** Without a name of its own a package is called by the end of its path, as far as a path tells. */
function finishImport(draft: ImportDraft): ImportDraft {
  const relative = /^\.{1,2}\//.test(draft.module);
  if (draft.local === '.' || draft.local === '_') return { ...draft, local: '', relative };
  return { ...draft, relative, local: draft.local === '' ? packageName(draft.module) : draft.local };
}

function packageName(path: string): string {
  const parts = path.split('/');
  let last = parts.pop() ?? '';
  if (/^v\d+$/.test(last) && parts.length > 0) last = parts.pop()!;
  return last
    .replace(/\.v\d+$/, '')
    .replace(/^go-|[-.]go$/g, '')
    .replace(/.*-/, '');
}

/** `*pkg.Foo[T]` is Foo; of several results the first; slices, maps and functions have no methods to look for. */
function typeName(text: string): string | null {
  const first = text.replace(/^\((?:\w+\s+)?([^,)]+).*$/s, '$1');
  return first.match(/^\*?(?:[\p{L}\p{N}_]+\.)?([\p{L}\p{N}_]+)(?=$|\[|\s)/u)?.[1] ?? null;
}
