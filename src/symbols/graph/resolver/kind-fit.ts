import { dataKinds, type ReferenceKind, type SymbolKind } from '../../../search/index.ts';

const typeKinds: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'type',
  'object',
  'annotation',
  'message',
  'service',
  'module',
  'namespace',
]);
const memberKinds: ReadonlySet<SymbolKind> = new Set([
  'method',
  'constructor',
  'field',
  'property',
  'enum-member',
  'constant',
  'variable',
  'rpc',
]);

export const isType = (kind: SymbolKind) => typeKinds.has(kind);
export const isData = (kind: SymbolKind) => dataKinds.has(kind);
/** Nothing else has these kinds. */
export const isOnlyMember = (kind: SymbolKind) =>
  memberKinds.has(kind) && kind !== 'constant' && kind !== 'variable';
/** Kinds that members of types have. */
export const isMember = (kind: SymbolKind) => memberKinds.has(kind);
/** Blocks that hold members of a type which is defined elsewhere: `impl Foo`. */
export const isHolder = (kind: SymbolKind) => kind === 'implementation';

/** How well a definition fits a use: 0 not at all, 2 well, 1 where nothing fits better. */
export function fitness(use: ReferenceKind, kind: SymbolKind): number {
  if (kind === 'implementation') return 0;
  switch (use) {
    case 'type':
      // A member of an enumeration is a type by itself, too.
      if (kind === 'enum-member') return 1;
      return fitness('extends', kind);
    case 'extends':
    case 'implements':
    case 'embeds':
      return typeKinds.has(kind) ? 2 : kind === 'variable' || kind === 'constant' ? 1 : 0;
    case 'new':
      if (typeKinds.has(kind)) return 2;
      return kind === 'function' || kind === 'constant' || kind === 'variable' || kind === 'constructor'
        ? 1
        : 0;
    case 'call':
    case 'member-call':
      return kind === 'interface' || kind === 'key' || kind === 'heading' ? 1 : 2;
    case 'annotation':
      return kind === 'annotation' ? 2 : 1;
    default:
      return 2;
  }
}

/** Only those that fit best. */
export function bestFitting<T extends { kind: SymbolKind }>(use: ReferenceKind, found: readonly T[]): T[] {
  const best = Math.max(0, ...found.map(({ kind }) => fitness(use, kind)));
  return best === 0 ? [] : found.filter(({ kind }) => fitness(use, kind) === best);
}
