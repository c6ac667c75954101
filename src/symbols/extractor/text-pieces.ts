const PIECE_MIN = 256;
/** What the parser takes at a time at most, in UTF-16 units; the rest would be cut off. */
const PIECE_MAX = 5119;

/**
 * Hands a text to the parser in pieces, short ones where it jumps. Grammars that go several ways at once come back for what they read
 * before thousands of times in a text, and each time as much was copied as the parser could take: more than half of what Scala cost.
 */
export function readInPieces(text: string): (from: number) => string {
  let end = -1;
  let size = PIECE_MIN;
  return (from) => {
    size = from === end ? Math.min(size * 2, PIECE_MAX) : PIECE_MIN;
    end = from + size;
    return text.slice(from, end);
  };
}
