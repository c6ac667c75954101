import type { SymbolKind } from '../../../search/index.ts';
import type { ExportQuestion, GrammarLanguage } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';
import { useImports } from './use-imports.ts';

export const rust: GrammarLanguage = {
  grammar: 'rust',
  version: 1,
  queries: [new URL('./queries.scm', import.meta.url)],
  comments: ['line_comment', 'block_comment'],
  isDocumentation: (comment) => !/^\/\/!|^\/\*!|copyright|SPDX-/i.test(comment),
  attributes: ['attribute_item'],
  kindWithin: (kind, parent) => (kind === 'function' && isTypeLike(parent) ? 'method' : kind),
  isExported,
  selfNames: ['self', 'Self'],
  builtins: new Set(
    (
      'Self Option Some None Result Ok Err Vec String Box Send Sync Sized Copy Clone Drop Fn FnMut FnOnce Iterator ' +
      'IntoIterator From Into TryFrom TryInto Default Eq PartialEq Ord PartialOrd AsRef AsMut ToString ToOwned Debug Hash ' +
      'println print eprintln eprint format vec panic assert assert_eq assert_ne debug_assert debug_assert_eq matches todo ' +
      'unreachable unimplemented write writeln concat stringify include_str env cfg derive allow deny warn expect test inline ' +
      'must_use doc ignore should_panic non_exhaustive macro_export macro_use repr cold track_caller cfg_attr deprecated drop'
    ).split(' '),
  ),
  importsOf: useImports,
  typeName,
};

function isTypeLike(kind: SymbolKind | null): boolean {
  return kind === 'implementation' || kind === 'trait';
}

function isExported({ kind, tree, definition, parent }: ExportQuestion): boolean {
  if (kind === 'implementation') return true;
  if (kind === 'macro') return isMacroExported(tree, definition);
  if (parent?.kind === 'trait' || parent?.kind === 'enum' || parent?.kind === 'enum-member')
    return parent.exported;
  if (parent?.kind === 'implementation') {
    const holder = tree.parent[tree.parent[definition]!]!;
    if (holder >= 0 && tree.childInField(holder, 'trait') >= 0) return true;
  }
  return tree.childOfType(definition, 'visibility_modifier') >= 0;
}

function isMacroExported(tree: SyntaxTree, definition: number): boolean {
  for (let before = tree.previousSibling(definition); before >= 0; before = tree.previousSibling(before)) {
    if (tree.type(before) !== 'attribute_item') return false;
    if (tree.textOf(before).includes('macro_export')) return true;
  }
  return false;
}

/** `&'a mut Foo<T>` → `Foo`; of a box what it holds, since its members are called through it. */
function typeName(text: string): string | null {
  const named = text.match(
    /^(?:[\s&*]|'\w+|(?:mut|dyn|impl|const)\b|(?:\w+::)*(?:Box|Arc|Rc|Pin)\s*<)*((?:[\p{L}\p{N}_]+::)*)([\p{L}\p{N}_]+)/u,
  );
  return named?.[2] ?? null;
}
