import type { Sized } from './blob-cache.ts';
import { bomBytes, decodeAs, withoutPartialCharacter } from './decode-text.ts';
import { type LineIndex, nextBreak, pageOfBreak, type ReadBytes, unitBytes } from './line-index.ts';
import { TextLines } from './text-lines.ts';
import type { TextEncoding } from './types.ts';

/** Two pages' worth of a large file: every line that begins in the first of them, and at least a page of the last such line. */
export interface TextPage extends Sized {
  firstLine: number;
  lines: TextLines;
  reachesEnd: boolean;
  maskedSpans: number;
  /** The last line, where it goes on beyond what is held. */
  unfinished: UnfinishedLine | null;
}

export interface UnfinishedLine {
  line: number;
  /** Offset in git's bytes, as are the sizes. */
  startByte: number;
  heldBytes: number;
  /** Of the whole line without its line break; null until somebody asked. */
  sizeBytes: number | null;
}

/** Read around a page so that a credential across its edge is masked like any other. Even, for UTF-16. */
const overlapBytes = 16 * 1024;

/** Page number that holds the beginning of a line, or null when the file has fewer lines. */
export async function pageOfLine(index: LineIndex, line: number, read: ReadBytes): Promise<number | null> {
  return line <= 1 ? 0 : pageOfBreak(index, line - 1, read);
}

/** `page` is the first one, or holds a line break: the lines begin after it. */
export async function loadTextPage(
  index: LineIndex,
  page: number,
  read: ReadBytes,
  mask: (text: Buffer) => number,
): Promise<TextPage> {
  const { encoding, pageBytes, sizeBytes } = index;
  const start = page * pageBytes;
  const end = Math.min(sizeBytes, start + 2 * pageBytes);
  const readFrom = Math.max(0, start - overlapBytes);
  const bytes = await read(readFrom, Math.min(sizeBytes, end + overlapBytes));

  const from = page === 0 ? bomBytes(bytes, encoding) : nextBreak(bytes, start - readFrom, encoding);
  const reachesEnd = end === sizeBytes;
  const to = reachesEnd ? end - readFrom : characterEnd(bytes, end - readFrom, encoding);
  const before = page === 0 ? Buffer.alloc(0) : decodeAs(encoding, bytes.subarray(0, from));
  const body = decodeAs(encoding, bytes.subarray(from, to));
  const after = decodeAs(encoding, bytes.subarray(to));
  const text = Buffer.concat([before, body, after]);
  const maskedSpans = mask(text);

  const lines = new TextLines(text.subarray(before.length, before.length + body.length));
  const firstLine = page === 0 ? 1 : index.breaksBefore[page]! + 2;
  const lastStart = afterLastBreak(bytes, from, to, encoding);
  return {
    firstLine,
    lines,
    reachesEnd,
    maskedSpans,
    unfinished:
      reachesEnd || lastStart === to
        ? null
        : {
            line: firstLine + lines.count - 1,
            startByte: readFrom + lastStart,
            heldBytes: to - lastStart,
            sizeBytes: null,
          },
    cachedBytes: text.length + lines.sizeBytes - lines.text.length,
  };
}

/** Length in git of a line that is longer than a page, without its line break. */
export async function sizeOfUnfinished(
  index: LineIndex,
  unfinished: UnfinishedLine,
  read: ReadBytes,
): Promise<number> {
  const page = await pageOfBreak(index, unfinished.line, read);
  if (page === null) return index.sizeBytes - unfinished.startByte;
  const unit = unitBytes(index.encoding);
  const start = page * index.pageBytes;
  // One unit earlier, for a carriage return at the page's edge.
  const readFrom = start - unit;
  const bytes = await read(readFrom, Math.min(index.sizeBytes, start + index.pageBytes));
  let end: number = unit;
  for (let nth = index.breaksBefore[page]!; nth < unfinished.line; nth++) {
    end = nextBreak(bytes, end, index.encoding);
  }
  end -= unit;
  if (isCarriageReturn(bytes, end - unit, index.encoding)) end -= unit;
  return readFrom + end - unfinished.startByte;
}

function isCarriageReturn(bytes: Buffer, at: number, encoding: TextEncoding): boolean {
  if (encoding === 'utf-16le') return bytes[at] === 0x0d && bytes[at + 1] === 0;
  if (encoding === 'utf-16be') return bytes[at] === 0 && bytes[at + 1] === 0x0d;
  return bytes[at] === 0x0d;
}

/** `to`, or the end of the last whole character before it. */
function characterEnd(bytes: Buffer, to: number, encoding: TextEncoding): number {
  if (encoding === 'latin-1') return to;
  if (unitBytes(encoding) === 1) return withoutPartialCharacter(bytes.subarray(0, to)).length;
  const high = bytes[encoding === 'utf-16le' ? to - 1 : to - 2]!;
  return high >= 0xd8 && high <= 0xdb ? to - 2 : to;
}

/** Offset after the last line break between `from` and `to`; `from` where there is none. */
function afterLastBreak(bytes: Buffer, from: number, to: number, encoding: TextEncoding): number {
  const unit = unitBytes(encoding);
  if (unit === 1) return Math.max(from, to === 0 ? 0 : bytes.lastIndexOf(0x0a, to - 1) + 1);
  for (let at = to - unit; at >= from; at -= unit) {
    if (nextBreak(bytes.subarray(at, at + unit), 0, encoding) > 0) return at + unit;
  }
  return from;
}
