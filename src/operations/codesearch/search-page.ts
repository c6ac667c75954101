import type { FoundFile, FoundPlace, SearchPosition } from '../../search/index.ts';
import { cursorOutdated } from '../errors.ts';
import type { Position } from '../types.ts';
import type { CodeFinder, CodeFindings, FindOptions, PreparedSearch } from './code-finder.ts';
import { digestOf, type SearchState } from './search-scopes.ts';

/** A page stands within one wave of the engine: where the wave begins, and how many of its files are shown already. */
export interface SearchPage {
  after: SearchPosition | null;
  skip: number;
  /** Of a wave that time cut short: it may be another when it is found again, so what was shown of it is told by name. */
  shown: ReadonlySet<string> | null;
}

export const firstPage: SearchPage = { after: null, skip: 0, shown: null };

/** Waves that hold nothing but what has been opted out since are passed over. */
const EMPTY_WAVES_MAX = 5;
/** The engine's key for the generation in its positions; one that holds this alone is the front of that generation. */
const GENERATION = 'g';
/** Its number grows with what the asker does not see, and the length of a cursor would tell how far. */
const GENERATION_DIGITS = 16;

export function positionOf({ after, skip, shown }: SearchPage, state: SearchState): Position {
  const { repositories, indexed, generation } = state;
  return {
    wave:
      after === null
        ? ''
        : JSON.stringify(after[GENERATION] === undefined ? after : { ...after, [GENERATION]: 0 }),
    skip,
    ...(shown ? { shown: [...shown].join('') } : {}),
    repositories,
    indexed,
    generation: String(generation).padStart(GENERATION_DIGITS, '0'),
  };
}

/** Enough to tell the files of some waves apart. */
const MARK_LENGTH = 8;
const MARKS_MAX = 500;

function markOf({ repositoryId, revision, path }: FoundPlace): string {
  return digestOf([repositoryId, revision, path]).slice(0, MARK_LENGTH);
}

/** The files that are left to show, each with the page that comes after it. */
export function filesLeft(
  { answer, indexes }: CodeFindings,
  page: SearchPage,
): { file: FoundFile; next: SearchPage }[] {
  const byName = page.shown !== null || answer.stopped === 'budget';
  const left = answer.files
    .map((file, at) => ({ file, index: indexes[at]!, mark: byName ? markOf(file) : '' }))
    .filter(({ index, mark }) => (page.shown ? !page.shown.has(mark) : index >= page.skip));
  return left.map(({ file, index }, at) => {
    const isLast = at === left.length - 1 && answer.next !== null;
    const shown = byName ? [...(page.shown ?? []), ...left.slice(0, at + 1).map(({ mark }) => mark)] : null;
    return {
      file,
      next: {
        after: isLast ? answer.next : page.after,
        skip: isLast ? 0 : index + 1,
        shown: shown && new Set(shown.slice(-MARKS_MAX)),
      },
    };
  });
}

/**
 * Where a cursor leads on. What has changed elsewhere does not matter; what has changed in what is searched is still looked for as
 * it was, as long as the engine keeps that. Other repositories than before would make other pages.
 */
export function pageOf(position: Position | null, state: SearchState, tool = 'codesearch'): SearchPage {
  if (!position) return firstPage;
  if (position['repositories'] !== state.repositories) throw cursorOutdated(tool);
  const wave = String(position['wave'] ?? '');
  const after = wave === '' ? null : (JSON.parse(wave) as SearchPosition);
  const isSame = position['indexed'] === state.indexed;
  const generation = isSame ? state.generation : Number(position['generation']);
  const marks = String(position['shown'] ?? '').match(new RegExp(`.{${MARK_LENGTH}}`, 'g'));
  const rest = { skip: Number(position['skip'] ?? 0), shown: marks && new Set(marks) };
  if (isSame && after === null) return { after, ...rest };
  if (after !== null && after[GENERATION] === undefined) {
    if (isSame) return { after, ...rest };
    throw cursorOutdated(tool);
  }
  return { after: { ...after, [GENERATION]: generation }, ...rest };
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
    const { next, stopped } = findings.answer;
    if (
      filesLeft(findings, from).length > 0 ||
      next === null ||
      // Each further wave would take as much time again: worth it once, behind one that is shown already.
      (stopped === 'budget' && (waves > 1 || from.shown === null)) ||
      waves === EMPTY_WAVES_MAX ||
      listsRepositories(prepared)
    )
      return { findings, page: from };
    from = { ...from, after: next, skip: 0 };
  }
}

export function listsRepositories({ output }: PreparedSearch): boolean {
  return output === 'repos' || output === 'count';
}
