import type { BlockScanner, LinePlace, LocatedLine } from './block-scanner.ts';
import { LINE_FEED } from './code-point-set.ts';
import type { ByteRange, RangesFound } from './line-matcher.ts';
import { type Deadline, OutOfTime, WorkMeter } from './work-meter.ts';

const CARRIAGE_RETURN = 0x0d;

export interface ScanOptions {
  /** Stop after so many matching lines. Default: no limit. */
  limit?: number;
  /** Ranges told of each line; 0 when only lines are wanted, which is faster. Default: all. */
  rangesPerLine?: number;
  /** Asked at least every 256 KB of text, or as much work, also within a line; once it has expired the scan ends with what it has. Default: none. */
  deadline?: Deadline;
  /** Where a part of a text is scanned: whether it begins and ends the whole. Default: it does both. */
  ends?: TextEnds;
}

/** Whether `\A` holds at the start of what is matched, and `\z` at its end. */
export interface TextEnds {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export interface MatchedLine {
  /** Counted from 1. */
  number: number;
  /** Byte offsets of the line in the text; `end` lies before the line break (`\n` or `\r\n`). */
  start: number;
  end: number;
  /**
   * Byte offsets in the text, from left to right. An empty range is a match of nothing, such as that of `^`. A match that goes on
   * in further lines is told of the line where it begins, and cut at that line's end.
   */
  ranges: ByteRange[];
  /** The last line that a match of this line reaches into; `number` if none goes on. */
  lastLine: number;
  /** False if `ranges` may lack some, because of rangesPerLine or the bound on work. */
  rangesComplete: boolean;
}

export interface ScanOutcome {
  lines: MatchedLine[];
  /** `complete`: the whole text was read. `limit`: there may be more lines; for a pattern that spans lines also when its work was bounded. `deadline`: time ran out, `lines` has what was found by then. */
  ended: 'complete' | 'limit' | 'deadline';
  /** Bytes of the text whose lines are decided. */
  bytesRead: number;
  /** Work in the units of WorkMeter: about one for a byte that was read from a cached state. */
  work: number;
}

/** Finds the ranges of one line, as Regex.findRanges. */
interface RangeFinder {
  findRanges(
    text: Uint8Array,
    from: number,
    to: number,
    limit: number,
    meter: WorkMeter,
    ends: TextEnds,
  ): RangesFound;
}

export const WHOLE: TextEnds = { isFirst: true, isLast: true };

export function scanText(
  finder: RangeFinder,
  scanner: BlockScanner,
  text: Uint8Array,
  {
    limit = Number.POSITIVE_INFINITY,
    rangesPerLine = Number.POSITIVE_INFINITY,
    deadline,
    ends = WHOLE,
  }: ScanOptions,
): ScanOutcome {
  const meter = new WorkMeter(deadline);
  scanner.ends = ends;
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
    if (rangesPerLine === 0)
      return { number, start, end, ranges: [], rangesComplete: false, lastLine: number };
    const { ranges, complete } = finder.findRanges(
      text,
      start,
      end,
      rangesPerLine,
      meter,
      endsOfLine(start, end),
    );
    return { number, start, end, ranges, rangesComplete: complete, lastLine: number };
  }

  function endsOfLine(start: number, end: number): TextEnds {
    return { isFirst: start === 0 && ends.isFirst, isLast: ends.isLast && isLastLine(text, end) };
  }
}

/** Whether the line that ends at `end`, with or without its line break, is the text's last. */
export function isLastLine(text: Uint8Array, end: number): boolean {
  const left = text.length - end;
  if (left === 0) return true;
  if (left === 1) return text[end] === LINE_FEED;
  return left === 2 && text[end] === CARRIAGE_RETURN && text[end + 1] === LINE_FEED;
}
