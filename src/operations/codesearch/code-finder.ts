import type { Repository } from '../../catalog/index.ts';
import type { Content, ContentPolicy } from '../../content/index.ts';
import type { Indexing } from '../../indexing/index.ts';
import type { Mirror } from '../../mirrors/index.ts';
import {
  type CodeSearch,
  type Counted,
  type ParsedQuery,
  parseQuery,
  type QueryNode,
  type Scope,
  type SearchAnswer,
  type SearchOutput,
  type SearchPosition,
  type SearchRequest,
} from '../../search/index.ts';
import type { GraphCoverage } from '../../symbols/index.ts';
import { type Address, addressOf } from '../addressing/address.ts';
import { namesOf } from '../addressing/repository-names.ts';
import { askedScope } from './asked-scope.ts';
import { createIndexGaps, type IndexGaps, noGaps } from './index-gaps.ts';
import { leftForOptOut, optOutsBehind } from './opt-outs-behind.ts';
import { asksRepositoriesAlone, nameFits, repositoryFilter } from './repository-filter.ts';
import { listedRepositories } from './repository-listing.ts';
import { digestOf, type SearchScopes, type SearchState } from './search-scopes.ts';
import { type AskedRevision, searchableRevisions } from './searchable-revisions.ts';
import { shownFiles } from './shown-files.ts';
import { symbolGapNotes } from './symbol-gaps.ts';

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
  revisions: ReadonlyMap<number, AskedRevision>;
  notes: readonly string[];
}

export interface CodeFindings {
  /** Of `files` and `also` those that the content door lets out. Outputs `count` and `repos` count every copy, all others count them once. */
  answer: SearchAnswer;
  /** Files without copies, where `answer` counts every copy. */
  contents: Counted | null;
  /** Where each of the files stood in the engine's answer, and how many there were. */
  indexes: readonly number[];
  filesFound: number;
  /** Every repository that the answer may name. */
  repositories: ReadonlyMap<number, Repository>;
  /** Where the index does not show what was asked for as it stands now. */
  gaps: IndexGaps;
  notes: readonly string[];
}

/** For surfaces that speak another protocol: the engine's own answer, within what the asker may see. */
export interface FoundCode {
  prepared: PreparedSearch;
  answer: SearchAnswer;
  repositories: ReadonlyMap<number, Repository>;
  notes: readonly string[];
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
  /** Of that search: who asks for several things of one scope asks for it once. */
  scopes: SearchScopes;
  /** Null where symbols are another engine's own. */
  symbolCoverage: SymbolCoverage | null;
  /** Null where another engine has its own index. */
  indexing: Indexing | null;
  content: Content;
  mirrorOf(repository: Repository): Mirror;
  /** What may be shown of a repository now: younger than what the index was made by. */
  policyOf(mirror: Mirror, commit: string): Promise<ContentPolicy> | ContentPolicy;
}

/** How much of some repositories has been read for symbols. */
export type SymbolCoverage = (
  asked: { scope: Scope; revisions: ReadonlyMap<number, string>; repositories: readonly number[] },
  signal: AbortSignal,
) => Promise<GraphCoverage>;

export interface CodeFinderOptions {
  timeBudgetMs: number;
  repositorySets: Readonly<Record<string, readonly string[]>>;
}

const LINE_BYTES_MAX = 400;
/** Other places of one content that are named beside its lines, and where files alone are listed. */
const PLACES_MAX = 100;
const PLACES_LISTED_MAX = 1000;
const NEAR_MAX = 3;

export function createCodeFinder(options: CodeFinderOptions, deps: CodeFinderDeps): CodeFinder {
  const { timeBudgetMs, repositorySets } = options;
  const { scopes } = deps;
  // Half of the time for a revision that the index does not have yet, so that the other half finds something in it.
  const revisionDeps = { ...deps, budgetMs: timeBudgetMs / 2 };
  const door = { ...deps, lineBytesMax: LINE_BYTES_MAX };
  const gapsIn = deps.indexing && createIndexGaps(deps.search, deps.indexing);

  return {
    async prepare(asked, visible, { nowMs, signal }) {
      const words = askedScope({ ...asked, repositorySets }, visible);
      const parsed = parseQuery(
        asked.query,
        { mode: asked.mode, case: asked.case, nowMs, repositorySets },
        { file: words.file, lang: asked.lang },
      );
      const wanted = new Map([...words.revisions, ...revisionsIn(parsed, words.repositories)]);
      const { revisions, without, notes } = await searchableRevisions(wanted, revisionDeps, signal);
      const repositories = words.repositories.filter(({ id }) => !without.has(id));
      const unknown = unknownRepositories(parsed, visible);
      return {
        asked,
        parsed,
        output: asked.output ?? outputOf(parsed),
        reading: words.said === null ? parsed.reading : `${parsed.reading} in ${words.said}`,
        ...scopes.of(repositories, visible),
        revisions,
        notes: [...unknown, ...words.notes, ...parsed.notes, ...notes],
      };
    },

    async search(prepared, { signal }) {
      const { asked, parsed, output, scope, revisions } = prepared;
      const { count } = parsed;
      const countsPlaces = output === 'count' || output === 'repos';
      const request: SearchRequest = {
        query: parsed.root,
        scope,
        revisions: new Map([...revisions].map(([id, { indexed }]) => [id, indexed])),
        // Only repositories are counted with every place of what is found.
        output: countsPlaces ? 'repos' : output,
        filesMax: typeof count === 'number' ? Math.min(asked.filesMax, count) : asked.filesMax,
        linesPerFileMax: asked.linesPerFileMax,
        placesMax: output === 'files' ? PLACES_LISTED_MAX : PLACES_MAX,
        contextLines: parsed.select === 'symbol' ? 0 : asked.contextLines,
        lineBytesMax: LINE_BYTES_MAX,
        exact: asked.exact || count === 'all' || countsPlaces,
        after: asked.after,
        budgetMs: asked.budgetMs ?? timeBudgetMs,
      };
      const repositories = new Map(prepared.repositories.map((one) => [one.id, one]));
      const [{ answer, left }, unread] = await Promise.all([
        searchOpenly(request, repositories, signal),
        unreadNotes(prepared, request, signal),
      ]);
      const { files, indexes, notes } = await shownFiles(answer.files, repositories, door, signal);
      const named = files.map((file) => ({
        ...file,
        revision: revisions.get(file.repositoryId)?.shown ?? file.revision,
      }));
      return {
        answer: {
          ...(countsPlaces ? placesCounted(answer) : answer),
          files: named,
          problems: [...new Set(answer.problems)],
        },
        contents: countsPlaces ? answer.fileCount : null,
        indexes,
        filesFound: answer.files.length,
        repositories,
        gaps: gapsOf(prepared),
        notes: [...left, ...unread, ...notes],
      };
    },

    stateOf({ scope, revisions }) {
      const state = scopes.stateOf(scope);
      if (revisions.size === 0) return state;
      return { ...state, indexed: digestOf([state.indexed, [...revisions.values()]]) };
    },

    isEmpty: (id) => deps.indexing?.status(id).state === 'empty',
  };

  /** Definitions can be found only where they have been read. */
  async function unreadNotes(
    { parsed }: PreparedSearch,
    { scope, revisions }: SearchRequest,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    if (!deps.symbolCoverage || !asksSymbols(parsed.root)) return [];
    const fits = repositoryFilter(parsed.root);
    const repositories = scope.filter(fits).map(({ id }) => id);
    return symbolGapNotes(await deps.symbolCoverage({ scope, revisions, repositories }, signal));
  }

  /** Of the repositories whose branches were asked for. */
  function gapsOf({ scope, parsed, revisions }: PreparedSearch): IndexGaps {
    const { behind, incomplete, ...rest } = gapsIn?.(scope) ?? noGaps;
    if (behind.length + incomplete.length === 0) return { behind, incomplete, ...rest };
    const fits = repositoryFilter(parsed.root);
    const lacking = new Set([...behind.map(({ id }) => id), ...incomplete]);
    const asked = new Set(
      scope.flatMap((one) => (lacking.has(one.id) && !revisions.has(one.id) && fits(one) ? [one.id] : [])),
    );
    return {
      behind: behind.filter(({ id }) => asked.has(id)),
      incomplete: incomplete.filter((id) => asked.has(id)),
      ...rest,
    };
  }

  /** Where nothing is asked for in repositories, what they hold need not be looked at. Another engine alone knows what it has. */
  function searchOnce(request: SearchRequest, signal: AbortSignal): Promise<SearchAnswer> {
    const { output, revisions, query } = request;
    return deps.indexing && output === 'repos' && revisions.size === 0 && asksRepositoriesAlone(query)
      ? listedRepositories(request, deps.search, signal)
      : deps.search.search(request, signal);
  }

  /** Searches again without those whose index does not know yet what they have opted out of: not even counts may tell of it. */
  async function searchOpenly(
    request: SearchRequest,
    repositories: ReadonlyMap<number, Repository>,
    signal: AbortSignal,
  ): Promise<{ answer: SearchAnswer; left: readonly string[] }> {
    const left = new Set<number>();
    let { scope } = request;
    for (;;) {
      const answer = await searchOnce({ ...request, scope }, signal);
      // Another engine's index knows of no opt-out: its files are held against it one by one.
      const behind = deps.indexing ? await optOutsBehind(toldIn(answer), repositories, deps) : [];
      if (behind.length === 0) return { answer, left: left.size > 0 ? [leftForOptOut(left.size)] : [] };
      for (const repository of behind) {
        left.add(repository.id);
        deps.indexing?.changed(repository);
      }
      scope = scope.filter(({ id }) => !left.has(id));
    }
  }
}

/** Counts of everything that fits, wherever it lies. A server that counts more than it tells of is believed. */
function placesCounted(answer: SearchAnswer): SearchAnswer {
  const { repositories, fileCount, lineCount, facets } = answer;
  const sum = (key: 'files' | 'lines') => repositories.reduce((total, one) => total + one[key], 0);
  return {
    ...answer,
    fileCount: { ...fileCount, count: Math.max(fileCount.count, sum('files')) },
    lineCount: { ...lineCount, count: Math.max(lineCount.count, sum('lines')) },
    facets: {
      ...facets,
      repositories: repositories.map(({ repositoryId, files }) => ({ repositoryId, files })),
    },
  };
}

/** Repositories that an answer tells of: in files, counts or facets. */
function toldIn({ files, repositories, facets }: SearchAnswer): number[] {
  const told = [...files, ...files.flatMap(({ also }) => also), ...repositories, ...facets.repositories];
  return told.map(({ repositoryId }) => repositoryId);
}

/** Filters that no repository fits: why nothing is found. Pure over the visible ones. */
function unknownRepositories({ repositories }: ParsedQuery, visible: readonly Repository[]): string[] {
  return repositories
    .filter(({ pattern }) => !visible.some(nameFits(pattern)))
    .map(({ written }) => {
      const near = namesOf(visible).near(written, NEAR_MAX);
      const hint = near.length > 0 ? ` Names like it: ${near.join(', ')}.` : '';
      return `No repository that you can read fits repo:${written}.${hint}`;
    });
}

/** `repo:NAME@REV` of the query, for the repositories that it fits. */
function revisionsIn(
  parsed: ParsedQuery,
  repositories: readonly Repository[],
): (readonly [number, Address])[] {
  if (parsed.revisions.length === 0) return [];
  const candidates = repositories.filter(repositoryFilter(parsed.root));
  return parsed.revisions.flatMap(({ repository: pattern, revision }) =>
    candidates
      .filter(nameFits(pattern))
      .map((repository) => [repository.id, addressOf(repository, revision)] as const),
  );
}

function outputOf(parsed: ParsedQuery): SearchOutput {
  if (parsed.select === 'repo' || parsed.target === 'repo') return 'repos';
  return parsed.select === 'file' || parsed.target === 'file' ? 'files' : 'lines';
}

function asksSymbols(node: QueryNode): boolean {
  if (node.kind === 'not') return asksSymbols(node.of);
  if (node.kind === 'all' || node.kind === 'any') return node.of.some(asksSymbols);
  return node.kind === 'symbol';
}
