import type { Repository } from '../../catalog/index.ts';
import type { CodeFinder, CodeQuery, FindOptions, FoundCode } from './code-finder.ts';

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

/** The engine's own answer, for surfaces that speak another protocol. `named` are the repositories in it, for the audit. */
export async function searchForPrograms(
  query: Partial<CodeQuery> & { query: string },
  finder: CodeFinder,
  visible: readonly Repository[],
  options: FindOptions,
): Promise<FoundCode & { named: readonly Repository[] }> {
  const prepared = await finder.prepare({ ...defaults, ...query }, visible, options);
  const { answer, repositories, notes } = await finder.search(prepared, options);
  const ids = new Set([...answer.files, ...answer.repositories].map(({ repositoryId }) => repositoryId));
  const named = [...ids].flatMap((id) => repositories.get(id) ?? []);
  return { prepared, answer, repositories, notes: [...prepared.notes, ...notes], named };
}
