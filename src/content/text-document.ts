import { pageNotLoaded } from './errors.ts';
import { countedLines, type LineIndex } from './line-index.ts';
import type { TextLines } from './text-lines.ts';
import type { TextPage } from './text-page.ts';
import type { LineSlice, TextDocument, TextEncoding } from './types.ts';

interface Named {
  path: string;
  oid: string;
  executable: boolean;
}

export function wholeDocument(
  named: Named,
  content: { encoding: TextEncoding; sizeBytes: number; lines: TextLines; maskedSpans: number },
): TextDocument {
  const { encoding, sizeBytes, lines, maskedSpans } = content;
  return {
    kind: 'text',
    ...named,
    encoding,
    sizeBytes,
    lineCount: lines.count,
    maskedSpans,
    lines: (first, count, lineBytesMax) => lines.slice(first, count, lineBytesMax),
    text: () => lines.text,
  };
}

/** `page` is null when the file ends before the line that was asked for. */
export function pagedDocument(named: Named, index: LineIndex, page: TextPage | null): TextDocument {
  return {
    kind: 'text',
    ...named,
    encoding: index.encoding,
    sizeBytes: index.sizeBytes,
    lineCount: countedLines(index),
    maskedSpans: page?.maskedSpans ?? 0,
    lines: (first, count, lineBytesMax) => {
      const total = countedLines(index);
      if (page === null || (total !== null && first > total))
        return nothingAfterEnd(named.path, first, total);
      const slice = sliceOfPage(named.path, page, first, count, lineBytesMax);
      return total !== null && first + slice.lines.length > total ? { ...slice, atEnd: true } : slice;
    },
    text: () => null,
  };
}

function nothingAfterEnd(path: string, first: number, total: number | null): LineSlice {
  if (total === null || first <= total) throw pageNotLoaded(path, first);
  return { first, lines: [], cutLines: new Map(), atEnd: true };
}

function sliceOfPage(
  path: string,
  page: TextPage,
  first: number,
  count: number,
  lineBytesMax: number,
): LineSlice {
  const inPage = first - page.firstLine + 1;
  const whole = page.lines.count - (page.unfinished === null ? 0 : 1);
  const isUnfinished = first === page.unfinished?.line;
  const isAfterEnd = page.reachesEnd && inPage > whole;
  if (inPage < 1 || (inPage > whole && !isUnfinished && !isAfterEnd)) throw pageNotLoaded(path, first);
  if (isUnfinished) return headOfLine(path, page, lineBytesMax);
  const slice = page.lines.slice(inPage, Math.min(count, Math.max(0, whole - inPage + 1)), lineBytesMax);
  const cutLines = new Map<number, number>();
  for (const [line, bytes] of slice.cutLines) cutLines.set(line + page.firstLine - 1, bytes);
  return {
    first,
    lines: slice.lines,
    cutLines,
    atEnd: page.reachesEnd && inPage - 1 + slice.lines.length >= whole,
  };
}

/** The beginning of a line that is longer than a page; all of it where only its line break lies beyond. */
function headOfLine(path: string, page: TextPage, lineBytesMax: number): LineSlice {
  const { line, heldBytes, sizeBytes } = page.unfinished!;
  if (sizeBytes === null) throw pageNotLoaded(path, line);
  const { lines, cutLines } = page.lines.slice(page.lines.count, 1, lineBytesMax);
  const isWhole = sizeBytes <= heldBytes && (cutLines.size === 0 || sizeBytes <= lineBytesMax);
  return {
    first: line,
    // Held, the line may end with the first half of its \r\n.
    lines: isWhole && sizeBytes < heldBytes ? lines.map((head) => head.replace(/\r$/, '')) : lines,
    cutLines: isWhole ? new Map() : new Map([[line, sizeBytes]]),
    atEnd: false,
  };
}
