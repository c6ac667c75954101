import { PeriscopeError } from '../../base/errors.ts';
import type { Repository } from '../../catalog/index.ts';
import type { CodeFinder, CodeFindings, CodeQuery } from '../codesearch/code-finder.ts';

/** What is looked up beside an answer is worth a moment, not the time of a search. */
const BUDGET_MS = 500;
const FILES_MAX = 10;

export interface TextHitDeps {
  code: CodeFinder;
  visible: readonly Repository[];
  nowMs: number;
  signal: AbortSignal;
}

/** Where a name stands as text, for what has no structure that tells. Null when it stands nowhere. */
export async function textHits(name: string, deps: TextHitDeps): Promise<CodeFindings | null> {
  const found = await search(
    { query: name, mode: 'literal', case: 'yes', contextLines: 1, filesMax: FILES_MAX },
    deps,
  );
  return found !== null && found.answer.files.length > 0 ? found : null;
}

async function search(
  asked: Pick<CodeQuery, 'query' | 'mode' | 'case' | 'contextLines' | 'filesMax'>,
  { code, visible, nowMs, signal }: TextHitDeps,
): Promise<CodeFindings | null> {
  const query: CodeQuery = {
    repo: [],
    file: [],
    lang: [],
    revision: undefined,
    output: 'lines',
    linesPerFileMax: 5,
    exact: false,
    after: null,
    budgetMs: BUDGET_MS,
    ...asked,
  };
  try {
    return await code.search(await code.prepare(query, visible, { signal, nowMs }), { signal, nowMs });
  } catch (fault) {
    // It is no part of what was asked for.
    if (fault instanceof PeriscopeError && fault.kind !== 'cancelled') return null;
    throw fault;
  }
}
