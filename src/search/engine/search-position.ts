import type { SearchPosition } from './types.ts';

/** Where an answer ended. A wave is the documents that were examined together, ranked as a whole and handed out page by page. */
export interface Position {
  generation: number;
  /** The best rank that the wave may hold. */
  from: number;
  /** The wave holds no rank from here on; 0 when it ends by itself. Where time ran out, the same wave is found again by this. */
  to: number;
  /** Files of the wave that were handed out. */
  offset: number;
  /** Files and lines found in earlier waves. */
  files: number;
  lines: number;
}

export function positionOf({ generation, from, to, offset, files, lines }: Position): SearchPosition {
  return { g: generation, w: from, e: to, o: offset, f: files, l: lines };
}

/** Numbers that are missing or no whole numbers count as 0: a position comes back from outside, if signed. */
export function readPosition(position: SearchPosition): Position {
  const number = (key: string) => {
    const value = position[key];
    return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : 0;
  };
  return {
    generation: number('g'),
    from: number('w'),
    to: number('e'),
    offset: number('o'),
    files: number('f'),
    lines: number('l'),
  };
}

export function generationOfPosition(position: SearchPosition): number {
  return readPosition(position).generation;
}
