/** Blocks are of whole lines: about this long, so that a candidate costs little to read. */
export const BLOCK_TARGET = 4096;
/** A longer line stays whole in a block of its own up to here, then it is cut. */
export const BLOCK_MAX = 48 * 1024;
/** Bytes that the parts of a cut line share, so that short matches across the cut are found. */
export const CUT_OVERLAP = 256;
const LINE_FEED = 10;

export interface BlockCut {
  end: number;
  /** Where the next block starts: at `end`, or before it where a line was cut. */
  next: number;
}

/** Where the block that starts at `from` ends, in a text that ends at `end` or goes on behind it by at least BLOCK_MAX. */
export function cutBlock(text: Buffer, from: number, end: number): BlockCut {
  const rest = end - from;
  if (rest <= BLOCK_TARGET * 1.5) return { end, next: end };
  // Searches are bounded by what a block may hold: a text of one line must not be searched whole for every block.
  const back = text.subarray(from, from + BLOCK_TARGET).lastIndexOf(LINE_FEED);
  if (back >= BLOCK_TARGET / 4) return whole(from + back + 1);
  const ahead = text.subarray(from + BLOCK_TARGET, Math.min(end, from + BLOCK_MAX)).indexOf(LINE_FEED);
  if (ahead >= 0) return whole(from + BLOCK_TARGET + ahead + 1);
  if (rest <= BLOCK_MAX) return whole(end);
  return {
    end: characterStart(text, from + BLOCK_MAX),
    next: characterStart(text, from + BLOCK_MAX - CUT_OVERLAP),
  };
}

function whole(end: number): BlockCut {
  return { end, next: end };
}

function characterStart(text: Buffer, at: number): number {
  for (let back = 0; back < 4; back++) if ((text[at - back]! & 0xc0) !== 0x80) return at - back;
  return at;
}
