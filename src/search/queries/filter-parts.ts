import { languageNamed } from '../documents/languages.ts';
import { languageFilter, languageHint } from './field-parts.ts';
import { filePattern, GLOB_LENGTH_MAX, repositoryPattern } from './glob-patterns.ts';
import { badFilter } from './query-errors.ts';
import { anyOf, filter, not, type Part } from './query-part.ts';
import { cut } from './query-reading.ts';
import type { QueryFilters } from './types.ts';

/** Filters that came as parameters: values of one are alternatives, those with `!` or `-` in front are left out, and all three must hold. */
export function filterParts(filters: QueryFilters): Part[] {
  return [
    ...split(filters.repo, (names) =>
      filter(
        { kind: 'repository', pattern: repositoryPattern(checked('repo', names)) },
        `in repositories ${cut(names.join(', '))}`,
      ),
    ),
    ...split(filters.file, (globs) =>
      filter(
        { kind: 'text', pattern: filePattern(checked('file', globs)), where: 'path' },
        `in files ${cut(globs.join(', '))}`,
      ),
    ),
    ...split(filters.lang, (names) => anyOf(names.map(languageOf))),
  ];
}

function split(values: readonly string[] | undefined, partOf: (values: readonly string[]) => Part): Part[] {
  const written = (values ?? []).map((value) => value.trim()).filter((value) => !/^[!-]?$/.test(value));
  const wanted = written.filter((value) => !/^[!-]/.test(value));
  const unwanted = written.filter((value) => /^[!-]/.test(value)).map((value) => value.slice(1));
  const parts = wanted.length > 0 ? [partOf(wanted)] : [];
  return unwanted.length > 0 ? [...parts, not(partOf(unwanted))] : parts;
}

function checked(parameter: string, globs: readonly string[]): readonly string[] {
  for (const glob of globs)
    if (glob.length > GLOB_LENGTH_MAX)
      throw badFilter(
        parameter,
        glob,
        `a glob has at most ${GLOB_LENGTH_MAX} characters`,
        'Give a shorter one, or several.',
      );
  return globs;
}

function languageOf(name: string): Part {
  const language = languageNamed(name);
  if (language === null)
    throw badFilter('lang', name, 'there is no such language', languageHint(name, 'lang'));
  return languageFilter(language);
}
