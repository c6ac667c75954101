import type { FileFacts, ImportFact, SymbolKind } from '../../search/index.ts';
import type { SyntaxTree } from './syntax-tree.ts';

/**
 * What the extractor knows of one language beyond its query. Everything but `grammar` and `version` may be left out; a hook is asked
 * where a query cannot say it. Nodes are numbers of the tree; see docs/languages.md for the captures of the query.
 */
export interface GrammarLanguage {
  /** Name of the file in src/symbols/grammars without endings. */
  grammar: string;
  /** Count it up with each change of the hooks: texts are then extracted again. A change of the query is noticed without it. */
  version: number;
  /** The query, next to the definition: `new URL('./queries.scm', import.meta.url)`; several are read as one. */
  queries: readonly URL[];
  /** Node types of comments that document the definition right below them. */
  comments?: readonly string[];
  /** Comments that never document: a licence, a directive. Default none. */
  isDocumentation?(comment: string): boolean;
  /** The documentation of a definition where it is no comment above, as a node, -1 for none: a docstring. Asked first. */
  documentationOf?(tree: SyntaxTree, definition: number): number;
  /** Types of nodes right before a definition that belong to it: attributes that stand beside it. */
  attributes?: readonly string[];
  /** Types of nodes around a definition that belong to it: `export_statement`, `decorated_definition`. */
  wrappers?: readonly string[];
  /** Where the signature ends: a node, -1 for what the field `body` (of the definition or of its `value`) gives. */
  bodyOf?(tree: SyntaxTree, definition: number): number;
  /** The kind once what stands around is known: a function in a class is a method. Null leaves the definition out. */
  kindWithin?(
    kind: SymbolKind,
    parent: SymbolKind | null,
    tree: SyntaxTree,
    definition: number,
  ): SymbolKind | null;
  /** Default: true at the top and where what is around is exported. Names captured by `@export` are exported whatever is said here. */
  isExported?(symbol: ExportQuestion): boolean;
  /**
   * The name within what `@name` or `@local` captured, and the node that says which type it belongs to (-1 for none), where a name may
   * stand at any depth: the declarators of C, `*(*f)[3]`, `a::B::c()`.
   */
  declared?(tree: SyntaxTree, node: number): { name: number; owner: number };
  /** The symbol's name where it is not what stands at `@name`: an operator, what the language names by itself. */
  nameOf?(tree: SyntaxTree, definition: number, written: string): string;
  /** What stands within it belongs to what is around it, as the members of a companion object belong to its class. Default: nothing does. */
  handsMembersOut?(tree: SyntaxTree, definition: number): boolean;
  /** Words for the object itself before a dot: `this`, `self`. */
  selfNames?: readonly string[];
  /** Names that are the language's own and are left out of uses where the file does not define or import them. */
  builtins?: ReadonlySet<string>;

  /** Reads one `@import` node where captures do not suffice. */
  importsOf?(tree: SyntaxTree, node: number): readonly ImportDraft[];
  /** Last word on each import that captures gave: how it is called here, whether it is relative. */
  finishImport?(draft: ImportDraft): ImportDraft;
  /** The name of a type as it is captured, without arguments and pointers. Default: the text up to `<`, `[` or a blank. */
  typeName?(text: string): string | null;
  /** The namespace as it is captured. Default: the text. */
  namespaceOf?(text: string): string;
  /** Text to be parsed instead, of the same length: what is not of this language blanked out. */
  prepare?(text: string): string;
  /** Texts with very long lines are extracted too: data, not programs. */
  longLines?: boolean;
}

/** A language without grammar: a scanner of our own, over the text as UTF-16; offsets it gives are such, too. */
export interface ScannedLanguage {
  version: number;
  /** Must be linear and may not recurse. */
  scan(text: string): FileFacts;
  longLines?: boolean;
}

export type LanguageDefinition = GrammarLanguage | ScannedLanguage;

export interface ExportQuestion {
  name: string;
  kind: SymbolKind;
  tree: SyntaxTree;
  definition: number;
  /** The symbol around it. */
  parent: { name: string; kind: SymbolKind; exported: boolean } | null;
  /** Whether anything in the file is exported by `@export`. */
  listed: boolean;
}

export type ImportDraft = Omit<ImportFact, 'start' | 'line'> & {
  /** Where it stands: UTF-16 offset. */
  at: number;
};
