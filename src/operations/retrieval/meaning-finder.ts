import type { Repository } from '../../catalog/index.ts';
import type { Content } from '../../content/index.ts';
import type { Indexing } from '../../indexing/index.ts';
import type { ChunkPlace, Retrieval, RetrievalAnswer, RetrievedChunk } from '../../retrieval/index.ts';
import type { CodeSearch, Scope } from '../../search/index.ts';
import { createIndexGaps, type IndexGaps, noGaps } from '../codesearch/index-gaps.ts';
import { leftForOptOut, optOutsBehind } from '../codesearch/opt-outs-behind.ts';
import { type PolicyDeps, placePolicies, uncheckedNotes } from '../codesearch/place-policies.ts';
import { digestOf, type SearchScopes, type SearchState } from '../codesearch/search-scopes.ts';
import { fileSlices, type Slices, type WantedLines } from '../graph/file-slices.ts';
import {
  type AskedMeaningDeps,
  askedMeaning,
  type MeaningQuery,
  type PreparedMeaning,
} from './asked-meaning.ts';

export interface MeaningFindings {
  answer: RetrievalAnswer;
  /** Every repository that the answer may name. */
  repositories: ReadonlyMap<number, Repository>;
  gaps: IndexGaps;
  notes: readonly string[];
}

/** Asks by meaning within what one asker may see. */
export interface MeaningFinder {
  /** Fails with not-found-or-no-access for names that nothing visible has. */
  prepare(asked: MeaningQuery, visible: readonly Repository[], signal: AbortSignal): Promise<PreparedMeaning>;
  find(prepared: PreparedMeaning, limit: number, signal: AbortSignal): Promise<MeaningFindings>;
  /** Lines of files as the content door gives them now. */
  slices(
    wanted: readonly WantedLines[],
    repositories: ReadonlyMap<number, Repository>,
    signal: AbortSignal,
  ): Promise<Slices>;
  /** What is looked into, as it stands now. */
  stateOf(prepared: PreparedMeaning): SearchState;
  /** What holds up the encoder that reads chunks in the background, where this process knows of something. */
  encoderProblem(): string | null;
  /** Whether a repository has no commit, and so nothing that could be indexed. */
  isEmpty(repositoryId: number): boolean;
}

export interface MeaningFinderDeps extends PolicyDeps {
  retrieval: Retrieval;
  search: CodeSearch;
  scopes: SearchScopes;
  indexing: Indexing | null;
  content: Content;
}

export interface MeaningFinderOptions {
  timeBudgetMs: number;
  repositorySets: Readonly<Record<string, readonly string[]>>;
}

export function createMeaningFinder(
  { timeBudgetMs, repositorySets }: MeaningFinderOptions,
  deps: MeaningFinderDeps,
): MeaningFinder {
  const { retrieval, scopes, search, indexing, content, mirrorOf } = deps;
  // Half of the time for a revision that the index does not have yet, so that the other half answers something about it.
  const askedDeps: AskedMeaningDeps = {
    ...{ search, indexing, mirrorOf, scopes, repositorySets },
    budgetMs: timeBudgetMs / 2,
  };
  const gapsIn = indexing && createIndexGaps(search, indexing);

  return {
    prepare: (asked, visible, signal) => askedMeaning(asked, visible, askedDeps, signal),

    async find(prepared, limit, signal) {
      const repositories = new Map(prepared.repositories.map((one) => [one.id, one]));
      const left = new Set<number>();
      for (;;) {
        const { answer, unchecked } = await askOnce(prepared, { left, limit, repositories }, signal);
        const behind = await optOutsBehind(toldIn(answer.hits), repositories, deps);
        if (behind.length === 0) {
          return {
            answer: { ...answer, hits: answer.hits.map((hit) => named(hit, prepared)) },
            repositories,
            gaps: gapsOf(prepared),
            notes: [...(left.size > 0 ? [leftForOptOut(left.size)] : []), ...uncheckedNotes(unchecked)],
          };
        }
        for (const repository of behind) {
          left.add(repository.id);
          indexing?.changed(repository);
        }
      }
    },

    slices: (wanted, repositories, signal) => fileSlices(wanted, repositories, { content, mirrorOf }, signal),

    stateOf({ scope, revisions }) {
      const state = scopes.stateOf(scope);
      if (revisions.size === 0) return state;
      return { ...state, indexed: digestOf([state.indexed, [...revisions.values()]]) };
    },

    encoderProblem: () => indexing?.progress().embedding?.encoder?.problem ?? null,

    isEmpty: (id) => indexing?.status(id).state === 'empty',
  };

  /** Within the scope that is left. */
  async function askOnce(
    { asked, repositories: all, visible, revisions, filters }: PreparedMeaning,
    {
      left,
      limit,
      repositories,
    }: { left: ReadonlySet<number>; limit: number; repositories: MeaningFindings['repositories'] },
    signal: AbortSignal,
  ): Promise<{ answer: RetrievalAnswer; unchecked: number }> {
    const seen = left.size === 0 ? all : all.filter(({ id }) => !left.has(id));
    const { scope } = scopes.of(seen, visible);
    let unchecked = 0;
    const answer = await retrieval.retrieve(
      {
        question: asked.question,
        scope,
        revisions: new Map([...revisions].map(([id, { indexed }]) => [id, indexed])),
        filters,
        limit,
        ...(asked.ranking ? { ranking: asked.ranking } : {}),
        budgetMs: timeBudgetMs,
        admits: async (places) => {
          const policies = await placePolicies(places, repositories, deps);
          unchecked = policies.unchecked;
          return places.map(policies.mayShow);
        },
      },
      signal,
    );
    return { answer, unchecked };
  }

  /** Of the repositories whose branches were asked for. */
  function gapsOf({
    scope,
    revisions,
  }: {
    scope: Scope;
    revisions: PreparedMeaning['revisions'];
  }): IndexGaps {
    const { behind, incomplete, problem } = gapsIn?.(scope) ?? noGaps;
    return {
      behind: behind.filter(({ id }) => !revisions.has(id)),
      incomplete: incomplete.filter((id) => !revisions.has(id)),
      problem,
    };
  }
}

function placesOf({ place, also, similar }: RetrievedChunk): ChunkPlace[] {
  return [place, ...also, ...similar];
}

function toldIn(hits: readonly RetrievedChunk[]): number[] {
  return hits.flatMap(placesOf).map(({ repositoryId }) => repositoryId);
}

/** Revisions as people call them. */
function named(hit: RetrievedChunk, { revisions }: PreparedMeaning): RetrievedChunk {
  const shown = (place: ChunkPlace): ChunkPlace => ({
    ...place,
    revision: revisions.get(place.repositoryId)?.shown ?? place.revision,
  });
  return { ...hit, place: shown(hit.place), also: hit.also.map(shown), similar: hit.similar.map(shown) };
}
