import { PeriscopeError } from '../../base/errors.ts';
import type { Repository } from '../../catalog/index.ts';
import { editDistance } from '../addressing/edit-distance.ts';
import type { CodeFinder, CodeFindings, CodeQuery } from '../codesearch/code-finder.ts';

/** What is looked up beside an answer is worth a moment, not the time of a search. */
const BUDGET_MS = 500;
const FILES_MAX = 10;
const NEAR_MAX = 5;
const NEAR_FILES_MAX = 30;
const SLIPS_MAX = 2;

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

/** Names of definitions that are written like one that nobody defines, the nearest first. */
export async function nearNames(name: string, deps: TextHitDeps): Promise<string[]> {
  const wanted = name.toLowerCase();
  const start = wanted.slice(0, Math.max(2, Math.ceil(wanted.length / 2)));
  if (wanted.length < 3 || !/^[\p{L}\p{N}_$-]+$/u.test(wanted)) return [];
  const looks = [`sym:"${name}"`, `sym:/^${start.replaceAll('$', '\\$')}/`].map((query) =>
    search({ query, mode: 'auto', case: 'no', contextLines: 0, filesMax: NEAR_FILES_MAX }, deps),
  );
  const names = new Set<string>();
  for (const found of await Promise.all(looks))
    for (const line of (found?.answer.files ?? []).flatMap(({ blocks }) => blocks.flat()))
      for (const word of line.text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []) names.add(word);
  return [...names]
    .map((one) => ({ one, distance: distanceOf(one.toLowerCase(), wanted) }))
    .filter(({ distance }) => distance <= SLIPS_MAX + 1)
    .sort((left, right) => left.distance - right.distance || (left.one < right.one ? -1 : 1))
    .slice(0, NEAR_MAX)
    .map(({ one }) => one);
}

/** A name that holds the wanted one is a step further away than any slip. */
function distanceOf(name: string, wanted: string): number {
  const distance = editDistance(wanted, name, SLIPS_MAX);
  if (distance <= SLIPS_MAX) return distance;
  return name.includes(wanted) ? SLIPS_MAX + 1 : Number.POSITIVE_INFINITY;
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
