import type { BlockScanner } from './block-scanner.ts';
import { LINE_FEED } from './code-point-set.ts';
import type { ByteRange, RangesFound } from './line-matcher.ts';
import { type Deadline, OutOfTime, WorkMeter } from './work-meter.ts';

export interface ScanOptions {
  /** Stop after so many matching lines. Default: no limit. */
  limit?: number;
  /** Ranges told of each line; 0 when only lines are wanted, which is faster. Default: all. */
  rangesPerLine?: number;
  /** Asked at least every 256 KB of text, or as much work, also within a line; once it has expired the scan ends with what it has. Default: none. */
  deadline?: Deadline;
}

export interface MatchedLine {
  /** Counted from 1. */
  number: number;
  /** Byte offsets of the line in the text; `end` lies before the line break (`\n` or `\r\n`). */
  start: number;
  end: number;
  /** Byte offsets in the text, from left to right. An empty range is a match of nothing, such as that of `^`. */
  ranges: ByteRange[];
  /** False if `ranges` may lack some, because of rangesPerLine or the bound on work. */
  rangesComplete: boolean;
}

export interface ScanOutcome {
  lines: MatchedLine[];
  /** `complete`: the whole text was read. `limit`: there may be more lines. `deadline`: time ran out, `lines` has what was found by then. */
  ended: 'complete' | 'limit' | 'deadline';
  /** Bytes of the text whose lines are decided. */
  bytesRead: number;
  /** Work in the units of WorkMeter: about one for a byte that was read from a cached state. */
  work: number;
}

/** Finds the ranges of one line, as Regex.findRanges. */
interface RangeFinder {
  findRanges(text: Uint8Array, from: number, to: number, limit: number, meter: WorkMeter): RangesFound;
}

export function scanText(
  finder: RangeFinder,
  scanner: BlockScanner,
  text: Uint8Array,
  { limit = Number.POSITIVE_INFINITY, rangesPerLine = Number.POSITIVE_INFINITY, deadline }: ScanOptions,
): ScanOutcome {
  const meter = new WorkMeter(deadline);
  const lines: MatchedLine[] = [];
  let bytesRead = 0;
  const outcome = (ended: ScanOutcome['ended']): ScanOutcome => ({
    lines,
    ended,
    bytesRead,
    work: meter.done,
  });
  // The number of the line that starts at numberedTo.
  let number = 1;
  let numberedTo = 0;
  try {
    while (bytesRead < text.length) {
      const { to, hits } = scanner.scanSome(text, bytesRead, meter);
      for (const hit of hits) {
        if (lines.length >= limit) return outcome('limit');
        const { start, end, next } = lineAround(text, hit, bytesRead, to);
        number += scanner.countLines(text, numberedTo, start);
        numberedTo = start;
        const { ranges, complete } =
          rangesPerLine > 0
            ? finder.findRanges(text, start, next, rangesPerLine, meter)
            : { ranges: [], complete: false };
        lines.push({ number, start, end, ranges, rangesComplete: complete });
      }
      bytesRead = to;
    }
  } catch (error) {
    if (error instanceof OutOfTime) return outcome('deadline');
    throw error;
  }
  return outcome('complete');
}

/** The line that holds `offset`, or at whose line break it lies, among the whole lines of [from, to). */
function lineAround(
  text: Uint8Array,
  offset: number,
  from: number,
  to: number,
): { start: number; end: number; next: number } {
  const lines = text.subarray(from, to);
  const start = offset > from ? from + lines.lastIndexOf(LINE_FEED, offset - from - 1) + 1 : from;
  const lineFeed = lines.indexOf(LINE_FEED, offset - from);
  if (lineFeed < 0) return { start, end: to, next: to };
  const end = from + lineFeed;
  return { start, end: end > start && text[end - 1] === 0x0d ? end - 1 : end, next: end + 1 };
}
