import { z } from 'zod';
import { directionWords, relationWords } from './graph/relation-words.ts';

/** Parameters that several operations share: one wording, one meaning. */
export const repositoryParam = z
  .string()
  .max(2000)
  .optional()
  .describe(
    'Repository: "owner/name", a short name when it is unique, "@repo:name", or a clone or browse URL.',
  );

export const pathParam = z
  .string()
  .max(4096)
  .optional()
  .describe('Path from the root of the repository, for example "src/auth/token.ts". "" is the root.');

export const revisionParam = z
  .string()
  .max(500)
  .optional()
  .describe('Branch, tag or commit. Default: the default branch.');

export const maxTokensParam = z
  .int()
  .min(100)
  .optional()
  .describe('Longest answer, in tokens. Default about 2000.');

export const cursorParam = z
  .string()
  .max(30_000)
  .optional()
  .describe('From an earlier answer that was cut: continues it. No other parameter is needed then.');

export const repositoryFilterParam = z
  .array(z.string().max(2000))
  .max(200)
  .optional()
  .describe(
    'Where: ["payments"], ["acme/*"], ["acme/payments@v2"], ["!acme/legacy"]. Default: every repository.',
  );

export const languageFilterParam = z
  .array(z.string().max(100))
  .max(20)
  .optional()
  .describe('Languages or extensions: ["go", "tsx"].');

export const fileFilterParam = z
  .array(z.string().max(500))
  .max(50)
  .optional()
  .describe('Globs over paths: ["*.yaml"] at any depth, ["src/**"], ["!**/*.test.ts"] to leave out.');

/** Of every operation that looks into one repository. */
export const targetParams = { repo: repositoryParam, path: pathParam, revision: revisionParam };

/** Of every operation. */
export const answerParams = { max_tokens: maxTokensParam, cursor: cursorParam };

/** Of the operations that look into one repository. */
export const targetShape = {
  repository: z.string(),
  revision: z.string(),
  commit: z.string(),
  path: z.string(),
};

/** Of the operations that read one file: what stands there, and lines only when it is text. */
export const documentShape = {
  ...targetShape,
  permalink: z.string().nullable(),
  kind: z.enum(['text', 'binary', 'lfs-pointer', 'symlink', 'submodule', 'directory']),
  encoding: z.string().nullable(),
  sizeBytes: z.number().nullable(),
  lineCount: z.number().nullable(),
};

/** Names that models give to a parameter of ours. Applied only where the operation has the parameter and the call lacks it. */
export const parameterAliases: Readonly<Record<string, readonly string[]>> = {
  repo: [
    'repository',
    'repo_name',
    'repository_name',
    'repoName',
    'repos',
    'repositories',
    'project',
    'full_name',
  ],
  path: [
    'file_path',
    'filePath',
    'filepath',
    'filename',
    'file_name',
    'dir',
    'directory',
    'directory_path',
    'folder',
    'file',
  ],
  name: [
    'symbol',
    'symbol_name',
    'symbolName',
    'identifier',
    'ident',
    'function',
    'function_name',
    'class',
    'class_name',
    'method',
    'target',
    'package',
    'query',
    'q',
    'pattern',
    'text',
    'hit',
    'place',
    'from',
  ],
  symbol: ['symbol_name', 'symbolName', 'name', 'identifier', 'function', 'class', 'method', 'definition'],
  relation: ['relationship', 'relations', 'edge', 'edge_type', 'type', 'mode', 'action', 'operation', 'find'],
  line: ['line_number', 'lineNumber', 'row', 'offset', 'start_line', 'startLine'],
  column: ['col', 'column_number'],
  depth: ['levels', 'hops', 'steps', 'max_depth', 'maxDepth'],
  within: ['in', 'in_repo', 'in_repos', 'scope', 'filter_repo', 'repo_filter', 'target_repo'],
  outline: ['symbols', 'with_symbols', 'show_symbols', 'with_outline'],
  format: ['output_format', 'as'],
  revision: ['ref', 'branch', 'rev', 'commit', 'sha', 'tag', 'version'],
  pattern: ['query', 'regex', 'search', 'q', 'text', 'symbol', 'name'],
  question: [
    'query',
    'q',
    'search',
    'text',
    'prompt',
    'description',
    'search_query',
    'searchQuery',
    'what',
    'intent',
  ],
  contains: ['pickaxe', 'S', 'string', 'query', 'text', 'search'],
  query: [
    'q',
    'name',
    'search',
    'filter',
    'pattern',
    'text',
    'term',
    'keyword',
    'keywords',
    'symbol',
    'string',
    'search_query',
    'searchQuery',
    'repo',
    'repository',
    'owner',
    'org',
  ],
  file: [
    'files',
    'glob',
    'globs',
    'include',
    'includes',
    'file_pattern',
    'file_filter',
    'filePattern',
    'filename',
    'file_name',
    'path',
    'paths',
    'file_path',
    'path_filter',
    'directory',
    'dir',
    'folder',
    'pattern',
  ],
  lang: ['language', 'languages', 'langs', 'type', 'file_type', 'fileType', 'extension', 'ext'],
  max_files: [
    'limit',
    'max_results',
    'maxResults',
    'count',
    'num_results',
    'per_page',
    'head_limit',
    'max_count',
    'top_k',
    'n',
    'size',
  ],
  output: ['output_mode', 'outputMode'],
  offset: ['start_line', 'startLine', 'start', 'line', 'from_line', 'from', 'line_start'],
  limit: [
    'count',
    'max_results',
    'num_lines',
    'lines',
    'per_page',
    'max_lines',
    'head_limit',
    'max_count',
    'n',
  ],
  max_tokens: ['maxTokens', 'token_budget'],
  ignore_case: ['ignoreCase', 'case_insensitive', 'i', '-i'],
  context: [
    'context_lines',
    'contextLines',
    'C',
    '-C',
    'A',
    '-A',
    'B',
    '-B',
    'before_context',
    'after_context',
    'lines_of_context',
  ],
  exact: ['exact_counts', 'count_all', 'exhaustive'],
};

/** Other words for a value; blanks and dashes in what is given may stand as underscores here. */
export const valueAliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  relation: relationWords,
  direction: directionWords,
  kind: {
    log: 'commits',
    history: 'commits',
    show: 'diff',
    patch: 'diff',
    annotate: 'blame',
    codeowners: 'owners',
  },
  mode: {
    text: 'literal',
    plain: 'literal',
    string: 'literal',
    exact: 'literal',
    keyword: 'literal',
    fixed: 'literal',
    substring: 'literal',
    regexp: 'regex',
    regular_expression: 'regex',
    standard: 'auto',
    default: 'auto',
  },
  case: {
    true: 'yes',
    sensitive: 'yes',
    false: 'no',
    insensitive: 'no',
    ignore: 'no',
    any: 'no',
    smart: 'auto',
    default: 'auto',
  },
  output: {
    content: 'lines',
    matches: 'lines',
    snippets: 'lines',
    text: 'lines',
    line: 'lines',
    files_with_matches: 'files',
    file: 'files',
    paths: 'files',
    names: 'files',
    counts: 'count',
    repo: 'repos',
    repositories: 'repos',
  },
};

/**
 * Switches that models know under the opposite name or in another measure: the parameters of ours and the values that are meant.
 * Those that the operation has are taken; none at all means that nothing needs to be said.
 */
export const switchAliases: Readonly<Record<string, (value: unknown) => readonly [string, unknown][]>> = {
  case_sensitive: (value) => [
    ['ignore_case', isOff(value)],
    ['case', isOff(value) ? 'no' : 'yes'],
  ],
  ignore_case: letterCase,
  ignoreCase: letterCase,
  case_insensitive: letterCase,
  i: letterCase,
  '-i': letterCase,
  regex: regexMode,
  regexp: regexMode,
  is_regex: regexMode,
  isRegex: regexMode,
  use_regex: regexMode,
  literal: (value) => (isOff(value) ? [] : [['mode', 'literal']]),
  fixed_strings: (value) => (isOff(value) ? [] : [['mode', 'literal']]),
  fixedStrings: (value) => (isOff(value) ? [] : [['mode', 'literal']]),
  recursive: (value) => (value === true || value === 'true' ? [['depth', 20]] : []),
};

function letterCase(value: unknown): readonly [string, unknown][] {
  return isOff(value) ? [] : [['case', 'no']];
}

/** `regex: true`, or the expression itself. */
function regexMode(value: unknown): readonly [string, unknown][] {
  if (isOff(value)) return [['mode', 'literal']];
  const isExpression = typeof value === 'string' && value !== 'true';
  return isExpression
    ? [
        ['query', value],
        ['mode', 'regex'],
      ]
    : [['mode', 'regex']];
}

function isOff(value: unknown): boolean {
  return value === false || value === 'false';
}

/** An inclusive end in place of a count. */
export const endLineAliases: readonly string[] = ['end_line', 'endLine', 'to_line', 'line_end', 'end'];
