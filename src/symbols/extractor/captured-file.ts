import type { ReferenceKind, SymbolKind } from '../../search/index.ts';
import { referenceKinds, symbolKinds } from '../../search/index.ts';
import type { GrammarLanguage, ImportDraft } from './language-definition.ts';
import type { QueryMatcher } from './query-matcher.ts';
import type { SyntaxTree } from './syntax-tree.ts';

/** What the query found in one file, by nodes. -1 stands for no node. */
export interface CapturedFile {
  /** By node of the name, as references are: of several patterns that name one node the first of the query counts. */
  definitions: Map<number, CapturedDefinition>;
  references: Map<number, CapturedReference>;
  /** Nodes that bound names. */
  scopes: number[];
  locals: { name: number; type: number }[];
  imports: ImportDraft[];
  /** Nodes whose imports the language reads itself. */
  importNodes: number[];
  /** Nodes of names that a list makes exported. */
  exports: number[];
  namespace: number;
  ignored: Set<number>;
}

export interface CapturedDefinition {
  node: number;
  name: number;
  kind: SymbolKind;
  type: number;
  /** Names the symbol that it belongs to, where that does not stand around it. */
  owner: number;
  pattern: number;
}

export interface CapturedReference {
  kind: ReferenceKind;
  receiver: number;
  pattern: number;
}

const plainCaptures = [
  'name',
  'type',
  'owner',
  'receiver',
  'scope',
  'local',
  'export',
  'namespace',
  'ignore',
  'import',
  'import.module',
  'import.name',
  'import.local',
] as const;

type Meaning =
  | { capture: 'definition'; kind: SymbolKind }
  | { capture: 'reference'; kind: ReferenceKind }
  | { capture: (typeof plainCaptures)[number] | 'helper' };

/** What each capture of a query means. Throws for one that means nothing; those that begin with `_` serve predicates. */
export function captureMeanings(matcher: QueryMatcher): ReadonlyMap<string, Meaning> {
  const meanings = new Map<string, Meaning>();
  for (const { captures } of matcher.patterns) {
    for (const capture of captures) meanings.set(capture, meaningOf(capture));
  }
  return meanings;
}

function meaningOf(capture: string): Meaning {
  if (capture.startsWith('_')) return { capture: 'helper' };
  const plain = plainCaptures.find((known) => known === capture);
  if (plain) return { capture: plain };
  const symbol = symbolKinds.find((kind) => capture === `definition.${kind}`);
  if (symbol) return { capture: 'definition', kind: symbol };
  const reference = referenceKinds.find((kind) => capture === `reference.${kind}`);
  if (reference) return { capture: 'reference', kind: reference };
  throw new Error(`query: the capture @${capture} is not known`);
}

export function captureFile(
  tree: SyntaxTree,
  matcher: QueryMatcher,
  meanings: ReadonlyMap<string, Meaning>,
  { declared }: Pick<GrammarLanguage, 'declared'>,
  onStep: () => void,
): CapturedFile {
  const file: CapturedFile = {
    definitions: new Map(),
    references: new Map(),
    scopes: [],
    locals: [],
    imports: [],
    importNodes: [],
    exports: [],
    namespace: -1,
    ignored: new Set(),
  };
  matcher.run(
    tree,
    ({ pattern, names, nodes, count }) => {
      let definition = -1;
      let kind: SymbolKind | null = null;
      let name = -1;
      let type = -1;
      let owner = -1;
      let reference = -1;
      let referenceKind: ReferenceKind = 'use';
      let receiver = -1;
      let local = -1;
      let module = -1;
      let importName = -1;
      let importLocal = -1;
      for (let i = 0; i < count; i++) {
        const node = nodes[i]!;
        const meaning = meanings.get(names[i]!)!;
        switch (meaning.capture) {
          case 'definition':
            definition = node;
            kind = meaning.kind;
            break;
          case 'reference':
            reference = node;
            referenceKind = meaning.kind;
            break;
          case 'name':
            name = node;
            break;
          case 'type':
            type = node;
            break;
          case 'owner':
            owner = node;
            break;
          case 'receiver':
            receiver = node;
            break;
          case 'scope':
            file.scopes.push(node);
            break;
          case 'local':
            local = node;
            break;
          case 'export':
            file.exports.push(node);
            break;
          case 'namespace':
            if (file.namespace < 0) file.namespace = node;
            break;
          case 'ignore':
            file.ignored.add(node);
            break;
          case 'import':
            file.importNodes.push(node);
            break;
          case 'import.module':
            module = node;
            break;
          case 'import.name':
            importName = node;
            break;
          case 'import.local':
            importLocal = node;
            break;
        }
      }
      if (kind !== null) {
        if (name < 0) name = definition;
        if (declared) {
          const within = declared(tree, name);
          name = within.name;
          if (owner < 0) owner = within.owner;
        }
        const before = file.definitions.get(name);
        if (before === undefined || pattern < before.pattern) {
          file.definitions.set(name, { node: definition, name, kind, type, owner, pattern });
        }
      }
      if (reference >= 0) {
        const before = file.references.get(reference);
        if (before === undefined || pattern < before.pattern) {
          file.references.set(reference, { kind: referenceKind, receiver, pattern });
        }
      }
      if (local >= 0) file.locals.push({ name: declared ? declared(tree, local).name : local, type });
      if (module >= 0) {
        const { settings } = matcher.patterns[pattern]!;
        file.imports.push(importDraft(tree, module, importName, importLocal, settings));
        // The names of an import are no uses of it.
        for (const node of [module, importName, importLocal]) if (node >= 0) file.ignored.add(node);
      }
    },
    onStep,
  );
  return file;
}

/** `#set! import.name "*"` and `#set! import.reexport "yes"` say what no node says. */
function importDraft(
  tree: SyntaxTree,
  module: number,
  name: number,
  local: number,
  settings: ReadonlyMap<string, string>,
): ImportDraft {
  const written = tree.textOf(module).replace(/^(['"`<])(.*)['"`>]$/s, '$2');
  const imported = name >= 0 ? tree.textOf(name) : (settings.get('import.name') ?? '*');
  const reexport = settings.has('import.reexport');
  let bound = local >= 0 ? tree.textOf(local) : (settings.get('import.local') ?? '');
  if (local < 0 && name >= 0) bound = imported;
  return {
    module: written,
    name: imported,
    local: bound,
    reexport,
    relative: written.startsWith('.'),
    at: tree.start[module]!,
  };
}
