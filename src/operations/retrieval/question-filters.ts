import type { MeaningQuery } from './asked-meaning.ts';

type Filters = Pick<MeaningQuery, 'question' | 'repo' | 'file' | 'lang'>;

export interface QuestionFilters {
  /** The question without them; the parameters with them. */
  asked: Filters;
  /** The filters as they were written, those that were taken and those that were not understood. */
  taken: readonly string[];
  left: readonly string[];
}

/** As codesearch has them, with their short names. */
const field =
  /(?<=^|\s)(?<not>-|!)?(?<name>repo|repository|r|file|path|f|lang|language|l):(?:"(?<quoted>[^"\n]+)"|(?<plain>[^\s":/=][^\s"]*|\/[^\s"/][^\s"]*))(?=\s|$)/gi;

/** Takes the filters that a question is written with, as queries of codesearch are, for what the parameters mean. */
export function takeFilters(asked: Filters): QuestionFilters {
  const found = { repo: [...asked.repo], file: [...asked.file], lang: [...asked.lang] };
  const [taken, left]: [string[], string[]] = [[], []];
  // Pasted lines are code or a trace, and mean what they say.
  if (asked.question.includes('\n')) return { asked, taken, left };
  const question = asked.question.replace(field, (written, ...rest) => {
    const { not, name, quoted, plain } = rest.at(-1) as Record<string, string | undefined>;
    const value = quoted ?? plain!;
    const sign = not === undefined ? '' : '!';
    const letter = name![0]!.toLowerCase();
    const isLanguage = letter === 'l';
    // No language is left out by a parameter.
    const globs = isLanguage ? (sign === '' ? value.split(',') : null) : globsOf(value, letter === 'r');
    if (globs === null) {
      left.push(written);
      return '';
    }
    taken.push(written);
    const into = isLanguage ? found.lang : letter === 'r' ? found.repo : found.file;
    into.push(...globs.map((glob) => `${sign}${glob}`));
    return '';
  });
  if (taken.length + left.length === 0) return { asked, taken, left };
  return { asked: { ...found, question: question.replace(/\s+/g, ' ').trim() }, taken, left };
}

/** What a value of codesearch is as globs; null for regexes that no glob is like. */
function globsOf(value: string, isRepository: boolean): string[] | null {
  const isFromStart = value.startsWith('^');
  const isToEnd = value.endsWith('$');
  const isRegex = isFromStart || isToEnd || /\\|\.[*+]/.test(value);
  const glob = isRegex
    ? value
        .replace(/^\^|\$$/g, '')
        .replace(/(?<!\\)\.[*+]/g, '*')
        .replace(/\\([./-])/g, '$1')
    : value;
  if (/[\\()|+^$]/.test(glob)) return null;
  if (isRepository) return [glob];
  if (!isRegex && /[*?{[]/.test(glob))
    return /^\*\.[\w.]+(?:,\*\.[\w.]+)+$/.test(glob) ? glob.split(',') : [glob];
  if (!isRegex && glob.startsWith('/')) return [glob];
  // A plain text stands anywhere in a path.
  const start = isFromStart ? glob : `**/*${glob}`;
  return isToEnd ? [start] : [`${start}*`, `${start}*/**`];
}
