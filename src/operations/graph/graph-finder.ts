import type { Repository } from '../../catalog/index.ts';
import type { Content } from '../../content/index.ts';
import type { Indexing } from '../../indexing/index.ts';
import type { CodeSearch, Scope } from '../../search/index.ts';
import type {
  GraphAnswer,
  GraphNode,
  GraphPosition,
  GraphRequest,
  GraphSearch,
  GraphStart,
} from '../../symbols/index.ts';
import { callSaid } from '../call-said.ts';
import type { SymbolCoverage } from '../codesearch/code-finder.ts';
import { createIndexGaps, type IndexGaps, noGaps } from '../codesearch/index-gaps.ts';
import { leftForOptOut, optOutsBehind } from '../codesearch/opt-outs-behind.ts';
import { type PolicyDeps, placePolicies, uncheckedNotes } from '../codesearch/place-policies.ts';
import { digestOf, type SearchScopes, type SearchState } from '../codesearch/search-scopes.ts';
import { type AskedGraph, askedGraph, type GraphQuery } from './asked-graph.ts';
import { fileSlices, type Slices, type WantedLines } from './file-slices.ts';

export interface PreparedGraph extends AskedGraph {
  repositories: ReadonlyMap<number, Repository>;
  scope: Scope;
  /** What `scope` was made of, so that a smaller one is found again. */
  visible: readonly Repository[];
  depth: number;
  placesMax: number;
  exact: boolean;
}

export interface GraphFindings {
  answer: GraphAnswer;
  /** By node: whether the content door lets its place out now. */
  shown: readonly boolean[];
  /** Where the index does not show what the answer tells of as it stands now. */
  gaps: IndexGaps;
  notes: readonly string[];
}

export interface GraphBounds {
  depth: number;
  placesMax: number;
  exact: boolean;
}

/** The symbols of one file, in the order of its lines. */
export interface FileOutline {
  symbols: readonly GraphNode[];
  /** There are more than were asked for. */
  isCut: boolean;
  /** Why there are none; null where the file has been read. */
  missing: GraphAnswer['coverage']['start'];
}

/** Asks the graph of what one asker may see. */
export interface GraphFinder {
  /** Fails with not-found-or-no-access for names that nothing visible has, and with what is missing. */
  prepare(
    query: GraphQuery,
    bounds: GraphBounds,
    visible: readonly Repository[],
    signal: AbortSignal,
  ): Promise<PreparedGraph>;
  find(prepared: PreparedGraph, after: GraphPosition | null, signal: AbortSignal): Promise<GraphFindings>;
  /** Lines of files as the content door gives them now. */
  slices(wanted: readonly WantedLines[], prepared: PreparedGraph, signal: AbortSignal): Promise<Slices>;
  /** `makes`: a commit that the index does not have is put into it. */
  outline(
    file: { repository: Repository; commit: string; path: string },
    visible: readonly Repository[],
    options: { symbolsMax: number; makes: boolean; signal: AbortSignal },
  ): Promise<FileOutline>;
  /** What is looked into, as it stands now. */
  stateOf(prepared: PreparedGraph): SearchState;
  coverage: SymbolCoverage;
}

export interface GraphFinderDeps extends PolicyDeps {
  graph: GraphSearch;
  search: CodeSearch;
  scopes: SearchScopes;
  indexing: Indexing | null;
  content: Content;
}

const NOWHERE = { by: 'file', repositoryId: -1, path: '' } as const;

export function createGraphFinder(
  { timeBudgetMs }: { timeBudgetMs: number },
  deps: GraphFinderDeps,
): GraphFinder {
  const { graph, scopes, search, indexing, content, mirrorOf } = deps;
  // Half of the time for a revision that the index does not have yet, so that the other half answers something about it.
  const askedDeps = { search, indexing, content, mirrorOf, budgetMs: timeBudgetMs / 2 };
  const gapsIn = indexing && createIndexGaps(search, indexing);

  return {
    async prepare(query, bounds, visible, signal) {
      const asked = await askedGraph(query, visible, askedDeps, signal);
      const { repositories, scope } = scopes.of(visible, visible);
      return {
        ...asked,
        ...bounds,
        visible,
        scope,
        repositories: new Map(repositories.map((one) => [one.id, one])),
      };
    },

    async find(prepared, after, signal) {
      const left = new Set<number>();
      for (;;) {
        const { answer, notes } = await askOnce(prepared, left, after, signal);
        const behind = await optOutsBehind(repositoriesIn(answer), prepared.repositories, deps);
        if (behind.length === 0) {
          const found = await shownOf(answer, prepared, left.size);
          return { ...found, notes: [...notes, ...found.notes] };
        }
        for (const repository of behind) {
          left.add(repository.id);
          indexing?.changed(repository);
        }
      }
    },

    slices: (wanted, { repositories }, signal) =>
      fileSlices(wanted, repositories, { content, mirrorOf }, signal),

    async outline({ repository, commit, path }, visible, { symbolsMax, makes, signal }) {
      const indexed = await indexedRevision(repository, commit, makes, signal);
      if (indexed === null) return { symbols: [], isCut: false, missing: 'no-file' };
      const { revision, isVisited } = indexed;
      const { scope } = scopes.of(visible, visible);
      const answer = await graph.graph(
        {
          relation: 'outline',
          start: { by: 'file', repositoryId: repository.id, revision, path },
          scope,
          revisions: new Map(isVisited ? [[repository.id, revision]] : []),
          placesMax: symbolsMax,
          exact: false,
          after: null,
          budgetMs: timeBudgetMs,
        },
        signal,
      );
      const symbols = answer.targets.flatMap((at) => {
        const node = answer.nodes[at];
        return node?.kind === 'symbol' ? [node] : [];
      });
      return { symbols, isCut: answer.next !== null, missing: answer.coverage.start };
    },

    stateOf({ scope, revisions }) {
      const state = scopes.stateOf(scope);
      if (revisions.size === 0) return state;
      return { ...state, indexed: digestOf([state.indexed, [...revisions.values()]]) };
    },

    async coverage({ scope, revisions, repositories }, signal) {
      const request: GraphRequest = {
        relation: 'definitions',
        start: NOWHERE,
        scope,
        revisions,
        filters: { repositories },
        placesMax: 1,
        exact: false,
        after: null,
        budgetMs: timeBudgetMs,
      };
      return (await graph.graph(request, signal)).coverage;
    },
  };

  async function indexedRevision(
    repository: Repository,
    commit: string,
    makes: boolean,
    signal: AbortSignal,
  ): Promise<{ revision: string; isVisited: boolean } | null> {
    const known = search.revisions(repository.id).filter((one) => one.commit === commit);
    const standing = known.find(({ kind }) => kind === 'branch') ?? known[0];
    if (standing) return { revision: standing.revision, isVisited: standing.kind === 'visited' };
    if (!makes || !indexing) return null;
    const { revision } = await indexing.ensureRevision(repository, commit, {
      signal,
      budgetMs: timeBudgetMs / 2,
    });
    return { revision, isVisited: true };
  }

  /** The first of the starts that is known, within the scope that is left. */
  async function askOnce(
    { relation, starts, filters, revisions, visible, repositories, ...bounds }: PreparedGraph,
    left: ReadonlySet<number>,
    after: GraphPosition | null,
    signal: AbortSignal,
  ): Promise<{ answer: GraphAnswer; notes: readonly string[] }> {
    const seen = left.size === 0 ? visible : visible.filter(({ id }) => !left.has(id));
    const { scope } = scopes.of(seen, visible);
    let first: GraphAnswer | null = null;
    for (const { start, within, note = null } of starts) {
      const answer = await graph.graph(
        {
          relation,
          start,
          scope,
          revisions: new Map([...revisions].map(([id, { indexed }]) => [id, indexed])),
          depth: bounds.depth,
          filters: within && !filters.repositories ? { ...filters, repositories: within } : filters,
          placesMax: bounds.placesMax,
          exact: bounds.exact,
          after,
          budgetMs: timeBudgetMs,
        },
        signal,
      );
      const notes = note === null ? [] : [note];
      if (answer.edges.length > 0 || answer.targets.length > 0) {
        const cased = first === null ? null : otherCase(starts[0]!.start, first.near);
        return { answer, notes: cased === null ? notes : [...notes, cased] };
      }
      first ??= answer;
      if (first.near.length === 0) first = { ...first, near: answer.near };
    }
    return { answer: first!, notes: [] };
  }

  async function shownOf(
    answer: GraphAnswer,
    { repositories, revisions, scope, relation }: PreparedGraph,
    left: number,
  ): Promise<GraphFindings> {
    const places = answer.nodes.flatMap(({ place }) => place ?? []);
    const { mayShow, unchecked } = await placePolicies(places, repositories, deps);
    const nodes = answer.nodes.map((node) => named(node, revisions));
    const unindexed = answer.coverage.unindexed.filter((id) => indexing?.status(id).state !== 'empty');
    // An outline is of its file alone.
    const isWhole = unindexed.length === 0 || relation === 'outline';
    return {
      answer: {
        ...answer,
        nodes,
        count: { ...answer.count, exact: answer.count.exact && isWhole },
        ambiguous: answer.ambiguous && {
          ...answer.ambiguous,
          count: { ...answer.ambiguous.count, exact: answer.ambiguous.count.exact && isWhole },
        },
        coverage: { ...answer.coverage, unindexed },
      },
      shown: nodes.map(({ place }) => place === null || mayShow(place)),
      gaps: gapsOf(scope, new Set(repositoriesIn(answer)), revisions),
      notes: [...(left > 0 ? [leftForOptOut(left)] : []), ...uncheckedNotes(unchecked)],
    };
  }

  /** Of the repositories that the answer tells of. */
  function gapsOf(scope: Scope, told: ReadonlySet<number>, revisions: PreparedGraph['revisions']): IndexGaps {
    const { behind, incomplete, problem } = gapsIn?.(scope) ?? noGaps;
    const concerns = (id: number) => told.has(id) && !revisions.has(id);
    return {
      behind: behind.filter(({ id }) => concerns(id)),
      incomplete: incomplete.filter(concerns),
      problem,
    };
  }
}

/** A name that the asked repositories define in other letters, where another one was taken. */
function otherCase(start: GraphStart, near: readonly string[]): string | null {
  if (start.by !== 'name') return null;
  const folded = start.name.toLowerCase();
  const same = near.find((one) => one.toLowerCase() === folded);
  return same === undefined
    ? null
    : `Defined there is "${same}": call again with ${callSaid({ name: same })}.`;
}

/** A revision as people call it. */
function named(node: GraphNode, revisions: PreparedGraph['revisions']): GraphNode {
  const { place } = node;
  const shown = place && revisions.get(place.repositoryId)?.shown;
  return place && shown ? { ...node, place: { ...place, revision: shown } } : node;
}

function repositoriesIn({ nodes }: GraphAnswer): number[] {
  return nodes.flatMap(({ place }) => (place ? [place.repositoryId] : []));
}
