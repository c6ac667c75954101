/**
 * Names that agents know from elsewhere, and the operation that does what they mean. Guard 1 takes them; tools/list shows only ours.
 * `rename` moves parameters whose names differ.
 */
interface Alias {
  to: string;
  rename?: Readonly<Record<string, string>>;
  /** What the other tool does without being told, where the call says nothing of it. */
  fill?: Readonly<Record<string, string>>;
}

/** Says already how the text is meant: nothing is filled in then. */
const modeWords = ['mode', 'regex', 'is_regex', 'literal', 'fixed_strings', 'fixedStrings'];

const aliases: Readonly<Record<string, Alias>> = {
  grep: { to: 'codesearch', fill: { mode: 'regex' } },
  ripgrep: { to: 'codesearch', fill: { mode: 'regex' } },
  rg: { to: 'codesearch', fill: { mode: 'regex' } },
  grep_search: { to: 'codesearch', fill: { mode: 'regex' } },
  search_code: { to: 'codesearch' },
  code_search: { to: 'codesearch' },
  search_files: { to: 'codesearch' },
  semantic_search: { to: 'search' },
  semantic_code_search: { to: 'search' },
  search_by_meaning: { to: 'search' },
  codebase_search: { to: 'search' },
  find_relevant_code: { to: 'search' },
  vector_search: { to: 'search' },
  zoekt_search: { to: 'codesearch' },
  search_commits: { to: 'codesearch' },
  find_symbol: { to: 'graph', fill: { relation: 'definitions' } },
  search_symbols: { to: 'graph', fill: { relation: 'definitions' } },
  workspace_symbols: { to: 'graph', fill: { relation: 'definitions' } },
  find_definition: { to: 'graph', fill: { relation: 'definitions' } },
  find_definitions: { to: 'graph', fill: { relation: 'definitions' } },
  go_to_definition: { to: 'graph', fill: { relation: 'definitions' } },
  goto_definition: { to: 'graph', fill: { relation: 'definitions' } },
  get_definition: { to: 'graph', fill: { relation: 'definitions' } },
  find_reference: { to: 'graph', fill: { relation: 'references' } },
  find_references: { to: 'graph', fill: { relation: 'references' } },
  find_all_references: { to: 'graph', fill: { relation: 'references' } },
  find_usages: { to: 'graph', fill: { relation: 'references' } },
  get_references: { to: 'graph', fill: { relation: 'references' } },
  find_callers: { to: 'graph', fill: { relation: 'callers' } },
  find_callees: { to: 'graph', fill: { relation: 'callees' } },
  call_hierarchy: { to: 'graph', fill: { relation: 'callers' } },
  incoming_calls: { to: 'graph', fill: { relation: 'callers' } },
  outgoing_calls: { to: 'graph', fill: { relation: 'callees' } },
  find_implementations: { to: 'graph', fill: { relation: 'subtypes' } },
  go_to_implementation: { to: 'graph', fill: { relation: 'subtypes' } },
  type_hierarchy: { to: 'graph', fill: { relation: 'supertypes' } },
  document_symbols: { to: 'graph', fill: { relation: 'outline' } },
  get_symbols_overview: { to: 'graph', fill: { relation: 'outline' } },
  find_dependents: { to: 'graph', fill: { relation: 'dependents' } },
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
  // Who greps below one directory of one repository wants all of it, index or not.
  const isScan = alias.to === 'codesearch' && namesOneDirectory(input);
  const to = isScan ? 'scan_directory' : alias.to;
  const renamed = renameKeys(input, isScan ? scanWords : (alias.rename ?? {}));
  const kind = impliedKind[plain];
  const fill = { ...(isScan ? {} : alias.fill), ...(kind ? { kind } : {}) };
  return {
    name: to,
    input: filled(renamed, fill),
    note: `There is no tool ${name} here; ${to} answered instead.`,
  };
}

const scanWords = { query: 'pattern', q: 'pattern', regex: 'pattern', include: 'file', glob: 'file' };

function namesOneDirectory(input: unknown): boolean {
  if (!isRecord(input)) return false;
  const repo = input['repo'] ?? input['repository'];
  const path = input['path'] ?? input['directory'] ?? input['dir'];
  return (
    typeof repo === 'string' &&
    !/[*?,]/.test(repo) &&
    typeof path === 'string' &&
    !/^[./]*$/.test(path) &&
    !/[*?]/.test(path)
  );
}

function filled(input: unknown, fill: Readonly<Record<string, string>>): unknown {
  if (!isRecord(input)) return input;
  const missing = Object.entries(fill).filter(
    ([key]) => input[key] === undefined && (key !== 'mode' || !modeWords.some((word) => word in input)),
  );
  return missing.length === 0 ? input : { ...input, ...Object.fromEntries(missing) };
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
