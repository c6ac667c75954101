import type { GraphView } from './graph-view.ts';
import { goPathOf } from './resolver/go-modules.ts';
import { rulesOf } from './resolver/language-rules.ts';
import { namespaceName } from './resolver/module-targets.ts';
import { folderOf } from './resolver/paths.ts';
import type { Meant } from './resolver/types.ts';

/** What others write to import a file: whole names, and beginnings of names. */
export interface ModuleNames {
  exact: ReadonlySet<string>;
  prefixes: ReadonlySet<string>;
}

/** By which module names a definition's file, or what hands it on, is imported from outside of its repository. */
export function moduleNamesOf(view: GraphView, { file, symbol }: Meant): ModuleNames {
  const exact = new Set<string>();
  const prefixes = new Set<string>();
  const path = view.pathOf(file);
  const revision = view.revisionOf(file);
  switch (rulesOf(view.languageOf(file)).modules) {
    case 'ecmascript': {
      const name = view.packages.around(revision, path, 'npm')?.fact.name;
      if (name != null) addWithin(name, '/');
      break;
    }
    case 'go': {
      const name = goPathOf(view, file);
      if (name !== null) exact.add(name);
      break;
    }
    case 'python':
      // A package hands on what its modules define.
      for (
        let name = pythonModuleOf(view, file);
        name !== '';
        name = name.slice(0, Math.max(0, name.lastIndexOf('.')))
      )
        exact.add(name);
      break;
    case 'rust': {
      const name = view.packages.around(revision, path, 'cargo')?.fact.name;
      if (name != null) addWithin(name.replaceAll('-', '_'), '::');
      break;
    }
    case 'ruby': {
      const within = /(?:^|\/)lib\/(.+)\.rb$/.exec(path)?.[1];
      for (let name = within ?? ''; name !== ''; name = folderOf(name).slice(0, -1)) exact.add(name);
      break;
    }
    case 'namespace': {
      const namespace = namespaceName(view.namespaceOf(file) ?? '');
      if (namespace === '') break;
      const type = topNameOf(view, file, symbol);
      for (const name of type === null ? [namespace] : [namespace, `${namespace}.${type}`]) {
        exact.add(name);
        exact.add(name.replaceAll('.', '\\'));
      }
      break;
    }
    default:
  }
  return { exact, prefixes };

  function addWithin(name: string, separator: string): void {
    exact.add(name);
    prefixes.add(name + separator);
  }
}

/** Best ranks of texts that import by one of the names. */
export function importingTexts(view: GraphView, { exact, prefixes }: ModuleNames): Set<number> {
  const found = view.names.importers(exact);
  for (const prefix of prefixes) {
    for (const ranks of view.names.modulesLike(prefix, 'prefix').values())
      for (const rank of ranks) found.add(rank);
  }
  return found;
}

/** `a.b.c` of `src/a/b/c.py`, from the outermost folder that is a package. */
export function pythonModuleOf(view: GraphView, file: number): string {
  const path = view.pathOf(file);
  const revision = view.revisionOf(file);
  const parts = [path.slice(path.lastIndexOf('/') + 1).replace(/\.pyi?$/, '')];
  if (parts[0] === '__init__') parts.pop();
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder.slice(0, -1))) {
    if (view.fileAt(revision, `${folder}__init__.py`) === 0) break;
    parts.unshift(folder.slice(folderOf(folder.slice(0, -1)).length, -1));
  }
  return parts.join('.');
}

/** Name of the outermost definition around a symbol, namespaces left out; null for a file. */
export function topNameOf(view: GraphView, file: number, symbol: number): string | null {
  const symbols = view.symbolsOf(file);
  let name: string | null = null;
  for (let at = symbol; at >= 0; at = symbols[at]!.parent) {
    const { kind } = symbols[at]!;
    if (kind !== 'namespace' && kind !== 'package') name = symbols[at]!.name;
  }
  return name;
}
