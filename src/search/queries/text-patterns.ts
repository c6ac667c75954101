import { complementOf, LINE_FEED } from '../regex/code-point-set.ts';
import { parse } from '../regex/parser.ts';
import type { Syntax } from '../regex/syntax-tree.ts';
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
  const { syntax } = parse(source, { ignoreCase: false, literal: false });
  return { fitsAll: LINE_ENDS.some((end) => reached(syntax, [end]).length > 0) };
}

type LineEnd = 'line-start' | 'line-end';
const LINE_ENDS: readonly LineEnd[] = ['line-start', 'line-end'];

/** Where a match of no characters, or of any, may stand when it began at one of `from`: `^$` never gets from one end to the other. */
function reached(syntax: Syntax, from: readonly LineEnd[]): readonly LineEnd[] {
  if (from.length === 0) return from;
  switch (syntax.kind) {
    case 'empty':
      return from;
    case 'set':
      return [];
    case 'assertion':
      return from.filter((end) => end === syntax.assertion);
    case 'sequence':
      return syntax.items.reduce((ends, item) => reached(item, ends), from);
    case 'choice': {
      const ends = new Set(syntax.options.flatMap((option) => reached(option, from)));
      return LINE_ENDS.filter((end) => ends.has(end));
    }
    case 'repeat': {
      if (isAnyText(syntax) && from.includes('line-start')) return LINE_ENDS;
      return syntax.min === 0 ? from : reached(syntax.item, from);
    }
  }
}

/** `.*` */
function isAnyText(syntax: Extract<Syntax, { kind: 'repeat' }>): boolean {
  const { item, min, max } = syntax;
  if (item.kind !== 'set' || min > 0 || max !== Number.POSITIVE_INFINITY) return false;
  return complementOf(item.set).every((codePoint) => codePoint === LINE_FEED);
}

/** Whether a text names a capital letter, so that its case counts under `case:auto`. */
export function hasCapital(text: string, isRegex: boolean): boolean {
  if (!isRegex) return /\p{Lu}/u.test(text);
  if (/\[:upper:\]|\\p\{?Lu/.test(text)) return true;
  return /\p{Lu}/u.test(text.replace(/\\[pP]\{[^}]*\}|\\[pP].|\\x\{[^}]*\}|\\x..|\\.|\(\?P?<\w+>/gsu, ''));
}
