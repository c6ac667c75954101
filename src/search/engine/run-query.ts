import { cancelled } from '../../base/errors.ts';
import type { TextPattern } from '../queries/types.ts';
import type { SegmentReader } from '../segments/segment-reader.ts';
import type { ContentMatcher } from './content-matcher.ts';
import { DocumentSearch, type FoundDocument } from './document-search.ts';
import { facetsOf } from './facets.ts';
import { FoundFiles } from './found-files.ts';
import type { PathMatcher } from './path-matcher.ts';
import { RepositoryFiles } from './repository-files.ts';
import { type RunningDeadline, type SearchDeadline, TimeOver } from './search-deadline.ts';
import { tooMuchToPrepare } from './search-errors.ts';
import { type ContentTest, planOf } from './search-plan.ts';
import { type Position, positionOf, readPosition } from './search-position.ts';
import type { SearchedFacts } from './searched-facts.ts';
import { type DecidedPlan, decidePlaces, type PlaceTests } from './searched-revisions.ts';
import { searchedOf } from './searched-summary.ts';
import type { SymbolMatcher } from './symbol-matcher.ts';
import type { ScopeView, ThreadGeneration } from './thread-search.ts';
import type { SearchAnswer, SearchRequest } from './types.ts';

/** What a query runs on, in one thread. */
export interface QueryGround {
  generation: ThreadGeneration;
  viewOf(revisions: ReadonlyMap<number, string>): ScopeView;
  contentMatcher(test: ContentTest): ContentMatcher | SymbolMatcher;
  facts: SearchedFacts;
  pathMatcher(pattern: TextPattern): PathMatcher;
  nameHas(pattern: TextPattern, name: string): boolean;
  reader: SegmentReader;
  blockLines: Uint32Array;
  deadline: SearchDeadline;
  /** What the patterns of this thread ask while they work. */
  running: RunningDeadline;
}

/** For showing what was found when all of the time was needed to find it: well below what a thread is given before it is replaced. */
const SHOW_MS = 500;

export function runQuery(request: SearchRequest, ground: QueryGround): SearchAnswer {
  try {
    return answerOf(request, ground);
  } catch (error) {
    if (!(error instanceof TimeOver)) throw error;
    throw ground.deadline.isStopped() ? cancelled() : tooMuchToPrepare();
  }
}

function answerOf(request: SearchRequest, ground: QueryGround): SearchAnswer {
  const { generation, nameHas, reader, facts, blockLines, deadline, running } = ground;
  const startedMs = performance.now();
  reader.takeCounters();
  const plan = planOf(request.query);
  const scopeView = ground.viewOf(request.revisions);
  const { shown, manifests, view, rankings } = scopeView;
  const viewedMs = performance.now();
  // Each takes up to a second to make ready, and a query may have thousands.
  const matchers = plan.contents.map((test) => {
    running.expired();
    return ground.contentMatcher(test);
  });
  const paths = plan.paths.map(({ pattern }) => {
    running.expired();
    return ground.pathMatcher(pattern);
  });
  const repositoryFiles = new RepositoryFiles(plan, scopeView, ground);
  const tests: PlaceTests = {
    matches: nameHas,
    hasFile: (test, revision) => repositoryFiles.has(test, revision),
  };
  const decidedPlan = decidePlaces(plan, shown, tests);
  // These two are asked of all documents: half of an answer would be a wrong one.
  const countsAll = request.output === 'count' || request.output === 'repos';
  const exact = request.exact || countsAll;
  const search = new DocumentSearch({
    view,
    rankings,
    manifests,
    segments: generation.segments,
    table: generation.table,
    plan,
    decided: decidedPlan,
    matchers,
    paths,
    reader,
    facts,
    blockLines,
    deadline,
    exact,
    filesWanted: countsAll ? 0 : request.filesMax,
  });
  const position =
    request.after === null ? firstPosition(generation.generation) : readPosition(request.after);
  search.run(position.from, position.to);
  if (deadline.isStopped()) throw cancelled();
  const foundMs = performance.now();
  const ranked = rankedDocuments(search.found, scopeView);
  const rankedMs = performance.now();
  const page = countsAll ? [] : ranked.slice(position.offset, position.offset + request.filesMax);
  const files = new FoundFiles({
    search,
    scopeView,
    matchers,
    paths,
    reader,
    facts,
    blockLines,
    deadline,
    request,
  });
  running.current = deadline.extended(SHOW_MS);
  const shownFiles = page.map((found) => files.shown(found));
  const facets = facetsOf(search.found, scopeView, (found) => files.placesOf(found));
  running.current = null;
  const lines = search.found.reduce((sum, found) => sum + found.lines, 0);
  const problems = [...missingSaid(scopeView, decidedPlan), ...search.problems];
  const searched = searchedOf({ plan, scope: request.scope, shown, decided: decidedPlan, tests });
  const isComplete =
    search.stopped === null && position.to === 0 && problems.length === 0 && searched.pending === 0;
  const { counters, ms } = {
    counters: reader.takeCounters(),
    ms: {
      view: viewedMs - startedMs,
      find: foundMs - viewedMs,
      rank: rankedMs - foundMs,
      show: performance.now() - rankedMs,
      all: performance.now() - startedMs,
    },
  };
  return {
    generation: generation.generation,
    files: shownFiles,
    repositories: request.output === 'repos' ? files.repositories(search.found) : [],
    fileCount: { count: position.files + search.found.length, exact: isComplete },
    lineCount: {
      count: position.lines + lines,
      exact: isComplete && position.from <= 1 && search.found.every(({ linesExact }) => linesExact),
    },
    facets,
    searched,
    stopped: search.stopped ?? repositoryFiles.stopped,
    next: nextPosition(position, { request, search, ranked, lines, countsAll }),
    problems,
    notes: [...new Set(matchers.flatMap(({ notes }) => notes))],
    statistics: {
      candidates: search.candidates,
      documentsOpened: search.documentsOpened,
      blocksDecoded: counters.blocksDecoded,
      blocksCached: counters.blocksCached,
      postingLists: counters.postingLists,
      postingBytes: counters.postingBytes,
      contentBytesRead: counters.contentBytesRead,
      textBytesScanned: search.textBytesScanned,
      ms,
    },
  };
}

/** Told only of documents that were asked for: what else is damaged is nothing to this asker. */
function missingSaid({ missing }: ScopeView, { restOf }: DecidedPlan): string[] {
  if (missing === null) return [];
  const files = missing.reduce((sum, count, manifest) => (restOf[manifest]! < 0 ? sum : sum + count), 0);
  if (files === 0) return [];
  const said = files === 1 ? '1 file lies' : `${files} files lie`;
  return [`${said} in a damaged part of the index. Nothing needs a hand: it is made anew.`];
}

function firstPosition(generation: number): Position {
  return { generation, from: 1, to: 0, offset: 0, files: 0, lines: 0 };
}

/** The best first; of equals what changed last, then as repositories and paths are ordered. */
function rankedDocuments(found: readonly FoundDocument[], { shown }: ScopeView): FoundDocument[] {
  const committedMs = shown.map(({ manifest }) => manifest.head.committedMs);
  return [...found].sort(
    (a, b) => b.score - a.score || committedMs[b.manifest]! - committedMs[a.manifest]! || a.rank - b.rank,
  );
}

function nextPosition(
  position: Position,
  {
    request,
    search,
    ranked,
    lines,
    countsAll,
  }: {
    request: SearchRequest;
    search: DocumentSearch;
    ranked: readonly FoundDocument[];
    lines: number;
    countsAll: boolean;
  },
): SearchAnswer['next'] {
  if (countsAll) return null;
  const offset = position.offset + request.filesMax;
  // Where time ran out the same wave is found again only if its end is told.
  const end = position.to !== 0 ? position.to : search.stopped === null ? 0 : search.nextRank;
  if (offset < ranked.length) return positionOf({ ...position, to: end, offset });
  if (end === 0) return null;
  return positionOf({
    generation: position.generation,
    from: end,
    to: 0,
    offset: 0,
    files: position.files + ranked.length,
    lines: position.lines + lines,
  });
}
