/** A piece of a text while it is being cut. */
export interface Piece {
  start: number;
  end: number;
  /** Number of the symbol that it is or is a part of, -1 for text around symbols. */
  owner: number;
  /** Number of the symbol that is cut around it, -1 for none. */
  around: number;
  /** It is all of that symbol. */
  isWhole: boolean;
}

/** A piece of fewer letters and digits is no chunk: it goes with what stands beside it. */
const BARE_LETTERS = 16;
/** A piece of text around symbols that is shorter goes with the symbol that follows it. */
const SHORT_BYTES = 160;
/** Symbols that are shorter stand together, up to so many bytes. */
const SMALL_BYTES = 200;
const TOGETHER_BYTES = 700;
const CLOSED_BYTES_MAX = 4096;

/** Leaves no piece that is too small to say anything. Pieces follow each other without gaps, before and after. */
export function closePieces(pieces: readonly Piece[], text: Uint8Array): Piece[] {
  const closed: Piece[] = [];
  let isShortBefore = false;
  let isSmallBefore = false;
  for (const piece of pieces) {
    const last = closed.at(-1);
    const isBare = !hasLetters(text, piece.start, piece.end, BARE_LETTERS);
    const bytes = piece.end - piece.start;
    if (last !== undefined && piece.end - last.start <= CLOSED_BYTES_MAX) {
      if (isBare && !isShortBefore) {
        last.end = piece.end;
        continue;
      }
      if (isShortBefore) {
        closed.pop();
        closed.push({ ...piece, start: last.start });
        isShortBefore = isBare && !piece.isWhole;
        isSmallBefore = false;
        continue;
      }
      const isSibling = isSmallBefore && piece.isWhole && piece.around === last.around;
      if (isSibling && bytes <= SMALL_BYTES && piece.end - last.start <= TOGETHER_BYTES) {
        last.end = piece.end;
        continue;
      }
    }
    closed.push({ ...piece });
    isSmallBefore = piece.isWhole && bytes <= SMALL_BYTES;
    isShortBefore = piece.owner < 0 && (isBare || bytes <= SHORT_BYTES);
  }
  return closed.filter(({ start, end }) => hasLetters(text, start, end, 1));
}

function hasLetters(text: Uint8Array, start: number, end: number, wanted: number): boolean {
  let letters = 0;
  for (let at = start; at < end; at++) {
    const byte = text[at]!;
    const letter = byte | 0x20;
    const isLetter = byte >= 0x80 || (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
    if (isLetter && ++letters >= wanted) return true;
  }
  return false;
}
