import { plainLower, type WordPieces } from '../words/word-pieces.ts';

const asciiOnly = /^[\x00-\x7f]*$/;
/** Words of identifiers: what `splitIdentifiers` would set apart, without writing a new text, and digits by themselves. */
const asciiWords = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const unicodeWords = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Script=Han}|\p{Lo}+|\p{N}+/gu;

/**
 * Calls `visit` with each piece of a text's words, up to `piecesMax` pieces or a few more, as the static table counts them. Signs that
 * are no letters and no digits count nothing.
 */
export function eachTextPiece(
  text: string,
  piecesMax: number,
  words: WordPieces,
  visit: (piece: number) => void,
): void {
  const isAscii = asciiOnly.test(text);
  const pattern = isAscii ? asciiWords : unicodeWords;
  const plain = isAscii ? text : text.normalize('NFD').replace(/\p{Mn}/gu, '');
  let left = piecesMax;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(plain); match !== null && left > 0; match = pattern.exec(plain)) {
    const pieces = words.piecesOf(isAscii ? match[0].toLowerCase() : plainLower(match[0]));
    for (let i = 0; i < pieces.length; i++) visit(pieces[i]!);
    left -= pieces.length;
  }
}
