import type { TextEncoding } from './types.ts';

/** Bytes `start` to `end` of the file. */
export type ReadBytes = (start: number, end: number) => Promise<Buffer>;

/**
 * Where lines are in a file that is too large to hold: how many line breaks precede each page. Filled from the start as far as
 * somebody asked, kept for the next one. Two that fill it at once write the same numbers.
 */
export interface LineIndex {
  readonly sizeBytes: number;
  readonly encoding: TextEncoding;
  readonly pageBytes: number;
  /** `breaksBefore[p]` line breaks are in the pages before page p. */
  readonly breaksBefore: Float64Array;
  /** `breaksBefore` holds for pages up to this one. */
  pagesCounted: number;
  /** Whether the last line has no line break; known when all pages are counted. */
  isOpenEnded: boolean;
}

export function createLineIndex(sizeBytes: number, encoding: TextEncoding, pageBytes: number): LineIndex {
  const pages = Math.ceil(sizeBytes / pageBytes);
  return {
    sizeBytes,
    encoding,
    pageBytes,
    breaksBefore: new Float64Array(pages + 1),
    pagesCounted: 0,
    isOpenEnded: false,
  };
}

/** Lines of the whole file, or null while it has not been counted to its end. */
export function countedLines(index: LineIndex): number | null {
  if (index.pagesCounted < pagesOf(index)) return null;
  return index.breaksBefore[index.pagesCounted]! + (index.isOpenEnded ? 1 : 0);
}

/** The page that holds the nth line break (from 1), or null when the file has fewer. Counts on as far as needed. */
export async function pageOfBreak(index: LineIndex, nth: number, read: ReadBytes): Promise<number | null> {
  while (index.breaksBefore[index.pagesCounted]! < nth && index.pagesCounted < pagesOf(index)) {
    await countOn(index, read);
  }
  if (index.breaksBefore[index.pagesCounted]! < nth) return null;
  let low = 0;
  let high = index.pagesCounted - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (index.breaksBefore[middle + 1]! >= nth) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function breaksIn(bytes: Buffer, encoding: TextEncoding): number {
  let breaks = 0;
  if (unitBytes(encoding) === 1) {
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x0a) breaks += 1;
    return breaks;
  }
  for (let at = nextBreak(bytes, 0, encoding); at >= 0; at = nextBreak(bytes, at, encoding)) breaks += 1;
  return breaks;
}

export const unitBytes = (encoding: TextEncoding): 1 | 2 =>
  encoding === 'utf-16le' || encoding === 'utf-16be' ? 2 : 1;

/** Offset just after the next line break at or after `from`, or -1. `bytes` begin at an even offset of the file. */
export function nextBreak(bytes: Buffer, from: number, encoding: TextEncoding): number {
  if (unitBytes(encoding) === 1) return bytes.indexOf(0x0a, from) + 1 || -1;
  const low = encoding === 'utf-16le' ? 0 : 1;
  for (let at = bytes.indexOf(0x0a, from); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    const unit = at - low;
    if (unit >= from && (unit & 1) === 0 && bytes[unit + 1 - low] === 0) return unit + 2;
  }
  return -1;
}

/** Reaching a part of a blob costs git the whole way to it, so counting takes many pages at a time: 32 MiB, held for a moment. */
const pagesAtOnce = 32;

async function countOn(index: LineIndex, read: ReadBytes): Promise<void> {
  const firstPage = index.pagesCounted;
  const start = firstPage * index.pageBytes;
  const end = Math.min(index.sizeBytes, start + pagesAtOnce * index.pageBytes);
  const bytes = await read(start, end);
  let page = firstPage;
  for (let from = 0; from < bytes.length; from += index.pageBytes, page++) {
    const inPage = breaksIn(bytes.subarray(from, from + index.pageBytes), index.encoding);
    index.breaksBefore[page + 1] = index.breaksBefore[page]! + inPage;
  }
  if (end === index.sizeBytes) {
    const unit = unitBytes(index.encoding);
    const last = bytes.subarray(Math.max(0, (bytes.length & -unit) - unit));
    index.isOpenEnded = nextBreak(last, 0, index.encoding) < 0;
  }
  index.pagesCounted = Math.max(index.pagesCounted, page);
}

const pagesOf = (index: LineIndex): number => index.breaksBefore.length - 1;
