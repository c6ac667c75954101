import type { Repository } from '../../catalog/index.ts';
import type { CodeFinder, CodeQuery, FindOptions, FoundCode } from './code-finder.ts';
import { asksRepositoriesAlone, repositoryFilter } from './commit-query.ts';
import { externalQuery, filesWithin } from './external-bounds.ts';

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
  const files =
    externalTokens === null ? found.answer.files : filesWithin(found.answer.files, externalTokens);
  const answer = { ...found.answer, files };
  const ids = new Set([...answer.files, ...answer.repositories].map(({ repositoryId }) => repositoryId));
  const named = [...ids].flatMap((id) => repositories.get(id) ?? []);
  return { prepared, answer, repositories, notes: [...prepared.notes, ...notes], named };
}

/**
 * The repositories in which a query finds something. Where it asks for nothing in them, they are not searched: `isIndexed` tells
 * which count, null where only the engine knows.
 */
export async function repositoriesForPrograms(
  query: string,
  finder: CodeFinder,
  visible: readonly Repository[],
  options: FindOptions & { isIndexed: ((repositoryId: number) => boolean) | null },
): Promise<readonly Repository[]> {
  const { isIndexed } = options;
  const prepared = await finder.prepare({ ...defaults, query, output: 'repos' }, visible, options);
  const { parsed, repositories } = prepared;
  if (isIndexed && parsed.revisions.length === 0 && asksRepositoriesAlone(parsed.root)) {
    return repositories.filter(repositoryFilter(parsed.root)).filter(({ id }) => isIndexed(id));
  }
  const { answer } = await finder.search(prepared, options);
  const found = new Set(answer.repositories.map(({ repositoryId }) => repositoryId));
  return repositories.filter(({ id }) => found.has(id));
}
