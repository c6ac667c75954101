import type { SymbolKind } from '../../../search/index.ts';
import type { ExportQuestion, GrammarLanguage, ImportDraft } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';

export const java: GrammarLanguage = {
  grammar: 'java',
  version: 1,
  queries: [new URL('./queries.scm', import.meta.url)],
  comments: ['block_comment', 'line_comment'],
  kindWithin,
  isExported,
  importsOf,
  typeName,
  selfNames: ['this'],
  builtins: new Set(
    (
      'String Object Integer Long Boolean Double Float Short Byte Character Number Void Class Enum Iterable Runnable Thread ' +
      'Throwable Exception RuntimeException Error IllegalArgumentException IllegalStateException NullPointerException ' +
      'UnsupportedOperationException InterruptedException StringBuilder Math System CharSequence Comparable AutoCloseable ' +
      'Override Deprecated SuppressWarnings FunctionalInterface SafeVarargs var'
    ).split(' '),
  ),
};

/** `static final` fields are constants. */
function kindWithin(
  kind: SymbolKind,
  _parent: SymbolKind | null,
  tree: SyntaxTree,
  definition: number,
): SymbolKind | null {
  if (kind !== 'field') return kind;
  const modifiers = modifiersOf(tree, definition);
  return modifiers.includes('static') && modifiers.includes('final') ? 'constant' : 'field';
}

/** Everything that is not private can be used from another file; what an interface or annotation declares is public. */
function isExported({ kind, tree, definition, parent }: ExportQuestion): boolean {
  if (kind === 'package') return true;
  if (parent !== null && (!parent.exported || parent.kind === 'method' || parent.kind === 'constructor')) {
    return false;
  }
  return !modifiersOf(tree, definition).includes('private');
}

function modifiersOf(tree: SyntaxTree, definition: number): string[] {
  const modifiers = tree.childOfType(definition, 'modifiers');
  if (modifiers < 0) return [];
  const words: string[] = [];
  for (let child = tree.firstChild(modifiers); child >= 0; child = tree.nextSibling(child)) {
    if (!tree.isNamed(child)) words.push(tree.type(child));
  }
  return words;
}

/** `import a.b.C` takes C from the package a.b, `import static a.b.C.max` takes max from a.b.C. */
function importsOf(tree: SyntaxTree, node: number): ImportDraft[] {
  const found = tree.textOf(node).match(/^import\s+(?:static\s+)?([\w$.]+?)\.([\w$]+|\*)\s*;/);
  if (!found) return [];
  const [, module = '', name = ''] = found;
  return [
    {
      module,
      name,
      local: name === '*' ? '' : name,
      reexport: false,
      relative: false,
      at: tree.start[node]!,
    },
  ];
}

function typeName(text: string): string | null {
  const name = text.match(/^(?:@\w+\s+)*(?:[\p{L}\p{N}_$]+\.)*([\p{L}\p{N}_$]+)/u)?.[1] ?? null;
  return name === 'var' || text.endsWith(']') ? null : name;
}
