import { STRING, type Tokens, WORD } from '../../scanning/token-list.ts';

export interface QualifiedName {
  name: string;
  /** What stands before the last dot. */
  qualifier: string | null;
  /** UTF-16 offsets of the last part, without quotes. */
  start: number;
  end: number;
  /** Its last token. */
  last: number;
}

/** A word in capital letters, empty for anything else. */
export function wordAt(tokens: Tokens, at: number): string {
  return at >= 0 && tokens.kind[at] === WORD ? tokens.of(at).toUpperCase() : '';
}

/** `a.b."c d"`, `` `a` ``, `[a b]`; null where no name stands. SQLite and MySQL take `'a'` for one where a name must stand. */
export function readName(tokens: Tokens, first: number, mayBeText = false): QualifiedName | null {
  let part = readPart(tokens, first, mayBeText);
  if (part === null) return null;
  const start = part.start;
  let qualifierEnd = -1;
  while (tokens.is(part.last + 1, '.')) {
    const next = readPart(tokens, part.last + 2, mayBeText);
    if (next === null) break;
    qualifierEnd = tokens.end[part.last]!;
    part = next;
  }
  const qualifier = qualifierEnd < 0 ? null : tokens.text.slice(start, qualifierEnd).replace(/["`[\]]/g, '');
  return {
    name: tokens.text.slice(part.start, part.end),
    qualifier: qualifier !== null && qualifier.length <= 80 ? qualifier : null,
    ...part,
  };
}

const BRACKETED_TOKENS_MAX = 12;

function readPart(
  tokens: Tokens,
  at: number,
  mayBeText: boolean,
): { start: number; end: number; last: number } | null {
  if (at >= tokens.count) return null;
  if (tokens.kind[at] === WORD) return { start: tokens.start[at]!, end: tokens.end[at]!, last: at };
  if (tokens.kind[at] === STRING) {
    if (!mayBeText && tokens.text[tokens.start[at]!] === "'") return null;
    return { start: tokens.start[at]! + 1, end: tokens.end[at]! - 1, last: at };
  }
  if (!tokens.is(at, '[')) return null;
  for (let close = at + 1; close < Math.min(tokens.count, at + BRACKETED_TOKENS_MAX); close++) {
    if (tokens.is(close, ']')) return { start: tokens.end[at]!, end: tokens.start[close]!, last: close };
  }
  return null;
}
