import type { DependencyFact, PackageFact } from '../../search/index.ts';
import { type TomlValue, tomlEntries } from './toml-entries.ts';

const scopes: Record<string, DependencyFact['scope']> = {
  dependencies: 'run',
  'dev-dependencies': 'dev',
  'build-dependencies': 'build',
};

interface Declared {
  key: string;
  scope: DependencyFact['scope'];
  line: number;
  said: Map<string, TomlValue>;
}

/** Rust's Cargo.toml. `extra`: members of a workspace, the library's own name and path, what crates are renamed to, folders of crates. */
export function readCargoToml(text: string): PackageFact {
  let name: string | null = null;
  let version: string | null = null;
  const extra: Record<string, unknown> = {};
  const declared = new Map<string, Declared>();
  for (const { path, value, line } of tomlEntries(text)) {
    const [table, key] = path;
    if (table === 'package' && key === 'name' && typeof value === 'string') name = value;
    else if (table === 'package' && key === 'version' && typeof value === 'string') version = value;
    else if (table === 'lib' && (key === 'name' || key === 'path')) {
      extra['lib'] = { ...(extra['lib'] as object | undefined), [key]: value };
    } else if (table === 'workspace' && (key === 'members' || key === 'exclude')) extra[key] = value;
    const section = dependencyTable(path);
    if (section === null || key === undefined) continue;
    const [scope, crate, ...field] = section;
    const id = `${scope} ${crate}`;
    const one = declared.get(id) ?? { key: crate, scope: scopes[scope]!, line, said: new Map() };
    declared.set(id, one);
    if (field.length > 0) one.said.set(field.join('.'), value);
    else if (typeof value === 'string') one.said.set('version', value);
    else if (typeof value === 'object' && !Array.isArray(value)) {
      for (const [said, content] of Object.entries(value)) one.said.set(said, content);
    }
  }
  const renamed: Record<string, string> = {};
  const folders: Record<string, string> = {};
  const dependencies = [...declared.values()].map(({ key, scope, line, said }): DependencyFact => {
    const crate = said.get('package');
    const folder = said.get('path');
    const written = said.get('version');
    const real = typeof crate === 'string' ? crate : key;
    if (real !== key) renamed[key] = real;
    if (typeof folder === 'string') folders[real] = folder;
    return {
      name: real,
      version: typeof written === 'string' ? written : '',
      scope: said.get('optional') === true ? 'optional' : scope,
      line,
    };
  });
  if (Object.keys(renamed).length > 0) extra['renamed'] = renamed;
  if (Object.keys(folders).length > 0) extra['folders'] = folders;
  return {
    ecosystem: 'cargo',
    name,
    version,
    dependencies,
    extra: Object.keys(extra).length > 0 ? JSON.stringify(extra) : null,
  };
}

/** `[target.'cfg(unix)'.dependencies]` and `[workspace.dependencies]` hold dependencies, too: scope, crate and what is said of it. */
function dependencyTable(path: readonly string[]): [string, string, ...string[]] | null {
  const at = path[0] === 'target' ? 2 : path[0] === 'workspace' ? 1 : 0;
  const scope = path[at];
  const crate = path[at + 1];
  if (scope === undefined || crate === undefined || !Object.hasOwn(scopes, scope)) return null;
  return [scope, crate, ...path.slice(at + 2)];
}
