import type { Counted, SearchAnswer } from '../../search/index.ts';

const NAMED_MAX = 5;

/** `42 files, at least 130 lines`. Nothing in a part is not nothing. */
export function countsSaid(answer: SearchAnswer): string {
  const { fileCount, lineCount } = answer;
  if (fileCount.count === 0 && !isWhole(answer)) return 'Nothing so far';
  const files = countSaid(fileCount, 'file');
  return lineCount.count === 0 ? files : `${files}, ${countSaid(lineCount, 'line')}`;
}

export function countSaid({ count, exact }: Counted, one: string, several = `${one}s`): string {
  return `${exact ? '' : 'at least '}${count} ${count === 1 && exact ? one : several}`;
}

/** What was looked through, on one line: it stands in every answer, so that no gap is silent. */
export function searchedSaid({ searched }: SearchAnswer): string {
  const skipped = Object.entries(searched.skipped)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count} ${reason}`);
  const repositories = countSaid({ count: searched.repositories, exact: true }, 'repository', 'repositories');
  const files = countSaid({ count: searched.documents, exact: true }, 'file');
  return `searched ${repositories}, ${files}${skipped.length > 0 ? `; not in the index: ${skipped.join(', ')}` : ''}`;
}

/** Where the rest is, on a line or two; empty when everything is in one place. */
export function facetLines({ facets }: SearchAnswer, nameOf: (repositoryId: number) => string): string[] {
  const repositories = facets.repositories.map(
    ({ repositoryId, files }) => `${nameOf(repositoryId)} ${files}`,
  );
  const languages = facets.languages.map(({ language, files }) => `${language} ${files}`);
  const folders = facets.folders
    .filter(({ folder }) => folder !== '')
    .map(({ repositoryId, folder, files }) =>
      repositories.length > 1 ? `${nameOf(repositoryId)}:${folder} ${files}` : `${folder} ${files}`,
    );
  const lines: string[] = [];
  if (repositories.length > 1) lines.push(`repositories: ${firstOf(repositories)}`);
  const rest = [
    languages.length > 1 ? `languages: ${firstOf(languages)}` : '',
    folders.length > 1 ? `folders: ${firstOf(folders)}` : '',
  ].filter((text) => text !== '');
  if (rest.length > 0) lines.push(rest.join('; '));
  return lines;
}

export interface GapFacts {
  nameOf(repositoryId: number): string;
  exactAsked: boolean;
  budgetMs: number;
}

/** Why there may be more than the answer shows, and what to do about it. */
export function gapNotes(answer: SearchAnswer, { nameOf, exactAsked, budgetMs }: GapFacts): string[] {
  const { searched, stopped } = answer;
  const notes: string[] = [];
  if (searched.unindexed.length > 0) {
    const names = searched.unindexed.map(nameOf);
    notes.push(
      `${names.length} of the repositories ${names.length === 1 ? 'is' : 'are'} not indexed yet and ${names.length === 1 ? 'was' : 'were'} not searched: ${firstOf(names)}. scan_directory looks into one without an index.`,
    );
  }
  if (searched.pending > 0)
    notes.push(
      `Not searched yet, because still being indexed: ${countSaid({ count: searched.pending, exact: true }, 'file')}. Ask again in a moment.`,
    );
  if (stopped === 'budget')
    notes.push(
      `The search's ${budgetMs / 1000} s were over before everything was looked through. Narrow it with repo, file or lang.`,
    );
  if (stopped === 'limit')
    notes.push('A bound was met before everything was looked through. Narrow it with repo, file or lang.');
  if (stopped === 'enough' && !exactAsked)
    notes.push('Ended when enough good files were known: "exact": true counts them all.');
  for (const problem of answer.problems) notes.push(`Not everything could be searched: ${problem}`);
  return [...notes, ...answer.notes];
}

/** Whether an empty answer means that there is nothing. */
export function isWhole({ searched, stopped, problems }: SearchAnswer): boolean {
  return (
    searched.unindexed.length === 0 &&
    searched.pending === 0 &&
    (stopped === null || stopped === 'enough') &&
    problems.length === 0
  );
}

function firstOf(texts: readonly string[]): string {
  const more = texts.length - NAMED_MAX;
  return `${texts.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
