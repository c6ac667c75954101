import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { PeriscopeError } from '../../base/errors.ts';
import type { Repository } from '../../catalog/index.ts';
import type { Content, ContentPolicy } from '../../content/index.ts';
import type { Indexing } from '../../indexing/index.ts';
import type { Mirror } from '../../mirrors/index.ts';
import {
  type CodeSearch,
  type FoundFile,
  type FoundPlace,
  type IndexedRevision,
  type ParsedQuery,
  parseQuery,
  type QueryNode,
  type Scope,
  type SearchAnswer,
  type SearchOutput,
  type SearchPosition,
  type SearchRequest,
} from '../../search/index.ts';
import type { Address } from '../addressing/address.ts';
import { resolveAddress } from '../addressing/revisions.ts';
import { revisionNotIndexable, revisionNowhere, symbolsNotIndexed, tooManyRevisions } from '../errors.ts';
import { askedScope } from './asked-scope.ts';
import { nameFits, repositoryFilter } from './commit-query.ts';
import { maskedFile } from './masked-lines.ts';

/** A search as it is asked, before anything of it is understood. */
export interface CodeQuery {
  query: string;
  mode: 'auto' | 'literal' | 'regex';
  case: 'auto' | 'yes' | 'no';
  /** Names as people write them; none is every visible repository. */
  repo: readonly string[];
  file: readonly string[];
  lang: readonly string[];
  revision: string | undefined;
  /** Null: as the query says, else lines. */
  output: SearchOutput | null;
  filesMax: number;
  linesPerFileMax: number;
  contextLines: number;
  exact: boolean;
  after: SearchPosition | null;
  /** Null is the configured one. */
  budgetMs: number | null;
}

/** A query that is understood: what is looked for, and where. */
export interface PreparedSearch {
  asked: CodeQuery;
  parsed: ParsedQuery;
  output: SearchOutput;
  /** How it was understood, one line. */
  reading: string;
  /** Where it looks, in the order in which documents rank. */
  repositories: readonly Repository[];
  scope: Scope;
  /** By repository: what is looked into instead of the indexed branches. */
  revisions: ReadonlyMap<number, string>;
  notes: readonly string[];
}

export interface CodeFindings {
  /** Of `files` and `also` those that the content door lets out. */
  answer: SearchAnswer;
  /** Where each of the files stood in the engine's answer, and how many there were. */
  indexes: readonly number[];
  filesFound: number;
  /** Every repository that the answer may name. */
  repositories: ReadonlyMap<number, Repository>;
  notes: readonly string[];
}

/** For surfaces that speak another protocol: the engine's own answer, within what the asker may see. */
export interface FoundCode {
  prepared: PreparedSearch;
  answer: SearchAnswer;
  repositories: ReadonlyMap<number, Repository>;
  notes: readonly string[];
}

/** Digests of what is visible alone. */
interface ScopeState {
  repositories: string;
  /** Of the commits that are indexed. */
  indexed: string;
}

export interface SearchState extends ScopeState {
  generation: number;
}

export interface FindOptions {
  signal: AbortSignal;
  nowMs: number;
}

/** Looks through the index of what one asker may see. */
export interface CodeFinder {
  /** Fails with what the query is faulty with, and with not-found-or-no-access for names that nothing visible has. */
  prepare(asked: CodeQuery, visible: readonly Repository[], options: FindOptions): Promise<PreparedSearch>;
  search(prepared: PreparedSearch, options: FindOptions): Promise<CodeFindings>;
  /** What `prepared` looks into, as it stands now. */
  stateOf(prepared: PreparedSearch): SearchState;
  /** Whether a repository has no commit, and so nothing that could be indexed. */
  isEmpty(repositoryId: number): boolean;
}

export interface CodeFinderDeps {
  search: CodeSearch;
  /** Null where another engine has its own index. */
  indexing: Indexing | null;
  mirrorOf(repository: Repository): Mirror;
  content: Content;
  /** What may be shown of a repository now: younger than what the index was made by. */
  policyOf(mirror: Mirror, commit: string): Promise<ContentPolicy> | ContentPolicy;
}

export interface CodeFinderOptions {
  timeBudgetMs: number;
  repositorySets: Readonly<Record<string, readonly string[]>>;
}

/** Each may have to be looked up in git, and its files put into the index. */
const REVISIONS_MAX = 20;
const REVISIONS_AT_ONCE = 4;
/** Scopes are compared by identity: what the engine keeps for one is found again. */
const SCOPES_MAX = 100;
const LINE_BYTES_MAX = 400;

export function createCodeFinder(options: CodeFinderOptions, deps: CodeFinderDeps): CodeFinder {
  const scopes = createScopes();
  const states = new WeakMap<Scope, { generation: number; state: ScopeState }>();

  return {
    async prepare(asked, visible, { nowMs, signal }) {
      const { repositorySets } = options;
      const words = askedScope({ ...asked, repositorySets }, visible);
      const parsed = parseQuery(
        asked.query,
        { mode: asked.mode, case: asked.case, nowMs, repositorySets },
        { file: words.file, lang: asked.lang },
      );
      refuseSymbols(parsed);
      const notes = [...words.notes, ...parsed.notes];
      const wanted = new Map(words.revisions);
      const fits = parsed.revisions.length === 0 ? null : repositoryFilter(parsed.root);
      for (const { repository, revision } of parsed.revisions) {
        const isMeant = nameFits(repository);
        for (const one of words.repositories)
          if (fits?.(one) && isMeant(one)) wanted.set(one.id, { ...plainAddress, repository: one, revision });
      }
      const resolved = await resolveAll(wanted, signal);
      notes.push(...resolved.notes);
      const repositories = words.repositories.filter(({ id }) => !resolved.without.has(id));
      return {
        asked,
        parsed,
        output: asked.output ?? outputOf(parsed),
        reading: words.said === null ? parsed.reading : `${parsed.reading} in ${words.said}`,
        ...scopes.of(repositories, visible),
        revisions: resolved.revisions,
        notes,
      };
    },

    async search(prepared, { signal }) {
      const { asked, parsed, output, scope, revisions } = prepared;
      const exact = asked.exact || parsed.count === 'all' || output === 'count' || output === 'repos';
      const request: SearchRequest = {
        query: parsed.root,
        scope,
        revisions,
        output,
        filesMax: typeof parsed.count === 'number' ? Math.min(asked.filesMax, parsed.count) : asked.filesMax,
        linesPerFileMax: asked.linesPerFileMax,
        contextLines: asked.contextLines,
        lineBytesMax: LINE_BYTES_MAX,
        exact,
        after: asked.after,
        budgetMs: asked.budgetMs ?? options.timeBudgetMs,
      };
      const answer = await deps.search.search(request, signal);
      const repositories = new Map(prepared.repositories.map((one) => [one.id, one]));
      const shown = await shownFiles(answer.files, repositories, signal);
      return {
        answer: { ...answer, files: shown.files },
        indexes: shown.indexes,
        filesFound: answer.files.length,
        repositories,
        notes: shown.notes,
      };
    },

    stateOf({ scope, revisions }) {
      const generation = deps.search.generation();
      const kept = states.get(scope);
      let state = kept?.generation === generation ? kept.state : null;
      if (state === null) {
        state = stateOfScope(scope, deps.search.revisions());
        states.set(scope, { generation, state });
      }
      const { repositories, indexed } = state;
      return {
        repositories,
        indexed: revisions.size === 0 ? indexed : digest([indexed, [...revisions.values()]]),
        generation,
      };
    },

    isEmpty: (id) => deps.indexing?.status(id).state === 'empty',
  };

  /** The searchable revision of each; one that several are asked for and few have is left out of those that lack it. */
  async function resolveAll(wanted: ReadonlyMap<number, Address>, signal: AbortSignal) {
    if (wanted.size > REVISIONS_MAX) throw tooManyRevisions(wanted.size, REVISIONS_MAX);
    const revisions = new Map<number, string>();
    const without = new Set<number>();
    const notes: string[] = [];
    const all = [...wanted];
    for (let at = 0; at < all.length; at += REVISIONS_AT_ONCE) {
      await Promise.all(
        all.slice(at, at + REVISIONS_AT_ONCE).map(async ([id, address]) => {
          try {
            const found = await searchableRevision(address, signal);
            revisions.set(id, found.revision);
            notes.push(...found.notes);
          } catch (fault) {
            const lacks = fault instanceof PeriscopeError && fault.kind === 'ref-not-found';
            if (!lacks || wanted.size === 1) throw fault;
            without.add(id);
          }
        }),
      );
    }
    if (wanted.size > 0 && revisions.size === 0) throw revisionNowhere(all[0]![1].revision ?? '');
    if (without.size > 0) notes.push(`${without.size} repositories have no such revision and were left out.`);
    // In the order of the repositories, whichever was resolved first.
    const ordered = all.flatMap(([id]) => (revisions.has(id) ? [[id, revisions.get(id)!] as const] : []));
    return { revisions: new Map(ordered), without, notes: notes.sort() };
  }

  async function searchableRevision(address: Address, signal: AbortSignal) {
    const { repository } = address;
    const resolved = await resolveAddress(address, deps.mirrorOf(repository), { signal });
    const { commit, revision } = resolved.revision;
    const known = deps.search.revisions(repository.id).filter((one) => one.commit === commit);
    const branch =
      known.find((one) => one.revision === revision) ?? known.find(({ kind }) => kind === 'branch');
    if (branch) return { revision: branch.revision, notes: resolved.notes };
    if (!deps.indexing) throw revisionNotIndexable(revision);
    const { timeBudgetMs } = options;
    const made = await deps.indexing.ensureRevision(repository, commit, { signal, budgetMs: timeBudgetMs });
    return { revision: made.revision, notes: resolved.notes };
  }

  /** Who has just opted a path out must not find it in an answer: the index follows in its own time. */
  async function shownFiles(
    files: readonly FoundFile[],
    repositories: ReadonlyMap<number, Repository>,
    signal: AbortSignal,
  ) {
    const commits = new Map(
      files.flatMap(({ also, ...own }) => [own, ...also]).map((one) => [one.repositoryId, one.commit]),
    );
    let unchecked = 0;
    const policies = new Map<number, ContentPolicy | null>();
    await Promise.all(
      [...commits].map(async ([id, commit]) => {
        const policy = await readPolicy(repositories.get(id), commit).catch((fault: unknown) => {
          // One that cannot be read hides everything and says so elsewhere.
          if (!(fault instanceof PeriscopeError) || fault.kind !== 'blocked-by-policy') unchecked++;
          return null;
        });
        policies.set(id, policy);
      }),
    );
    const mayShow = ({ repositoryId, path }: FoundPlace) => {
      const policy = policies.get(repositoryId);
      return policy ? policy.hidesNothing === true || !policy.optedOut(path) : false;
    };
    const masked = await Promise.all(
      files.map((file) => (file.unmasked && mayShow(file) ? maskedAnew(file, repositories, signal) : file)),
    );
    const kept: FoundFile[] = [];
    const indexes: number[] = [];
    for (const [index, file] of masked.entries()) {
      if (!file || !mayShow(file)) continue;
      const also = file.also.filter(mayShow);
      kept.push({ ...file, also, alsoCount: file.alsoCount - (file.also.length - also.length) });
      indexes.push(index);
    }
    const notes: string[] = [];
    if (unchecked > 0)
      notes.push(
        `Files of ${unchecked} repositories are left out: what they opt out cannot be read right now.`,
      );
    const unread = masked.filter((file) => file === null).length;
    if (unread > 0)
      notes.push(
        `${unread} files are left out: their lines cannot be read from git, where credentials are masked.`,
      );
    return { files: kept, indexes, notes };
  }

  async function maskedAnew(
    file: FoundFile,
    repositories: ReadonlyMap<number, Repository>,
    signal: AbortSignal,
  ): Promise<FoundFile | null> {
    const mirror = deps.mirrorOf(repositories.get(file.repositoryId)!);
    return maskedFile(file, { content: deps.content, mirror, lineBytesMax: LINE_BYTES_MAX }, { signal });
  }

  async function readPolicy(
    repository: Repository | undefined,
    commit: string,
  ): Promise<ContentPolicy | null> {
    return repository ? deps.policyOf(deps.mirrorOf(repository), commit) : null;
  }
}

const plainAddress = {
  revisionAndPath: null,
  candidates: [{ path: '', lines: null, note: null }],
  notes: [],
} as const;

function outputOf(parsed: ParsedQuery): SearchOutput {
  if (parsed.select === 'repo' || parsed.target === 'repo') return 'repos';
  return parsed.select === 'file' || parsed.target === 'file' ? 'files' : 'lines';
}

function refuseSymbols(parsed: ParsedQuery): void {
  const symbol = symbolIn(parsed.root);
  if (symbol !== null || parsed.select === 'symbol') throw symbolsNotIndexed(symbol);
}

function symbolIn(node: QueryNode): string | null {
  switch (node.kind) {
    case 'symbol':
      return node.pattern.source;
    case 'not':
      return symbolIn(node.of);
    case 'all':
    case 'any':
      for (const one of node.of) {
        const found = symbolIn(one);
        if (found !== null) return found;
      }
      return null;
    default:
      return null;
  }
}

/** One array for each set of repositories that is asked for, as long as it is asked for. */
function createScopes() {
  const kept = new WeakMap<
    readonly Repository[],
    LRUCache<string, { repositories: readonly Repository[]; scope: Scope }>
  >();
  return {
    of(repositories: readonly Repository[], visible: readonly Repository[]) {
      let scopes = kept.get(visible);
      if (!scopes) {
        scopes = new LRUCache({ max: SCOPES_MAX });
        kept.set(visible, scopes);
      }
      const key = repositories.length === visible.length ? 'all' : digest(repositories.map(({ id }) => id));
      let found = scopes.get(key);
      if (!found) {
        const ordered = [...repositories].sort(byWorth);
        const scope = Object.freeze(
          ordered.map(({ id, host, name, archived, fork }) => ({ id, host, name, archived, fork })),
        );
        found = { repositories: ordered, scope };
        scopes.set(key, found);
      }
      return found;
    },
  };
}

/** Originals in use first; then by name, which no other repository's coming or going changes. */
function byWorth(left: Repository, right: Repository): number {
  const rank = ({ archived, fork }: Repository) => (archived ? 2 : 0) + (fork ? 1 : 0);
  return rank(left) - rank(right) || compare(left.name, right.name) || compare(left.host, right.host);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function stateOfScope(scope: Scope, revisions: readonly IndexedRevision[]): ScopeState {
  const byRepository = new Map<number, IndexedRevision[]>();
  // A revision that somebody has visited is searched by who asks for it alone.
  for (const one of revisions.filter(({ kind }) => kind === 'branch')) {
    const those = byRepository.get(one.repositoryId);
    if (those) those.push(one);
    else byRepository.set(one.repositoryId, [one]);
  }
  const indexed = scope.map(({ id }) =>
    (byRepository.get(id) ?? [])
      .map(({ revision, commit, documents, policyKey }) => [revision, commit, documents, policyKey])
      .sort((left, right) => compare(String(left[0]), String(right[0]))),
  );
  return { repositories: digest(scope.map(({ host, name }) => [host, name])), indexed: digest(indexed) };
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 16);
}
