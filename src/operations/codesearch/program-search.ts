import type { Repository } from '../../catalog/index.ts';
import type { SearchAnswer } from '../../search/index.ts';
import type { CodeFinder, CodeQuery, FindOptions, FoundCode } from './code-finder.ts';
import { externalQuery, filesWithin } from './external-bounds.ts';
import { filesByPlace, placeCount } from './file-places.ts';

const defaults: Omit<CodeQuery, 'query'> = {
  mode: 'auto',
  case: 'auto',
  repo: [],
  file: [],
  lang: [],
  revision: undefined,
  output: null,
  filesMax: 100,
  linesPerFileMax: 100,
  contextLines: 0,
  exact: false,
  after: null,
  budgetMs: null,
};

/**
 * The engine's own answer, for surfaces that speak another protocol. `externalTokens` bounds it for a caller whose model is external;
 * null is no bound beside what is asked. `named` are the repositories in it, for the audit. */
export async function searchForPrograms(
  query: Partial<CodeQuery> & { query: string },
  finder: CodeFinder,
  visible: readonly Repository[],
  options: FindOptions & { externalTokens: number | null },
): Promise<FoundCode & { named: readonly Repository[] }> {
  const { externalTokens } = options;
  const asked = { ...defaults, ...query };
  const allowed = externalTokens === null ? asked : externalQuery(asked, externalTokens);
  const prepared = await finder.prepare(allowed, visible, options);
  const found = await finder.search(prepared, options);
  const { repositories, notes } = found;
  const answer = answerByPlace(found.answer, allowed.filesMax);
  const files = externalTokens === null ? answer.files : filesWithin(answer.files, externalTokens);
  const ids = new Set([...files, ...answer.repositories].map(({ repositoryId }) => repositoryId));
  const named = [...ids].flatMap((id) => repositories.get(id) ?? []);
  return {
    prepared,
    answer: { ...answer, files },
    repositories,
    notes: [...prepared.notes, ...notes],
    named,
  };
}

/** Programs know no copies: each place is a file of its own, and counts as one. */
function answerByPlace(answer: SearchAnswer, filesMax: number): SearchAnswer {
  const { files, fileCount, lineCount } = answer;
  const copies = files.map((file) => ({ lines: file.lineCount, count: placeCount(file) - 1 }));
  return {
    ...answer,
    files: files.flatMap(filesByPlace).slice(0, filesMax),
    fileCount: { ...fileCount, count: copies.reduce((sum, { count }) => sum + count, fileCount.count) },
    lineCount: {
      ...lineCount,
      count: copies.reduce((sum, { count, lines }) => sum + count * lines, lineCount.count),
    },
  };
}

/** The repositories in which a query finds something. Where it asks for nothing in them, they are not searched. */
export async function repositoriesForPrograms(
  query: string,
  finder: CodeFinder,
  visible: readonly Repository[],
  options: FindOptions,
): Promise<readonly Repository[]> {
  const prepared = await finder.prepare({ ...defaults, query, output: 'repos' }, visible, options);
  const { answer } = await finder.search(prepared, options);
  const found = new Set(answer.repositories.map(({ repositoryId }) => repositoryId));
  return prepared.repositories.filter(({ id }) => found.has(id));
}
