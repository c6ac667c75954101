import { type SymbolKind, symbolKinds } from '../../search/index.ts';
import type { GraphRelation } from '../../symbols/index.ts';

/** Words that people and models have for a relation; blanks and dashes are underscores here. */
const words: Readonly<Record<GraphRelation, readonly string[]>> = {
  definitions: [
    'definition',
    'defines',
    'defined',
    'defined_in',
    'declaration',
    'declarations',
    'where_defined',
    'where_is',
    'go_to_definition',
    'goto_definition',
    'find_definition',
    'find_symbol',
    'symbol',
    'symbols',
    'def',
    'decl',
  ],
  references: [
    'reference',
    'refs',
    'ref',
    'usages',
    'usage',
    'uses',
    'use',
    'used_by',
    'usedby',
    'used',
    'users',
    'who_uses',
    'where_used',
    'find_references',
    'find_all_references',
    'find_usages',
    'referenced_by',
    'mentions',
    'occurrences',
  ],
  callers: [
    'caller',
    'called_by',
    'calledby',
    'who_calls',
    'who_calls_this',
    'incoming_calls',
    'incoming',
    'call_sites',
    'callsites',
    'invoked_by',
    'call_hierarchy',
    'calls_to',
  ],
  callees: [
    'callee',
    'calls',
    'call',
    'called',
    'what_calls',
    'what_it_calls',
    'calls_from',
    'outgoing_calls',
    'outgoing',
    'invokes',
  ],
  supertypes: [
    'supertype',
    'extends',
    'extend',
    'implements',
    'implement',
    'inherits',
    'inherits_from',
    'embeds',
    'parent',
    'parents',
    'base',
    'bases',
    'base_class',
    'base_classes',
    'superclass',
    'superclasses',
    'super',
    'interfaces',
    'type_hierarchy',
  ],
  subtypes: [
    'subtype',
    'implementations',
    'implementation',
    'implementers',
    'implementors',
    'implemented_by',
    'find_implementations',
    'go_to_implementation',
    'extended_by',
    'extenders',
    'inherited_by',
    'subclasses',
    'subclass',
    'children',
    'derived',
    'derived_classes',
    'overrides',
    'who_implements',
    'who_extends',
  ],
  imports: ['import', 'imported', 'requires', 'require', 'includes', 'include'],
  importers: [
    'importer',
    'imported_by',
    'importedby',
    'imported_from',
    'included_by',
    'required_by',
    'who_imports',
  ],
  outline: [
    'contains',
    'contents',
    'members',
    'structure',
    'document_symbols',
    'documentsymbols',
    'file_symbols',
    'list_symbols',
    'methods',
    'overview',
  ],
  dependents: [
    'dependent',
    'dependants',
    'depended_on_by',
    'who_depends',
    'who_depends_on',
    'reverse_dependencies',
    'consumers',
    'downstream',
  ],
  dependencies: ['dependency', 'depends_on', 'depends', 'deps', 'upstream'],
};

export const relationWords: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(words).flatMap(([relation, known]) => known.map((word) => [word, relation])),
);

export const directionWords: Readonly<Record<string, string>> = {
  incoming: 'in',
  inbound: 'in',
  inward: 'in',
  callers: 'in',
  to: 'in',
  backward: 'in',
  outgoing: 'out',
  outbound: 'out',
  outward: 'out',
  callees: 'out',
  from: 'out',
  forward: 'out',
};

const turned: Readonly<Partial<Record<GraphRelation, { in: GraphRelation; out: GraphRelation }>>> = {
  references: { in: 'references', out: 'callees' },
  callers: { in: 'callers', out: 'callees' },
  callees: { in: 'callers', out: 'callees' },
  supertypes: { in: 'subtypes', out: 'supertypes' },
  subtypes: { in: 'subtypes', out: 'supertypes' },
  imports: { in: 'importers', out: 'imports' },
  importers: { in: 'importers', out: 'imports' },
  dependents: { in: 'dependents', out: 'dependencies' },
  dependencies: { in: 'dependents', out: 'dependencies' },
};

/** Towards the start, or away from it: the relation that lies that way. */
export function towards(relation: GraphRelation, direction: 'in' | 'out' | undefined): GraphRelation {
  return (direction && turned[relation]?.[direction]) ?? relation;
}

/** How an answer calls what a relation finds. */
export const relationNouns: Readonly<Record<GraphRelation, readonly [one: string, several: string]>> = {
  definitions: ['definition', 'definitions'],
  references: ['place that uses', 'places that use'],
  callers: ['caller', 'callers'],
  callees: ['callee', 'callees'],
  supertypes: ['supertype', 'supertypes'],
  subtypes: ['subtype', 'subtypes'],
  imports: ['import', 'imports'],
  importers: ['importer', 'importers'],
  outline: ['symbol', 'symbols'],
  dependents: ['dependent', 'dependents'],
  dependencies: ['dependency', 'dependencies'],
};

const kindWords: Readonly<Record<string, SymbolKind>> = {
  func: 'function',
  fn: 'function',
  def: 'function',
  member: 'method',
  ctor: 'constructor',
  const: 'constant',
  var: 'variable',
  let: 'variable',
  attribute: 'property',
  prop: 'property',
  typealias: 'type',
  alias: 'type',
  'type-alias': 'type',
  protocol: 'interface',
  impl: 'implementation',
  enumerator: 'enum-member',
  'enum-value': 'enum-member',
  ns: 'namespace',
  mod: 'module',
};

/** `Functions`, `func` and `type_alias` are kinds, too; null for what is none. */
export function kindNamed(written: string): SymbolKind | null {
  const word = written
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  const readings = [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
  for (const reading of readings) {
    const kind = symbolKinds.find((one) => one === reading);
    if (kind) return kind;
    if (Object.hasOwn(kindWords, reading)) return kindWords[reading]!;
  }
  return null;
}
