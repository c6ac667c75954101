import type { ScopeRepository } from '../engine/types.ts';
import { queryToZoekt } from '../queries/query-to-zoekt.ts';
import type { QueryNode, TextPattern } from '../queries/types.ts';
import { compileRegex } from '../regex/regex.ts';
import type { ZoektRepository } from './zoekt-answers.ts';

/** A repository of the scope that a server has. */
export interface ServedRepository {
  repository: ScopeRepository;
  zoekt: ZoektRepository;
  /** The one branch to look into; null is all of them. */
  branch: string | null;
}

/** What to ask a server, and where. */
export interface ScopedQuery {
  /** Those that the query can fit. */
  repositories: readonly ServedRepository[];
  /** Null if the query fits nothing here. */
  request: { Q: string; RepoIDs?: number[] } | null;
}

/**
 * The query over the given repositories of one server and no others. What it says of repositories is worked out here, where their
 * names and hosts are ours, and not zoekt's.
 */
export function scopedQuery(query: QueryNode, served: readonly ServedRepository[]): ScopedQuery {
  const repositories = served.filter(({ repository, zoekt }) => {
    const branches = zoekt.branches.map(({ name }) => name);
    return couldFit(query, repository, branches);
  });
  const decided = decide(query, repositories);
  if (decided === false || repositories.length === 0) return { repositories, request: null };
  const text = decided === true ? '' : ` ${queryToZoekt(decided)}`;
  const ids = repositories.map(({ zoekt }) => zoekt.id);
  const areIdsGood = ids.every((id) => id > 0) && new Set(ids).size === ids.length;
  if (areIdsGood && text !== '' && repositories.every(({ branch }) => branch === null)) {
    return { repositories, request: { Q: text.trim(), RepoIDs: ids } };
  }
  return { repositories, request: { Q: whereIn(repositories) + text } };
}

function whereIn(repositories: readonly ServedRepository[]): string {
  const groups = new Map<string | null, string[]>();
  for (const { zoekt, branch } of repositories)
    groups.set(branch, [...(groups.get(branch) ?? []), zoekt.name]);
  const nodes = [...groups].map(([branch, names]): QueryNode => {
    const named = repositoryNamed(names);
    if (branch === null) return named;
    return { kind: 'all', of: [named, { kind: 'branch', pattern: exactly(branch) }] };
  });
  return queryToZoekt(nodes.length === 1 ? nodes[0]! : { kind: 'any', of: nodes });
}

function repositoryNamed(names: readonly string[]): QueryNode {
  const escaped = names.map((name) => name.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'));
  const source = `^(?:${escaped.join('|')})$`;
  return { kind: 'repository', pattern: { source, literal: false, ignoreCase: false } };
}

function exactly(text: string): TextPattern {
  return { source: text, literal: true, ignoreCase: false };
}

/** The query with what it says of repositories and branches in zoekt's names; true or false where that decides it. */
function decide(node: QueryNode, served: readonly ServedRepository[]): QueryNode | boolean {
  switch (node.kind) {
    case 'everything':
      return true;
    case 'all':
    case 'any': {
      const decisive = node.kind === 'any';
      const parts = node.of.map((part) => decide(part, served));
      if (parts.includes(decisive)) return decisive;
      const open = parts.filter((part) => typeof part !== 'boolean');
      if (open.length === 0) return !decisive;
      return open.length === 1 ? open[0]! : { kind: node.kind, of: open };
    }
    case 'not': {
      const inner = decide(node.of, served);
      return typeof inner === 'boolean' ? !inner : { kind: 'not', of: inner };
    }
    case 'repository':
    case 'archived':
    case 'fork': {
      const fitting = served.filter(({ repository }) => fits(node, repository));
      if (fitting.length === served.length) return true;
      return fitting.length === 0 ? false : repositoryNamed(fitting.map(({ zoekt }) => zoekt.name));
    }
    case 'branch': {
      const names = new Set(served.flatMap(({ zoekt }) => zoekt.branches.map(({ name }) => name)));
      const matches = matcher(node.pattern);
      const fitting = [...names].filter(matches);
      if (fitting.length === names.size) return true;
      if (fitting.length === 0) return false;
      return { kind: 'any', of: fitting.map((name) => ({ kind: 'branch', pattern: exactly(name) })) };
    }
    default:
      return node;
  }
}

/** Whether what a query demands of repositories leaves this one in. `branches` are its indexed ones; null if it has none yet. */
export function couldFit(
  node: QueryNode,
  repository: ScopeRepository,
  branches: readonly string[] | null,
): boolean {
  switch (node.kind) {
    case 'all':
      return node.of.every((part) => couldFit(part, repository, branches));
    case 'any':
      return node.of.some((part) => couldFit(part, repository, branches));
    case 'not':
      return !isAboutRepositories(node.of) || !couldFit(node.of, repository, branches);
    case 'repository':
    case 'archived':
    case 'fork':
      return fits(node, repository);
    case 'branch':
      return branches === null || branches.some(matcher(node.pattern));
    default:
      return true;
  }
}

function isAboutRepositories(node: QueryNode): boolean {
  if (node.kind === 'all' || node.kind === 'any') return node.of.every(isAboutRepositories);
  if (node.kind === 'not') return isAboutRepositories(node.of);
  return node.kind === 'repository' || node.kind === 'archived' || node.kind === 'fork';
}

function fits(
  node: Extract<QueryNode, { kind: 'repository' | 'archived' | 'fork' }>,
  { host, name, archived, fork }: ScopeRepository,
): boolean {
  if (node.kind === 'archived') return archived === node.is;
  if (node.kind === 'fork') return fork === node.is;
  const matches = matcher(node.pattern);
  return matches(name) || matches(`${host}/${name}`);
}

const matchers = new WeakMap<TextPattern, (text: string) => boolean>();

function matcher(pattern: TextPattern): (text: string) => boolean {
  let matches = matchers.get(pattern);
  if (!matches) {
    const regex = compileRegex(pattern.source, pattern);
    matches = (text) => regex.test(Buffer.from(text));
    matchers.set(pattern, matches);
  }
  return matches;
}

/** Which branches the whole query allows, where it says so of all that it fits: zoekt takes part of a name for the whole. */
export function branchFilter(query: QueryNode): (branch: string) => boolean {
  const parts = query.kind === 'all' ? query.of : [query];
  const patterns = parts.flatMap((part) => (part.kind === 'branch' ? [matcher(part.pattern)] : []));
  return (branch) => patterns.every((matches) => matches(branch));
}
