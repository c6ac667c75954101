import { parse } from '../regex/parser.ts';
import { matchesEmpty } from '../regex/syntax-tree.ts';
import type { TextPattern } from './types.ts';

/** A text as it stands. Over several lines it is a regex, because only those look across line breaks. */
export function textPattern(text: string, ignoreCase: boolean): TextPattern {
  if (!/[\r\n]/.test(text)) return { source: text, literal: true, ignoreCase };
  const lines = text.split(/\r\n?|\n/).map(escapeRegex);
  return { source: lines.join('\\r?\\n'), literal: false, ignoreCase };
}

/** The text as a regex that matches it alone. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

/** Throws the matcher's error, with the place within `source`. Whether every line would match. */
export function checkRegex(source: string): { fitsAll: boolean } {
  return { fitsAll: matchesEmpty(parse(source, { ignoreCase: false, literal: false }).syntax) };
}

/** Whether a text names a capital letter, so that its case counts under `case:auto`. */
export function hasCapital(text: string, isRegex: boolean): boolean {
  if (!isRegex) return /\p{Lu}/u.test(text);
  if (/\[:upper:\]|\\p\{?Lu/.test(text)) return true;
  return /\p{Lu}/u.test(text.replace(/\\[pP]\{[^}]*\}|\\[pP].|\\x\{[^}]*\}|\\x..|\\.|\(\?P?<\w+>/gsu, ''));
}
