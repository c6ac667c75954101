import type { SymbolKind } from '../../../search/index.ts';
import type { GrammarLanguage, ImportDraft } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';

export const python: GrammarLanguage = {
  grammar: 'python',
  version: 2,
  queries: [new URL('./queries.scm', import.meta.url)],
  comments: ['comment'],
  wrappers: ['decorated_definition', 'expression_statement'],
  documentationOf: docstring,
  bodyOf: (tree, definition) => tree.childOfType(definition, ':'),
  kindWithin,
  isExported({ name, parent }) {
    const isPublic = !name.startsWith('_') || /^__\w+__$/.test(name);
    if (parent === null) return isPublic;
    return isPublic && parent.exported && parent.kind === 'class';
  },
  finishImport,
  typeName,
  selfNames: ['self', 'cls'],
  builtins: new Set(
    (
      'abs all any bin bool bytearray bytes callable chr classmethod complex delattr dict dir divmod enumerate eval exec filter ' +
      'float format frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter len list locals map max ' +
      'memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted ' +
      'staticmethod str sum super tuple type vars zip Exception BaseException ValueError TypeError KeyError IndexError ' +
      'RuntimeError AttributeError NotImplementedError OSError IOError StopIteration AssertionError ImportError None True False'
    ).split(' '),
  ),
};

const functions: ReadonlySet<string> = new Set(['function_definition', 'lambda']);

function kindWithin(
  kind: SymbolKind,
  parent: SymbolKind | null,
  tree: SyntaxTree,
  definition: number,
): SymbolKind | null {
  if (kind === 'function') {
    if (parent !== 'class') return kind;
    const name = tree.childInField(definition, 'name');
    return name >= 0 && tree.textOf(name) === '__init__' ? 'constructor' : 'method';
  }
  if (kind === 'property') {
    // Fields are declared where the object is made; later assignments are uses.
    const method = tree.ancestorOfType(definition, functions);
    const name = method < 0 ? -1 : tree.childInField(method, 'name');
    return parent === 'class' && name >= 0 && tree.textOf(name) === '__init__' ? 'field' : null;
  }
  if (kind !== 'variable') return kind;
  if (parent === 'class') return 'field';
  if (parent !== null || tree.ancestorOfType(definition, functions) >= 0) return null;
  return /^_*[A-Z][A-Z0-9_]*\b/.test(tree.text.slice(tree.start[definition]!, tree.start[definition]! + 60))
    ? 'constant'
    : 'variable';
}

/** `import a.b` is called `a.b` where it is used; the query says so with a dot. */
function finishImport(draft: ImportDraft): ImportDraft {
  return draft.local === '.' ? { ...draft, local: draft.module } : draft;
}

/** `"Foo"`, `Optional[Foo]` and `Foo | None` are Foo. */
function typeName(text: string): string | null {
  const inner = text
    .replace(/^["']|["']$/g, '')
    .replace(/^(?:[\w.]*\.)?Optional\[(.*)\]$/s, '$1')
    .replace(/\s*\|\s*None$|^None\s*\|\s*/, '');
  const name = inner.match(/^(?:[\p{L}\p{N}_]+\.)*([\p{L}\p{N}_]+)/u)?.[1] ?? null;
  return name === 'None' ? null : name;
}

function docstring(tree: SyntaxTree, definition: number): number {
  const type = tree.type(definition);
  if (type !== 'function_definition' && type !== 'class_definition') return -1;
  const body = tree.childInField(definition, 'body');
  const first = body < 0 ? -1 : tree.firstChild(body);
  if (first < 0 || tree.type(first) !== 'expression_statement') return -1;
  const text = tree.firstChild(first);
  return text >= 0 && tree.type(text) === 'string' ? text : -1;
}
