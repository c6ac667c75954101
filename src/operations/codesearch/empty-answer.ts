import { PeriscopeError } from '../../base/errors.ts';
import type { Repository } from '../../catalog/index.ts';
import type { CodeFinder, CodeQuery, FindOptions } from './code-finder.ts';
import { countsSaid } from './search-words.ts';

/** Each try is worth a moment, not the time of a search. */
const TRY_BUDGET_MS = 150;
const SUGGESTIONS_MAX = 3;

/** What would have found something: the call with one thing changed, and how much it finds. */
export async function repairsOf(
  asked: CodeQuery,
  finder: CodeFinder,
  visible: readonly Repository[],
  options: FindOptions,
): Promise<string[]> {
  const found: string[] = [];
  for (const { change, said } of changesOf(asked)) {
    if (found.length >= SUGGESTIONS_MAX) break;
    const tried = {
      ...asked,
      ...change,
      output: 'files',
      filesMax: 1,
      contextLines: 0,
      exact: false,
      after: null,
      budgetMs: TRY_BUDGET_MS,
    } satisfies CodeQuery;
    const counts = await countOf(tried, finder, visible, options);
    if (counts !== null) found.push(`${said}: ${counts}.`);
  }
  return found;
}

async function countOf(
  tried: CodeQuery,
  finder: CodeFinder,
  visible: readonly Repository[],
  options: FindOptions,
): Promise<string | null> {
  try {
    const { answer } = await finder.search(await finder.prepare(tried, visible, options), options);
    return answer.fileCount.count > 0 ? countsSaid(answer) : null;
  } catch (fault) {
    // A changed query may be faulty where the asked one was not: then it is no way out.
    if (fault instanceof PeriscopeError && fault.kind !== 'cancelled') return null;
    throw fault;
  }
}

function changesOf(asked: CodeQuery): { change: Partial<CodeQuery>; said: string }[] {
  const changes: { change: Partial<CodeQuery>; said: string }[] = [];
  const looksLikeRegex = /[\\^$.|?*+()[\]{}]/.test(asked.query);
  if (asked.case !== 'no') changes.push({ change: { case: 'no' }, said: 'With "case": "no"' });
  if (asked.mode !== 'literal' && looksLikeRegex)
    changes.push({ change: { mode: 'literal' }, said: 'With "mode": "literal"' });
  if (asked.mode !== 'regex' && looksLikeRegex)
    changes.push({ change: { mode: 'regex' }, said: 'With "mode": "regex"' });
  if (asked.file.length > 0) changes.push({ change: { file: [] }, said: 'Without "file"' });
  if (asked.lang.length > 0) changes.push({ change: { lang: [] }, said: 'Without "lang"' });
  if (asked.repo.length > 0)
    changes.push({ change: { repo: [], revision: undefined }, said: 'In all repositories, without "repo"' });
  return changes;
}
