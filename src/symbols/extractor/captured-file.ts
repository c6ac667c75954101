import type { ReferenceKind, SymbolKind } from '../../search/index.ts';
import { referenceKinds, symbolKinds } from '../../search/index.ts';
import type { GrammarLanguage, ImportDraft } from './language-definition.ts';
import type { QueryMatcher } from './query-matcher.ts';
import type { SyntaxTree } from './syntax-tree.ts';

/** What the query found in one file, by nodes. -1 stands for no node. */
export interface CapturedFile {
  /** By node of the name, as references are: of several patterns that name one node the first of the query counts. */
  definitions: Map<number, CapturedDefinition>;
  references: CapturedReferences;
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

/** Columns by node, kept from text to text: nearly every name of a text is captured as a use at first. */
export class CapturedReferences {
  /** In the order of capture. */
  readonly nodes: number[] = [];
  private kinds = new Uint8Array(0);
  private patterns = new Uint16Array(0);
  private receivers = new Int32Array(0);

  /** Forgets the text before and makes room for one with so many nodes. */
  clear(nodeCount: number): void {
    if (this.kinds.length < nodeCount) {
      this.kinds = new Uint8Array(nodeCount * 2);
      this.patterns = new Uint16Array(nodeCount * 2);
      this.receivers = new Int32Array(nodeCount * 2);
    } else {
      for (const node of this.nodes) this.kinds[node] = 0;
    }
    this.nodes.length = 0;
  }

  /** `kind` is its place in `referenceKinds` and one. */
  add(node: number, kind: number, receiver: number, pattern: number): void {
    if (this.kinds[node] === 0) this.nodes.push(node);
    else if (this.patterns[node]! <= pattern) return;
    this.kinds[node] = kind;
    this.patterns[node] = pattern;
    this.receivers[node] = receiver;
  }

  kindOf(node: number): ReferenceKind {
    return referenceKinds[this.kinds[node]! - 1]!;
  }

  receiverOf(node: number): number {
    return this.receivers[node]!;
  }
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
  | { capture: 'reference'; kind: number }
  | { capture: (typeof plainCaptures)[number] | 'helper' };

/** What each capture of a query means, by its number. Throws for one that means nothing; those that begin with `_` serve predicates. */
export function captureMeanings(matcher: QueryMatcher): readonly Meaning[] {
  return matcher.captureNames.map(meaningOf);
}

function meaningOf(capture: string): Meaning {
  if (capture.startsWith('_')) return { capture: 'helper' };
  const plain = plainCaptures.find((known) => known === capture);
  if (plain) return { capture: plain };
  const symbol = symbolKinds.find((kind) => capture === `definition.${kind}`);
  if (symbol) return { capture: 'definition', kind: symbol };
  const reference = referenceKinds.findIndex((kind) => capture === `reference.${kind}`);
  if (reference >= 0) return { capture: 'reference', kind: reference + 1 };
  throw new Error(`query: the capture @${capture} is not known`);
}

export function captureFile(
  tree: SyntaxTree,
  matcher: QueryMatcher,
  meanings: readonly Meaning[],
  { declared }: Pick<GrammarLanguage, 'declared'>,
  references: CapturedReferences,
  onStep: () => void,
): CapturedFile {
  references.clear(tree.count);
  const file: CapturedFile = {
    definitions: new Map(),
    references,
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
    ({ pattern, captures, nodes, count }) => {
      if (count === 1) {
        // Nearly all are names that may be uses.
        const meaning = meanings[captures[0]!]!;
        if (meaning.capture === 'reference') {
          file.references.add(nodes[0]!, meaning.kind, -1, pattern);
          return;
        }
      }
      let definition = -1;
      let kind: SymbolKind | null = null;
      let name = -1;
      let type = -1;
      let owner = -1;
      let reference = -1;
      let referenceKind = 0;
      let receiver = -1;
      let local = -1;
      let module = -1;
      let importName = -1;
      let importLocal = -1;
      for (let i = 0; i < count; i++) {
        const node = nodes[i]!;
        const meaning = meanings[captures[i]!]!;
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
      if (reference >= 0) file.references.add(reference, referenceKind, receiver, pattern);
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
