import type { BlockScanner, LinePlace, LocatedLine } from './block-scanner.ts';
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
  const found: MatchedLine[] = [];
  let place: LinePlace = { offset: 0, number: 1 };
  const outcome = (ended: ScanOutcome['ended']): ScanOutcome => {
    return { lines: found, ended, bytesRead: place.offset, work: meter.done };
  };
  try {
    while (place.offset < text.length) {
      if (found.length >= limit) return outcome('limit');
      // One line more than is wanted tells whether the limit cuts anything off.
      const { lines, next } = scanner.read(text, place, limit - found.length + 1, meter);
      for (const line of lines) {
        if (found.length >= limit) return outcome('limit');
        found.push(withRanges(line));
      }
      place = next;
    }
  } catch (error) {
    if (error instanceof OutOfTime) return outcome('deadline');
    throw error;
  }
  return outcome('complete');

  function withRanges({ number, start, end }: LocatedLine): MatchedLine {
    if (rangesPerLine === 0) return { number, start, end, ranges: [], rangesComplete: false };
    const { ranges, complete } = finder.findRanges(text, start, end, rangesPerLine, meter);
    return { number, start, end, ranges, rangesComplete: complete };
  }
}
