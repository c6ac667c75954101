import type { FileFacts, ImportFact, ReferenceFact, SymbolFact, SymbolKind } from '../../search/index.ts';
import type { CapturedDefinition, CapturedFile } from './captured-file.ts';
import { createDocumentation } from './documentation.ts';
import type { GrammarLanguage, ImportDraft } from './language-definition.ts';
import { type Bindings, bindLocals } from './local-bindings.ts';
import { signatureOf } from './signature.ts';
import type { SyntaxTree } from './syntax-tree.ts';
import type { OffsetText } from './text-offsets.ts';

const RECEIVER_BYTES_MAX = 80;
const NAME_UNITS_MAX = 500;
const CONSTANT_LIKE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z]{3,}[0-9]*$/;
const DOTTED_NAME = /^[\p{L}\p{N}_$@]+(?:(?:\??\.|::|->|\\)[\p{L}\p{N}_$@]+)*$/u;
const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'object',
  'implementation',
  'type',
  'annotation',
]);
const BODY_KINDS: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor']);

const FIELD_KINDS: ReadonlySet<SymbolKind> = new Set(['field', 'property']);

/** A symbol on its way: its fact and the nodes it came from. */
interface PlacedSymbol {
  fact: SymbolFact;
  node: number;
  name: number;
  /** The node that begins it, with what belongs to it around it and before it. */
  first: number;
  owner: string | null;
}

/** From what the query captured to what is stored: parents, visibility, documentation, and which uses are worth keeping. */
export function assembleFacts(
  tree: SyntaxTree,
  captured: CapturedFile,
  language: GrammarLanguage,
  offsets: OffsetText,
): FileFacts {
  const symbols = placeSymbols(tree, captured, language, offsets);
  const imports = importsOf(tree, captured, language, offsets);
  const references = referencesOf(tree, captured, language, offsets, symbols, imports);
  const namespace = captured.namespace < 0 ? null : tree.textOf(captured.namespace);
  return {
    symbols: symbols.map(({ fact }) => fact),
    references,
    imports,
    namespace: namespace !== null && language.namespaceOf ? language.namespaceOf(namespace) : namespace,
    packageFile: null,
  };
}

function placeSymbols(
  tree: SyntaxTree,
  captured: CapturedFile,
  language: GrammarLanguage,
  offsets: OffsetText,
): PlacedSymbol[] {
  const documentation = createDocumentation(tree, language, offsets);
  const exported = new Set(captured.exports.map((node) => tree.textOf(node)));
  const inOrder = [...captured.definitions.values()]
    .map((definition) => ({ definition, outer: wholeDefinition(tree, definition, language) }))
    .sort(
      (a, b) =>
        a.outer - b.outer || a.definition.node - b.definition.node || a.definition.name - b.definition.name,
    );
  const symbols: PlacedSymbol[] = [];
  const byName = new Map<string, number>();
  /** Symbols that are open where we are, outermost first. */
  const around: number[] = [];
  for (const { definition, outer } of inOrder) {
    const { node, name } = definition;
    while (around.length > 0) {
      const open = symbols[around[around.length - 1]!]!.node;
      if (open < node && node < tree.next[open]!) break;
      around.pop();
    }
    const ownerName = definition.owner < 0 ? null : simpleTypeName(tree.textOf(definition.owner), language);
    const owner = ownerName === null ? undefined : byName.get(ownerName);
    let parent = owner ?? (around.length > 0 ? around[around.length - 1]! : -1);
    // `constructor(private db: Database)`, `self.db = db`: what a body declares of its object belongs to the type.
    if (FIELD_KINDS.has(definition.kind) && owner === undefined) {
      while (parent >= 0 && BODY_KINDS.has(symbols[parent]!.fact.kind)) parent = symbols[parent]!.fact.parent;
    }
    const parentSymbol = parent < 0 ? null : symbols[parent]!.fact;
    const kind = language.kindWithin
      ? language.kindWithin(definition.kind, parentSymbol?.kind ?? null, tree, node)
      : definition.kind;
    const written = plainName(tree.textOf(name));
    const text = language.nameOf ? language.nameOf(tree, node, written) : written;
    if (kind === null || text === '' || text.length > NAME_UNITS_MAX) continue;
    const nameStart = offsets.byteOf(tree.start[name]!);
    const start = offsets.byteOf(tree.start[outer]!);
    const end = offsets.byteOf(tree.end[lastOf(tree, outer, node)]!);
    const [signatureStart, signatureEnd] = signatureOf(tree, definition, language, offsets);
    const [docStart, docEnd] = documentation(node, outer);
    const listed = parent < 0 && exported.has(text);
    const fact: SymbolFact = {
      name: text,
      kind,
      nameStart,
      nameEnd: offsets.byteOf(tree.end[name]!),
      start,
      end,
      signatureStart,
      signatureEnd,
      docStart,
      docEnd,
      nameLine: offsets.lineOf(nameStart),
      startLine: offsets.lineOf(start),
      endLine: offsets.lineOf(Math.max(start, end - 1)),
      parent,
      exported:
        listed ||
        (language.isExported
          ? language.isExported({
              name: text,
              kind,
              tree,
              definition: node,
              parent: parentSymbol,
              listed: exported.size > 0,
            })
          : isExportedByDefault(parentSymbol)),
      type: definition.type < 0 ? null : simpleTypeName(tree.textOf(definition.type), language),
    };
    if (!language.handsMembersOut?.(tree, node)) around.push(symbols.length);
    const named = byName.get(text);
    if (named === undefined || (TYPE_KINDS.has(kind) && !TYPE_KINDS.has(symbols[named]!.fact.kind))) {
      byName.set(text, symbols.length);
    }
    symbols.push({ fact, node, name, first: outer, owner: ownerName });
  }
  return symbols;
}

/** Without the quotes of `"a-b"` and the colon of a symbol, `:name`. */
function plainName(text: string): string {
  return text.replace(/^(["'`])(.*)\1$|^:(?=\w)/s, '$2').replaceAll('\n', ' ');
}

function isExportedByDefault(parent: SymbolFact | null): boolean {
  return parent === null || (parent.exported && !BODY_KINDS.has(parent.kind));
}

/** The node that begins the definition, with what belongs to it around it and before it. */
function wholeDefinition(tree: SyntaxTree, { node }: CapturedDefinition, language: GrammarLanguage): number {
  let outer = node;
  const wrappers = language.wrappers ?? [];
  for (let above = tree.parent[outer]!; above >= 0; above = tree.parent[above]!) {
    if (!wrappers.includes(tree.type(above)) || holdsSeveral(tree, above, outer)) break;
    outer = above;
  }
  const attributes = language.attributes ?? [];
  for (let before = tree.previousSibling(outer); before >= 0; before = tree.previousSibling(before)) {
    if (!attributes.includes(tree.type(before))) break;
    outer = before;
  }
  return outer;
}

/** `const a = 1, b = 2`: the whole belongs to neither. */
function holdsSeveral(tree: SyntaxTree, parent: number, child: number): boolean {
  const symbol = tree.symbol[child]!;
  let same = 0;
  for (let one = tree.firstChild(parent); one >= 0 && same < 2; one = tree.nextSibling(one)) {
    if (tree.symbol[one] === symbol) same++;
  }
  return same > 1;
}

/** An attribute begins the definition but does not end it. */
function lastOf(tree: SyntaxTree, outer: number, node: number): number {
  return outer <= node && node < tree.next[outer]! ? outer : node;
}

function importsOf(
  tree: SyntaxTree,
  captured: CapturedFile,
  language: GrammarLanguage,
  offsets: OffsetText,
): ImportFact[] {
  const own = captured.importNodes.flatMap((node) => language.importsOf?.(tree, node) ?? []);
  const drafts = [...captured.imports.map((draft) => language.finishImport?.(draft) ?? draft), ...own];
  const binding = new Set(drafts.flatMap((draft) => (bindsNothing(draft) ? [] : [draft.at])));
  return (
    drafts
      // A module without a name is the file itself: it hands something on by another name.
      .filter(({ module, reexport }) => (module !== '' || reexport) && module.length <= NAME_UNITS_MAX)
      .filter((draft) => !(bindsNothing(draft) && binding.has(draft.at)))
      .sort((a, b) => a.at - b.at)
      .map(({ at, ...draft }) => {
        const start = offsets.byteOf(at);
        return { ...draft, start, line: offsets.lineOf(start) };
      })
  );
}

/** Said of a module by the way where another pattern says which of its names are taken. */
function bindsNothing({ name, local, reexport }: ImportDraft): boolean {
  return name === '*' && local === '' && !reexport;
}

function referencesOf(
  tree: SyntaxTree,
  captured: CapturedFile,
  language: GrammarLanguage,
  offsets: OffsetText,
  symbols: readonly PlacedSymbol[],
  imports: readonly ImportFact[],
): ReferenceFact[] {
  // A parameter that declares a field is a parameter all the same.
  const symbolNames = new Set(
    symbols.flatMap(({ fact, name }) => (FIELD_KINDS.has(fact.kind) ? [] : [name])),
  );
  const bindings = bindLocals(
    tree,
    captured,
    (text) => simpleTypeName(text, language),
    (node) => symbolNames.has(node),
  );
  const imported = new Set(
    imports.flatMap(({ local, reexport }) => (local === '' || reexport ? [] : [local])),
  );
  const known = new Set(imported);
  const topTypes = new Map<string, string | null>();
  for (const { fact } of symbols) {
    if (fact.parent >= 0 && BODY_KINDS.has(symbols[fact.parent]!.fact.kind)) continue;
    known.add(fact.name);
    if (fact.parent < 0) topTypes.set(fact.name, fact.type);
  }
  const fieldTypes = fieldTypesOf(symbols);
  const namespaces = new Set(imports.flatMap(({ name, local }) => (name === '*' ? [local] : [])));
  const marks = marksOf(tree, captured);
  const isKnown = new NameFilter(known);
  const references: ReferenceFact[] = [];
  const around: number[] = [];
  let nextSymbol = 0;
  for (const node of Int32Array.from(captured.references.nodes).sort()) {
    while (nextSymbol < symbols.length && symbols[nextSymbol]!.first <= node) around.push(nextSymbol++);
    const mark = marks[node]!;
    if ((mark & NO_USE) !== 0) continue;
    const kind = captured.references.kindOf(node);
    const receiverNode = captured.references.receiverOf(node);
    // Most names are neither known here nor written like constants, and need not be cut out of the text to tell.
    if (kind === 'use' && receiverNode < 0 && !isKnown.mayHold(tree, node)) continue;
    const name = tree.textOf(node);
    if (name === '' || name.length > NAME_UNITS_MAX) continue;
    const receiver = receiverNode < 0 ? null : receiverText(tree, receiverNode);
    const root = receiver === null ? null : firstName(receiver);
    if (kind === 'member') {
      if (root === null || bindings.find(root, node) !== null) continue;
      if (!imported.has(root) && !/^[A-Z]/.test(root)) continue;
    } else if (kind !== 'member-call' && receiverNode < 0) {
      if (bindings.find(name, node) !== null) continue;
      // `fs.read()` uses `read`: that it names `fs` says nothing more.
      if (kind === 'use' && (mark & IS_RECEIVER) !== 0 && namespaces.has(name)) continue;
      if (
        !known.has(name) &&
        (language.builtins?.has(name) || (kind === 'use' && !CONSTANT_LIKE.test(name)))
      ) {
        continue;
      }
    }
    const from = innermost(tree, symbols, around, node);
    const start = offsets.byteOf(tree.start[node]!);
    references.push({
      name,
      kind,
      start,
      line: offsets.lineOf(start),
      from,
      receiver,
      receiverType:
        receiver === null || (kind !== 'member-call' && kind !== 'member')
          ? null
          : receiverType(receiver, { node, from, symbols, bindings, topTypes, fieldTypes, language }),
    });
  }
  return references;
}

const NO_USE = 1;
const IS_RECEIVER = 2;

/** What nodes are besides: names that are bound or defined there and no uses; what stands before a dot. */
function marksOf(tree: SyntaxTree, { definitions, locals, ignored, references }: CapturedFile): Uint8Array {
  const marks = new Uint8Array(tree.count);
  for (const node of definitions.keys()) marks[node] = NO_USE;
  for (const { name } of locals) marks[name] = NO_USE;
  for (const node of ignored) marks[node] = NO_USE;
  for (const node of references.nodes) {
    const receiver = references.receiverOf(node);
    if (receiver >= 0) marks[receiver]! |= IS_RECEIVER;
  }
  return marks;
}

/** Tells for most names that are not among some, nor begin as constants do, that they are not: by their ends and their length. */
class NameFilter {
  private readonly bits = new Uint8Array(4096);

  constructor(names: Iterable<string>) {
    for (const name of names)
      this.bits[placeOf(name.charCodeAt(0), name.charCodeAt(name.length - 1), name.length)] = 1;
  }

  mayHold(tree: SyntaxTree, node: number): boolean {
    const start = tree.start[node]!;
    const end = tree.end[node]!;
    const first = tree.text.charCodeAt(start);
    if (first >= CAPITAL_A && first <= CAPITAL_Z) return true;
    return this.bits[placeOf(first, tree.text.charCodeAt(end - 1), end - start)] === 1;
  }
}

const CAPITAL_A = 65;
const CAPITAL_Z = 90;

function placeOf(first: number, last: number, length: number): number {
  return (first * 61 + last * 7 + length) & 4095;
}

/** The innermost symbol around a node, -1 for none. `around` may still hold symbols that ended; they are dropped. */
function innermost(
  tree: SyntaxTree,
  symbols: readonly PlacedSymbol[],
  around: number[],
  node: number,
): number {
  while (around.length > 0) {
    const symbol = around[around.length - 1]!;
    const { node: holder } = symbols[symbol]!;
    if (node < tree.next[holder]!) {
      // `int a, b;`: what both share is told of the first.
      let first = around.length - 1;
      while (first > 0 && symbols[around[first - 1]!]!.node === holder) first--;
      return around[first]!;
    }
    around.pop();
  }
  return -1;
}

function receiverText(tree: SyntaxTree, node: number): string | null {
  if (tree.end[node]! - tree.start[node]! > RECEIVER_BYTES_MAX) return null;
  const text = tree.textOf(node);
  if (!DOTTED_NAME.test(text) || Buffer.byteLength(text) > RECEIVER_BYTES_MAX) return null;
  return text.replace(/\?\.|::|->|\\/g, '.');
}

function firstName(receiver: string): string {
  const dot = receiver.indexOf('.');
  return dot < 0 ? receiver : receiver.slice(0, dot);
}

interface ReceiverQuestion {
  node: number;
  from: number;
  symbols: readonly PlacedSymbol[];
  bindings: Bindings;
  topTypes: ReadonlyMap<string, string | null>;
  fieldTypes: ReadonlyMap<string, string>;
  language: GrammarLanguage;
}

/** `this` → the class around; `x` → what a declaration in reach says; `this.x` and, where nothing local has the name, `x` → a field. */
function receiverType(receiver: string, question: ReceiverQuestion): string | null {
  const { node, from, symbols, bindings, topTypes, fieldTypes, language } = question;
  const [first = '', second, ...further] = receiver.split('.');
  if (further.length > 0) return null;
  const own = enclosingType(from, symbols);
  if (language.selfNames?.includes(first)) {
    if (second === undefined) return own;
    return own === null ? null : (fieldTypes.get(`${own}.${second}`) ?? null);
  }
  const bound = bindings.find(first, node);
  const type =
    bound === null ? (fieldTypes.get(`${own}.${first}`) ?? topTypes.get(first) ?? null) : bound.type;
  if (second === undefined || type === null) return second === undefined ? type : null;
  return fieldTypes.get(`${type}.${second}`) ?? null;
}

function enclosingType(from: number, symbols: readonly PlacedSymbol[]): string | null {
  for (let at = from; at >= 0; at = symbols[at]!.fact.parent) {
    const { fact, owner } = symbols[at]!;
    if (owner !== null) return owner;
    if (TYPE_KINDS.has(fact.kind)) return fact.name;
  }
  return null;
}

/** `Type.field` → name of the field's type, for the types of this file. */
function fieldTypesOf(symbols: readonly PlacedSymbol[]): Map<string, string> {
  const types = new Map<string, string>();
  for (const { fact } of symbols) {
    if (fact.type === null || fact.parent < 0 || BODY_KINDS.has(fact.kind)) continue;
    const key = `${symbols[fact.parent]!.fact.name}.${fact.name}`;
    if (!types.has(key)) types.set(key, fact.type);
  }
  return types;
}

/** `Map<string, User>` → `Map`, `*Foo` → `Foo`, `a.b.C` → `C`. Null for what is no name. */
export function simpleTypeName(text: string, language: Pick<GrammarLanguage, 'typeName'>): string | null {
  if (language.typeName) return language.typeName(text);
  const named = text.match(/^[\s:*&?]*((?:[\p{L}\p{N}_$]+(?:\.|::|\\))*)([\p{L}\p{N}_$]+)/u);
  return named?.[2] ?? null;
}
