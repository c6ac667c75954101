import type { ReferenceFact, SymbolFact } from '../../../search/index.ts';
import { bestFitting, isHolder, isType } from './kind-fit.ts';
import { rulesOf } from './language-rules.ts';
import { holds } from './module-exports.ts';
import { folderOf } from './paths.ts';
import type { DefinitionPlace, Meant, Resolved, ResolverTree } from './types.ts';

const LEVELS_MAX = 6;
const TYPES_MAX = 24;
/** Definitions in other files that may be members of a type. */
const LOOKS_MAX = 30;
/** Families whose types have members in other files than their own. */
const scattered: ReadonlySet<string> = new Set(['go', 'c', 'rust', 'dotnet', 'ruby', 'swift']);

const OWNERS_KEPT = 50_000;
const HEADS_KEPT = 20_000;

export interface Heritage {
  readonly reference: ReferenceFact;
  readonly types: readonly Resolved[];
}

/** Types, their members and what they inherit from. */
export class TypeMembers {
  readonly #tree: ResolverTree;
  readonly #open = new Set<string>();
  readonly #heads = new Map<string, readonly Heritage[]>();
  #wasCut = false;
  readonly #owners = new Map<string, string | null>();
  readonly #resolveType: (file: number, reference: ReferenceFact) => readonly Resolved[];

  constructor(
    tree: ResolverTree,
    resolveType: (file: number, reference: ReferenceFact) => readonly Resolved[],
  ) {
    this.#tree = tree;
    this.#resolveType = resolveType;
  }

  /** The type or block of members around a symbol, itself included; -1 for none. */
  around(file: number, from: number): number {
    const symbols = this.#tree.symbolsOf(file);
    for (let at = from; at >= 0; at = symbols[at]!.parent) {
      const { kind } = symbols[at]!;
      if (isHolder(kind) || (isType(kind) && kind !== 'namespace' && kind !== 'module')) return at;
    }
    return -1;
  }

  /** What the head of a type names, with what each leads to. */
  heritage({ file, symbol }: Meant): readonly Heritage[] {
    const symbols = this.#tree.symbolsOf(file);
    const type = symbols[symbol];
    const key = `${file} ${symbol}`;
    const known = this.#heads.get(key);
    if (known !== undefined) return known;
    if (type === undefined) return [];
    // A type whose head is told by what the type inherits has no head that could be told.
    if (this.#open.has(key)) {
      this.#wasCut = true;
      return [];
    }
    this.#open.add(key);
    let heads: readonly Heritage[];
    try {
      heads = this.#heritage({ file, symbol }, type);
    } finally {
      this.#open.delete(key);
    }
    // What was told on a way that was cut depends on where it began, and is not kept.
    if (!this.#wasCut) {
      if (this.#heads.size >= HEADS_KEPT) this.#heads.clear();
      this.#heads.set(key, heads);
    }
    if (this.#open.size === 0) this.#wasCut = false;
    return heads;
  }

  #heritage({ file, symbol }: Meant, type: SymbolFact): Heritage[] {
    const symbols = this.#tree.symbolsOf(file);
    const isOfType = (from: number) =>
      from === symbol || (from >= 0 && symbols[from]!.name === type.name && isHolder(symbols[from]!.kind));
    return this.#tree
      .headsOf(file)
      .filter(({ from }) => isOfType(from))
      .map((reference) => {
        // Names of a head are looked up around the type, not in it.
        const types = this.#resolveType(file, { ...reference, from: type.parent });
        return { reference, types };
      });
  }

  /** A member of one of the types, or of what they inherit from; the nearest ones. */
  find(
    types: readonly (Meant & Pick<Resolved, 'confidence'>)[],
    name: string,
    { use, inheritedOnly = false }: { use: ReferenceFact['kind']; inheritedOnly?: boolean },
  ): Resolved[] {
    let level = types;
    const seen = new Set<string>();
    for (let depth = 0; depth < LEVELS_MAX && level.length > 0; depth++) {
      if (depth > 0 || !inheritedOnly) {
        const found = level.flatMap((type) =>
          this.own(type, name, use).map((member): Resolved => {
            const isDirect = depth === 0 && type.confidence === 'certain';
            const sure = type.confidence === 'possible' ? 'possible' : isDirect ? 'certain' : 'likely';
            return { ...member, how: depth === 0 ? 'receiver-type' : 'inherited', confidence: sure };
          }),
        );
        if (found.length > 0) return onceEach(found);
      }
      const next: (Meant & Pick<Resolved, 'confidence'>)[] = [];
      for (const type of level) {
        for (const { types: above } of this.heritage(type)) {
          for (const one of above) {
            const key = `${one.file} ${one.symbol}`;
            if (seen.has(key) || seen.size >= TYPES_MAX || one.confidence === 'possible') continue;
            seen.add(key);
            next.push(type.confidence === 'possible' ? { ...one, confidence: 'possible' } : one);
          }
        }
      }
      level = next;
    }
    return [];
  }

  /** Members that the type itself has, in its file, else in other files that add to it. */
  own(type: Meant, name: string, use: ReferenceFact['kind']): Meant[] {
    const named = this.#tree.symbolsNamed(type.file, name);
    const symbols = this.#tree.symbolsOf(type.file);
    if (symbols[type.symbol] === undefined) return [];
    const here = named
      .filter((symbol) => symbol !== type.symbol && holds(symbols, type.symbol, symbol))
      .map((symbol) => ({ file: type.file, symbol, kind: symbols[symbol]!.kind }));
    const fitting = bestFitting(use, here);
    return fitting.length > 0 ? fitting : bestFitting(use, this.#elsewhere(type, name));
  }

  #elsewhere(type: Meant, name: string): DefinitionPlace[] {
    const tree = this.#tree;
    const { family } = rulesOf(tree.languageOf(type.file));
    if (!scattered.has(family)) return [];
    const typeName = tree.symbolsOf(type.file)[type.symbol]!.name;
    const folder = folderOf(tree.pathOf(type.file));
    const others = tree.definitions(name, tree.revisionOf(type.file)).filter(({ file, kind }) => {
      if (file === type.file || rulesOf(tree.languageOf(file)).family !== family) return false;
      return family === 'go' ? kind === 'method' && folderOf(tree.pathOf(file)) === folder : true;
    });
    return others.slice(0, LOOKS_MAX).filter((place) => this.#ownerOf(place) === typeName);
  }

  #ownerOf({ file, symbol }: Meant): string | null {
    const key = `${file} ${symbol}`;
    let owner = this.#owners.get(key);
    if (owner === undefined) {
      owner = ownerOf(this.#tree, file, symbol);
      if (this.#owners.size >= OWNERS_KEPT) this.#owners.clear();
      this.#owners.set(key, owner);
    }
    return owner;
  }
}

function onceEach(found: readonly Resolved[]): Resolved[] {
  const seen = new Set<string>();
  return found.filter(({ file, symbol }) => {
    const key = `${file} ${symbol}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Name of the type that a member belongs to; null for none. */
export function ownerOf(tree: ResolverTree, file: number, symbol: number): string | null {
  const symbols = tree.symbolsOf(file);
  const { parent, start, nameStart } = symbols[symbol]!;
  const around = symbols[parent];
  if (around !== undefined) return isType(around.kind) || isHolder(around.kind) ? around.name : null;
  // A method whose type is in another file: the receiver in front of its name is a use of the type.
  const receiver = tree
    .referencesOf(file)
    .find((use) => use.from === symbol && use.kind === 'type' && use.start >= start && use.start < nameStart);
  return receiver?.name ?? null;
}
