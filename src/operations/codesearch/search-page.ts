import type { SearchPosition } from '../../search/index.ts';
import { cursorOutdated } from '../errors.ts';
import type { Position } from '../types.ts';
import type { CodeFinder, CodeFindings, FindOptions, PreparedSearch } from './code-finder.ts';
import type { SearchState } from './search-scopes.ts';

/** A page stands within one wave of the engine: where the wave begins, and how many of its files are shown already. */
export interface SearchPage {
  after: SearchPosition | null;
  skip: number;
}

export const firstPage: SearchPage = { after: null, skip: 0 };

/** Waves that hold nothing but what has been opted out since are passed over. */
const EMPTY_WAVES_MAX = 5;
/** The engine's key for the generation in its positions; one that holds this alone is the front of that generation. */
const GENERATION = 'g';

export function positionOf({ after, skip }: SearchPage, state: SearchState): Position {
  const { repositories, indexed, generation } = state;
  return { wave: after === null ? '' : JSON.stringify(after), skip, repositories, indexed, generation };
}

/**
 * Where a cursor leads on. What has changed elsewhere does not matter; what has changed in what is searched is still looked for as
 * it was, as long as the engine keeps that. Other repositories than before would make other pages.
 */
export function pageOf(position: Position | null, state: SearchState): SearchPage {
  if (!position) return firstPage;
  if (position['repositories'] !== state.repositories) throw cursorOutdated();
  const wave = String(position['wave'] ?? '');
  const after = wave === '' ? null : (JSON.parse(wave) as SearchPosition);
  const isSame = position['indexed'] === state.indexed;
  const generation = isSame ? state.generation : Number(position['generation']);
  const skip = Number(position['skip'] ?? 0);
  if (isSame && after === null) return { after, skip };
  if (after !== null && after[GENERATION] === undefined) {
    if (isSame) return { after, skip };
    throw cursorOutdated();
  }
  return { after: { ...after, [GENERATION]: generation }, skip };
}

/** What the wave of the page holds, or the next one that has something left to show. */
export async function findPage(
  prepared: PreparedSearch,
  page: SearchPage,
  finder: CodeFinder,
  options: FindOptions,
): Promise<{ findings: CodeFindings; page: SearchPage }> {
  let from = page;
  for (let waves = 1; ; waves++) {
    const asked = { ...prepared.asked, after: from.after };
    const findings = await finder.search({ ...prepared, asked }, options);
    const { next } = findings.answer;
    const hasFiles = findings.indexes.some((index) => index >= from.skip);
    if (hasFiles || next === null || waves === EMPTY_WAVES_MAX || listsRepositories(prepared))
      return { findings, page: from };
    from = { ...from, after: next, skip: 0 };
  }
}

export function listsRepositories({ output }: PreparedSearch): boolean {
  return output === 'repos' || output === 'count';
}
