/** What was understood, piece by piece, beside the tree that the engine gets. */
export type Said =
  | { readonly kind: 'term'; readonly words: string; readonly exactCase: boolean }
  | { readonly kind: 'filter'; readonly words: string }
  | { readonly kind: 'not'; readonly of: Said }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Said[] };

const READING_MAX = 400;
const SHOWN_MAX = 80;

/** One line: terms first, then how case counts, then where is looked. */
export function readingOf(said: Said, lists: string | null, directives: readonly string[]): string {
  const parts = said.kind === 'all' ? said.of : [said];
  const terms = parts.filter((part) => !isFilter(part));
  const filters = parts.filter(isFilter);
  const cases = new Set<boolean>();
  for (const term of terms) collectCases(term, cases);
  const shared = cases.size === 1 ? [...cases][0]! : null;
  const line = [
    terms.map((term) => wordsOf(term, shared === null, terms.length > 1)).join(' and ') +
      (shared === null ? '' : caseWords(shared)),
    ...filters.map((filter) => wordsOf(filter, false, filters.length > 1)),
    ...directives,
  ]
    .filter((words) => words !== '')
    .join(', ');
  const whole = lists === null ? line : line === '' ? lists : `${lists}: ${line}`;
  return whole.length > READING_MAX ? `${whole.slice(0, READING_MAX)}…` : whole;
}

/** A text or regex as a reading shows it. */
export function shownText(text: string): string {
  return `text "${cut(text)}"`;
}

export function shownRegex(source: string): string {
  return `regex /${cut(source)}/`;
}

/** Of a text that a caller wrote: short, on one line. */
export function cut(text: string): string {
  const line = text
    .slice(0, SHOWN_MAX)
    .replace(/\r?\n/g, '\u23ce')
    .replace(/[\x00-\x1f\x7f]/g, '\u00b7');
  return text.length > SHOWN_MAX ? `${line}…` : line;
}

function isFilter(said: Said): boolean {
  if (said.kind === 'term') return false;
  if (said.kind === 'filter') return true;
  return said.kind === 'not' ? isFilter(said.of) : said.of.every(isFilter);
}

function collectCases(said: Said, cases: Set<boolean>): void {
  if (said.kind === 'term') cases.add(said.exactCase);
  else if (said.kind === 'not') collectCases(said.of, cases);
  else if (said.kind !== 'filter') for (const part of said.of) collectCases(part, cases);
}

function wordsOf(said: Said, withCase: boolean, isInner: boolean): string {
  switch (said.kind) {
    case 'term':
      return said.words + (withCase ? caseWords(said.exactCase) : '');
    case 'filter':
      return said.words;
    case 'not':
      return `not ${wordsOf(said.of, withCase, true)}`;
    default: {
      const words = said.of.slice(0, PARTS_MAX).map((part) => wordsOf(part, withCase, true));
      if (said.of.length > PARTS_MAX) words.push('…');
      const joined = words.join(said.kind === 'all' ? ' and ' : ' or ');
      return isInner && words.length > 1 ? `(${joined})` : joined;
    }
  }
}

/** Of alternatives that are told one by one. */
const PARTS_MAX = 20;

function caseWords(exactCase: boolean): string {
  return exactCase ? ' (exact case)' : ' (any case)';
}
