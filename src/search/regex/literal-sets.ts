import { rarity } from './byte-rarity.ts';
import { type CodePointSet, LINE_FEED, REPLACEMENT } from './code-point-set.ts';
import type { LiteralQuery } from './literal-query.ts';
import { literalsOf } from './required-literals.ts';
import type { Syntax } from './syntax-tree.ts';

/** For scanners of bytes. */
export interface ScanLiteral {
  /** latin1. Without capitals where case is ignored. */
  bytes: string;
  /** ASCII letters match in any case, all other bytes as they are. */
  ignoreCase: boolean;
}

/** Scanners look for a few at once. */
const LITERALS_MAX = 8;
const LENGTH_MAX = 256;

interface Pattern {
  readonly syntax: Syntax;
}

/**
 * The literals that the pattern is an alternation of, the preferred first, if it is nothing but that: no assertions, at most 8 literals,
 * no line break. Then finding bytes is matching. Null if it is more, and if case is ignored for what folds beyond ASCII (`k` matches
 * the Kelvin sign, `s` the long s).
 */
export function exactLiterals({ syntax }: Pattern): readonly ScanLiteral[] | null {
  const words = wordsOf(syntax);
  if (!words || words.some((word) => word.length === 0 || word.length > LENGTH_MAX)) return null;
  const literals: ScanLiteral[] = [];
  for (const word of words) {
    const found = foldedLiteral(word) ?? plainLiterals(word);
    if (!found) return null;
    literals.push(...found);
    if (literals.length > LITERALS_MAX) return null;
  }
  return literals.length > 0 ? literals : null;
}

/** Sets of characters in a row. */
type Word = readonly CodePointSet[];

function wordsOf(syntax: Syntax): readonly Word[] | null {
  switch (syntax.kind) {
    case 'empty':
      return [[]];
    case 'assertion':
      return null;
    case 'set':
      return [[syntax.set]];
    case 'sequence':
      return joined(syntax.items);
    case 'choice': {
      const words: Word[] = [];
      for (const option of syntax.options) {
        const more = wordsOf(option);
        if (!more || words.push(...more) > LITERALS_MAX) return null;
      }
      return words;
    }
    case 'repeat':
      if (syntax.min !== syntax.max || syntax.max > LENGTH_MAX) return null;
      return joined(Array.from({ length: syntax.min }, () => syntax.item));
  }
}

function joined(items: readonly Syntax[]): readonly Word[] | null {
  let words: Word[] = [[]];
  for (const item of items) {
    const tails = wordsOf(item);
    if (!tails || words.length * tails.length > LITERALS_MAX) return null;
    words = words.flatMap((head) => tails.map((tail) => [...head, ...tail]));
    if (words.some((word) => word.length > LENGTH_MAX)) return null;
  }
  return words;
}

/** All letters of the word in both cases, and nothing beyond ASCII. */
function foldedLiteral(word: Word): ScanLiteral[] | null {
  let bytes = '';
  let ignoreCase = false;
  for (const set of word) {
    const codePoint = set.at(-1)!;
    const isPair = set.length === 4 && set[0] === set[1] && set[2] === set[3] && set[2]! - set[0]! === 0x20;
    if (isPair && isSmallLetter(codePoint)) ignoreCase = true;
    else if (!isSingle(set) || codePoint > 0x7f || codePoint === LINE_FEED) return null;
    else if (/[A-Za-z]/.test(String.fromCharCode(codePoint))) return null;
    bytes += String.fromCharCode(codePoint);
  }
  return ignoreCase ? [{ bytes, ignoreCase }] : null;
}

function isSmallLetter(codePoint: number): boolean {
  return codePoint >= 0x61 && codePoint <= 0x7a;
}

function isSingle(set: CodePointSet): boolean {
  return set.length === 2 && set[0] === set[1];
}

/** The word written out for every member of its sets. */
function plainLiterals(word: Word): ScanLiteral[] | null {
  let texts = [''];
  for (const set of word) {
    const members = membersOf(set);
    if (!members || texts.length * members.length > LITERALS_MAX) return null;
    texts = texts.flatMap((head) => members.map((member) => head + member));
  }
  return texts.map((bytes) => ({ bytes, ignoreCase: false }));
}

function membersOf(set: CodePointSet): string[] | null {
  const members: string[] = [];
  for (let i = 0; i < set.length; i += 2) {
    for (let codePoint = set[i]!; codePoint <= set[i + 1]!; codePoint++) {
      // U+FFFD is also any bad byte, and a line break may be two bytes.
      if (codePoint === REPLACEMENT || codePoint === LINE_FEED || members.length === LITERALS_MAX)
        return null;
      members.push(Buffer.from(String.fromCodePoint(codePoint)).toString('latin1'));
    }
  }
  return members;
}

/** In tenths of bits, as rarity: below it scanning finds something in every other line. */
const SCORE_MIN = 80;

/**
 * At most 8 literals of which every line that matches has one, the set that is found least often in source code; null if none is rare
 * enough to look for. Of a regex that spans lines every text that matches has one.
 */
export function scanLiterals(pattern: Pattern): readonly ScanLiteral[] | null {
  const exact = exactLiterals(pattern);
  const plain = bestOf(literalsOf(pattern.syntax, { shortest: 2 }), false);
  const folded = bestOf(literalsOf(pattern.syntax, { shortest: 2, foldAscii: true }), true);
  let best = exact && scored(exact);
  // What is found by its very bytes is found faster, so that the others must be better.
  for (const choice of [plain, folded]) if (choice && (!best || choice.score > best.score)) best = choice;
  return best && best.score >= SCORE_MIN ? best.literals : null;
}

interface Choice {
  literals: readonly ScanLiteral[];
  score: number;
}

function bestOf(query: LiteralQuery, ignoreCase: boolean): Choice | null {
  switch (query.kind) {
    case 'everything':
    case 'nothing':
      return null;
    case 'literal':
      return scored([{ bytes: query.bytes, ignoreCase }]);
    case 'all':
      return query.of
        .map((part) => bestOf(part, ignoreCase))
        .reduce((best, choice) => (choice && (!best || choice.score > best.score) ? choice : best), null);
    case 'any': {
      if (query.of.length > LITERALS_MAX) return null;
      const choices = query.of.map((part) => bestOf(part, ignoreCase));
      const literals = choices.flatMap((choice) => choice?.literals ?? []);
      if (choices.includes(null) || literals.length > LITERALS_MAX) return null;
      return scored(literals);
    }
  }
}

function scored(literals: readonly ScanLiteral[]): Choice {
  const scores = literals.map(({ bytes, ignoreCase }) => {
    let sum = 0;
    for (let i = 0; i < bytes.length; i++) sum += rarityOf(bytes.charCodeAt(i), ignoreCase);
    return sum;
  });
  return { literals, score: Math.min(...scores) - 10 * Math.log2(literals.length) };
}

function rarityOf(byte: number, ignoreCase: boolean): number {
  if (!ignoreCase || !isSmallLetter(byte)) return rarity[byte]!;
  return -10 * Math.log2(2 ** (-rarity[byte]! / 10) + 2 ** (-rarity[byte - 0x20]! / 10));
}
