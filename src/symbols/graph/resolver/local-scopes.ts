import type { SymbolFact } from '../../../search/index.ts';
import { isHolder, isMember, isOnlyMember, isType } from './kind-fit.ts';
import type { LanguageRules } from './language-rules.ts';

/** The symbols whose scopes a place lies in, innermost first. */
export function ancestors(symbols: readonly SymbolFact[], from: number): number[] {
  const around: number[] = [];
  for (let at = from; at >= 0; at = symbols[at]!.parent) {
    around.push(at);
    const { kind, parent } = symbols[at]!;
    if (kind === 'field' || kind === 'property') around.push(...functionsAround(symbols, at, parent));
  }
  return around;
}

/** A field belongs to its type, also where it is declared within a method: what the method holds is in scope there. */
function functionsAround(symbols: readonly SymbolFact[], field: number, parent: number): number[] {
  const { start, end } = symbols[field]!;
  for (let at = field - 1; at > parent; at--) {
    const outer = symbols[at]!;
    if (outer.parent === parent && outer.start <= start && outer.end >= end) return [at];
  }
  return [];
}

/** How far before a use a definition stands; what comes after it is further than any. */
export function behind({ nameStart }: SymbolFact, start: number): number {
  return nameStart <= start ? start - nameStart : nameStart + 2 ** 32;
}

const blockKinds: ReadonlySet<string> = new Set(['namespace', 'package', 'module', 'object']);

/** How far out the scope lies in which a definition is visible from within `around` (innermost first); -1 where it is not. */
export function scopeDepth(
  symbols: readonly SymbolFact[],
  symbol: number,
  around: readonly number[],
  rules: LanguageRules,
): number {
  const { parent, kind } = symbols[symbol]!;
  // Methods are named through what they belong to, also where that stands elsewhere or is a function.
  const isMethod = kind === 'method' && !rules.implicitThis;
  if (parent < 0) return isMethod ? -1 : around.length;
  const outer = symbols[parent]!;
  const isWithin = around.indexOf(parent);
  // Enumerators of C are names of the scope around their enum.
  if (outer.kind === 'enum' && kind === 'enum-member' && rules.family === 'c') return around.length;
  if (isHolder(outer.kind) || (isType(outer.kind) && !blockKinds.has(outer.kind))) {
    if (isMember(kind) && !rules.implicitThis) return -1;
    if (isWithin >= 0) return isWithin;
    // Another block of members of the same type.
    return around.findIndex(
      (at) => symbols[at]!.name === outer.name && (isType(symbols[at]!.kind) || isHolder(symbols[at]!.kind)),
    );
  }
  // What stands in an object is named through it.
  if (isMethod && outer.kind === 'function') return -1;
  if (isOnlyMember(kind) && (outer.kind === 'constant' || outer.kind === 'variable')) return -1;
  if (isWithin >= 0) return isWithin;
  if (!blockKinds.has(outer.kind)) return -1;
  if (outer.kind === 'package') return around.length;
  return around.findIndex((at) => symbols[at]!.name === outer.name && symbols[at]!.kind === outer.kind);
}
