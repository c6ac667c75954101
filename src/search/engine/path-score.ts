import type { PathMatcher } from './path-matcher.ts';

/** On zoekt's scale: the whole name of a file, with or without its extension, an edge of it, a part of it, a folder. */
const WHOLE_NAME = 7000;
const EDGE_OF_NAME = 5500;
const PART_OF_NAME = 4000;
const WHOLE_FOLDER = 500;
const PART_OF_FOLDER = 50;

export function pathScore(path: string, matcher: PathMatcher): number {
  const bytes = Buffer.from(path);
  const name = bytes.lastIndexOf(SLASH) + 1;
  const dot = bytes.lastIndexOf(DOT);
  const stem = dot > name ? dot : bytes.length;
  let best = 0;
  for (const { start, end } of matcher.ranges(path)) {
    const atStart = start === name;
    const atEnd = end === stem || end === bytes.length;
    let score: number;
    if (start < name) {
      const isFolder = (start === 0 || bytes[start - 1] === SLASH) && bytes[end] === SLASH;
      score = isFolder ? WHOLE_FOLDER : PART_OF_FOLDER;
    } else if (atStart && atEnd) score = WHOLE_NAME;
    else score = atStart || atEnd ? EDGE_OF_NAME : PART_OF_NAME;
    best = Math.max(best, score);
  }
  return best;
}

const SLASH = 0x2f;
const DOT = 0x2e;
