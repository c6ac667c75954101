import type { PeriscopeError } from '../../base/errors.ts';
import { languageName, languageNamed } from '../documents/languages.ts';
import { emptyStatistics } from '../engine/no-index-answer.ts';
import type { Facets, FoundFile, FoundPlace, SearchAnswer, SearchRequest } from '../engine/types.ts';
import type { ZoektAnswer, ZoektFile, ZoektStatistics } from './zoekt-answers.ts';
import { foundBlocks } from './zoekt-lines.ts';
import { branchFilter, couldFit, type ServedRepository } from './zoekt-request.ts';

/** What became of a search on one server. */
export interface ServerAnswer {
  /** Repositories that it was asked about. */
  repositories: readonly ServedRepository[];
  /** Null if it was not asked, or failed. */
  answer: ZoektAnswer | null;
  fault: PeriscopeError | null;
}

const ALSO_MAX = 10;

/** One answer out of those of all servers. A file of a repository that nobody asked about is no part of it. */
export function mergedAnswer(
  answers: readonly ServerAnswer[],
  { request, skip, generation }: { request: SearchRequest; skip: number; generation: number },
): SearchAnswer {
  const rankOf = new Map(request.scope.map(({ id }, index) => [id, index]));
  const received = answers.flatMap(({ repositories, answer }) => {
    const byName = new Map(repositories.map((served) => [served.zoekt.name, served]));
    return (answer?.files ?? []).map((file) => foundFile(file, byName.get(file.repository), request));
  });
  const files = withoutDoubles(received.filter((file) => file !== null)).sort(
    (a, b) =>
      b.score - a.score ||
      rankOf.get(a.repositoryId)! - rankOf.get(b.repositoryId)! ||
      (a.path < b.path ? -1 : 1),
  );
  const total = totalOf(answers);
  const isWhole =
    total.filesSkipped + total.shardsSkipped + total.crashes === 0 && answers.every(({ fault }) => !fault);
  const allReceived = received.length >= total.fileCount;
  const noneDropped = files.length === received.length;
  const lineCount = files.reduce((sum, file) => sum + file.lineCount, 0);
  const fileCount = noneDropped && !allReceived ? total.fileCount : files.length;
  const searched = answers.flatMap(({ repositories }) => repositories);
  const served = new Set(searched.map(({ repository }) => repository.id));
  const lists = request.output === 'lines' || request.output === 'files';
  const end = skip + request.filesMax;
  return {
    generation,
    files: lists ? files.slice(skip, end).map((file) => shownFile(file, request)) : [],
    repositories: request.output === 'repos' ? countedRepositories(files, rankOf) : [],
    fileCount: { count: fileCount, exact: isWhole && (allReceived || noneDropped) },
    lineCount: { count: lineCount, exact: isWhole && allReceived },
    facets: facetsOf(files, rankOf),
    searched: {
      repositories: served.size,
      documents: searched.reduce((sum, { zoekt }) => sum + zoekt.documents, 0),
      unindexed: request.scope
        .filter((repository) => !served.has(repository.id) && couldFit(request.query, repository, null))
        .map(({ id }) => id),
      skipped: {},
      pending: 0,
    },
    stopped: stoppedBy(total, request.budgetMs),
    next: lists && files.length > end ? { generation, skip: end } : null,
    problems: problemsOf(answers, total.crashes),
    notes: [],
    statistics: {
      ...emptyStatistics(),
      candidates: total.filesConsidered,
      documentsOpened: total.filesLoaded,
      postingBytes: total.indexBytesLoaded,
      contentBytesRead: total.contentBytesLoaded,
      ms: { zoekt: total.durationNs / 1e6, wait: total.waitNs / 1e6 },
    },
  };
}

/** Null for what is not asked for. */
function foundFile(
  file: ZoektFile,
  served: ServedRepository | undefined,
  request: SearchRequest,
): FoundFile | null {
  if (!served) return null;
  // What lies in a repository within the repository is the other one's, and whether it may be seen is another question.
  if (file.subRepository !== '' && file.subRepository !== file.repository) return null;
  const { repository, zoekt, branch } = served;
  const allows = branchFilter(request.query);
  const inIndex =
    file.branches.length > 0 ? file.branches : zoekt.branches.slice(0, 1).map(({ name }) => name);
  const branches = inIndex.filter((name) => allows(name) && (branch === null || name === branch));
  if (branches.length === 0) return null;
  const places = branches.map((revision): FoundPlace => {
    const known = zoekt.branches.find(({ name }) => name === revision)?.commit;
    return { repositoryId: repository.id, revision, commit: known ?? file.commit, path: file.path };
  });
  const language = languageNamed(file.language);
  const { blocks, lineCount } = foundBlocks(file.lines, request);
  return {
    ...places[0]!,
    oid: '',
    language: (language === null ? null : languageName(language)) ?? (file.language || null),
    score: file.score,
    matchedPath: file.pathRanges.length > 0,
    matchedSymbol: false,
    pathRanges: file.pathRanges,
    lineCount,
    lineCountExact: true,
    blocks,
    also: places.slice(1, 1 + ALSO_MAX),
    alsoCount: places.length - 1,
    unmasked: true,
  };
}

function shownFile(file: FoundFile, { output }: SearchRequest): FoundFile {
  return output === 'lines' ? file : { ...file, blocks: [] };
}

/** A repository may be on several servers. */
function withoutDoubles(files: readonly FoundFile[]): FoundFile[] {
  const byPlace = new Map<string, FoundFile>();
  for (const file of files) {
    const place = JSON.stringify([file.repositoryId, file.commit, file.path]);
    if (!byPlace.has(place)) byPlace.set(place, file);
  }
  return [...byPlace.values()];
}

function totalOf(answers: readonly ServerAnswer[]): ZoektStatistics {
  const all = answers.flatMap(({ answer }) => answer?.statistics ?? []);
  const sum = (key: keyof ZoektStatistics) => all.reduce((total, one) => total + one[key], 0);
  return {
    fileCount: sum('fileCount'),
    matchCount: sum('matchCount'),
    filesConsidered: sum('filesConsidered'),
    filesLoaded: sum('filesLoaded'),
    filesSkipped: sum('filesSkipped'),
    shardsSkipped: sum('shardsSkipped'),
    contentBytesLoaded: sum('contentBytesLoaded'),
    indexBytesLoaded: sum('indexBytesLoaded'),
    crashes: sum('crashes'),
    // Servers are asked side by side.
    durationNs: Math.max(0, ...all.map(({ durationNs }) => durationNs)),
    waitNs: Math.max(0, ...all.map(({ waitNs }) => waitNs)),
  };
}

/** zoekt says that it left something out, and not why. */
function stoppedBy({ filesSkipped, shardsSkipped, durationNs }: ZoektStatistics, budgetMs: number) {
  if (filesSkipped + shardsSkipped === 0) return null;
  return durationNs >= budgetMs * 1e6 * 0.95 ? 'budget' : 'limit';
}

function problemsOf(answers: readonly ServerAnswer[], crashes: number): string[] {
  const failed = answers.flatMap(({ fault }) => fault?.message ?? []);
  return [
    ...failed.map(
      (message) => `One of ${answers.length} zoekt servers is missing in this answer. ${message}`,
    ),
    ...(crashes > 0
      ? [`zoekt could not read ${crashes} of its shards; what is in them is missing here.`]
      : []),
  ];
}

type Ranks = ReadonlyMap<number, number>;

function countedRepositories(files: readonly FoundFile[], rankOf: Ranks): SearchAnswer['repositories'] {
  const counts = new Map<number, { repositoryId: number; files: number; lines: number }>();
  for (const { repositoryId, lineCount } of files) {
    const count = counts.get(repositoryId) ?? { repositoryId, files: 0, lines: 0 };
    count.files++;
    count.lines += lineCount;
    counts.set(repositoryId, count);
  }
  return [...counts.values()].sort((a, b) => rankOf.get(a.repositoryId)! - rankOf.get(b.repositoryId)!);
}

function facetsOf(files: readonly FoundFile[], rankOf: Ranks): Facets {
  const languages = new Map<string, number>();
  const folders = new Map<string, { repositoryId: number; folder: string; files: number }>();
  for (const { repositoryId, language, path } of files) {
    if (language !== null) languages.set(language, (languages.get(language) ?? 0) + 1);
    const slash = path.indexOf('/');
    if (slash < 0) continue;
    const folder = path.slice(0, slash);
    const key = `${repositoryId}:${folder}`;
    const count = folders.get(key) ?? { repositoryId, folder, files: 0 };
    count.files++;
    folders.set(key, count);
  }
  const byRank = (a: { repositoryId: number }, b: { repositoryId: number }) =>
    rankOf.get(a.repositoryId)! - rankOf.get(b.repositoryId)!;
  return {
    repositories: countedRepositories(files, rankOf)
      .map(({ repositoryId, files: count }) => ({ repositoryId, files: count }))
      .sort((a, b) => b.files - a.files || byRank(a, b)),
    languages: [...languages]
      .map(([language, count]) => ({ language, files: count }))
      .sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1)),
    folders: [...folders.values()].sort(
      (a, b) => b.files - a.files || byRank(a, b) || (a.folder < b.folder ? -1 : 1),
    ),
  };
}
