import { PeriscopeError } from '../../base/errors.ts';
import { checkRegex, escapeRegex } from './text-patterns.ts';

/** What a word of a query is taken for. */
export interface TermReading {
  isRegex: boolean;
  source: string;
  /** For the asker, where he may have meant the other. */
  note: string | null;
}

/**
 * Reads a word that nothing marks as text or regex. It is a regex when it shows what people write in regexes and seldom in code, such as `.*`,
 * `\w`, `^`, `[a-z]`, `(a|b)`; else text, and so is what would be no regex at all. Throws the matcher's error for what is plainly a
 * regex and can not be run, such as lookaround.
 */
export function readTerm(word: string): TermReading {
  if (!/[\\^$.|?*+()[\]{}]/.test(word)) return { isRegex: false, source: word, note: null };
  const signs = regexSigns(word);
  if (signs === 'none') return { isRegex: false, source: word, note: wildcardNote(word) };
  const fault = faultOf(word);
  if (fault === null) return { isRegex: true, source: word, note: null };
  if (fault === 'fits-all') {
    return word === '.*'
      ? { isRegex: true, source: word, note: null }
      : asText(word, 'it fits every line as a regex');
  }
  if (signs === 'weak') return asText(word, 'it is no valid regex');
  if (fault.code === 'search/regex-unsupported') throw fault;
  const mended = escapeUnpaired(word);
  if (mended !== word && faultOf(mended) === null) {
    return { isRegex: true, source: mended, note: `took "${shown(word)}" as the regex /${shown(mended)}/` };
  }
  return asText(word, 'it is no valid regex');
}

/** How a value of `repo:`, `file:` or `branch:` is meant. */
export function readValue(value: string): 'text' | 'glob' | 'regex' {
  const isGlob = /[*?]|\{[^{},]*,[^{}]*\}/.test(value);
  if (isPlainGlob(value)) return 'glob';
  if (regexSigns(value.replace(/\?/g, '\u0001')) === 'none') return isGlob ? 'glob' : 'text';
  return isGlob && faultOf(value) instanceof PeriscopeError ? 'glob' : 'regex';
}

// `[a-c]*.py`, `src/v[0-9]*/a?.md`: stars that end a name before its extension or a slash, and nothing that globs do not know.
// Behind a class `{2,3}` counts, and `.*` is a regex's.
function isPlainGlob(value: string): boolean {
  const outside = value.replace(/\[[!^]?[^\]\\/[]{1,40}\]/g, CLASS);
  return (
    outside.includes(CLASS) &&
    /[*?](?:\.\w|\/)|\/\*/.test(outside) &&
    !/[\\^$()|+]|\.[*?]|\u0002\{\d/.test(outside)
  );
}

/** Null for a regex that can be run and that not everything fits. */
function faultOf(source: string): PeriscopeError | 'fits-all' | null {
  try {
    return checkRegex(source).fitsAll ? 'fits-all' : null;
  } catch (error) {
    if (error instanceof PeriscopeError) return error;
    throw error;
  }
}

const ESCAPED = '\u0001';
const CLASS = '\u0002';

/** How much a text looks like a regex. `strong` ones hardly stand in code. */
export function regexSigns(text: string): 'none' | 'weak' | 'strong' {
  // Windows paths, and names of PHP's namespaces.
  if (/^[A-Za-z]:\\|^\\?(?:[A-Z]\w+\\)+\w+$/.test(text)) return 'none';
  if (hasEscapeSign(text) || /\(\?(?:[imsU-]+[:)]|[:=!]|P?<)/.test(text)) return 'strong';
  const { masked, hasClassSign } = withoutClasses(text.replace(/\\./gs, ESCAPED));
  if (hasClassSign || /\.[*+](?![*+])|\.\{\d+,?\d*\}/.test(masked)) return 'strong';
  if (/^\^[^\s^=]|[^\s$]\$$/.test(masked)) return 'weak';
  if (/[)\u0001\u0002](?:\{\d+,?\d*\})/.test(masked)) return 'weak';
  if (hasAlternation(masked)) return 'weak';
  if (/(?:^|[^\w\u0001)\]])\([^()]+\)[*+?](?![*+?.])/.test(masked)) return 'weak';
  // `max_?retries`, but no `a?b:c`, `url?key=value` or `?.`.
  return /\w\?\w/.test(masked) && !/[=:&]/.test(masked) ? 'weak' : 'none';
}

function hasEscapeSign(text: string): boolean {
  const isQuoted = /["'`]/.test(text);
  for (const { 1: letter = '', index } of text.matchAll(/\\(.)/gs)) {
    if (/[.*+?^$()[\]{}|/ ]/.test(letter)) return true;
    if (/[nrt]/.test(letter) && !isQuoted) return true;
    if (/[bdsw]/.test(letter)) return true;
    // `\Services` is part of a name.
    if (/[BDSWAzQ]/.test(letter) && !/^[a-z]{2}/.test(text.slice(index + 2, index + 4))) return true;
    if (/[pP]/.test(letter) && text[index + 2] === '{') return true;
  }
  return false;
}

/** Bracket classes as one sign each, and whether one of them is no index of an array. */
function withoutClasses(text: string): { masked: string; hasClassSign: boolean } {
  let hasClassSign = false;
  const masked = text.replace(
    /\[([^[\]]+|\[:\^?\w+:\])\]([*+?]|\{\d)?/g,
    (found, inside: string, repeated: string | undefined) => {
      const isClass =
        inside.startsWith('^') ||
        inside.startsWith('[:') ||
        inside.includes(ESCAPED) ||
        /[aA0]-[zZ9fF\d]|1-\d/.test(inside) ||
        (repeated !== undefined && repeated !== '?' && !/^[\w.]{5,}$/.test(inside));
      if (isClass) hasClassSign = true;
      return isClass ? CLASS + (repeated ?? '') : found.replace(/[^\w]/g, '_');
    },
  );
  return { masked, hasClassSign };
}

/** `a|b` with something on both sides of every bar: `||`, `|x|` and `a |= b` are code. */
function hasAlternation(masked: string): boolean {
  return masked.includes('|') && !/^\||\|$|\|[|=)>&]|[(<]\|/.test(masked);
}

function escapeUnpaired(source: string): string {
  const unpaired = new Set<number>();
  const open: number[] = [];
  for (let at = 0; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (character === '[') {
      const close = source.indexOf(']', at + 2);
      if (close === -1) unpaired.add(at);
      else at = close;
    } else if (character === '(') open.push(at);
    else if (character === ')' && open.pop() === undefined) unpaired.add(at);
  }
  for (const at of open) unpaired.add(at);
  if (unpaired.size === 0 || unpaired.size > UNPAIRED_MAX) return source;
  let mended = '';
  for (let at = 0; at < source.length; at++) mended += unpaired.has(at) ? `\\${source[at]}` : source[at];
  return mended;
}

const UNPAIRED_MAX = 20;

function asText(word: string, why: string): TermReading {
  return {
    isRegex: false,
    source: word,
    note: `took "${shown(word)}" as text, because ${why}; for a regex write /${shown(escapeRegex(word))}/ and change it`,
  };
}

/** Stars that other tools take as wildcards. */
function wildcardNote(word: string): string | null {
  if (!/^[\w.-]+\*(?:[\w.-]*\*)*[\w.-]*$/.test(word)) return null;
  const regex = word.split(/\*+/).map(escapeRegex).join('.*');
  return `took "${shown(word)}" as text, star included; for any characters in its place write /${shown(regex)}/`;
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
