import type { CapturedFile } from './captured-file.ts';
import type { SyntaxTree } from './syntax-tree.ts';

export interface Bindings {
  /** What binds a name where a node stands, null where nothing local does. */
  find(name: string, node: number): { type: string | null } | null;
}

interface Binding {
  /** Nodes for which it holds. */
  from: number;
  until: number;
  type: string | null;
}

/** Names that parameters, local variables and the like bind, each in the innermost scope around it, wherever in the scope it stands. */
export function bindLocals(
  tree: SyntaxTree,
  captured: CapturedFile,
  typeName: (text: string) => string | null,
  isSymbol: (node: number) => boolean,
): Bindings {
  const scopes = Int32Array.from(captured.scopes).sort();
  const locals = [...captured.locals].sort((a, b) => a.name - b.name);
  const byName = new Map<string, Binding[]>();
  const open: number[] = [];
  let next = 0;
  for (const { name, type } of locals) {
    while (next < scopes.length && scopes[next]! <= name) open.push(scopes[next++]!);
    while (open.length > 0 && name >= tree.next[open[open.length - 1]!]!) open.pop();
    const scope = open[open.length - 1];
    // At the top of a file a name is a definition or nothing, and so it is in a function that wraps a whole file.
    if (scope === undefined || isSymbol(name)) continue;
    const text = tree.textOf(name);
    const bindings = byName.get(text) ?? [];
    byName.set(text, bindings);
    const declared = type < 0 ? null : typeName(tree.textOf(type));
    const same = bindings.find(({ from }) => from === scope);
    if (same === undefined) bindings.push({ from: scope, until: tree.next[scope]!, type: declared });
    else same.type ??= declared;
  }
  return {
    find(name, node) {
      const bindings = byName.get(name);
      if (bindings === undefined) return null;
      let found: Binding | null = null;
      for (const binding of bindings) {
        if (binding.from <= node && node < binding.until && (found === null || binding.from > found.from)) {
          found = binding;
        }
      }
      return found;
    },
  };
}
