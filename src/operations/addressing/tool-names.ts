/**
 * Names that agents know from elsewhere, and the operation that does what they mean. Guard 1 takes them; tools/list shows only ours.
 * `rename` moves parameters whose names differ.
 */
interface Alias {
  to: string;
  rename?: Readonly<Record<string, string>>;
}

const aliases: Readonly<Record<string, Alias>> = {
  grep: {
    to: 'scan_directory',
    rename: { query: 'pattern', regex: 'pattern', include: 'file', glob: 'file' },
  },
  ripgrep: {
    to: 'scan_directory',
    rename: { query: 'pattern', regex: 'pattern', include: 'file', glob: 'file' },
  },
  search_code: { to: 'scan_directory', rename: { query: 'pattern', q: 'pattern', regex: 'pattern' } },
  code_search: { to: 'scan_directory', rename: { query: 'pattern', q: 'pattern', regex: 'pattern' } },
  search_files: { to: 'scan_directory', rename: { query: 'pattern', regex: 'pattern' } },
  search: { to: 'scan_directory', rename: { query: 'pattern', q: 'pattern' } },
  find_definitions: {
    to: 'scan_directory',
    rename: { query: 'pattern', symbol: 'pattern', name: 'pattern' },
  },
  find_references: { to: 'scan_directory', rename: { query: 'pattern', symbol: 'pattern', name: 'pattern' } },
  find_symbol: { to: 'scan_directory', rename: { query: 'pattern', symbol: 'pattern', name: 'pattern' } },
  glob: { to: 'list_directory', rename: { pattern: 'file', glob: 'file' } },
  find_files: { to: 'list_directory', rename: { pattern: 'file', glob: 'file', query: 'file' } },
  find_file: { to: 'list_directory', rename: { pattern: 'file', name: 'file', query: 'file' } },
  ls: { to: 'list_directory' },
  list_dir: { to: 'list_directory' },
  list_files: { to: 'list_directory' },
  list_tree: { to: 'list_directory' },
  tree: { to: 'list_directory' },
  cat: { to: 'read_file' },
  view: { to: 'read_file' },
  view_file: { to: 'read_file' },
  open_file: { to: 'read_file' },
  read: { to: 'read_file' },
  get_file: { to: 'fetch_file' },
  get_file_contents: { to: 'fetch_file' },
  list_repos: { to: 'codesearch_repos' },
  list_repositories: { to: 'codesearch_repos' },
  search_repositories: { to: 'codesearch_repos' },
  search_repos: { to: 'codesearch_repos' },
  repos: { to: 'codesearch_repos' },
  git_log: { to: 'history' },
  git_blame: { to: 'history' },
  git_show: { to: 'history' },
  list_commits: { to: 'history' },
  get_commit: { to: 'history' },
  blame: { to: 'history' },
};

/** What a kind of history is called under another tool's name. */
const impliedKind: Readonly<Record<string, string>> = {
  git_blame: 'blame',
  blame: 'blame',
  git_show: 'diff',
  get_commit: 'diff',
};

export interface RoutedName {
  name: string;
  input: unknown;
  note: string | null;
}

export function isKnownAlias(name: string): boolean {
  return Object.hasOwn(aliases, plainName(name));
}

/** The operation meant by `name`; `null` where nobody could tell. */
export function routeName(
  name: string,
  input: unknown,
  operationNames: ReadonlySet<string>,
): RoutedName | null {
  if (operationNames.has(name)) return { name, input, note: null };
  const plain = plainName(name);
  if (operationNames.has(plain)) return { name: plain, input, note: null };
  const alias = Object.hasOwn(aliases, plain) ? aliases[plain] : undefined;
  if (!alias) return null;
  const renamed = renameKeys(input, alias.rename ?? {});
  const kind = impliedKind[plain];
  const filled = kind && isRecord(renamed) && renamed['kind'] === undefined ? { ...renamed, kind } : renamed;
  return {
    name: alias.to,
    input: filled,
    note: `There is no tool ${name} here; ${alias.to} answered instead.`,
  };
}

/** Clients prefix names with their server's (`mcp__periscope__read_file`) and models write dashes and capitals. */
function plainName(name: string): string {
  return name
    .replace(/^.*(?:__|[./:])/, '')
    .replaceAll('-', '_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();
}

function renameKeys(input: unknown, rename: Readonly<Record<string, string>>): unknown {
  if (!isRecord(input)) return input;
  const renamed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(input)) {
    const target = Object.hasOwn(rename, key) ? rename[key]! : key;
    if (renamed[target] === undefined) renamed[target] = value;
  }
  return renamed;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
