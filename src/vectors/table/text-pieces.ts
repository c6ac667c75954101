import { plainLower, type WordPieces } from '../words/word-pieces.ts';

const asciiOnly = /^[\x00-\x7f]*$/;
const unicodeWords = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Script=Han}|\p{Lo}+|\p{N}+/gu;
const WORDS_KEPT_MAX = 200_000;

/**
 * Calls a function with each piece of a text's words, up to `piecesMax` pieces or a few more, as the static table counts them: words
 * are what `splitIdentifiers` would set apart, digits stand by themselves, signs count nothing.
 */
export type TextPieces = (text: string, piecesMax: number, visit: (piece: number) => void) => void;

export function createTextPieces(words: WordPieces): TextPieces {
  /** By the word as it is written: lower case is made once. */
  const known = new Map<string, readonly number[]>();
  return (text, piecesMax, visit) => {
    let left = piecesMax;
    if (asciiOnly.test(text)) {
      for (let at = 0; at < text.length && left > 0; ) {
        const end = endOfWord(text, at);
        if (end > at) left -= visitWord(text.slice(at, end), visit);
        at = Math.max(end, at + 1);
      }
      return;
    }
    const plain = text.normalize('NFD').replace(/\p{Mn}/gu, '');
    for (const [word] of plain.matchAll(unicodeWords)) {
      left -= visitWord(word, visit);
      if (left <= 0) return;
    }
  };

  function visitWord(word: string, visit: (piece: number) => void): number {
    let pieces = known.get(word);
    if (pieces === undefined) {
      pieces = words.piecesOf(plainLower(word));
      if (known.size < WORDS_KEPT_MAX) known.set(word, pieces);
    }
    for (let i = 0; i < pieces.length; i++) visit(pieces[i]!);
    return pieces.length;
  }
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  return /[a-z]/.test(sign) ? LOWER : /[A-Z]/.test(sign) ? UPPER : /[0-9]/.test(sign) ? DIGIT : 0;
});

/** Of the word that begins at `at`, or `at` where none does: `[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+`, five times as fast. */
function endOfWord(text: string, at: number): number {
  const kind = classes[text.charCodeAt(at)]!;
  if (kind === 0) return at;
  const end = endOfRun(text, at, kind);
  if (kind !== UPPER || end === text.length || classes[text.charCodeAt(end)] !== LOWER) return end;
  return end - at > 1 ? end - 1 : endOfRun(text, end, LOWER);
}

function endOfRun(text: string, from: number, kind: number): number {
  let at = from + 1;
  while (at < text.length && classes[text.charCodeAt(at)] === kind) at++;
  return at;
}
