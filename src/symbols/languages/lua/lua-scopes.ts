import type { SymbolDraft } from '../../scanning/facts-draft.ts';

interface Scope {
  kind: string;
  names: Map<string, string | null> | null;
  symbol: SymbolDraft | null;
  /** The table that a method belongs to. */
  owner: string | null;
  functions: number;
}

/** Blocks that are open, and what they bind: in Lua a name is bound before it is used. */
export interface Scopes {
  open(kind: string, symbol: SymbolDraft | null, owner: string | null): void;
  close(): { symbol: SymbolDraft | null } | null;
  bind(name: string, type: string | null): void;
  /** What the block that opens next binds. */
  bindInNext(names: readonly string[]): void;
  find(name: string): { type: string | null } | undefined;
  isInFunction(): boolean;
  isTop(): boolean;
}

export function createScopes(): Scopes {
  const scopes: Scope[] = [];
  /** For each name its bindings, innermost last. */
  const bound = new Map<string, { type: string | null }[]>();
  let next: readonly string[] = [];
  const bind = (name: string, type: string | null) => {
    const scope = scopes[scopes.length - 1];
    if (scope === undefined) return;
    scope.names ??= new Map();
    const stack = bound.get(name) ?? [];
    bound.set(name, stack);
    if (scope.names.has(name)) stack[stack.length - 1] = { type };
    else stack.push({ type });
    scope.names.set(name, type);
  };
  return {
    open(kind, symbol, owner) {
      const functions = (scopes[scopes.length - 1]?.functions ?? 0) + (kind === 'function' ? 1 : 0);
      scopes.push({ kind, names: null, symbol, owner, functions });
      if (kind !== 'do') return;
      for (const name of next) bind(name, null);
      next = [];
    },
    close() {
      const scope = scopes.pop();
      if (scope === undefined) return null;
      for (const name of scope.names?.keys() ?? []) bound.get(name)!.pop();
      return scope;
    },
    bind,
    bindInNext(names) {
      next = names;
    },
    find(name) {
      const stack = bound.get(name);
      return stack?.[stack.length - 1];
    },
    isInFunction: () => (scopes[scopes.length - 1]?.functions ?? 0) > 0,
    isTop: () => scopes.length === 0,
  };
}
