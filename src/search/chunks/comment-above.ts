import type { TextLines } from './text-lines.ts';

const LINES_MAX = 80;
/** What lines of comments begin with in some language or other; `#` alone also begins directives of C. */
const commentLine = /^\s*(?:\/\/|\/\*|\*|#(?:[\s#!:|[]|$)|--|;;|%%|<!--|"""|'''|@\w)/;

/**
 * The line in which the comment begins that stands above a line, with at most one empty line between them; that line itself where none
 * does. Not every way of defining something is one that facts know the comment of.
 */
export function commentAbove(lines: TextLines, line: number): number {
  let at = line - 1;
  if (at >= 1 && lines.isBlank(at)) at--;
  let first = line;
  while (at >= 1 && line - at < LINES_MAX) {
    const text = lines.text(at);
    const isEnd = /\*\/\s*$/.test(text) && !text.includes('/*');
    if (isEnd) {
      const begin = blockBegin(lines, at);
      if (begin < 1) break;
      at = begin;
    } else if (!commentLine.test(text)) break;
    first = at;
    at--;
  }
  return first;
}

function blockBegin(lines: TextLines, end: number): number {
  for (let at = end - 1; at >= 1 && end - at < LINES_MAX; at--) {
    const text = lines.text(at);
    if (text.includes('/*')) return /^\s*\/\*/.test(text) ? at : -1;
    if (text.includes('*/')) return -1;
  }
  return -1;
}
